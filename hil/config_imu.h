/* The IMU of a vehicle file. */
#ifndef HIL_CONFIG_IMU_H
#define HIL_CONFIG_IMU_H

#include "hil/config_axes.h"

struct imu_file {
        struct schedule_params schedule;
        struct vec3 lever_arm_m;
        struct mounting_file mounting;
        struct axes_file accel, gyro;
};

extern const struct config_table config_imu_table;

void config_build_imu(struct imu_params *p, const struct imu_file *file);

#endif
