/* Attitude -> rate -> torque: P on the quaternion error, tilt before yaw (Brescianini, Hehn and
 * D'Andrea, ETH 2013), then PI with the airframe's damping fed forward, and optionally D on the
 * rate; and what all attitude laws share. */
#pragma once

#include "models/fc/laws/mixer.h"

struct attitude {
        struct vec3 integral_nm;
        struct vec3 rate_radps; /* the last one, */
        struct vec3 accel_radps2; /* and its derivative, smoothed */
        bool started;
};

/* The input of an attitude law. */
struct attitude_ask {
        struct quat is, wanted; /* body to NED */
        struct vec3 rate_body_radps; /* as rate_filter leaves it */
        double speed_mps; /* horizontal */
        double thrust_n; /* of all rotors together, the present command */
        struct mixer_result got; /* what the mixer achieved of the previous torque */
        double dt_s; /* since the law's last call, 0 or more */
        bool hold; /* on the ground: nothing integrates */
};

/* The attitude that points the thrust so as to give accel_ned_mps2 (x, y). */
struct quat attitude_for(struct vec3 accel_ned_mps2, double yaw_rad);

/* The rotation from `is` to `wanted`: angles about the body's axes, with yaw separate from the tilt
 * and within (-pi, pi]. */
struct vec3 attitude_error(struct quat is, struct quat wanted);

/* No axis beyond torque_max_nm. */
struct vec3 attitude_limit(const struct fc_params *p, struct vec3 torque_nm);

/* Adds gain times error to the integral of a law that commands torque_nm, except for axes that are
 * at their limit, or that the mixer cut, unless it leads back. The integral is limited to half of
 * the largest torque. */
void attitude_integrate(struct vec3 *integral_nm, const struct fc_params *p,
                        struct vec3 gain, struct vec3 error, struct vec3 torque_nm,
                        const struct attitude_ask *ask);

/* The share of a step that a first-order lag covers in dt_s; 1 without a lag. */
double attitude_reach(double tau_s, double dt_s);

/* Body rates that lead to the attitude. */
struct vec3 attitude_rate(const struct fc_params *p, struct quat is, struct quat wanted);

/* Torque for a rate. */
struct vec3 attitude_torque(struct attitude *c, const struct fc_params *p,
                            struct vec3 rate_wanted, const struct attitude_ask *ask);
