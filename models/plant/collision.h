/* Two vehicles that touch: an impulse where their shapes overlap most, with restitution and friction, that
 * keeps momentum and angular momentum. */
#ifndef MODELS_PLANT_COLLISION_H
#define MODELS_PLANT_COLLISION_H

#include "models/plant/body.h"
#include "models/world/shape.h"

struct collision_body {
        const struct body_params *params;
        struct body_state *state;
        const struct shape *shape; /* about the centre of mass, in body axes */
};

struct collision {
        double depth_m; /* of the overlap that was found; 0: none */
        double met_mps; /* at which they approached there along its normal; 0: they did not */
};

/* If the shapes overlap, pushes them apart if they approach where they overlap most, and moves them apart there, without
 * changing their common centre of mass, momentum or angular momentum, nor adding energy. Other places where they overlap,
 * and other pairs, are those of further calls. */
struct collision collision_step(struct collision_body *a, struct collision_body *b,
                                double restitution, double friction);

#endif
