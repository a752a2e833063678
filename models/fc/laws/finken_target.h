/* Target -> tilt and throttle as in the FINken's setTarget (Maeurer and Velinov 3.1.3): the
 * differences in x, y and z go to three PIDs, which give pitch, roll and throttle; the height goes
 * to (3.5) as well. The thesis prints no gains; its program has 2, 0, 4 for pitch and roll in
 * degrees over metres and 6, 0, 8 for the throttle in percent over metres, in steps of 50 ms. The
 * PIDs work along north, east and down; their output is rotated into the vehicle's heading, which
 * the program, always flying north, leaves out. The tilt is limited; there it is not. */
#pragma once

#include "models/fc/laws/finken_pid.h"

struct finken_target {
        struct finken_pid north, east, up;
};

struct finken_guide {
        double roll_rad, pitch_rad;
        double throttle_percent; /* 50: in the middle */
};

/* away_ned_m: from the vehicle to the target. level: no tilt, and the horizontal PIDs are reset. */
struct finken_guide finken_target_step(struct finken_target *c, const struct fc_params *p,
                                       struct vec3 away_ned_m, double yaw_rad,
                                       double tilt_max_rad, bool level, double dt_s,
                                       bool hold);
