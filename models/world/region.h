/* Boxes in which the air moves or a force acts (Micklisch 3.2, ForceObject, corrected as
 * docs/errata.md says): wind and force act on the share of the vehicle that is inside, at the
 * centre of that share, so a vehicle halfway in is also turned. */
#pragma once

#include "models/vec.h"

#define REGIONS_MAX 32

struct region {
        struct vec3 centre_ned_m;
        struct vec3 half_m; /* half its size along its own axes */
        struct quat q_region_to_ned;
        struct vec3 wind_ned_mps; /* added to the air's velocity inside */
        struct vec3 force_ned_n; /* on a vehicle that is wholly inside */
};

/* The vehicle as an oriented box. */
struct region_body {
        struct vec3 pos_ned_m;
        struct quat q_body_to_ned;
        struct vec3 centre_body_m, half_m;
};

/* Overlap with one region. overlap_ratio, 0 to 1, is the share of the body's volume inside;
 * arm_ned_m goes from pos_ned_m to the centre of the overlap. */
struct region_overlap {
        double overlap_ratio;
        struct vec3 arm_ned_m;
};

/* Exact: the body's box is clipped by the region's six planes. */
struct region_overlap region_overlap(const struct region *r, const struct region_body *b);

/* The sum over all of them. */
struct region_effect {
        struct vec3 wind_ned_mps; /* share-weighted */
        struct vec3 force_ned_n, torque_ned_nm; /* about pos_ned_m */
};
void region_effect(struct region_effect *out, const struct region *regions, int count,
                   const struct region_body *b);
