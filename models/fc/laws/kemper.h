/* Attitude -> torque by PID or PD, each axis separately, as Kemper flies it.
 *
 *   torque = P e + I (integral of e) - D rate                                           (PID)
 *   torque = P e - D rate                                                               (PD)
 *
 * E. Kemper, Quad-rotor flight path energy optimization, thesis, Northern Arizona University, which
 * Micklisch, Hilliard and ElAarag (Simulation 97(3), 2021, 4 and reference 20) name for a combination
 * of PID and PD without printing either. The thesis was not available. This is the textbook form that
 * both names mean, with three choices: the error is that of the quaternion, which is the difference of
 * Euler angles near level and has no singular attitude; the derivative acts on the gyroscope's rate, so
 * that a new target gives no kick; the integral stops while the torque is limited. */
#pragma once

#include "models/fc/laws/attitude.h"

struct kemper {
        struct vec3 integral_nm;
};

/* Torque about the body's axes, no more than torque_max_nm. pid: with the integral. */
struct vec3 kemper_torque(struct kemper *c, const struct fc_params *p, bool pid,
                          const struct attitude_ask *ask);
