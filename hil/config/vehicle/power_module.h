/* The power module of a vehicle file. */
#ifndef HIL_CONFIG_VEHICLE_POWER_MODULE_H
#define HIL_CONFIG_VEHICLE_POWER_MODULE_H

#include "hil/config/axes.h"

struct power_file {
        struct schedule_params schedule;
        double voltage_gain, current_gain;
        struct scalar_file voltage, current;
};

extern const struct config_table config_power_module_table;

/* node is the object that holds the key "power". */
bool config_build_power_module(struct power_params *p, const struct power_file *file,
                               const struct json *node, struct config_error *why);

#endif
