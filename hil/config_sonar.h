/* The sonar of a vehicle file. */
#ifndef HIL_CONFIG_SONAR_H
#define HIL_CONFIG_SONAR_H

#include "hil/config_axes.h"

struct sonar_file {
        struct schedule_params schedule;
        struct vec3 lever_arm_m, axis;
        double beam_max_m, incidence_max_rad;
        struct scalar_file range;
};

extern const struct config_table config_sonar_table;

/* node is the object that holds the key "sonar". */
bool config_build_sonar(struct sonar_params *p, const struct sonar_file *file,
                        const struct json *node, struct config_error *why);

#endif
