/* Optical flow: a camera that looks at the ground and says by which angles the picture
 * moved since its last sample, with a gyroscope of its own (PX4FLOW, PMW3901 and the
 * like). It sees the one point on its axis. */
#pragma once

#include "models/sensors/errors/error_model.h"
#include "models/sensors/exposure.h"
#include "models/sensors/schedule.h"

struct flow_params {
        struct schedule_params schedule;
        struct vec3 lever_arm_body_m;
        struct quat q_body_to_sensor; /* identity: looks along down, its x is forward */
        double range_min_m, range_max_m; /* along its axis; sees nothing outside */
        double incidence_max_rad; /* nor on a surface met farther off its normal */
        double blur_radps; /* at which smearing halves the quality; 0: never */
        double rate_max_radps; /* largest flow of an axis */
        int quality_min; /* 1 to 255: below, nothing is tracked */
        double scale[2]; /* of the flow about x and y; 1: true */
        double sigma_rad; /* of one sample at full quality; grows with 1 / sqrt(quality) */
        double lsb_rad; /* angle of one count; 0: not rounded. What is rounded off is kept
                           for the next sample */
        bool has_gyro;
        struct error_params gyro; /* rad/s, mean over the interval; z is not reported */
};

struct flow {
        struct rng rng[5];
        bool started; /* the rest is of the last sample */
        int64_t t_ns;
        struct vec3 pos_ned_m; /* of the camera */
        struct quat q_sensor_to_ned;
        double per_range; /* 1 over the distance along the axis; 0: nothing in sight */
        double left_rad[2]; /* rounded off */
};

void flow_init(struct flow *flow, const struct flow_params *p, uint64_t seed,
               uint32_t vehicle);
/* One sample, about the sensor's x and y, over the time since the one before; the first
 * covers no time and has no quality. Quality 0: the flow is 0, the gyroscope's angles are
 * not. Without a gyroscope these are NaN, as in MAVLink. out->t_ns is the caller's. */
void flow_step(struct flow *flow, const struct flow_params *p, const struct exposure *e,
               struct flow_sample *out);
