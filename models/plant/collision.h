/* Two vehicles that touch: an impulse between their spheres, with restitution and friction, that
 * keeps momentum and angular momentum. */
#ifndef MODELS_PLANT_COLLISION_H
#define MODELS_PLANT_COLLISION_H

#include <stdbool.h>

#include "models/plant/body.h"

struct collision_body {
        const struct body_params *params;
        struct body_state *state;
        double radius_m;
};

/* If the spheres overlap, moves them apart along the line of centres without changing their common centre of
 * mass, momentum or angular momentum, and pushes them apart if they approach. Returns the speed at which they met along
 * that line, 0 if they did not. */
double collision_step(struct collision_body *a, struct collision_body *b,
                      double restitution, double friction);

#endif
