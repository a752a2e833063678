/* Which laws the reference flight controller flies by, and the gains of each. */
#ifndef HIL_CONFIG_LAWS_H
#define HIL_CONFIG_LAWS_H

#include "hil/config/table.h"
#include "models/fc/params.h"

/* "laws" of a flight_controller file. */
extern const struct config_table config_laws_table;

/* The gains of its attitude laws, each a table, and its filters. */
extern const struct config_table config_filters_table;
extern const struct config_table config_kemper_table;
extern const struct config_table config_hoffmann_table;
extern const struct config_table config_dikmen_table;
extern const struct config_table config_finken_table;
extern const struct config_table config_sticks_table;

/* Makes what the file counts otherwise, and refuses a law without its gains. node is the flight_controller
 * object. */
bool config_build_laws(struct fc_params *p, const struct json *node,
                       struct config_error *why);

#endif
