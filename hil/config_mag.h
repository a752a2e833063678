/* The magnetometer of a vehicle file. */
#ifndef HIL_CONFIG_MAG_H
#define HIL_CONFIG_MAG_H

#include "hil/config_axes.h"

struct mag_file {
        struct schedule_params schedule;
        struct mounting_file mounting;
        struct axes_file field;
};

extern const struct config_table config_mag_table;

void config_build_mag(struct mag_params *p, const struct mag_file *file);

#endif
