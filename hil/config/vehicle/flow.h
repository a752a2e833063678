/* The optical flow sensor of a vehicle file, and the part that it is. */
#ifndef HIL_CONFIG_VEHICLE_FLOW_H
#define HIL_CONFIG_VEHICLE_FLOW_H

#include "hil/config/axes.h"

struct flow_part_file {
        double range_min_m, range_max_m;
        double incidence_max_rad;
        double blur_radps, rate_max_radps;
        int quality_min;
        double sigma_rad, lsb_rad;
        bool gyro_given;
        struct axes_file gyro;
};

struct flow_file {
        struct schedule_params schedule;
        struct vec3 lever_arm_m;
        struct mounting_file mounting;
        double scale[2];
        struct flow_part_file part;
};

extern const struct config_table config_flow_table;
extern const struct config_table config_flow_part_table;

/* node is the object that holds the key "flow". */
bool config_build_flow(struct flow_params *p, const struct flow_file *file,
                       const struct json *node, struct config_error *why);

#endif
