#include "models/sensors/unit_attitude.h"

#include <stddef.h>

#define GAIN_PER_S   0.5
#define GRAVITY_MPS2 9.80665
#define NEAR_MPS2    1.5 /* from gravity's magnitude */
#define FIELD_MIN_T  1e-7 /* horizontally */
#define STEP_MAX_S   0.1

static bool is_finite(struct vec3 v)
{
        return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* Magnetic heading of a field that was turned by an attitude without error; 0 where it cannot be seen. */
static double east_of_north_rad(struct vec3 field_ned)
{
        return hypot(field_ned.x, field_ned.y) < FIELD_MIN_T
                       ? 0.0
                       : atan2(field_ned.y, field_ned.x);
}

static struct quat level_out(struct vec3 force, const struct vec3 *mag)
{
        double roll = atan2(-force.y, -force.z);
        double pitch = atan2(force.x, hypot(force.y, force.z));
        struct quat level = quat_from_euler(roll, pitch, 0.0);
        double yaw = mag != NULL ? -east_of_north_rad(quat_rotate(level, *mag)) : 0.0;

        return quat_from_euler(roll, pitch, yaw);
}

/* The rate at which what is measured would turn the attitude. */
static struct vec3 correction(struct quat q, struct vec3 force, const struct vec3 *mag)
{
        struct vec3 down = quat_rotate_inverse(q, (struct vec3){ 0.0, 0.0, 1.0 });
        double norm = vec3_norm(force);
        struct vec3 turn = { 0.0, 0.0, 0.0 };

        if (fabs(norm - GRAVITY_MPS2) < NEAR_MPS2)
                turn = vec3_cross(vec3_scale(-1.0 / norm, force), down);
        if (mag != NULL)
                turn = vec3_axpy(turn, -east_of_north_rad(quat_rotate(q, *mag)), down);
        return vec3_scale(GAIN_PER_S, turn);
}

static void follow_imu(struct unit_attitude *a, const struct imu_sample *imu, double dt_s)
{
        const struct vec3 *mag =
                a->has_mag && is_finite(a->field_body_t) ? &a->field_body_t : NULL;
        struct quat q = a->q_body_to_ned;
        struct vec3 rate;

        if (!is_finite(imu->accel_body_mps2) || !is_finite(imu->gyro_body_radps))
                return;
        if (!a->set) {
                a->q_body_to_ned = level_out(imu->accel_body_mps2, mag);
                a->set = true;
                return;
        }
        rate = vec3_add(imu->gyro_body_radps, correction(q, imu->accel_body_mps2, mag));
        q = quat_axpy(q, fmin(dt_s, STEP_MAX_S), quat_rate(q, rate));
        q = quat_normalise(q);
        a->set = isfinite(q.w) && isfinite(q.x) && isfinite(q.y) && isfinite(q.z);
        a->q_body_to_ned = q;
}

void unit_attitude_step(struct unit_attitude *a, const struct sensor_frame *frame)
{
        const struct imu_sample *imu = &frame->imu;
        double dt_s = a->measured && imu->t_ns > a->t_ns
                              ? (double)(imu->t_ns - a->t_ns) * 1e-9
                              : 0.0;

        if ((frame->fresh & SENSOR_BIT(SENSOR_MAG)) != 0) {
                a->field_body_t = frame->mag.field_body_t;
                a->has_mag = true;
        }
        if ((frame->fresh & SENSOR_BIT(SENSOR_IMU)) == 0)
                return;
        follow_imu(a, imu, dt_s);
        a->t_ns = imu->t_ns;
        a->measured = true;
}
