/* Target -> desired attitude and thrust, by the position law and the height law that the parameters
 * name. */
#pragma once

#include "models/fc/fc.h"

/* The desired attitude. Sets *hold while nothing may integrate. */
struct quat guidance_attitude(struct fc *fc, const struct fc_params *p,
                              const struct demand *d, double dt_s, bool *hold);

/* Thrust of all rotors together, before the demand's share. After guidance_attitude(). */
double guidance_thrust_n(struct fc *fc, const struct fc_params *p, const struct demand *d,
                         double dt_s);
