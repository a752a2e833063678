/* Attitude as an inertial unit finds it, out of its own samples: the gyroscopes' integral, drawn to the direction of gravity
 * and to magnetic north with a time constant of 2 s (Mahony, Hamel and Pflimlin 2008, without their estimate of the bias).
 * It knows no declination, and the accelerometer has no say while it measures something other than gravity. */
#pragma once

#include "models/signals.h"

/* All zero before the first sample. */
struct unit_attitude {
        bool set, measured, has_mag;
        struct quat q_body_to_ned; /* once it is set */
        int64_t t_ns; /* of the last IMU sample */
        struct vec3 field_body_t; /* of the compass's last */
};

/* With what is fresh in the frame. A sample that is no number adds nothing, nor does a time that stands still or goes
 * back. */
void unit_attitude_step(struct unit_attitude *a, const struct sensor_frame *frame);
