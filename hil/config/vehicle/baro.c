/* The barometer, and the part that it is: by its noise, or as a BMP180 with raw words. */
#include "hil/config/vehicle/sensors.h"

#define ZERO_CELSIUS_K 273.15

static const struct config_field mode_fields[] = {
        { "oversampling", CONFIG_INTEGER, "Of the mode, as the data sheet calls it.",
          BETWEEN(0, 65536), AT(baro_mode_file, oversampling) },
        { "sigma_pa", CONFIG_NUMBER, "Standard deviation of one sample in it.",
          BETWEEN(0, 10000), AT(baro_mode_file, sigma_pa) },
        { NULL },
};

static const struct config_table mode_table = {
        .name = "baro_mode",
        .about = "Noise of a barometer at one oversampling.",
        .field = mode_fields,
};

/* A calibration word of a BMP180; the default is the data sheet's example. */
#define SIGNED_WORD(name, member, example)                                               \
        {                                                                                \
                name, CONFIG_INTEGER, "Calibration word " name ", signed.",              \
                        BETWEEN(-32768, 32767), .preset = example,                       \
                                                AT(bmp180_file, member)                  \
        }
#define UNSIGNED_WORD(name, member, example)                                             \
        {                                                                                \
                name, CONFIG_INTEGER, "Calibration word " name ", unsigned.",            \
                        BETWEEN(0, 65535), .preset = example, AT(bmp180_file, member)    \
        }

static const struct config_field bmp180_fields[] = {
        { "oversampling", CONFIG_INTEGER,
          "0 ultra low power, 1 standard, 2 high, 3 ultra high resolution. It sets the "
          "noise too.",
          BETWEEN(0, BMP180_OVERSAMPLING_MAX), .preset = "0",
          AT(bmp180_file, oversampling) },
        SIGNED_WORD("AC1", ac1, "408"),
        SIGNED_WORD("AC2", ac2, "-72"),
        SIGNED_WORD("AC3", ac3, "-14383"),
        UNSIGNED_WORD("AC4", ac4, "32741"),
        UNSIGNED_WORD("AC5", ac5, "32757"),
        UNSIGNED_WORD("AC6", ac6, "23153"),
        SIGNED_WORD("B1", b1, "6190"),
        SIGNED_WORD("B2", b2, "4"),
        SIGNED_WORD("MB", mb, "-32768"),
        SIGNED_WORD("MC", mc, "-8711"),
        SIGNED_WORD("MD", md, "2868"),
        { NULL },
};

static const struct config_table bmp180_table = {
        .name = "bmp180",
        .about = "A Bosch BMP180, which answers with raw words: mode, and calibration "
                 "words of its EEPROM, by default those of the data sheet's example.",
        .field = bmp180_fields,
};

static const struct config_field part_temperature_fields[] = {
        { "sigma_k", CONFIG_NUMBER, "Standard deviation of one sample.", BETWEEN(0, 100),
          .preset = "0", AT(scalar_file, sigma) },
        { "lsb_k", CONFIG_NUMBER, "Step of the output, rounded to 1 nK.", ABOVE(0),
          AT_MOST(4), .preset = "0.01", AT(scalar_file, lsb) },
        { NULL },
};

static const struct config_table part_temperature_table = {
        .name = "part_temperature",
        .about = "The part's thermometer.",
        .field = part_temperature_fields,
};

static const struct config_field part_fields[] = {
        { "sigma_pa", CONFIG_NUMBER,
          "Standard deviation of one sample, where no mode says otherwise.",
          BETWEEN(0, 10000), .preset = "0", AT(baro_file, pressure.sigma) },
        { "lsb_pa", CONFIG_NUMBER, "Step of the output, rounded to 1 nPa.",
          AT_LEAST(1e-4), AT_MOST(4), .preset = "0.01", AT(baro_file, pressure.lsb) },
        { "reported_min_pa", CONFIG_NUMBER, "Smallest reading.", BETWEEN(0, 200000),
          .preset = "1000", AT(baro_file, pressure.min) },
        { "reported_max_pa", CONFIG_NUMBER, "Largest reading.", BETWEEN(0, 200000),
          .preset = "120000", AT(baro_file, pressure.max) },
        { "modes", CONFIG_OBJECTS, "Noise by oversampling.", .table = &mode_table,
          .size = BARO_MODES_MAX, .stride = sizeof(struct baro_mode_file), .preset = "[]",
          AT(baro_file, mode), .count = offsetof(struct baro_file, modes) },
        { "oversampling", CONFIG_INTEGER, "Which of the modes.", BETWEEN(0, 65536),
          .optional = true, AT(baro_file, oversampling), .absent = "-1" },
        { "temperature", CONFIG_OBJECT, "Its thermometer.",
          .table = &part_temperature_table, .preset = "{}", AT(baro_file, temperature) },
        { "drift_pa_per_k", CONFIG_NUMBER,
          "Error of the pressure over the part's own temperature.", BETWEEN(-1000, 1000),
          .preset = "0", AT(baro_file, params.drift_pa_per_k) },
        { "drift_reference_degc", CONFIG_NUMBER, "Temperature at which that error is 0.",
          BETWEEN(-100, 150), .shift = ZERO_CELSIUS_K, .preset = "25",
          AT(baro_file, params.drift_reference_k) },
        { "heating_k", CONFIG_NUMBER,
          "How much warmer than the air the part gets from itself and its board.",
          BETWEEN(-100, 100), .preset = "0", AT(baro_file, params.heating_k) },
        { "heating_tau_s", CONFIG_NUMBER, "Time constant of that, from the start on.",
          BETWEEN(0, 1e5), .preset = "0", AT(baro_file, params.heating_tau_s) },
        { "bmp180", CONFIG_OBJECT, "It is a BMP180.", .optional = true,
          .table = &bmp180_table, AT(baro_file, bmp180),
          .given = offsetof(struct baro_file, params.is_bmp180) },
        { NULL },
};

const struct config_table config_baro_part_table = {
        .name = "baro_part",
        .kind = "baro_part",
        .about = "A barometer as its data sheet describes it.",
        .field = part_fields,
};

static const struct config_field temperature_fields[] = {
        { "bias_k", CONFIG_NUMBER, "Constant offset.", BETWEEN(-100, 100), .preset = "0",
          AT(baro_file, temperature.bias) },
        { "sigma_k", CONFIG_NUMBER,
          "Standard deviation of one sample. Left out: the part's.", BETWEEN(0, 100),
          .optional = true, AT(baro_file, temperature.sigma) },
        { "lsb_k", CONFIG_NUMBER,
          "Step of the output, rounded to 1 nK. Left out: the part's.", ABOVE(0),
          AT_MOST(4), .optional = true, AT(baro_file, temperature.lsb) },
        { NULL },
};

static const struct config_table temperature_table = {
        .name = "temperature",
        .about = "Errors of the barometer's thermometer.",
        .field = temperature_fields,
};

static const struct config_field baro_fields[] = {
        CONFIG_RATE_AND_PHASE(baro_file, params.schedule),
        CONFIG_DELAY(baro_file, params.schedule, 1000000),
        { "at_m", CONFIG_OBJECT, "Its port, from the centre of mass.",
          .was = "lever_arm_m", .table = &config_body_place_table, .preset = "{}",
          AT(baro_file, params.lever_arm_body_m) },
        { "part", CONFIG_OBJECT, "Which part it is, or the name of its file.",
          .table = &config_baro_part_table, .preset = "{}" },
        { "oversampling", CONFIG_INTEGER,
          "Which of the part's modes. Left out: the part's default.", BETWEEN(0, 65536),
          .optional = true, AT(baro_file, oversampling) },
        { "bias_pa", CONFIG_NUMBER, "Constant offset.", BETWEEN(-50000, 50000),
          .preset = "0", AT(baro_file, pressure.bias) },
        { "sigma_pa", CONFIG_NUMBER,
          "Standard deviation of one sample. Left out: the part's.", BETWEEN(0, 10000),
          .optional = true, AT(baro_file, pressure.sigma) },
        { "lsb_pa", CONFIG_NUMBER,
          "Step of the output, rounded to 1 nPa. Left out: the part's.", AT_LEAST(1e-4),
          AT_MOST(4), .optional = true, AT(baro_file, pressure.lsb) },
        { "reported_min_pa", CONFIG_NUMBER, "Smallest reading. Left out: the part's.",
          BETWEEN(0, 200000), .optional = true, AT(baro_file, pressure.min) },
        { "reported_max_pa", CONFIG_NUMBER, "Largest reading. Left out: the part's.",
          BETWEEN(0, 200000), .optional = true, AT(baro_file, pressure.max) },
        { "temperature", CONFIG_OBJECT, "Its thermometer.", .table = &temperature_table,
          .preset = "{}" },
        { "wind_ratio", CONFIG_VECTOR,
          "Error over the dynamic pressure of the air that meets the housing, along "
          "forward, right, down: positive where flight that way raises the reading.",
          BETWEEN(-10, 10), .size = 3, .preset = "[0, 0, 0]",
          AT(baro_file, params.wind_ratio) },
        { "wash_ratio", CONFIG_NUMBER,
          "Error over the rotors' disk loading, thrust over swept area.",
          BETWEEN(-10, 10), .preset = "0", AT(baro_file, params.wash_ratio) },
        { "wash_ground_ratio", CONFIG_NUMBER,
          "Error over disk loading times ground effect, the share that the ground adds "
          "to the thrust.",
          BETWEEN(-100, 100), .preset = "0", AT(baro_file, params.wash_ground_ratio) },
        { "drift_pa", CONFIG_NUMBER,
          "Standard deviation of an offset that wanders (first-order Gauss-Markov).",
          BETWEEN(0, 10000), .preset = "0", AT(baro_file, params.drift_sigma_pa) },
        { "drift_tau_s", CONFIG_NUMBER, "Time constant of that.", ABOVE(0), AT_MOST(1e6),
          .preset = "300", AT(baro_file, params.drift_tau_s) },
        { NULL },
};

const struct config_table config_baro_table = {
        .name = "baro",
        .about = "Barometer.",
        .field = baro_fields,
};

static void build_bmp180(struct bmp180_params *p, const struct bmp180_file *f)
{
        *p = (struct bmp180_params){
                .ac1 = (int16_t)f->ac1,
                .ac2 = (int16_t)f->ac2,
                .ac3 = (int16_t)f->ac3,
                .ac4 = (uint16_t)f->ac4,
                .ac5 = (uint16_t)f->ac5,
                .ac6 = (uint16_t)f->ac6,
                .b1 = (int16_t)f->b1,
                .b2 = (int16_t)f->b2,
                .mb = (int16_t)f->mb,
                .mc = (int16_t)f->mc,
                .md = (int16_t)f->md,
                .oversampling = f->oversampling,
        };
}

/* Its words, and its noise where the vehicle file says nothing. */
static bool choose_bmp180(struct baro_params *p, struct scalar_file *pressure,
                          const struct baro_file *file, const struct json *node,
                          struct config_error *why)
{
        const struct json *baro = json_member(node, "baro");

        build_bmp180(&p->bmp180, &file->bmp180);
        if (config_member(baro, "oversampling")) {
                if (file->oversampling > BMP180_OVERSAMPLING_MAX)
                        return config_refuse_at(why, node, "baro.oversampling",
                                                "must be 0 to 3 for a BMP180, is %d",
                                                file->oversampling);
                p->bmp180.oversampling = file->oversampling;
        }
        if (!bmp180_params_fit(&p->bmp180))
                return config_refuse_at(
                        why, node, "baro.part.bmp180",
                        "has calibration words that no part has: its arithmetic does not "
                        "cover 300 to 1100 hPa at -40 to 85 degrees Celsius");
        if (!config_member(baro, "sigma_pa"))
                pressure->sigma = bmp180_sigma_pa(p->bmp180.oversampling);
        /* Whole pascals and tenths of a kelvin; data sheet, table 1. */
        if (!config_member(baro, "lsb_pa"))
                pressure->lsb = 1.0;
        if (!config_member(baro, "reported_min_pa"))
                pressure->min = 30000.0;
        if (!config_member(baro, "reported_max_pa"))
                pressure->max = 110000.0;
        return true;
}

/* The noise of the mode that was asked for. */
static bool choose_mode(struct scalar_file *pressure, const struct baro_file *file,
                        const struct json *node, struct config_error *why)
{
        const struct json *baro = json_member(node, "baro");

        if (file->oversampling < 0)
                return true;
        for (int i = 0; i < file->modes; i++) {
                if (file->mode[i].oversampling != file->oversampling)
                        continue;
                if (!config_member(baro, "sigma_pa"))
                        pressure->sigma = file->mode[i].sigma_pa;
                return true;
        }
        return config_refuse_at(
                why, node,
                config_member(baro, "oversampling") ? "baro.oversampling"
                                                    : "baro.part.oversampling",
                "must be that of one of the part's modes, is %d", file->oversampling);
}

bool config_build_baro(struct baro_params *p, const struct baro_file *file,
                       const struct json *node, struct config_error *why)
{
        struct scalar_file pressure = file->pressure, temperature = file->temperature;

        *p = file->params;
        if (p->is_bmp180 ? !choose_bmp180(p, &pressure, file, node, why)
                         : !choose_mode(&pressure, file, node, why))
                return false;
        temperature.max = 600.0; /* K: what fits into 16 bits of 0.01 degrees Celsius */
        if (!(pressure.min < pressure.max))
                return config_refuse_at(
                        why, node, "baro.reported_min_pa",
                        "must be less than reported_max_pa, which is %.15g",
                        pressure.max);
        config_build_scalar(&p->pressure, &pressure);
        config_build_scalar(&p->temperature, &temperature);
        return true;
}
