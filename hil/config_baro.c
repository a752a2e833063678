#include "hil/config_baro.h"

static const struct config_field temperature_fields[] = {
        { "bias_k", CONFIG_NUMBER, "Constant offset.", BETWEEN(-100, 100), .preset = "0",
          AT(scalar_file, bias) },
        { "sigma_k", CONFIG_NUMBER, "Standard deviation of one sample.", BETWEEN(0, 100),
          .preset = "0", AT(scalar_file, sigma) },
        { "lsb_k", CONFIG_NUMBER, "Step of the output, rounded to 1 nK.", ABOVE(0),
          AT_MOST(4), .preset = "0.01", AT(scalar_file, lsb) },
        { NULL },
};

static const struct config_table temperature_table = {
        .name = "temperature",
        .about = "Errors of the barometer's thermometer.",
        .field = temperature_fields,
};

static const struct config_field baro_fields[] = {
        CONFIG_RATE_AND_PHASE(baro_file),
        CONFIG_DELAY(baro_file, 1000000),
        { "bias_pa", CONFIG_NUMBER, "Constant offset.", BETWEEN(-50000, 50000),
          .preset = "0", AT(baro_file, pressure.bias) },
        { "sigma_pa", CONFIG_NUMBER, "Standard deviation of one sample.",
          BETWEEN(0, 10000), .preset = "0", AT(baro_file, pressure.sigma) },
        { "lsb_pa", CONFIG_NUMBER, "Step of the output, rounded to 1 nPa.",
          AT_LEAST(1e-4), AT_MOST(4), .preset = "0.01", AT(baro_file, pressure.lsb) },
        { "reported_min_pa", CONFIG_NUMBER, "Smallest reading.", BETWEEN(0, 200000),
          .preset = "1000", AT(baro_file, pressure.min) },
        { "reported_max_pa", CONFIG_NUMBER, "Largest reading.", BETWEEN(0, 200000),
          .preset = "120000", AT(baro_file, pressure.max) },
        { "temperature", CONFIG_OBJECT, "Its thermometer.", .table = &temperature_table,
          .preset = "{}", AT(baro_file, temperature) },
        { NULL },
};

const struct config_table config_baro_table = {
        .name = "baro",
        .about = "Barometer.",
        .field = baro_fields,
};

bool config_build_baro(struct baro_params *p, const struct baro_file *file,
                       const struct json *node, struct config_error *why)
{
        struct scalar_file temperature = file->temperature;

        if (!(file->pressure.min < file->pressure.max))
                return config_refuse_at(
                        why, node, "baro.reported_min_pa",
                        "must be less than reported_max_pa, which is %.15g",
                        file->pressure.max);
        temperature.max = 600.0; /* K: what fits into 16 bits of 0.01 degrees Celsius */
        p->schedule = file->schedule;
        config_build_scalar(&p->pressure, &file->pressure);
        config_build_scalar(&p->temperature, &temperature);
        return true;
}
