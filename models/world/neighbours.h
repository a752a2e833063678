/* The other vehicles of the world as one vehicle meets them: spheres where they were when the
 * period began. The same for everyone, whoever is stepped first. */
#ifndef MODELS_WORLD_NEIGHBOURS_H
#define MODELS_WORLD_NEIGHBOURS_H

#include "models/vec.h"

#define NEIGHBOURS_MAX 7

struct neighbours {
        int count;
        struct {
                struct vec3 pos_ned_m;
                double radius_m; /* of the sphere that holds its gear and rotors */
        } at[NEIGHBOURS_MAX];
};

#endif
