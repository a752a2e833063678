/* The other vehicles near one vehicle, as it meets them: where they were when the period began, so
 * that the order in which vehicles are stepped does not matter. */
#pragma once

#include "models/world/shape.h"
#include "models/world/wash.h"

#define NEIGHBOURS_MAX 255

struct sonar_params;

/* What the others meet of a vehicle. */
struct presence {
        struct mat3 body_to_ned;
        const struct shape *shape; /* about its position */
        struct wash wash;
        const struct sonar_params *sonar; /* that may be heard; NULL: none */
};

struct neighbours {
        int count;
        struct neighbour {
                struct vec3 pos_ned_m;
                double radius_m; /* of the sphere that encloses it: the quick test */
                int index; /* of the vehicle in its rig: they stand in this order */
                const struct presence *presence; /* NULL: it is the sphere */
        } at[NEIGHBOURS_MAX];
};
