/* The laws as settings over the wire: attitude_law, position_law, height_law, takeoff_law,
 * landing_law, avoidance_law, navigation_law, ground_law and flock_law, with the names of laws.h and flock.h. */
#pragma once

#include "models/fc/option.h"

/* Rows for fc_option_set(). An attitude law without gains is refused. A new law starts without
 * memory: in flight its integrals have to find the trim anew. */
extern const struct fc_option_row law_option_rows[];
