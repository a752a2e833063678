/* Position by the IMU alone, relative to where the vehicle stood at the start (Micklisch, Hilliard and
 * ElAarag 7, (39) to (45), as docs/errata.md corrects them). Nothing bounds the error: a constant one
 * of the accelerometer grows with the square of the time, one of the gyroscope with its cube. */
#pragma once

#include "models/vec.h"

struct dead_reckoning {
        struct quat q_body_to_ned;
        struct vec3 rate_body_radps; /* of the last sample, less the bias at rest */
        struct vec3 accel_ned_mps2; /* without gravity */
        struct vec3 vel_ned_mps, pos_ned_m;
        struct vec3 gyro_rest_radps; /* the gyroscope's reading at rest */
        double gravity_mps2; /* measured by the accelerometer there */
};

/* Starts at rest, at the origin, with a known attitude and the IMU's mean readings there. */
void dead_reckoning_begin(struct dead_reckoning *d, struct quat q_body_to_ned,
                          struct vec3 gyro_rest_radps, struct vec3 accel_rest_mps2);

/* The next sample, dt_s after the last one. */
void dead_reckoning_step(struct dead_reckoning *d, struct vec3 gyro_body_radps,
                         struct vec3 accel_body_mps2, double dt_s);
