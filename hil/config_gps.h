/* The GPS receiver of a vehicle file. */
#ifndef HIL_CONFIG_GPS_H
#define HIL_CONFIG_GPS_H

#include "hil/config_axes.h"

struct gps_file {
        struct schedule_params schedule;
        struct vec3 lever_arm_m;
        int earth;
        double sigma_horizontal_m, sigma_vertical_m, sigma_velocity_mps;
        double bias_m[3], bias_velocity_mps[3];
        int satellites;
};

extern const struct config_table config_gps_table;

void config_build_gps(struct gps_params *p, const struct gps_file *file);

#endif
