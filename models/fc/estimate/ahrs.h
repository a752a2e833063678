/* Attitude from gyroscope, accelerometer and magnetometer: a complementary filter on the
 * quaternion with gyro bias (Mahony, Hamel and Pflimlin, IEEE TAC 53(5), 2008). */
#pragma once

#include "models/fc/laws/params.h"

struct ahrs {
        struct quat q_body_to_ned;
        struct vec3 gyro_bias_radps;
        struct vec3 rate_body_radps; /* without the bias */
        double doubt_s; /* for how long the attitude is not to be trusted yet */
};

/* One IMU sample, dt_s after the last one. */
void ahrs_imu(struct ahrs *a, const struct fc_params *p, const struct imu_sample *imu,
              double dt_s);

/* One field sample, dt_s after the last one: corrects about the vertical only. */
void ahrs_mag(struct ahrs *a, const struct fc_params *p, struct vec3 field_body_t,
              double dt_s);
