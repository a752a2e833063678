/* The other vehicles near one vehicle, as it sees them: spheres at their positions when the period began, so
 * the order in which vehicles are stepped does not matter. */
#ifndef MODELS_WORLD_NEIGHBOURS_H
#define MODELS_WORLD_NEIGHBOURS_H

#include "models/vec.h"

#define NEIGHBOURS_MAX 255

struct neighbours {
        int count;
        struct {
                struct vec3 pos_ned_m;
                double radius_m; /* of the sphere that encloses its gear and rotors */
                int index; /* of the vehicle in its rig: they stand in this order */
        } at[NEIGHBOURS_MAX];
};

#endif
