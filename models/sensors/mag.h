/* Magnetometer: the world's field, what the vehicle adds to it and bends of it, and what
 * the battery's current makes, in the sensor's axes; then the sensor's own errors. */
#pragma once

#include "models/sensors/errors/error_model.h"
#include "models/sensors/exposure.h"
#include "models/sensors/schedule.h"

struct mag_params {
        struct schedule_params schedule;
        struct quat q_body_to_sensor;
        struct vec3 hard_iron_body_t; /* of magnets that turn with the body */
        struct mat3
                induced_body; /* soft iron's share of the field: matrix less identity */
        struct vec3
                current_body_t_per_a; /* field of the wires between battery and ESCs */
        double gain_per_k; /* of the sensor, relative; with the air's temperature */
        struct vec3 bias_t_per_k; /* sensor's axes */
        double reference_k; /* at which both are 0 */
        struct error_params field; /* T */
};

struct mag {
        struct rng rng[3];
};

void mag_init(struct mag *mag, const struct mag_params *p, uint64_t seed,
              uint32_t vehicle);
/* One sample. out->t_ns is the caller's. */
void mag_step(struct mag *mag, const struct mag_params *p, const struct exposure *e,
              struct mag_sample *out);
