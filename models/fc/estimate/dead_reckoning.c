#include "models/fc/estimate/dead_reckoning.h"

void dead_reckoning_begin(struct dead_reckoning *d, struct quat q_body_to_ned,
                          struct vec3 gyro_rest_radps, struct vec3 accel_rest_mps2)
{
        *d = (struct dead_reckoning){ .q_body_to_ned = q_body_to_ned,
                                      .gyro_rest_radps = gyro_rest_radps,
                                      .gravity_mps2 = vec3_norm(accel_rest_mps2) };
}

/* Rotation by a rotation vector: exact for a constant rate. */
static struct quat turn(struct quat q, struct vec3 angle_rad)
{
        double angle = vec3_norm(angle_rad);
        double half = 0.5 * angle;
        double s = angle > 1e-9 ? sin(half) / angle : 0.5;

        return quat_normalise(
                quat_multiply(q, (struct quat){ cos(half), s * angle_rad.x,
                                                s * angle_rad.y, s * angle_rad.z }));
}

/* (39), (40): the rate is the gyroscope's, and the attitude its integral, with the rate assumed to
 * change linearly from sample to sample; the cross product is the coning correction. */
static void turn_on(struct dead_reckoning *d, struct vec3 rate, double dt_s)
{
        struct vec3 last = d->rate_body_radps;
        struct vec3 angle = vec3_scale(0.5 * dt_s, vec3_add(last, rate));

        angle = vec3_axpy(angle, dt_s * dt_s / 12.0, vec3_cross(last, rate));
        d->q_body_to_ned = turn(d->q_body_to_ned, angle);
        d->rate_body_radps = rate;
}

void dead_reckoning_step(struct dead_reckoning *d, struct vec3 gyro_body_radps,
                         struct vec3 accel_body_mps2, double dt_s)
{
        struct vec3 was = d->accel_ned_mps2, accel;

        turn_on(d, vec3_sub(gyro_body_radps, d->gyro_rest_radps), dt_s);
        /* (41) to (43): the rotation matrix; gravity, which is not felt, is added back. */
        accel = quat_rotate(d->q_body_to_ned, accel_body_mps2);
        accel.z += d->gravity_mps2;
        /* (45), then (44), with the acceleration linear from sample to sample. */
        d->pos_ned_m = vec3_axpy(d->pos_ned_m, dt_s, d->vel_ned_mps);
        d->pos_ned_m = vec3_axpy(d->pos_ned_m, dt_s * dt_s / 6.0,
                                 vec3_add(vec3_scale(2.0, was), accel));
        d->vel_ned_mps = vec3_axpy(d->vel_ned_mps, 0.5 * dt_s, vec3_add(was, accel));
        d->accel_ned_mps2 = accel;
}
