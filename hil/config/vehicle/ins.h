/* The inertial navigation system of a vehicle file. */
#ifndef HIL_CONFIG_VEHICLE_INS_H
#define HIL_CONFIG_VEHICLE_INS_H

#include "hil/config/axes.h"

struct ins_file {
        struct schedule_params schedule;
        double sigma, precision;
        bool drifting;
};

extern const struct config_table config_ins_table;

void config_build_ins(struct ins_params *p, const struct ins_file *file);

#endif
