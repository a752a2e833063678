/* Which laws the reference flight controller flies by, and the gains of each. */
#ifndef HIL_CONFIG_LAWS_H
#define HIL_CONFIG_LAWS_H

#include "hil/config_table.h"

/* "laws" of a flight_controller file. */
extern const struct config_table config_laws_table;

#endif
