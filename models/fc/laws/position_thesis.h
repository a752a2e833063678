/* Gruber's way-point controller: proportional to the position error and, once the position has been
 * reached, to the heading error (A.8.3 to A.8.5, B.2.8). Its correcting variables are velocities. */
#pragma once

#include <stdbool.h>

#include "models/vec.h"

struct position_thesis_params {
        double gain_per_s; /* velocity over distance */
        double speed_max_mps; /* horizontally; in the thesis the actuator's limit */
        double tolerance_m;
        double yaw_gain_per_s; /* rate over heading error */
        double yaw_rate_max_radps;
        double yaw_tolerance_rad;
};

/* After one position within the tolerance only the heading is corrected: "yaw is not influenced
 * during translational correction and vice-versa". When both are reached, both are held (B.2.9). */
enum thesis_stage { THESIS_POSITION, THESIS_HEADING, THESIS_HOLD };

struct position_thesis {
        enum thesis_stage stage;
        bool started;
        struct vec3 target_ned_m;
        double target_yaw_rad; /* the target of this stage */
};

/* Velocity along the body's axes, level: forward, right, down; and the heading's rate. */
struct thesis_velocity {
        struct vec3 xyz_mps;
        double yaw_radps;
};

struct thesis_velocity position_thesis_step(struct position_thesis *s,
                                            const struct position_thesis_params *p,
                                            struct vec3 target_ned_m,
                                            double target_yaw_rad, struct vec3 pos_ned_m,
                                            double yaw_rad);

/* Difference of two angles, in -pi to pi (A.8.4). */
double position_thesis_angle_rad(double wanted_rad, double is_rad);

/* Local level vector -> level body axes at a heading, z unchanged (A.4, A.5), and its inverse. */
struct vec3 position_thesis_to_xy(struct vec3 ned, double yaw_rad);
struct vec3 position_thesis_to_ned(struct vec3 xyz, double yaw_rad);
