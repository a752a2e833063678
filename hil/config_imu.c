#include "hil/config_imu.h"

static const struct config_field accel_fields[] = {
        CONFIG_SCALE_AND_CROSS,
        { "bias_mps2", CONFIG_VECTOR, "Constant offset of x, y, z.", BETWEEN(-1000, 1000),
          .size = 3, .preset = "[0, 0, 0]", AT(axes_file, bias) },
        { "sigma_mps2", CONFIG_VECTOR, "Standard deviation of one sample of x, y, z.",
          BETWEEN(0, 1000), .size = 3, .preset = "[0, 0, 0]", AT(axes_file, sigma) },
        { "lsb_g", CONFIG_NUMBER,
          "Step of the output, rounded to 1 nm/s^2; at least 1 um/s^2.",
          AT_LEAST(1.0197e-7), AT_MOST(0.4), .scale = MPS2_PER_G,
          .preset = "1.0197162e-7", AT(axes_file, lsb) },
        { "range_g", CONFIG_NUMBER, CONFIG_RANGE_ABOUT, ABOVE(0), AT_MOST(1000),
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
        CONFIG_SCALE_AND_CROSS,
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
        { "range_dps", CONFIG_NUMBER, CONFIG_RANGE_ABOUT, ABOVE(0), AT_MOST(100000),
          .scale = RAD_PER_DEG, .optional = true, AT(axes_file, range),
          .given = offsetof(struct axes_file, range_given) },
        { NULL },
};

static const struct config_table gyro_table = {
        .name = "gyro",
        .about = "Errors of the gyroscope.",
        .field = gyro_fields,
};

static const struct config_field imu_fields[] = {
        CONFIG_RATE_AND_PHASE(imu_file),
        CONFIG_DELAY(imu_file, 50000),
        { "lever_arm_m", CONFIG_VECTOR, "From the centre of mass: forward, right, down.",
          BETWEEN(-10, 10), .size = 3, .preset = "[0, 0, 0]", AT(imu_file, lever_arm_m) },
        { "mounting_deg", CONFIG_OBJECT, "How it is turned.",
          .table = &config_mounting_table, .preset = "{}", AT(imu_file, mounting) },
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

void config_build_imu(struct imu_params *p, const struct imu_file *file)
{
        p->schedule = file->schedule;
        p->lever_arm_body_m = file->lever_arm_m;
        p->q_body_to_sensor = config_build_mounting(&file->mounting);
        config_build_axes(&p->accel, &file->accel);
        config_build_axes(&p->gyro, &file->gyro);
}
