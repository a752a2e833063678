/* Position and velocity: the accelerometer integrated, corrected by fixes that arrive late. A fix
 * is compared with where the estimate was when the fix was measured, so a delay causes neither lag
 * nor tilt. */
#pragma once

#include "models/fc/laws/params.h"

#define MOTION_HISTORY 128 /* past estimates, one every 10 ms */

struct motion_point {
        int64_t t_ns;
        struct vec3 pos_ned_m, vel_ned_mps;
};

struct motion {
        struct motion_point now;
        struct vec3 accel_ned_mps2; /* without gravity */
        struct vec3 accel_bias_ned_mps2;
        struct motion_point past[MOTION_HISTORY]; /* a ring, the oldest at `next` */
        unsigned next, count;
};

/* accel_ned_mps2 was measured at t_ns. */
void motion_predict(struct motion *m, struct vec3 accel_ned_mps2, int64_t t_ns);

/* Where it was. False: longer ago than its memory reaches. */
bool motion_at(const struct motion *m, int64_t t_ns, struct motion_point *out);

/* Shifts the past from t_ns on, and the present with it. */
void motion_correct(struct motion *m, int64_t t_ns, struct vec3 pos_m,
                    struct vec3 vel_mps);

/* Starts over, horizontally, at a point that was passed at its t_ns. */
void motion_restart(struct motion *m, const struct motion_point *at);
