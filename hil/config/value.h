/* Single values of a configuration file: their types, bounds and units. */
#ifndef HIL_CONFIG_VALUE_H
#define HIL_CONFIG_VALUE_H

#include "hil/config/table.h"

/* Reads any field but objects into the struct that starts at `into`. */
bool config_value_read(const struct config_field *f, const struct json *value, char *into,
                       struct config_error *why);

/* An array, with as many entries as the field takes. */
bool config_value_count(const struct config_field *f, const struct json *value,
                        struct config_error *why);

#endif
