/* The barometer of a vehicle file. */
#ifndef HIL_CONFIG_BARO_H
#define HIL_CONFIG_BARO_H

#include "hil/config_axes.h"

struct baro_file {
        struct schedule_params schedule;
        struct scalar_file pressure, temperature;
};

extern const struct config_table config_baro_table;

/* node is the object that holds the key "baro". */
bool config_build_baro(struct baro_params *p, const struct baro_file *file,
                       const struct json *node, struct config_error *why);

#endif
