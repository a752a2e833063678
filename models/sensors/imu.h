/* Accelerometer and gyroscope. What they are exposed to (simulated-IMU document, steps
 * 1 and 2):
 *
 *   a1 = R_VI (a + w x (w x T) + dw/dt x T - g)    specific force at the sensor
 *   w1 = R_VI w
 *
 * with T the sensor's place on the body, R_VI its mounting, and the frame's
 * vibration in a, w and dw/dt. Then, in this order: the bandwidth; scale factors and
 * misalignment, which change with the temperature; asymmetry, curvature; what specific force
 * does to the gyroscope; bias; white noise; the dead zone; rounding; limits (the document's
 * steps 3 and 4; Gruber 2.2.2.1; IEEE Std 952 for the noise). */
#pragma once

#include "models/sensors/errors/drift.h"
#include "models/sensors/errors/error_model.h"
#include "models/sensors/exposure.h"
#include "models/sensors/errors/lowpass.h"
#include "models/sensors/schedule.h"
#include "models/signals.h"

/* At which scale and bias are what they are called. */
#define IMU_REFERENCE_K 298.15

/* What a datasheet says of three axes beyond struct error_params, in the unit of the
 * quantity. All 0: an accelerometer or gyroscope whose noise is white and whose bias
 * is constant. */
struct imu_axes_params {
        double bandwidth_hz; /* -3 dB; 0: none */
        double scale_per_k[3]; /* share by which the output grows per kelvin */
        double asymmetry
                [3]; /* by how much the scale above 0 exceeds that below, over their mean */
        double square[3],
                cube[3]; /* what is added at the upper end of the range, over the range */
        double dead_zone[3]; /* below this it says 0 */
        double bias_per_k[3];
        double turn_on[3]; /* standard deviation of the bias, from run to run */
        double density[3]; /* of white noise, one-sided, unit/sqrt(Hz) */
        double instability[3]; /* B of struct drift_params */
        double walk[3]; /* K */
};

struct imu_params {
        struct schedule_params schedule;
        struct vec3 lever_arm_body_m; /* from the centre of mass to the sensor */
        struct quat q_body_to_sensor; /* mounting */
        struct error_params accel; /* m/s^2; sigma is white noise without the bandwidth */
        struct error_params gyro; /* rad/s */
        struct imu_axes_params accel_axes, gyro_axes;
        double g_sensitivity[3][3]; /* gyroscope's, rad/s per m/s^2 */
        double self_heating_k; /* above the air, once warm; */
        double warm_up_s; /* 1 - 1/e of it is there after this; 0: at once */

        /* Filled by imu_params_prepare(). */
        struct lowpass_params accel_band, gyro_band; /* at the plant's rate */
        struct lowpass_params accel_noise, gyro_noise; /* the same, at the sensor's */
        struct drift_params drift;
        /* Of one sample: sigma, and density that the bandwidth does not limit; */
        quad white[2]; /* of accelerometer and gyroscope, as all pairs here */
        quad limited[2]; /* the rest, before accel_noise or gyro_noise */
        quad scale[2][3],
                g_scale[3]; /* columns of accel.scale, gyro.scale and g_sensitivity */
        quad scale_per_k[2], bias_per_k[2];
        double warming; /* share of the way to warm, per sample */
        bool whitens, thermal, g_sensitive;
        bool bends[2], has_dead_zone[2];
};

struct imu {
        struct rng_bundle white, limited; /* accel x y z, gyro x y z */
        struct drift drift;
        double turn_on[6]; /* this run's offset */
        double heat_k; /* above the air */
        bool followed; /* the three below have seen an input */
        struct lowpass accel_band, gyro_band,
                force_band; /* the last: force on the gyro */
        quad force, rate, gyro_force; /* their outputs */
        struct lowpass accel_noise, gyro_noise;
};

/* Fixes the plant's step. */
void imu_params_prepare(struct imu_params *p, double step_s);

/* Switched on, cold. p is prepared. */
void imu_init(struct imu *imu, const struct imu_params *p, uint64_t seed,
              uint32_t vehicle);

/* Whether it has a bandwidth: then imu_follow() must see the exposure after every
 * step of the plant, with the accelerations, and before imu_step() at the same
 * instant. */
static inline bool imu_follows(const struct imu_params *p)
{
        return p->accel_band.on || p->gyro_band.on;
}

void imu_follow(struct imu *imu, const struct imu_params *p, const struct exposure *e);

/* One sample. Its vectors are in the sensor's axes, which are the body's where the
 * mounting is the identity. out->t_ns is the caller's. */
void imu_step(struct imu *imu, const struct imu_params *p, const struct exposure *e,
              struct imu_sample *out);
