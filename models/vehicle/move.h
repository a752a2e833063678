/* The plant's step, as vehicle.c uses it. */
#pragma once

#include "models/vehicle/vehicle.h"

void vehicle_air_init(struct air *air, const struct world *world, double down_m);

/* What the rotors take from their motors at this instant: drag, and what speeds them up, if they are asked for
 * `share` of the speed that the last command asks for; not less than 0, since the motors do not charge the battery. */
double vehicle_shaft_w(const struct vehicle *v, const struct vehicle_params *p,
                       double share);

/* What it grows by with `share`, at most. */
double vehicle_shaft_slope_w(const struct vehicle *v, const struct vehicle_params *p);
