/* Position, velocity and attitude by the IMU alone, in place of the estimator's (Micklisch,
 * Hilliard and ElAarag 7). It begins where the vehicle takes off; on the ground the other sensors
 * still determine north. */
#pragma once

#include "models/fc/estimate/dead_reckoning.h"
#include "models/fc/estimate/estimator.h"

/* Removes everything but the IMU from the frame, before the estimator sees it; what it stands on is found by GPS only
 * where `located`. */
void navigation_hide(struct sensor_frame *frame, bool on_ground, bool located);

/* Call after the estimator's step of dt_s, not 0: its result becomes that of dead reckoning. A
 * zeroed *d, not started yet, is started. Where not `located`, it is its own origin. */
void navigation_step(struct dead_reckoning *d, struct fc_estimator *e,
                     const struct imu_sample *imu, bool on_ground, bool located,
                     double dt_s);
