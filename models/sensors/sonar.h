/* Sonar: distance along the beam's axis to the nearest surface, as far as it hears and no farther
 * than it reports (FINken 3.1.1: the beam reaches 7.65 m, the reading is capped at 2.65 m). */
#ifndef MODELS_SENSORS_SONAR_H
#define MODELS_SENSORS_SONAR_H

#include "models/sensors/error_model.h"
#include "models/sensors/schedule.h"
#include "models/world.h"

struct sonar_params {
        struct schedule_params schedule;
        struct vec3 lever_arm_body_m;
        struct vec3 axis_body;      /* unit; down is 0, 0, 1 */
        double beam_max_m;          /* no echo from farther away */
        double incidence_max_rad;   /* no echo from a surface hit at a larger angle to its normal */
        struct error_params range;  /* m; its min and max are the reported cap */
};

struct sonar {
        struct rng rng[1];
};

void sonar_init(struct sonar *sonar, uint64_t seed, uint32_t vehicle);
void sonar_step(struct sonar *sonar, const struct sonar_params *p, const struct world *world,
                const struct body_state *truth, struct sonar_sample *out);

#endif
