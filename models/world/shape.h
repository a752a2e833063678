/* The shape of a vehicle as others touch and hear it: balls, rods and discs, each rounded, which may overlap. Plain
 * geometry, in the shape's own axes. */
#pragma once

#include <stdbool.h>

#include "models/vec.h"

#define SHAPE_PARTS_MAX 32

/* Everything within round_m of its core: a point, a line along the axis, or a disc across it. */
struct shape_part {
        struct vec3 at_m; /* middle */
        struct vec3 axis; /* unit; of a point of no meaning */
        double rod_m; /* half the length of a line; 0: none */
        double disc_m; /* radius of a disc; 0: none */
        double round_m;
};

struct shape {
        int parts;
        struct shape_part part[SHAPE_PARTS_MAX];
        double radius_m; /* of the ball about the origin that holds all; grows with shape_add() */
};

void shape_add(struct shape *s, const struct shape_part *part);
/* A rod between two places; the same place twice is a ball. */
void shape_add_rod(struct shape *s, struct vec3 from_m, struct vec3 to_m, double round_m);

/* How far a place is outside of a part, negative inside, and the point of the core nearest to it. */
double shape_part_distance_m(const struct shape_part *p, struct vec3 pos_m,
                             struct vec3 *core_m);

/* Along the unit vector dir from pos: distance to the part, INFINITY if it is not met within max_m. */
double shape_part_ray_m(const struct shape_part *p, struct vec3 pos_m, struct vec3 dir,
                        double max_m);

/* Radius of the ball that hides as much as the part does, seen along the unit vector dir. */
double shape_part_seen_m(const struct shape_part *p, struct vec3 dir);

/* Where a shape stands. */
struct shape_pose {
        const struct shape *shape;
        struct vec3 pos_ned_m;
        struct mat3 body_to_ned;
};

/* Where two shapes overlap most. */
struct shape_contact {
        double depth_m; /* > 0 */
        struct vec3
                normal_ned; /* unit, from b to a: moved along it by the depth, the two parts only touch */
        struct vec3 at_ned_m; /* in the middle of the overlap */
};

/* False: they are apart. */
bool shapes_meet(const struct shape_pose *a, const struct shape_pose *b,
                 struct shape_contact *out);
