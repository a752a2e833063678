/* What the sensors of one vehicle are exposed to at one instant: the truth that they measure. A
 * view that vehicle_step() puts together; nothing in it changes while a sensor reads it. */
#pragma once

#include "models/world/neighbours.h"
#include "models/signals.h"
#include "models/plant/vibration.h"
#include "models/world/world.h"

struct exposure {
        int64_t t_ns;
        const struct world *world;
        const struct neighbours *others;
        const struct body_state *body;
        const struct vibration *vibration; /* of the frame, by the rotors */
        struct vec3 airspeed_body_mps; /* of the body through the air */
        double ground_effect; /* thrust over what it would be far from the ground, less 1 */
        double disk_loading_pa; /* thrust of all rotors over the area of their disks; 0 where the
                                   vehicle file gives no radius */
        double voltage_v, current_a; /* at the battery's terminals; 0 without a battery */
        /* What real sonars measured at this instant, in the order of the virtual ones; INFINITY
         * where there is none. */
        const double *real_range_m; /* SONARS_MAX of them */
};
