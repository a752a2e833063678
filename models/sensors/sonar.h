/* Sonar: distance along the beam's axis to the nearest surface, as far as it hears and no
 * farther than it reports (FINken 3.1.1: the beam reaches 7.65 m, the reading is capped
 * at 2.65 m). */
#ifndef MODELS_SENSORS_SONAR_H
#define MODELS_SENSORS_SONAR_H

#include "models/sensors/error_model.h"
#include "models/sensors/schedule.h"
#include "models/world.h"

struct sonar_params {
        struct schedule_params schedule;
        struct vec3 lever_arm_body_m;
        struct vec3 axis_body; /* unit; down is 0, 0, 1 */
        double beam_max_m; /* no echo from farther away */
        double incidence_max_rad; /* no echo from a surface met farther off its normal */
        struct error_params range; /* m; its min and max are the reported cap */
};

struct sonar {
        struct rng rng[1];
};

void sonar_init(struct sonar *sonar, uint64_t seed, uint32_t vehicle);
/* One sample. `echo` says that the beam met a surface: farther away than the cap, the
 * range is the cap. Without an echo it is the cap too, or the beam's length where that is
 * shorter. out->t_ns is the caller's. */
void sonar_step(struct sonar *sonar, const struct sonar_params *p,
                const struct world *world, const struct body_state *truth,
                struct sonar_sample *out);

#endif
