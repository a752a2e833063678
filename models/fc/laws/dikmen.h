/* Attitude -> torque by sliding mode.
 *
 *   s      = de/dt + c e,  de/dt = -rate
 *   ds/dt  = -k1 sat(s/width) - k2 s                                         (reaching law)
 *   torque = J (c de/dt + k1 sat(s/width) + k2 s) + rate x J rate + b rate
 *
 * I. C. Dikmen, A. Arisoy, H. Temeltas, Attitude control of a quadrotor, 4th International
 * Conference on Recent Advances in Space Technologies, 2009, who compare PD, inverse, backstepping
 * and sliding mode control and prefer the last. Micklisch, Hilliard and ElAarag (2021, 4) name it
 * and print nothing, and the paper was not available. The surface, the reaching law with a constant
 * and a proportional part, and the torque that makes it hold for a rigid body are those of
 * Bouabdallah and Siegwart, Backstepping and sliding-mode techniques applied to an indoor micro
 * quadrotor, ICRA 2005, on which that line of work is based. Choices: the error is that of the
 * quaternion; the target stands still (its own rate is not fed forward); the airframe's damping b
 * is added to the torque that keeps to the surface; and sgn(s) is replaced by the saturation of a
 * boundary layer, since lagging motors make sgn(s) chatter. width 0 is sgn(s). */
#pragma once

#include "models/fc/laws/attitude.h"

/* s, about each axis, rad/s. */
struct vec3 dikmen_surface(const struct dikmen_params *p, const struct attitude_ask *ask);

/* Torque about the body's axes, no more than torque_max_nm. It has no memory. */
struct vec3 dikmen_torque(const struct fc_params *p, const struct attitude_ask *ask);
