/* The magnetometer, and the part that it is. */
#include "hil/config/vehicle/sensors.h"

#define ZERO_CELSIUS_K 273.15

static const struct config_field part_fields[] = {
        { "sigma_ut", CONFIG_VECTOR, "Standard deviation of one sample of x, y, z.",
          BETWEEN(0, 1000), .scale = 1e-6, .size = 3, .preset = "[0, 0, 0]",
          AT(mag_file, field.sigma) },
        { "noise_ut_rthz", CONFIG_NUMBER,
          "Noise density of every axis; it adds a variance of its square times half the "
          "rate.",
          BETWEEN(0, 1000), .scale = 1e-6, .preset = "0", AT(mag_file, noise_t_rthz) },
        { "lsb_ut", CONFIG_NUMBER, "Step of the output, rounded to 1 nT.", AT_LEAST(1e-3),
          AT_MOST(1000), .scale = 1e-6, .preset = "0.001", AT(mag_file, field.lsb) },
        { "range_ut", CONFIG_NUMBER, CONFIG_RANGE_ABOUT, ABOVE(0), AT_MOST(1e6),
          .scale = 1e-6, .optional = true, AT(mag_file, field.range),
          .given = offsetof(struct mag_file, field.range_given) },
        { "gain_percent_per_k", CONFIG_NUMBER,
          "Change of the gain with the temperature of the air.", BETWEEN(-10, 10),
          .scale = 0.01, .preset = "0", AT(mag_file, params.gain_per_k) },
        { "bias_ut_per_k", CONFIG_VECTOR, "Change of the offsets with it.",
          BETWEEN(-100, 100), .scale = 1e-6, .size = 3, .preset = "[0, 0, 0]",
          AT(mag_file, params.bias_t_per_k) },
        { "reference_degc", CONFIG_NUMBER, "Temperature at which both changes are 0.",
          BETWEEN(-100, 150), .shift = ZERO_CELSIUS_K, .preset = "25",
          AT(mag_file, params.reference_k) },
        { NULL },
};

const struct config_table config_mag_part_table = {
        .name = "mag_part",
        .kind = "mag_part",
        .about = "A magnetometer as its data sheet describes it.",
        .field = part_fields,
};

static const struct config_field soft_iron_fields[] = {
        CONFIG_SCALE_AND_CROSS,
        { NULL },
};

static const struct config_table soft_iron_table = {
        .name = "soft_iron",
        .about =
                "Matrix by which iron that has no field of its own bends the world's, in "
                "body axes.",
        .field = soft_iron_fields,
};

static const struct config_field mag_fields[] = {
        CONFIG_RATE_AND_PHASE(mag_file, params.schedule),
        CONFIG_DELAY(mag_file, params.schedule, 1000000),
        { "mounting_deg", CONFIG_OBJECT, "How it is turned.",
          .table = &config_mounting_table, .preset = "{}", AT(mag_file, mounting) },
        { "part", CONFIG_OBJECT, "Which part it is, or the name of its file.",
          .table = &config_mag_part_table, .preset = "{}" },
        { "hard_iron_ut", CONFIG_VECTOR,
          "Field of magnets that turn with the vehicle: forward, right, down.",
          BETWEEN(-10000, 10000), .scale = 1e-6, .size = 3, .preset = "[0, 0, 0]",
          AT(mag_file, params.hard_iron_body_t) },
        { "soft_iron", CONFIG_OBJECT, "How the vehicle bends the world's field.",
          .table = &soft_iron_table, .preset = "{}", AT(mag_file, soft_iron) },
        { "current_ut_per_a", CONFIG_VECTOR,
          "Field of the wires over the battery's current: forward, right, down.",
          BETWEEN(-1000, 1000), .scale = 1e-6, .size = 3, .preset = "[0, 0, 0]",
          AT(mag_file, params.current_body_t_per_a) },
        { "scale", CONFIG_VECTOR, "Scale factors of x, y, z.", BETWEEN(-10, 10),
          .size = 3, .preset = "[1, 1, 1]", AT(mag_file, field.scale) },
        { "cross_axis", CONFIG_OBJECT, "Misalignment of the axes.",
          .table = &config_cross_table, .preset = "{}", AT(mag_file, field) },
        { "bias_ut", CONFIG_VECTOR, "Constant offset of x, y, z.", BETWEEN(-1000, 1000),
          .scale = 1e-6, .size = 3, .preset = "[0, 0, 0]", AT(mag_file, field.bias) },
        { "sigma_ut", CONFIG_VECTOR,
          "Standard deviation of one sample of x, y, z. Left out: the part's.",
          BETWEEN(0, 1000), .scale = 1e-6, .size = 3, .optional = true,
          AT(mag_file, field.sigma) },
        { "lsb_ut", CONFIG_NUMBER,
          "Step of the output, rounded to 1 nT. Left out: the part's.", AT_LEAST(1e-3),
          AT_MOST(1000), .scale = 1e-6, .optional = true, AT(mag_file, field.lsb) },
        { "range_ut", CONFIG_NUMBER, "Largest reading. Left out: the part's.", ABOVE(0),
          AT_MOST(1e6), .scale = 1e-6, .optional = true, AT(mag_file, field.range),
          .given = offsetof(struct mag_file, field.range_given) },
        { NULL },
};

const struct config_table config_mag_table = {
        .name = "mag",
        .about = "Magnetometer.",
        .field = mag_fields,
};

/* The part's noise density widens its sigma, not one of the vehicle file. */
static void build_field(struct error_params *p, const struct mag_file *file,
                        const struct json *mag)
{
        struct axes_file field = file->field;
        double rate_hz = S_TO_NS / (double)file->params.schedule.period_ns;
        double density_t2 = file->noise_t_rthz * file->noise_t_rthz * 0.5 * rate_hz;

        for (int i = 0; !config_member(mag, "sigma_ut") && i < 3; i++)
                field.sigma[i] = sqrt(field.sigma[i] * field.sigma[i] + density_t2);
        config_build_axes(p, &field);
}

/* The soft iron's matrix, less identity. */
static struct mat3 build_induced(const struct axes_file *s)
{
        return (struct mat3){ { s->scale[0] - 1.0, s->cross.xy, s->cross.xz },
                              { s->cross.yx, s->scale[1] - 1.0, s->cross.yz },
                              { s->cross.zx, s->cross.zy, s->scale[2] - 1.0 } };
}

void config_build_mag(struct mag_params *p, const struct mag_file *file,
                      const struct json *node)
{
        *p = file->params;
        p->q_body_to_sensor = config_build_mounting(&file->mounting);
        p->induced_body = build_induced(&file->soft_iron);
        build_field(&p->field, file, json_member(node, "mag"));
}
