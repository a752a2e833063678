/* Horizontal position -> velocity -> acceleration: P, then PI with the drag of the desired velocity
 * fed forward. */
#pragma once

#include "models/fc/estimate/motion.h"

struct position {
        struct vec3 integral_mps2; /* x, y */
};

/* Desired velocity, x and y of NED, from the distance. */
struct vec3 position_velocity_mps(const struct fc_params *p, const struct motion *is,
                                  struct vec3 target_ned_m);

/* Desired acceleration, x and y of NED, limited by tilt_max_rad. */
struct vec3 position_step(struct position *c, const struct fc_params *p,
                          const struct motion *is, struct vec3 wanted_mps,
                          double tilt_max_rad, double dt_s);
