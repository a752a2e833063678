/* Sensors of a vehicle file. Every LSB becomes a whole number of nano SI units, since the wire
 * counts in them, and every limit a whole number of LSBs. */
#include "hil/config_kinds.h"

/* clang-format off */
#define RATE(type)                                                                      \
        { "rate_hz", CONFIG_RATE, "Samples a second; the period is rounded to 1 ns.",   \
          BETWEEN(0.01, 20000), AT(type, schedule.period_ns) },                         \
        { "phase_us", CONFIG_TIME, "Time of the first sample; less than a period.",     \
          BETWEEN(0, 1e8), .scale = NS_PER_US, .preset = "0",                           \
          AT(type, schedule.phase_ns) }

#define DELAY(type, most)                                                               \
        { "delay_us", CONFIG_TIME,                                                      \
          "From measurement to delivery; less than 64 periods.", BETWEEN(0, most),      \
          .scale = NS_PER_US, .preset = "0", AT(type, schedule.delay_ns) }

#define SCALE_AND_CROSS                                                                 \
        { "scale", CONFIG_VECTOR, "Scale factors of x, y, z.", BETWEEN(-10, 10),        \
          .size = 3, .preset = "[1, 1, 1]", AT(axes_file, scale) },                     \
        { "cross_axis", CONFIG_OBJECT, "Misalignment of the axes.",                     \
          .table = &cross_table, .preset = "{}" }

#define RANGE_ABOUT                                                                     \
        "Largest reading. Where it is a power of two of LSBs, n, readings end at -n "   \
        "and n - 1 as a two's complement register does, else at -n and n. Left out: "   \
        "2^31 LSBs."
/* clang-format on */

static const struct config_field cross_fields[] = {
        { "xy", CONFIG_NUMBER, "Share of y that shows in x.", BETWEEN(-1, 1),
          .preset = "0", AT(axes_file, cross.xy) },
        { "xz", CONFIG_NUMBER, "Share of z that shows in x.", BETWEEN(-1, 1),
          .preset = "0", AT(axes_file, cross.xz) },
        { "yx", CONFIG_NUMBER, "Share of x that shows in y.", BETWEEN(-1, 1),
          .preset = "0", AT(axes_file, cross.yx) },
        { "yz", CONFIG_NUMBER, "Share of z that shows in y.", BETWEEN(-1, 1),
          .preset = "0", AT(axes_file, cross.yz) },
        { "zx", CONFIG_NUMBER, "Share of x that shows in z.", BETWEEN(-1, 1),
          .preset = "0", AT(axes_file, cross.zx) },
        { "zy", CONFIG_NUMBER, "Share of y that shows in z.", BETWEEN(-1, 1),
          .preset = "0", AT(axes_file, cross.zy) },
        { NULL },
};

static const struct config_table cross_table = {
        .name = "cross_axis",
        .about = "Misalignment of the axes (Gruber 2.2.2.1).",
        .field = cross_fields,
};

static const struct config_field accel_fields[] = {
        SCALE_AND_CROSS,
        { "bias_mps2", CONFIG_VECTOR, "Constant offset of x, y, z.", BETWEEN(-1000, 1000),
          .size = 3, .preset = "[0, 0, 0]", AT(axes_file, bias) },
        { "sigma_mps2", CONFIG_VECTOR, "Standard deviation of one sample of x, y, z.",
          BETWEEN(0, 1000), .size = 3, .preset = "[0, 0, 0]", AT(axes_file, sigma) },
        { "lsb_g", CONFIG_NUMBER,
          "Step of the output, rounded to 1 nm/s^2; at least 1 um/s^2.",
          AT_LEAST(1.0197e-7), AT_MOST(0.4), .scale = MPS2_PER_G,
          .preset = "1.0197162e-7", AT(axes_file, lsb) },
        { "range_g", CONFIG_NUMBER, RANGE_ABOUT, ABOVE(0), AT_MOST(1000),
          .scale = MPS2_PER_G, .optional = true, AT(axes_file, range),
          .given = offsetof(struct axes_file, range_given) },
        { NULL },
};

static const struct config_table accel_table = {
        .name = "accel",
        .about = "Errors of the accelerometer.",
        .field = accel_fields,
};

static const struct config_field gyro_fields[] = {
        SCALE_AND_CROSS,
        { "bias_dps", CONFIG_VECTOR, "Constant offset of x, y, z.",
          BETWEEN(-10000, 10000), .scale = RAD_PER_DEG, .size = 3, .preset = "[0, 0, 0]",
          AT(axes_file, bias) },
        { "sigma_dps", CONFIG_VECTOR, "Standard deviation of one sample of x, y, z.",
          BETWEEN(0, 10000), .scale = RAD_PER_DEG, .size = 3, .preset = "[0, 0, 0]",
          AT(axes_file, sigma) },
        { "lsb_dps", CONFIG_NUMBER,
          "Step of the output, rounded to 1 nrad/s; at least 50 nrad/s.",
          AT_LEAST(2.8648e-6), AT_MOST(200), .scale = RAD_PER_DEG,
          .preset = "5.729578e-5", AT(axes_file, lsb) },
        { "range_dps", CONFIG_NUMBER, RANGE_ABOUT, ABOVE(0), AT_MOST(100000),
          .scale = RAD_PER_DEG, .optional = true, AT(axes_file, range),
          .given = offsetof(struct axes_file, range_given) },
        { NULL },
};

static const struct config_table gyro_table = {
        .name = "gyro",
        .about = "Errors of the gyroscope.",
        .field = gyro_fields,
};

static const struct config_field mounting_fields[] = {
        { "roll", CONFIG_NUMBER, "Degrees about the sensor's x.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0", AT(mounting_file, roll_rad) },
        { "pitch", CONFIG_NUMBER, "Degrees about y.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0", AT(mounting_file, pitch_rad) },
        { "yaw", CONFIG_NUMBER, "Degrees about z.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0", AT(mounting_file, yaw_rad) },
        { NULL },
};

static const struct config_table mounting_table = {
        .name = "mounting",
        .about = "How the sensor is turned from the body's axes: yaw, then pitch, then "
                 "roll.",
        .field = mounting_fields,
};

static const struct config_field imu_fields[] = {
        RATE(imu_file),
        DELAY(imu_file, 50000),
        { "lever_arm_m", CONFIG_VECTOR, "From the centre of mass: forward, right, down.",
          BETWEEN(-10, 10), .size = 3, .preset = "[0, 0, 0]", AT(imu_file, lever_arm_m) },
        { "mounting_deg", CONFIG_OBJECT, "How it is turned.", .table = &mounting_table,
          .preset = "{}", AT(imu_file, mounting) },
        { "accel", CONFIG_OBJECT, "Accelerometer.", .table = &accel_table, .preset = "{}",
          AT(imu_file, accel) },
        { "gyro", CONFIG_OBJECT, "Gyroscope.", .table = &gyro_table, .preset = "{}",
          AT(imu_file, gyro) },
        { NULL },
};

const struct config_table config_imu_table = {
        .name = "imu",
        .about = "Accelerometer and gyroscope.",
        .field = imu_fields,
};

static const char *const earth_names[] = { "wgs84", "flat", NULL };

static const struct config_field gps_fields[] = {
        RATE(gps_file),
        DELAY(gps_file, 5000000),
        { "lever_arm_m", CONFIG_VECTOR,
          "Antenna from the centre of mass: forward, right, down.", BETWEEN(-10, 10),
          .size = 3, .preset = "[0, 0, 0]", AT(gps_file, lever_arm_m) },
        { "earth", CONFIG_CHOICE,
          "wgs84, or flat: 111200 m a degree north and 71670 m a degree east (Gruber "
          "5.2.7.2).",
          .names = earth_names, .preset = "\"wgs84\"", AT(gps_file, earth) },
        { "sigma_horizontal_m", CONFIG_NUMBER, "Standard deviation of north and of east.",
          BETWEEN(0, 1000), .preset = "0", AT(gps_file, sigma_horizontal_m) },
        { "sigma_vertical_m", CONFIG_NUMBER, "Standard deviation of the height.",
          BETWEEN(0, 1000), .preset = "0", AT(gps_file, sigma_vertical_m) },
        { "sigma_velocity_mps", CONFIG_NUMBER,
          "Standard deviation of each component of the velocity.", BETWEEN(0, 100),
          .preset = "0", AT(gps_file, sigma_velocity_mps) },
        { "bias_m", CONFIG_VECTOR, "Constant offset north, east, down.",
          BETWEEN(-10000, 10000), .size = 3, .preset = "[0, 0, 0]",
          AT(gps_file, bias_m) },
        { "bias_velocity_mps", CONFIG_VECTOR, "Constant offset north, east, down.",
          BETWEEN(-100, 100), .size = 3, .preset = "[0, 0, 0]",
          AT(gps_file, bias_velocity_mps) },
        { "satellites", CONFIG_INTEGER, "Fewer than 4: no fix.", BETWEEN(0, 99),
          .preset = "12", AT(gps_file, satellites) },
        { NULL },
};

const struct config_table config_gps_table = {
        .name = "gps",
        .about = "GPS receiver.",
        .field = gps_fields,
};

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
        RATE(baro_file),
        DELAY(baro_file, 1000000),
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

static const struct config_field mag_fields[] = {
        RATE(mag_file),
        DELAY(mag_file, 1000000),
        { "mounting_deg", CONFIG_OBJECT, "How it is turned.", .table = &mounting_table,
          .preset = "{}", AT(mag_file, mounting) },
        { "scale", CONFIG_VECTOR, "Scale factors of x, y, z.", BETWEEN(-10, 10),
          .size = 3, .preset = "[1, 1, 1]", AT(mag_file, field.scale) },
        { "cross_axis", CONFIG_OBJECT, "Misalignment of the axes.", .table = &cross_table,
          .preset = "{}", AT(mag_file, field) },
        { "bias_ut", CONFIG_VECTOR, "Constant offset of x, y, z.", BETWEEN(-1000, 1000),
          .scale = 1e-6, .size = 3, .preset = "[0, 0, 0]", AT(mag_file, field.bias) },
        { "sigma_ut", CONFIG_VECTOR, "Standard deviation of one sample of x, y, z.",
          BETWEEN(0, 1000), .scale = 1e-6, .size = 3, .preset = "[0, 0, 0]",
          AT(mag_file, field.sigma) },
        { "lsb_ut", CONFIG_NUMBER, "Step of the output, rounded to 1 nT.", AT_LEAST(1e-3),
          AT_MOST(1000), .scale = 1e-6, .preset = "0.001", AT(mag_file, field.lsb) },
        { "range_ut", CONFIG_NUMBER, RANGE_ABOUT, ABOVE(0), AT_MOST(1e6), .scale = 1e-6,
          .optional = true, AT(mag_file, field.range),
          .given = offsetof(struct mag_file, field.range_given) },
        { NULL },
};

const struct config_table config_mag_table = {
        .name = "mag",
        .about = "Magnetometer.",
        .field = mag_fields,
};

static const struct config_field sonar_fields[] = {
        RATE(sonar_file),
        DELAY(sonar_file, 1000000),
        { "lever_arm_m", CONFIG_VECTOR, "From the centre of mass: forward, right, down.",
          BETWEEN(-10, 10), .size = 3, .preset = "[0, 0, 0]",
          AT(sonar_file, lever_arm_m) },
        { "axis", CONFIG_VECTOR,
          "Direction of the beam in body axes, of any length but 0.", BETWEEN(-1, 1),
          .size = 3, .preset = "[0, 0, 1]", AT(sonar_file, axis) },
        { "beam_max_m", CONFIG_NUMBER, "Nothing echoes from farther away.", ABOVE(0),
          AT_MOST(1000), AT(sonar_file, beam_max_m) },
        { "reported_min_m", CONFIG_NUMBER, "Smallest reading.", BETWEEN(0, 1000),
          .preset = "0", AT(sonar_file, range.min) },
        { "reported_max_m", CONFIG_NUMBER,
          "Largest reading, and what it says when nothing echoes.", ABOVE(0),
          AT_MOST(1000), AT(sonar_file, range.max) },
        { "bias_m", CONFIG_NUMBER, "Constant offset.", BETWEEN(-100, 100), .preset = "0",
          AT(sonar_file, range.bias) },
        { "sigma_m", CONFIG_NUMBER, "Standard deviation of one sample.", BETWEEN(0, 100),
          .preset = "0", AT(sonar_file, range.sigma) },
        { "lsb_m", CONFIG_NUMBER, "Step of the output, rounded to 1 nm.", AT_LEAST(1e-6),
          AT_MOST(4), .preset = "0.001", AT(sonar_file, range.lsb) },
        { "incidence_max_deg", CONFIG_NUMBER,
          "No echo from a surface hit at a larger angle to its normal.", ABOVE(0),
          AT_MOST(90), .scale = RAD_PER_DEG, .preset = "30",
          AT(sonar_file, incidence_max_rad) },
        { NULL },
};

const struct config_table config_sonar_table = {
        .name = "sonar",
        .about = "Sonar range finder.",
        .field = sonar_fields,
};
