/* Attitude -> rate -> torque: P on the quaternion error, tilt before yaw (Brescianini, Hehn
 * and D'Andrea, ETH 2013), then PI with the airframe's damping fed forward. */
#ifndef MODELS_FC_ATTITUDE_H
#define MODELS_FC_ATTITUDE_H

#include "models/fc/ahrs.h"
#include "models/fc/mixer.h"

struct attitude {
        struct vec3 integral_nm;
};

/* The attitude that points the thrust where accel_ned_mps2 (x, y) wants it. */
struct quat attitude_for(struct vec3 accel_ned_mps2, double yaw_rad);

/* Body rates that lead to it. */
struct vec3 attitude_rate(const struct fc_params *p, struct quat is, struct quat wanted);

/* Torque for a rate. `last`: what the mixer made of the torque before this one; an axis
 * that it cut does not integrate further. */
struct vec3 attitude_torque(struct attitude *c, const struct fc_params *p,
                            struct vec3 rate_is, struct vec3 rate_wanted,
                            const struct mixer_result *last, double dt_s);

#endif
