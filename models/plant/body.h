/* The rigid body: Newton and Euler (Gruber 3.16, 3.15) with quaternion attitude. It computes
 * derivatives and takes steps along them; it does not know who supplies the forces. */
#pragma once

#include "models/signals.h"

struct body_params {
        double mass_kg; /* > 0 */
        double inertia_kgm2[3][3]; /* body axes, symmetric, positive definite */
        bool as_identified; /* moments from a fit, though no rigid body has them */

        /* Filled by body_params_prepare(). */
        double inverse_kgm2[3][3]; /* of the inertia */
        double per_mass; /* 1/mass */
        bool principal; /* the body's axes are its principal axes, */
        struct vec3 coupling; /* with (Jyy - Jzz)/Jxx and so on */
};

/* The part of the state that the forces depend on, and its rate of change. The velocity is the one
 * through the air, without gravity's share of its change: gravity is constant, so the integral of
 * its share is exact. */
struct body_motion {
        struct quat q_body_to_ned;
        struct vec3 rate_body_radps;
        struct vec3 airspeed_ned_mps;
        double down_m;
};

struct body_motion_rate {
        struct quat q_dot;
        struct vec3 rate_dot_body_radps2;
        struct vec3 felt_ned_mps2; /* specific force */
        double sink_mps;
};

/* Returns false if the inertia cannot belong to a body: not symmetric, not positive definite, or
 * (unless as_identified) a principal moment larger than the sum of the other two. */
bool body_params_prepare(struct body_params *p);

static inline struct vec3 body_matrix_times(const double m[3][3], struct vec3 v)
{
        return (struct vec3){ m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
                              m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
                              m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z };
}

/* Euler's equation, J dw/dt = torque - w x J w. */
static inline struct vec3 body_spin_up(const struct body_params *p, struct vec3 rate,
                                       struct vec3 torque_nm)
{
        struct vec3 w = rate, momentum;

        /* True for most airframes, and half the work (Gruber 3.15). */
        if (p->principal)
                return (struct vec3){
                        p->inverse_kgm2[0][0] * torque_nm.x + p->coupling.x * (w.y * w.z),
                        p->inverse_kgm2[1][1] * torque_nm.y + p->coupling.y * (w.z * w.x),
                        p->inverse_kgm2[2][2] * torque_nm.z + p->coupling.z * (w.x * w.y),
                };
        momentum = body_matrix_times(p->inertia_kgm2, w);
        return body_matrix_times(p->inverse_kgm2,
                                 vec3_sub(torque_nm, vec3_cross(w, momentum)));
}

/* Newton's and Euler's equations. body_to_ned is quat_to_mat3() of the attitude: whoever computed
 * the forces has it already. */
static inline void body_derive(struct body_motion_rate *d, const struct body_params *p,
                               const struct body_motion *m, struct mat3 body_to_ned,
                               struct vec3 felt_body_mps2, struct vec3 torque_body_nm)
{
        d->q_dot = quat_rate(m->q_body_to_ned, m->rate_body_radps);
        d->rate_dot_body_radps2 = body_spin_up(p, m->rate_body_radps, torque_body_nm);
        d->felt_ned_mps2 = mat3_times(body_to_ned, felt_body_mps2);
}

/* The motion dt_s after m along d: one stage of RK4, so the quaternion is not
 * renormalised. */
static inline void body_advance(struct body_motion *out, const struct body_motion *m,
                                const struct body_motion_rate *d, double gravity_mps2,
                                double dt_s)
{
        out->q_body_to_ned = quat_axpy(m->q_body_to_ned, dt_s, d->q_dot);
        out->rate_body_radps =
                vec3_axpy(m->rate_body_radps, dt_s, d->rate_dot_body_radps2);
        out->airspeed_ned_mps = m->airspeed_ned_mps;
        out->airspeed_ned_mps.z += dt_s * gravity_mps2;
        out->airspeed_ned_mps = vec3_axpy(out->airspeed_ned_mps, dt_s, d->felt_ned_mps2);
        out->down_m = m->down_m + dt_s * d->sink_mps;
}

/* Classical RK4's step from the rates at its four stages: the state plus
 * dt (k1 + 2 k2 + 2 k3 + k4)/6. For the position, the four velocities are written out:
 * v, v + dt/2 k1, v + dt/2 k2 and v + dt k3. */
static inline void body_finish(struct body_state *s, const struct body_motion_rate k[4],
                               double dt_s)
{
        const double sixth_s = dt_s * (1.0 / 6.0);
        struct vec3 inner, first3;
        struct vec3 fall = { 0.0, 0.0, dt_s * s->gravity_mps2 };

        inner = vec3_add(k[1].felt_ned_mps2, k[2].felt_ned_mps2);
        first3 = vec3_add(k[0].felt_ned_mps2, inner);
        s->pos_ned_m = vec3_axpy(
                s->pos_ned_m, dt_s,
                vec3_axpy(vec3_axpy(s->vel_ned_mps, 0.5, fall), sixth_s, first3));
        s->vel_ned_mps = vec3_axpy(vec3_add(s->vel_ned_mps, fall), sixth_s,
                                   vec3_add(vec3_add(first3, inner), k[3].felt_ned_mps2));

        inner = vec3_add(k[1].rate_dot_body_radps2, k[2].rate_dot_body_radps2);
        s->rate_body_radps = vec3_axpy(
                s->rate_body_radps, sixth_s,
                vec3_axpy(vec3_add(k[0].rate_dot_body_radps2, k[3].rate_dot_body_radps2),
                          2.0, inner));

        s->q_body_to_ned = quat_renormalise(
                quat_axpy(s->q_body_to_ned, sixth_s,
                          quat_axpy(quat_axpy(k[0].q_dot, 1.0, k[3].q_dot), 2.0,
                                    quat_axpy(k[1].q_dot, 1.0, k[2].q_dot))));
}
