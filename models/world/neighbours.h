/* The other vehicles near one vehicle, as it meets them: where they were when the period began, so
 * that the order in which vehicles are stepped does not matter. */
#ifndef MODELS_WORLD_NEIGHBOURS_H
#define MODELS_WORLD_NEIGHBOURS_H

#include "models/world/wash.h"

#define NEIGHBOURS_MAX 255

/* What the others meet of a vehicle. */
struct presence {
        struct wash wash;
};

struct neighbours {
        int count;
        struct neighbour {
                struct vec3 pos_ned_m;
                double radius_m; /* of the sphere that encloses its gear and rotors */
                int index; /* of the vehicle in its rig: they stand in this order */
                const struct presence *presence; /* NULL: nothing but the sphere */
        } at[NEIGHBOURS_MAX];
};

#endif
