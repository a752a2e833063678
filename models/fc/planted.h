/* Defects that are planted in the reference flight controller on purpose, to see whether a
 * comparison of two releases finds them. With none of them active not a bit changes. */
#pragma once

#include "models/fc/laws/params.h"

#define PLANTED_OUTPUTS_MAX 64
#define PLANTED_FIXES_MAX   32
#define PLANTED_LATE_FRAMES 10
#define PLANTED_CUTOFF_HZ   0.5

/* Names of enum planted_test: index by test, NULL at the end. */
extern const char *const planted_test_names[];

struct planted {
        int outputs, newest; /* of the ring */
        struct motor_command output[PLANTED_OUTPUTS_MAX];
        int fixes, first;
        struct gps_sample fix[PLANTED_FIXES_MAX]; /* waiting until they are old enough */
        struct gps_sample stale; /* the one that is in use */
        struct vec3 torque_nm; /* the last that attitude control gave */
        struct vec3 slow_radps; /* after the slow filter */
        int64_t imu_t_ns; /* of the sample before */
};

/* Sensor frame as the flight controller sees it: biased, with fixes that are older than their time,
 * a rate with the wrong sign or through a filter that is too slow. */
void planted_sensors(struct planted *d, const struct planted_params *p,
                     struct sensor_frame *frame);

/* The torque that attitude control asks for now, or the stuck one. */
struct vec3 planted_torque(struct planted *d, const struct planted_params *p,
                           struct vec3 torque_nm);

/* Its output as sent, dt_s after the one before: late by delay_s (linear interpolation between two
 * outputs) or by whole frames; or to the wrong motors. */
void planted_output(struct planted *d, const struct planted_params *p, double dt_s,
                    struct motor_command *command);
