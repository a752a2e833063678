/* The IMU of a vehicle file, and the part that it is. */
#ifndef HIL_CONFIG_VEHICLE_IMU_H
#define HIL_CONFIG_VEHICLE_IMU_H

#include "hil/config/axes.h"

/* Accelerometer or gyroscope. */
struct imu_axes_file {
        struct axes_file axes;
        struct imu_axes_params more;
};

struct imu_part_file {
        struct imu_axes_file accel, gyro;
        double g_sensitivity[9];
        double self_heating_k, warm_up_s;
};

struct imu_file {
        struct schedule_params schedule;
        struct vec3 lever_arm_m;
        struct mounting_file mounting;
        struct imu_part_file part; /* with what the vehicle file gives beside it */
};

extern const struct config_table config_imu_table;
extern const struct config_table config_imu_part_table;

void config_build_imu(struct imu_params *p, const struct imu_file *file);

#endif
