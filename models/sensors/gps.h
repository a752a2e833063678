/* GPS receiver, first form: true position and velocity at the antenna with white noise
 * (Gruber 2.2.1, 5.2.7.2), on WGS-84 or on Gruber's flat earth. */
#ifndef MODELS_SENSORS_GPS_H
#define MODELS_SENSORS_GPS_H

#include "models/sensors/error_model.h"
#include "models/sensors/schedule.h"
#include "models/world.h"

struct gps_params {
        struct schedule_params schedule; /* Gruber: every 0.25 s */
        struct vec3 lever_arm_body_m;
        bool flat_earth; /* Gruber's conversion instead of WGS-84 */
        struct error_params position; /* north, east, down, m */
        struct error_params velocity; /* north, east, down, m/s */
        int satellites; /* reported as it is; fewer than 4: no fix */
};

struct gps {
        struct rng rng[6];
};

void gps_init(struct gps *gps, uint64_t seed, uint32_t vehicle);
/* One sample. Without a fix the fields hold what they would with one: the flag alone says
 * not to use them. out->t_ns is the caller's. */
void gps_step(struct gps *gps, const struct gps_params *p, const struct world *world,
              const struct body_state *truth, struct gps_sample *out);

#endif
