/* Barometer: static pressure of the standard atmosphere at the sensor's altitude. */
#ifndef MODELS_SENSORS_BARO_H
#define MODELS_SENSORS_BARO_H

#include "models/sensors/error_model.h"
#include "models/sensors/schedule.h"
#include "models/world.h"

struct baro_params {
        struct schedule_params schedule;
        struct error_params pressure; /* Pa */
        struct error_params temperature; /* K */
};

struct baro {
        struct rng rng[2];
};

void baro_init(struct baro *baro, uint64_t seed, uint32_t vehicle);
/* One sample. out->t_ns is the caller's. */
void baro_step(struct baro *baro, const struct baro_params *p, const struct world *world,
               const struct body_state *truth, struct baro_sample *out);

#endif
