/* Cross-talk: another sonar pings, of the same vehicle or of one that is near, its sound reaches this one by way of a
 * surface that both look at, or straight, and this one takes it for its own. */
#pragma once

#include "models/sensors/sonar_cone.h"

struct sonar_crosstalk {
        /* What the unit makes of the earliest foreign sound that reaches it while it listens:
         * (arrival - own ping) c/2. INFINITY: none. */
        double ghost_m;
        /* Another vehicle's sound that came before that, and rings: echoes from nearer are not heard. 0: none. */
        double deaf_m;
};

/* Of unit i, which pinged at e->t_ns. points: what its own cone meets. */
struct sonar_crosstalk sonar_crosstalk(const struct sonar_params *p, int i,
                                       const struct sonar_view *v,
                                       const struct exposure *e,
                                       const struct sonar_points *points,
                                       double sound_mps);
