/* Cross-talk: another sonar of the same vehicle pings, its sound reaches this one by way of a surface
 * that both look at, and this one takes it for its own. */
#ifndef MODELS_SENSORS_SONAR_CROSSTALK_H
#define MODELS_SENSORS_SONAR_CROSSTALK_H

#include "models/sensors/sonar_cone.h"

/* The range that unit i, which pinged at t_ns, makes of the earliest foreign sound that reaches it
 * while it listens: (arrival - own ping) c/2. INFINITY: none. points: what its own cone meets. */
double sonar_crosstalk_m(const struct sonar_params *p, int i, const struct sonar_view *v,
                         const struct exposure *e, const struct sonar_points *points,
                         double sound_mps);

#endif
