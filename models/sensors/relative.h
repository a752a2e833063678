/* Relative position: measures the other vehicles near it, one at a time in the order of their numbers: how far it is (two-way
 * ranging by radio, as UWB), in which direction (by sight, as a camera that knows the others), or both. Where they were
 * when the period began; the way between two antennas or lenses, from the lever arm to the middle of the other. Other
 * vehicles hide nothing. */
#pragma once

#include "models/sensors/errors/error_model.h"
#include "models/sensors/exposure.h"
#include "models/sensors/schedule.h"

struct relative_params {
        struct schedule_params schedule; /* each time another one */
        struct vec3 lever_arm_body_m;
        double reach_m; /* measures nobody farther away */

        bool ranging;
        struct error_params range; /* m */
        double loss_ratio; /* of ranges, that fail */
        /* A share of them comes by a longer way, by so much more in the mean: exponential, as found indoors. */
        double multipath_ratio, multipath_m;
        double wall_m; /* so much more through an obstacle, whatever it is; 0: nothing comes through one */

        bool sighting;
        struct error_params bearing; /* rad; of azimuth and elevation, axes 0 and 1 */
        struct vec3 axis_body; /* unit; that it looks along */
        double opening_rad; /* full angle of the cone in which it sees */
};

struct relative {
        struct rng rng[6]; /* range, azimuth, elevation, loss, multipath, its length */
        int32_t last; /* whom it measured */
};

void relative_init(struct relative *relative, const struct relative_params *p,
                   uint64_t seed, uint32_t vehicle);

/* One measurement, of the next one within reach. out->t_ns is the caller's. */
void relative_step(struct relative *relative, const struct relative_params *p,
                   const struct exposure *e, struct relative_sample *out);
