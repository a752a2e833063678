/* Mass, centre of mass and inertia of a vehicle assembled from simple parts (Gruber 4.1, corrected
 * as docs/errata.md says; Micklisch 21 to 23). Uniform density except the propeller's. */
#pragma once

#include "models/vec.h"

enum inertia_shape {
        INERTIA_POINT,
        INERTIA_CUBOID, /* size: length, width, height along its x, y, z */
        INERTIA_CYLINDER, /* size: radius, length along its z; a thin plate or rod is one */
        INERTIA_TUBE, /* size: outer radius, inner radius, length along its z */
        INERTIA_SPHERE, /* size: radius */
        INERTIA_PROPELLER /* size: radius: a turning disk whose density falls as 1/r: J_z = m R^2/3 */
};

struct inertia_part {
        enum inertia_shape shape;
        double mass_kg;
        double size_m[3];
        struct vec3 pos_m; /* of its own centre of mass, forward, right, down of the
                              drawing's origin */
        struct quat q_part_to_body;
};

struct inertia_sum {
        double mass_kg;
        struct vec3 centre_m; /* of mass, from the drawing's origin */
        double about_centre_kgm2[3][3];
        double about_origin_kgm2[3][3];
};

/* The diagonal for one part about its own centre, in its own axes. */
struct vec3 inertia_of_part(const struct inertia_part *part);

/* Parallel axes and rotation: part is added to the sum. *sum starts zeroed. */
void inertia_add(struct inertia_sum *sum, const struct inertia_part *part);
/* Fills centre and about_centre from the parts that were added. mass > 0. */
void inertia_finish(struct inertia_sum *sum);
