/* What one vehicle meets at its position: moving air, forces of regions, the surface below.
 * Computed once per period and constant in it, so that the plant's integrator keeps its order. */
#pragma once

#include "models/world/region.h"
#include "models/signals.h"
#include "models/world/world.h"

struct surroundings_params {
        struct vec3 box_centre_body_m, box_half_m; /* the vehicle's box, for regions */
        double ground_effect_m; /* the distance to a surface matters below this */
};

struct surroundings {
        struct wind wind;
        struct vec3 wind_ned_mps; /* of the air: wind and regions */
        struct vec3 force_ned_n; /* of regions, at the centre of mass */
        struct vec3 torque_body_nm; /* of regions, about it */
        double surface_down_m; /* z of the surface straight below; INFINITY far away */
};

void surroundings_init(struct surroundings *s, const struct surroundings_params *p,
                       const struct world *world, const struct body_state *body,
                       uint64_t seed, uint32_t vehicle);

/* At t_ns, the beginning of a period of dt_s. */
void surroundings_step(struct surroundings *s, const struct surroundings_params *p,
                       const struct world *world, const struct body_state *body,
                       int64_t t_ns, double dt_s);
