/* The other vehicles as one vehicle sees them: spheres at their positions when the period began, so
 * the order in which vehicles are stepped does not matter. */
#ifndef MODELS_WORLD_NEIGHBOURS_H
#define MODELS_WORLD_NEIGHBOURS_H

#include "models/vec.h"

#define NEIGHBOURS_MAX 7

struct neighbours {
        int count;
        struct {
                struct vec3 pos_ned_m;
                double radius_m; /* of the sphere that encloses its gear and rotors */
        } at[NEIGHBOURS_MAX];
};

#endif
