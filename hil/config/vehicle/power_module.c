/* The power module. */
#include "hil/config/vehicle/sensors.h"

static const struct config_field voltage_fields[] = {
        { "gain", CONFIG_NUMBER, "Reading over voltage.", BETWEEN(0, 10), .preset = "1",
          AT(power_file, voltage_gain) },
        { "bias_v", CONFIG_NUMBER, "Constant offset.", BETWEEN(-1000, 1000),
          .preset = "0", AT(power_file, voltage.bias) },
        { "sigma_v", CONFIG_NUMBER, "Standard deviation of one sample.", BETWEEN(0, 1000),
          .preset = "0", AT(power_file, voltage.sigma) },
        { "lsb_v", CONFIG_NUMBER, "Step of the output, rounded to 1 nV.", AT_LEAST(1e-6),
          AT_MOST(10), .preset = "0.001", AT(power_file, voltage.lsb) },
        { "reported_max_v", CONFIG_NUMBER, "Largest reading; the smallest is 0.",
          ABOVE(0), AT_MOST(1000), .preset = "60", AT(power_file, voltage.max) },
        { NULL },
};

static const struct config_table voltage_table = {
        .name = "power_voltage",
        .about = "Errors of the voltage.",
        .field = voltage_fields,
};

static const struct config_field current_fields[] = {
        { "gain", CONFIG_NUMBER, "Reading over current.", BETWEEN(0, 10), .preset = "1",
          AT(power_file, current_gain) },
        { "bias_a", CONFIG_NUMBER, "Constant offset.", BETWEEN(-1000, 1000),
          .preset = "0", AT(power_file, current.bias) },
        { "sigma_a", CONFIG_NUMBER, "Standard deviation of one sample.", BETWEEN(0, 1000),
          .preset = "0", AT(power_file, current.sigma) },
        { "lsb_a", CONFIG_NUMBER, "Step of the output, rounded to 1 nA.", AT_LEAST(1e-6),
          AT_MOST(10), .preset = "0.001", AT(power_file, current.lsb) },
        { "reported_min_a", CONFIG_NUMBER,
          "Smallest reading; below 0 for a sensor that measures both ways.",
          BETWEEN(-1000, 0), .preset = "0", AT(power_file, current.min) },
        { "reported_max_a", CONFIG_NUMBER, "Largest reading.", ABOVE(0), AT_MOST(1000),
          .preset = "200", AT(power_file, current.max) },
        { NULL },
};

static const struct config_table current_table = {
        .name = "power_current",
        .about = "Errors of the current, and therefore of the charge.",
        .field = current_fields,
};

static const struct config_field power_fields[] = {
        CONFIG_RATE_AND_PHASE(power_file, params.schedule),
        CONFIG_DELAY(power_file, params.schedule, 1000000),
        { "voltage", CONFIG_OBJECT, "Voltage at the battery.", .table = &voltage_table,
          .preset = "{}" },
        { "current", CONFIG_OBJECT, "Current out of it.", .table = &current_table,
          .preset = "{}" },
        { NULL },
};

const struct config_table config_power_module_table = {
        .name = "power",
        .about = "Power module between battery and vehicle.",
        .field = power_fields,
};

/* Where the limits leave no whole LSB there is nothing to read. */
static bool check_range(const struct error_params *p, const char *key,
                        const struct json *node, struct config_error *why)
{
        return p->min < p->max ||
               config_refuse_at(why, node, key, "must be at least one LSB");
}

bool config_build_power_module(struct power_params *p, const struct power_file *file,
                               const struct json *node, struct config_error *why)
{
        *p = file->params;
        config_build_scalar(&p->voltage, &file->voltage);
        config_build_scalar(&p->current, &file->current);
        p->voltage.scale[0][0] = file->voltage_gain;
        p->current.scale[0][0] = file->current_gain;
        return check_range(&p->voltage, "power.voltage.reported_max_v", node, why) &&
               check_range(&p->current, "power.current.reported_max_a", node, why);
}
