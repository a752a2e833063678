/* The same keys describe a part and, beside it, what is different on one vehicle:
 * there they have no defaults and are read second, into the same place. */
#include "hil/config/vehicle/sensors.h"

#define MPS2_PER_UG (MPS2_PER_G * 1e-6)

#define PART(text) .preset = text
#define OVER(text) .optional = true

/* clang-format off */
/* Of both. The nonlinearity is in shares of the range. */
#define SHARED_FIELDS(OR)                                                               \
        { "scale", CONFIG_VECTOR, "Scale factors of x, y, z.", BETWEEN(-10, 10),        \
          .size = 3, OR("[1, 1, 1]"), AT(imu_axes_file, axes.scale) },                  \
        { "scale_per_k", CONFIG_VECTOR,                                                 \
          "Share by which x, y, z grow for each kelvin above 25 degrees Celsius.",      \
          BETWEEN(-0.1, 0.1), .size = 3, OR("[0, 0, 0]"),                               \
          AT(imu_axes_file, more.scale_per_k) },                                        \
        { "scale_asymmetry_percent", CONFIG_VECTOR,                                     \
          "How much larger the scale of x, y, z is above 0 than below, over their "     \
          "mean.", BETWEEN(-50, 50), .scale = 0.01, .size = 3, OR("[0, 0, 0]"),         \
          AT(imu_axes_file, more.asymmetry) },                                          \
        { "square_percent", CONFIG_VECTOR,                                              \
          "Quadratic nonlinearity: what it adds at full range, as a share of it; "      \
          "needs the range.", BETWEEN(-20, 20), .scale = 0.01, .size = 3,               \
          OR("[0, 0, 0]"), AT(imu_axes_file, more.square) },                            \
        { "cube_percent", CONFIG_VECTOR,                                                \
          "Cubic nonlinearity: likewise.", BETWEEN(-20, 20),                            \
          .scale = 0.01, .size = 3, OR("[0, 0, 0]"), AT(imu_axes_file, more.cube) },    \
        { "cross_axis", CONFIG_OBJECT, "Misalignment of the axes.",                     \
          .table = &config_cross_table, OR("{}"), AT(imu_axes_file, axes) },            \
        { "bandwidth_hz", CONFIG_NUMBER,                                                \
          "-3 dB of the second-order low-pass before the sampling; 0, or 0.45 of the "  \
          "plant's rate and more: none.", BETWEEN(0, 1e6), OR("0"),                     \
          AT(imu_axes_file, more.bandwidth_hz) }

#define ACCEL_FIELDS(OR)                                                                \
        SHARED_FIELDS(OR),                                                              \
        { "bias_mps2", CONFIG_VECTOR, "Constant offset of x, y, z.",                    \
          BETWEEN(-1000, 1000), .size = 3, OR("[0, 0, 0]"),                             \
          AT(imu_axes_file, axes.bias) },                                               \
        { "bias_mps2_per_k", CONFIG_VECTOR,                                             \
          "Offset for each kelvin above 25 degrees Celsius.", BETWEEN(-100, 100),       \
          .size = 3, OR("[0, 0, 0]"), AT(imu_axes_file, more.bias_per_k) },             \
        { "turn_on_sigma_mps2", CONFIG_VECTOR,                                          \
          "Standard deviation of the offset that each start draws.", BETWEEN(0, 1000),  \
          .size = 3, OR("[0, 0, 0]"), AT(imu_axes_file, more.turn_on) },                \
        { "noise_density_ug_rthz", CONFIG_VECTOR,                                       \
          "White noise of x, y, z, one-sided as datasheets print it.",                  \
          BETWEEN(0, 1e7), .scale = MPS2_PER_UG, .size = 3, OR("[0, 0, 0]"),            \
          AT(imu_axes_file, more.density) },                                            \
        { "bias_instability_mps2", CONFIG_VECTOR,                                       \
          "B of IEEE Std 952: the flat of the Allan deviation over 0.664.",             \
          BETWEEN(0, 100), .size = 3, OR("[0, 0, 0]"),                                  \
          AT(imu_axes_file, more.instability) },                                        \
        { "random_walk_mps3_rthz", CONFIG_VECTOR,                                       \
          "K of IEEE Std 952: Allan deviation K sqrt(t/3).",                            \
          BETWEEN(0, 100), .size = 3, OR("[0, 0, 0]"),                                  \
          AT(imu_axes_file, more.walk) },                                               \
        { "sigma_mps2", CONFIG_VECTOR,                                                  \
          "Standard deviation of further white noise, of one sample of x, y, z, past "  \
          "the bandwidth.", BETWEEN(0, 1000), .size = 3, OR("[0, 0, 0]"),               \
          AT(imu_axes_file, axes.sigma) },                                              \
        { "dead_zone_mg", CONFIG_VECTOR,                                                \
          "Smaller readings of x, y, z become 0, before they are rounded.",             \
          BETWEEN(0, 1e5), .scale = MPS2_PER_G * 1e-3, .size = 3, OR("[0, 0, 0]"),      \
          AT(imu_axes_file, more.dead_zone) },                                          \
        { "lsb_g", CONFIG_NUMBER,                                                       \
          "Step of the output, rounded to 1 nm/s^2; at least 1 um/s^2.",                \
          AT_LEAST(1.0197e-7), AT_MOST(0.4), .scale = MPS2_PER_G, OR("1.0197162e-7"),   \
          AT(imu_axes_file, axes.lsb) },                                                \
        { "range_g", CONFIG_NUMBER, CONFIG_RANGE_ABOUT, ABOVE(0), AT_MOST(1000),        \
          .scale = MPS2_PER_G, .optional = true, AT(imu_axes_file, axes.range),         \
          .given = offsetof(struct imu_axes_file, axes.range_given) },                  \
        { NULL }

#define GYRO_FIELDS(OR)                                                                 \
        SHARED_FIELDS(OR),                                                              \
        { "bias_dps", CONFIG_VECTOR, "Constant offset of x, y, z.",                     \
          BETWEEN(-10000, 10000), .scale = RAD_PER_DEG, .size = 3, OR("[0, 0, 0]"),     \
          AT(imu_axes_file, axes.bias) },                                               \
        { "bias_dps_per_k", CONFIG_VECTOR,                                              \
          "Offset for each kelvin above 25 degrees Celsius.", BETWEEN(-1000, 1000),     \
          .scale = RAD_PER_DEG, .size = 3, OR("[0, 0, 0]"),                             \
          AT(imu_axes_file, more.bias_per_k) },                                         \
        { "turn_on_sigma_dps", CONFIG_VECTOR,                                           \
          "Standard deviation of the offset that each start draws.", BETWEEN(0, 10000), \
          .scale = RAD_PER_DEG, .size = 3, OR("[0, 0, 0]"),                             \
          AT(imu_axes_file, more.turn_on) },                                            \
        { "noise_density_dps_rthz", CONFIG_VECTOR,                                      \
          "White noise of x, y, z, one-sided as datasheets print it.",                  \
          BETWEEN(0, 1000), .scale = RAD_PER_DEG, .size = 3, OR("[0, 0, 0]"),           \
          AT(imu_axes_file, more.density) },                                            \
        { "bias_instability_dps", CONFIG_VECTOR,                                        \
          "B of IEEE Std 952: the flat of the Allan deviation over 0.664.",             \
          BETWEEN(0, 1000), .scale = RAD_PER_DEG, .size = 3, OR("[0, 0, 0]"),           \
          AT(imu_axes_file, more.instability) },                                        \
        { "random_walk_dps2_rthz", CONFIG_VECTOR,                                       \
          "K of IEEE Std 952: Allan deviation K sqrt(t/3).",                            \
          BETWEEN(0, 1000), .scale = RAD_PER_DEG, .size = 3, OR("[0, 0, 0]"),           \
          AT(imu_axes_file, more.walk) },                                               \
        { "sigma_dps", CONFIG_VECTOR,                                                   \
          "Standard deviation of further white noise, of one sample of x, y, z, past "  \
          "the bandwidth.", BETWEEN(0, 10000), .scale = RAD_PER_DEG, .size = 3,         \
          OR("[0, 0, 0]"), AT(imu_axes_file, axes.sigma) },                             \
        { "dead_zone_mdps", CONFIG_VECTOR,                                              \
          "Smaller readings of x, y, z become 0, before they are rounded.",             \
          BETWEEN(0, 1e6), .scale = RAD_PER_DEG * 1e-3, .size = 3, OR("[0, 0, 0]"),     \
          AT(imu_axes_file, more.dead_zone) },                                          \
        { "lsb_dps", CONFIG_NUMBER,                                                     \
          "Step of the output, rounded to 1 nrad/s; at least 50 nrad/s.",               \
          AT_LEAST(2.8648e-6), AT_MOST(200), .scale = RAD_PER_DEG, OR("5.729578e-5"),   \
          AT(imu_axes_file, axes.lsb) },                                                \
        { "range_dps", CONFIG_NUMBER, CONFIG_RANGE_ABOUT, ABOVE(0), AT_MOST(100000),    \
          .scale = RAD_PER_DEG, .optional = true, AT(imu_axes_file, axes.range),        \
          .given = offsetof(struct imu_axes_file, axes.range_given) },                  \
        { NULL }

#define PART_FIELDS(OR)                                                                 \
        { "g_sensitivity_dps_per_g", CONFIG_VECTOR,                                     \
          "What specific force does to the gyroscope: of x, y, z on x, then on y, "     \
          "then on z.", BETWEEN(-100, 100), .scale = RAD_PER_DEG / MPS2_PER_G,          \
          .size = 9, OR("[0, 0, 0, 0, 0, 0, 0, 0, 0]"),                                 \
          AT(imu_file, params.g_sensitivity) },                                         \
        { "heating_k", CONFIG_NUMBER,                                                   \
          "How much warmer than the air the part gets from itself and its board.",      \
          BETWEEN(-100, 100), OR("0"), AT(imu_file, params.self_heating_k) },           \
        { "heating_tau_s", CONFIG_NUMBER,                                               \
          "Time constant of that, from the start on; 0: warm at the start.",            \
          BETWEEN(0, 1e5), OR("0"), AT(imu_file, params.warm_up_s) }
/* clang-format on */

static const struct config_field accel_part_fields[] = { ACCEL_FIELDS(PART) };
static const struct config_field accel_over_fields[] = { ACCEL_FIELDS(OVER) };
static const struct config_field gyro_part_fields[] = { GYRO_FIELDS(PART) };
static const struct config_field gyro_over_fields[] = { GYRO_FIELDS(OVER) };

static const struct config_table accel_part_table = {
        .name = "accel_part",
        .about = "Errors of the accelerometer.",
        .field = accel_part_fields,
};

static const struct config_table accel_over_table = {
        .name = "accel",
        .about = "Errors of the accelerometer. What is left out comes from the part.",
        .field = accel_over_fields,
};

static const struct config_table gyro_part_table = {
        .name = "gyro_part",
        .about = "Errors of the gyroscope.",
        .field = gyro_part_fields,
};

static const struct config_table gyro_over_table = {
        .name = "gyro",
        .about = "Errors of the gyroscope. What is left out comes from the part.",
        .field = gyro_over_fields,
};

static const struct config_field part_fields[] = {
        { "accel", CONFIG_OBJECT, "Accelerometer.", .table = &accel_part_table,
          .preset = "{}", AT(imu_file, accel) },
        { "gyro", CONFIG_OBJECT, "Gyroscope.", .table = &gyro_part_table, .preset = "{}",
          AT(imu_file, gyro) },
        PART_FIELDS(PART),
        { NULL },
};

const struct config_table config_imu_part_table = {
        .name = "imu_part",
        .kind = "imu_part",
        .about = "An accelerometer and a gyroscope as their data sheets describe them.",
        .field = part_fields,
};

/* The part comes before what is different from it. */
static const struct config_field imu_fields[] = {
        CONFIG_RATE_AND_PHASE(imu_file, params.schedule),
        CONFIG_DELAY(imu_file, params.schedule, 50000),
        { "at_m", CONFIG_OBJECT, "Where it is, from the centre of mass.",
          .was = "lever_arm_m", .table = &config_body_place_table, .preset = "{}",
          AT(imu_file, params.lever_arm_body_m) },
        { "mounting_deg", CONFIG_OBJECT, "How it is turned.",
          .table = &config_mounting_table, .preset = "{}", AT(imu_file, mounting) },
        { "part", CONFIG_OBJECT, "Which part it is, or the name of its file.",
          .table = &config_imu_part_table, .preset = "{}" },
        { "accel", CONFIG_OBJECT, "Where its accelerometer differs from the part.",
          .table = &accel_over_table, .optional = true, AT(imu_file, accel) },
        { "gyro", CONFIG_OBJECT, "Where its gyroscope differs from the part.",
          .table = &gyro_over_table, .optional = true, AT(imu_file, gyro) },
        PART_FIELDS(OVER),
        { NULL },
};

const struct config_table config_imu_table = {
        .name = "imu",
        .about = "Accelerometer and gyroscope.",
        .field = imu_fields,
};

/* A share of the range is nothing where there is none. */
static bool check_curve(const struct imu_axes_file *file, const char *range,
                        const char *key, const struct json *node,
                        struct config_error *why)
{
        double most = 0.0;

        for (int i = 0; i < 3; i++)
                most = fmax(most,
                            fmax(fabs(file->more.square[i]), fabs(file->more.cube[i])));
        if (most == 0.0 || file->axes.range_given)
                return true;
        return config_refuse_at(why, node, key,
                                "must have %s beside square_percent and cube_percent, "
                                "which are shares of it",
                                range);
}

bool config_build_imu(struct imu_params *p, const struct imu_file *file,
                      const struct json *node, struct config_error *why)
{
        bool ok = check_curve(&file->accel, "range_g", "imu.accel", node, why);

        *p = file->params;
        p->q_body_to_sensor = config_build_mounting(&file->mounting);
        config_build_axes(&p->accel, &file->accel.axes);
        config_build_axes(&p->gyro, &file->gyro.axes);
        p->accel_axes = file->accel.more;
        p->gyro_axes = file->gyro.more;
        return check_curve(&file->gyro, "range_dps", "imu.gyro", node, why) && ok;
}
