/* Magnetometer: the earth's field in the sensor's axes. */
#ifndef MODELS_SENSORS_MAG_H
#define MODELS_SENSORS_MAG_H

#include "models/sensors/error_model.h"
#include "models/sensors/schedule.h"
#include "models/world.h"

struct mag_params {
        struct schedule_params schedule;
        struct quat q_body_to_sensor;
        struct error_params field; /* T */
};

struct mag {
        struct rng rng[3];
};

void mag_init(struct mag *mag, uint64_t seed, uint32_t vehicle);
/* One sample. out->t_ns is the caller's. */
void mag_step(struct mag *mag, const struct mag_params *p, const struct world *world,
              const struct body_state *truth, struct mag_sample *out);

#endif
