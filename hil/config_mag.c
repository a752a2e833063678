#include "hil/config_mag.h"

static const struct config_field mag_fields[] = {
        CONFIG_RATE_AND_PHASE(mag_file),
        CONFIG_DELAY(mag_file, 1000000),
        { "mounting_deg", CONFIG_OBJECT, "How it is turned.",
          .table = &config_mounting_table, .preset = "{}", AT(mag_file, mounting) },
        { "scale", CONFIG_VECTOR, "Scale factors of x, y, z.", BETWEEN(-10, 10),
          .size = 3, .preset = "[1, 1, 1]", AT(mag_file, field.scale) },
        { "cross_axis", CONFIG_OBJECT, "Misalignment of the axes.",
          .table = &config_cross_table, .preset = "{}", AT(mag_file, field) },
        { "bias_ut", CONFIG_VECTOR, "Constant offset of x, y, z.", BETWEEN(-1000, 1000),
          .scale = 1e-6, .size = 3, .preset = "[0, 0, 0]", AT(mag_file, field.bias) },
        { "sigma_ut", CONFIG_VECTOR, "Standard deviation of one sample of x, y, z.",
          BETWEEN(0, 1000), .scale = 1e-6, .size = 3, .preset = "[0, 0, 0]",
          AT(mag_file, field.sigma) },
        { "lsb_ut", CONFIG_NUMBER, "Step of the output, rounded to 1 nT.", AT_LEAST(1e-3),
          AT_MOST(1000), .scale = 1e-6, .preset = "0.001", AT(mag_file, field.lsb) },
        { "range_ut", CONFIG_NUMBER, CONFIG_RANGE_ABOUT, ABOVE(0), AT_MOST(1e6),
          .scale = 1e-6, .optional = true, AT(mag_file, field.range),
          .given = offsetof(struct mag_file, field.range_given) },
        { NULL },
};

const struct config_table config_mag_table = {
        .name = "mag",
        .about = "Magnetometer.",
        .field = mag_fields,
};

void config_build_mag(struct mag_params *p, const struct mag_file *file)
{
        p->schedule = file->schedule;
        p->q_body_to_sensor = config_build_mounting(&file->mounting);
        config_build_axes(&p->field, &file->field);
}
