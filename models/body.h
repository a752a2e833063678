/* The rigid body: Newton and Euler (Gruber 3.16, 3.15) with quaternion attitude. It
 * computes derivatives and takes steps along them; who supplies the forces is not its
 * business. */
#ifndef MODELS_BODY_H
#define MODELS_BODY_H

#include "models/signals.h"

struct body_params {
        double mass_kg; /* > 0 */
        double inertia_kgm2[3][3]; /* body axes, symmetric, positive definite */
        double inverse_kgm2[3][3]; /* its inverse, by body_params_prepare() */
};

struct body_derivative {
        struct vec3 vel_ned_mps;
        struct vec3 accel_ned_mps2;
        struct quat q_dot;
        struct vec3 rate_dot_body_radps2;
};

/* Fills inverse_kgm2. Returns false when the inertia cannot belong to a body: not
 * symmetric, not positive definite, or a principal moment larger than the sum of the
 * other two. */
bool body_params_prepare(struct body_params *p);

static inline struct vec3 body_matrix_times(const double m[3][3], struct vec3 v)
{
        return (struct vec3){ m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
                              m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
                              m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z };
}

static inline void body_derive(struct body_derivative *d, const struct body_params *p,
                               const struct body_state *s, const struct wrench *w)
{
        struct vec3 momentum = body_matrix_times(p->inertia_kgm2, s->rate_body_radps);
        struct vec3 torque =
                vec3_sub(w->torque_body_nm, vec3_cross(s->rate_body_radps, momentum));
        struct quat rate = { 0.0, 0.5 * s->rate_body_radps.x, 0.5 * s->rate_body_radps.y,
                             0.5 * s->rate_body_radps.z };

        d->vel_ned_mps = s->vel_ned_mps;
        d->accel_ned_mps2 = vec3_scale(1.0 / p->mass_kg,
                                       quat_rotate(s->q_body_to_ned, w->force_body_n));
        d->accel_ned_mps2.z += s->gravity_mps2;
        d->q_dot = quat_multiply(s->q_body_to_ned, rate);
        d->rate_dot_body_radps2 = body_matrix_times(p->inverse_kgm2, torque);
}

/* out = s + dt d, without renormalising the quaternion: the stages of RK4 need it so. */
static inline void body_advance(struct body_state *out, const struct body_state *s,
                                const struct body_derivative *d, double dt_s)
{
        out->pos_ned_m = vec3_axpy(s->pos_ned_m, dt_s, d->vel_ned_mps);
        out->vel_ned_mps = vec3_axpy(s->vel_ned_mps, dt_s, d->accel_ned_mps2);
        out->q_body_to_ned.w = s->q_body_to_ned.w + dt_s * d->q_dot.w;
        out->q_body_to_ned.x = s->q_body_to_ned.x + dt_s * d->q_dot.x;
        out->q_body_to_ned.y = s->q_body_to_ned.y + dt_s * d->q_dot.y;
        out->q_body_to_ned.z = s->q_body_to_ned.z + dt_s * d->q_dot.z;
        out->rate_body_radps =
                vec3_axpy(s->rate_body_radps, dt_s, d->rate_dot_body_radps2);
        out->gravity_mps2 = s->gravity_mps2;
}

#endif
