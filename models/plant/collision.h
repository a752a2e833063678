/* Two vehicles that touch: an impulse where their shapes overlap most, with restitution and friction, that
 * keeps momentum and angular momentum. */
#pragma once

#include "models/plant/body.h"
#include "models/world/shape.h"

struct collision_body {
        const struct body_params *params;
        struct body_state *state;
        const struct shape *shape; /* about the centre of mass, in body axes */
};

/* If the shapes overlap, moves them apart along the normal of the overlap without changing their common centre of
 * mass, momentum or angular momentum, nor adding energy, and pushes them apart if they approach there. Returns the speed
 * at which they met along that normal, 0 if they did not. */
double collision_step(struct collision_body *a, struct collision_body *b,
                      double restitution, double friction);
