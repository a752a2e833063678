/* Two vehicles that touch: an impulse between their spheres, with restitution, that keeps momentum
 * and angular momentum. */
#ifndef MODELS_COLLISION_H
#define MODELS_COLLISION_H

#include <stdbool.h>

#include "models/body.h"

struct collision_body {
        const struct body_params *params;
        struct body_state *state;
        double radius_m;
};

/* Pushes both apart when they overlap and approach. Returns the speed at which they met along the line
 * of centres, 0 when they did not. */
double collision_step(struct collision_body *a, struct collision_body *b,
                      double restitution, double friction);

#endif
