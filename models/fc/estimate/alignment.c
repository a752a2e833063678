/* Averages over the time at rest. Tilt comes from the accelerometer, which then feels only gravity;
 * heading from the horizontal part of the magnetic field. */
#include "models/fc/estimate/alignment.h"

#include <stddef.h>

/* A vehicle at rest deviates no further than this from its mean, once noise has been smoothed out
 * of both. */
#define STILL_RADPS    0.03
#define STILL_MPS2     0.3
#define BIAS_MAX_RADPS 0.2 /* more than a gyro's bias: a steady turn */
#define SMOOTH_S       0.1
#define SAMPLES_MIN    10

static struct vec3 mean(struct vec3 sum, int samples)
{
        return vec3_scale(1.0 / samples, sum);
}

static bool strays(struct vec3 slow, struct vec3 sum, int samples, double bound)
{
        /* Written so that NaN counts as motion. */
        return !(vec3_norm(vec3_sub(slow, mean(sum, samples))) < bound);
}

static void start_over(struct alignment *a)
{
        *a = (struct alignment){ .moving = true };
}

static void smooth(struct vec3 *slow, struct vec3 now, double dt_s)
{
        double share = dt_s < SMOOTH_S ? dt_s / SMOOTH_S : 1.0;

        *slow = vec3_axpy(*slow, share, vec3_sub(now, *slow));
}

void alignment_imu(struct alignment *a, const struct imu_sample *imu, double dt_s)
{
        if (a->imu_samples == 0) {
                a->accel_slow_mps2 = imu->accel_body_mps2;
                a->gyro_slow_radps = imu->gyro_body_radps;
        }
        smooth(&a->accel_slow_mps2, imu->accel_body_mps2, dt_s);
        smooth(&a->gyro_slow_radps, imu->gyro_body_radps, dt_s);
        a->accel_sum_mps2 = vec3_add(a->accel_sum_mps2, imu->accel_body_mps2);
        a->gyro_sum_radps = vec3_add(a->gyro_sum_radps, imu->gyro_body_radps);
        a->imu_samples++;
        a->still_s += dt_s;

        if (strays(a->accel_slow_mps2, a->accel_sum_mps2, a->imu_samples, STILL_MPS2) ||
            strays(a->gyro_slow_radps, a->gyro_sum_radps, a->imu_samples, STILL_RADPS) ||
            !(vec3_norm(a->gyro_slow_radps) < BIAS_MAX_RADPS))
                start_over(a);
        else if (a->still_s > SMOOTH_S)
                a->moving = false;
}

void alignment_mag(struct alignment *a, const struct mag_sample *mag)
{
        a->mag_sum_t = vec3_add(a->mag_sum_t, mag->field_body_t);
        a->mag_samples++;
}

void alignment_baro(struct alignment *a, const struct baro_sample *baro)
{
        a->pressure_sum_pa += baro->pressure_pa;
        a->temperature_sum_k += baro->temperature_k;
        a->baro_samples++;
}

const char *alignment_missing(const struct alignment *a)
{
        if (a->moving)
                return "waiting to stand still";
        if (a->still_s < ALIGNMENT_S)
                return "aligning: keep still";
        if (a->mag_samples < SAMPLES_MIN)
                return "no magnetometer";
        return a->baro_samples < SAMPLES_MIN ? "no barometer" : NULL;
}

struct alignment_result alignment_result(const struct alignment *a,
                                         double magnetic_declination_rad)
{
        struct vec3 f = mean(a->accel_sum_mps2, a->imu_samples);
        double roll_rad = atan2(-f.y, -f.z);
        double pitch_rad = atan2(f.x, sqrt(f.y * f.y + f.z * f.z));
        struct quat tilt = quat_from_euler(roll_rad, pitch_rad, 0.0);
        struct vec3 field = quat_rotate(tilt, mean(a->mag_sum_t, a->mag_samples));
        double yaw_rad = magnetic_declination_rad - atan2(field.y, field.x);

        return (struct alignment_result){
                .q_body_to_ned = quat_from_euler(roll_rad, pitch_rad, yaw_rad),
                .gyro_bias_radps = mean(a->gyro_sum_radps, a->imu_samples),
                .accel_body_mps2 = f,
                .pressure_pa = a->pressure_sum_pa / a->baro_samples,
                .temperature_k = a->temperature_sum_k / a->baro_samples,
        };
}
