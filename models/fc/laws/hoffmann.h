/* Attitude -> torque by PID while the vehicle is slow, by PD while it is fast, with the angular
 * acceleration fed back.
 *
 *   torque = P e + share(v) I (integral of e) - D rate - A d(rate)/dt
 *
 * G. M. Hoffmann, H. Huang, S. L. Waslander, C. J. Tomlin, Quadrotor helicopter flight dynamics and
 * control: theory and experiment, AIAA 2007-6461, and the same authors' Precision flight control
 * for a multi-vehicle quadrotor helicopter testbed, Control Engineering Practice 19(9), 2011: PID
 * with an angular acceleration term, k_dd s^2 + k_d s + k_p + k_i/s, by which STARMAC II could be
 * given more gain. (Cited from knowledge of the papers; their pages on control were not available.)
 * That it flies by PID when slow and by PD when fast is how Micklisch, Hilliard and ElAarag (2021,
 * 4) use it: at speed blade flapping causes a moment that an integral would find only after the
 * speed has changed. The limit is not printed. Here share(v) falls linearly from 1 at pid_below_mps
 * to 0 at pd_above_mps, so that the torque has no step, and the integral grows only below
 * pid_below_mps. The acceleration is the difference of rates after a low-pass of the first order. */
#pragma once

#include "models/fc/laws/attitude.h"

struct hoffmann {
        struct vec3 integral_nm;
        struct vec3 rate_radps; /* the last one */
        struct vec3 accel_radps2; /* smoothed */
        bool started;
};

/* Torque about the body's axes, no more than torque_max_nm. */
struct vec3 hoffmann_torque(struct hoffmann *c, const struct fc_params *p,
                            const struct attitude_ask *ask);

/* How much of the integral counts at a speed, 1 to 0. */
double hoffmann_share(const struct hoffmann_params *p, double speed_mps);
