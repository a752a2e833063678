#include "models/fc/estimate/ahrs.h"

#define GRAVITY_MPS2 9.80665

/* After longer gaps the turn in between is unknown. */
#define GAP_MAX_S  0.1
#define DOUBT_S    2.0
#define DOUBT_GAIN 10.0 /* times the accelerometer's, while in doubt */

/* How much to trust the accelerometer: fully while it feels 1 g, not at all when it is more than
 * 0.3 g off. */
static double trust(double felt_mps2)
{
        double off = fabs(felt_mps2 / GRAVITY_MPS2 - 1.0);

        if (off < 0.1)
                return 1.0;
        return off < 0.3 ? (0.3 - off) / 0.2 : 0.0;
}

/* Rate about the body axes that turns the estimated down onto the measured one: the sine of the
 * angle between them, as a vector. */
static struct vec3 tilt_error(struct quat q, struct vec3 felt_mps2, double felt_norm)
{
        struct vec3 down = quat_rotate_inverse(q, (struct vec3){ 0.0, 0.0, 1.0 });
        struct vec3 felt_down = vec3_scale(-1.0 / felt_norm, felt_mps2);

        return vec3_cross(felt_down, down);
}

/* The rotation of a constant rate, to third order in the angle: 2e-5 rad at 0.1 rad. */
static struct quat turn(struct quat q, struct vec3 angle_rad)
{
        struct quat step = { 1.0, 0.5 * angle_rad.x, 0.5 * angle_rad.y,
                             0.5 * angle_rad.z };

        return quat_normalise(quat_multiply(q, step));
}

void ahrs_imu(struct ahrs *a, const struct fc_params *p, const struct imu_sample *imu,
              double dt_s)
{
        struct vec3 last = a->rate_body_radps;
        struct vec3 rate = vec3_sub(imu->gyro_body_radps, a->gyro_bias_radps);
        struct vec3 mean = vec3_scale(0.5, vec3_add(last, rate));
        double felt = vec3_norm(imu->accel_body_mps2);
        double gain = p->accel_gain_per_s * trust(felt);

        a->rate_body_radps = rate;
        if (dt_s > GAP_MAX_S) {
                a->doubt_s = DOUBT_S;
                dt_s = GAP_MAX_S;
        }
        if (gain > 0.0) {
                struct vec3 e = tilt_error(a->q_body_to_ned, imu->accel_body_mps2, felt);

                if (a->doubt_s > 0.0)
                        gain *= DOUBT_GAIN;
                else
                        a->gyro_bias_radps = vec3_axpy(
                                a->gyro_bias_radps, -p->gyro_bias_gain_per_s2 * dt_s, e);
                mean = vec3_axpy(mean, fmin(gain, 1.0 / dt_s), e);
        }
        a->doubt_s = fmax(a->doubt_s - dt_s, 0.0);
        a->q_body_to_ned = turn(a->q_body_to_ned, vec3_scale(dt_s, mean));
}

void ahrs_mag(struct ahrs *a, const struct fc_params *p, struct vec3 field_body_t,
              double dt_s)
{
        struct vec3 field = quat_rotate(a->q_body_to_ned, field_body_t);
        double c = cos(p->magnetic_declination_rad);
        double s = sin(p->magnetic_declination_rad);
        /* The rotation between where the field should point and where it seems to. */
        double error_rad = atan2(s * field.x - c * field.y, c * field.x + s * field.y);
        double angle_rad = fmin(p->mag_gain_per_s * dt_s, 1.0) * error_rad;
        struct quat about_down = { 1.0, 0.0, 0.0, 0.5 * angle_rad };
        struct vec3 down =
                quat_rotate_inverse(a->q_body_to_ned, (struct vec3){ 0.0, 0.0, 1.0 });

        a->q_body_to_ned = quat_normalise(quat_multiply(about_down, a->q_body_to_ned));
        a->gyro_bias_radps = vec3_axpy(
                a->gyro_bias_radps, -p->gyro_bias_gain_per_s2 * dt_s * error_rad, down);
}
