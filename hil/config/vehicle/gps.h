/* The GPS receiver of a vehicle file, and the part that it may be. */
#ifndef HIL_CONFIG_VEHICLE_GPS_H
#define HIL_CONFIG_VEHICLE_GPS_H

#include "hil/config/axes.h"

/* What a data sheet says of a receiver. */
struct gps_part_file {
        struct gps_errors_params errors;
        int channels;
        double cold_start_s, hot_start_s, reacquire_s;
        double rate_max_hz;
        bool rate_max_given;
};

struct gps_file {
        struct schedule_params schedule;
        struct vec3 lever_arm_m;
        int earth, model, start;
        double sigma_horizontal_m, sigma_vertical_m, sigma_velocity_mps;
        double bias_m[3], bias_velocity_mps[3];
        int satellites;
        double max_noise_m, min_noise_m;
        double mask_rad, antenna_mask_rad;
        struct gps_part_file part;
};

extern const struct config_table config_gps_table;
extern const struct config_table config_gps_part_table;

/* node is the object that holds "gps". */
bool config_build_gps(struct gps_params *p, const struct gps_file *file,
                      const struct json *node, struct config_error *why);

#endif
