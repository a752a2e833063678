/* One aircraft on two tracks, each in axes of its own: how the first is to be turned about the vertical and moved so
 * that it lies on the second, by least squares (Horn 1987, in the plane); and by how much what is left drifts. Only
 * sums are kept. */
#pragma once

#include "models/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct overlap {
        int64_t count;
        double t, tt; /* s, since first_ns */
        int64_t first_ns, last_ns;
        struct vec3 a, b, ta, tb; /* each from the first of its track */
        struct vec3 first_a, first_b;
        double dot, cross, aa, bb, aa_up, bb_up, ab_up; /* horizontal, and vertical */
        double yaw, yaw_t, yaw_first; /* of b less that of a */
};

void overlap_add(struct overlap *o, int64_t t_ns, struct vec3 a_ned_m, double yaw_a_rad,
                 struct vec3 b_ned_m, double yaw_b_rad);

struct overlap_fit {
        double yaw_rad; /* to turn a by, clockwise from above */
        bool turned; /* the tracks are long enough that they tell it; else it is the mean of the headings' differences */
        struct vec3 offset_m; /* to add then */
        double rms_m; /* that is left */
        struct vec3 drift_mps; /* of what is left; and of the headings' difference: */
        double yaw_drift_radps;
        double length_s;
};

#define OVERLAP_LEAST_S 1.0

/* False: less than OVERLAP_LEAST_S, or three moments. */
bool overlap_solve(const struct overlap *o, struct overlap_fit *fit);
