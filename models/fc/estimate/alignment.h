/* Which way up, which way north, and the sensors' zeros, found while the vehicle stands
 * still. Starts over whenever it moves. */
#pragma once

#include "models/fc/laws/params.h"

/* How long it has to stand still. */
#define ALIGNMENT_S 2.0

struct alignment {
        double still_s;
        bool moving; /* it was, at the last sample */
        int imu_samples, mag_samples, baro_samples;
        struct vec3 accel_sum_mps2, gyro_sum_radps, mag_sum_t;
        double pressure_sum_pa, temperature_sum_k;
        struct vec3 accel_slow_mps2, gyro_slow_radps; /* without the noise */
};

/* The result. accel_body_mps2 is the mean specific force. */
struct alignment_result {
        struct quat q_body_to_ned;
        struct vec3 gyro_bias_radps;
        struct vec3 accel_body_mps2;
        double pressure_pa, temperature_k;
};

void alignment_imu(struct alignment *a, const struct imu_sample *imu, double dt_s);
void alignment_mag(struct alignment *a, const struct mag_sample *mag);
void alignment_baro(struct alignment *a, const struct baro_sample *baro);

/* Why there is no result yet; NULL if there is one. */
const char *alignment_missing(const struct alignment *a);

/* Call only when nothing is missing. */
struct alignment_result alignment_result(const struct alignment *a,
                                         double magnetic_declination_rad);
