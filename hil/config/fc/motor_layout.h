/* In which order a firmware numbers the motors of a quadrotor in X. */
#pragma once

#include "models/vehicle/vehicle.h"

struct motor_layout {
        const char *codec;
        const char *name; /* "PX4 quad X" */
        const char *source;
        /* By the firmware's output: ahead (+1) or behind, right (+1) or left, and the sense, clockwise
         * seen from above +1. */
        struct {
                int ahead, right, spin;
        } motor[4];
};

/* The layout that firmware of this codec has unless it is told otherwise; NULL: none. */
const struct motor_layout *motor_layout_of(const char *codec);

enum motor_layout_fit { MOTOR_LAYOUT_FITS, MOTOR_LAYOUT_NOT_X, MOTOR_LAYOUT_OTHER_SPIN };

/* order[i]: the output that drives the vehicle's rotor i. Written unless the vehicle is no quadrotor in
 * X; with MOTOR_LAYOUT_OTHER_SPIN it is one whose rotors all turn the other way. */
enum motor_layout_fit motor_layout_order(const struct motor_layout *layout,
                                         const struct vehicle_params *p,
                                         uint8_t order[ROTORS_MAX]);
