/* Drag of the airframe: linear (Gruber 3.21) and quadratic (Gruber 3.17), force and
 * torque, against the motion relative to the air. */
#ifndef MODELS_AIRFRAME_H
#define MODELS_AIRFRAME_H

#include "models/signals.h"

struct airframe_params {
        struct vec3 linear_n_per_mps; /* m b of 3.21 (b is a rate: docs/errata.md) */
        struct vec3 quadratic_area_m2; /* c_D A of 3.17; force is 1/2 rho c_D A v |v| */
        struct vec3 angular_nm_per_radps; /* b_omega of 3.23 */
        struct vec3 angular_quadratic_nm_per_radps2; /* c_D n/2 A rho/2 l^3 of 3.17 */
};

static inline void airframe_add_wrench(struct wrench *sum,
                                       const struct airframe_params *p,
                                       struct vec3 airspeed_body_mps,
                                       struct vec3 rate_body_radps,
                                       double air_density_kgpm3)
{
        struct vec3 v = airspeed_body_mps, w = rate_body_radps;
        double half_rho = 0.5 * air_density_kgpm3;

        sum->force_body_n.x -=
                (p->linear_n_per_mps.x + half_rho * p->quadratic_area_m2.x * fabs(v.x)) *
                v.x;
        sum->force_body_n.y -=
                (p->linear_n_per_mps.y + half_rho * p->quadratic_area_m2.y * fabs(v.y)) *
                v.y;
        sum->force_body_n.z -=
                (p->linear_n_per_mps.z + half_rho * p->quadratic_area_m2.z * fabs(v.z)) *
                v.z;
        sum->torque_body_nm.x -= (p->angular_nm_per_radps.x +
                                  p->angular_quadratic_nm_per_radps2.x * fabs(w.x)) *
                                 w.x;
        sum->torque_body_nm.y -= (p->angular_nm_per_radps.y +
                                  p->angular_quadratic_nm_per_radps2.y * fabs(w.y)) *
                                 w.y;
        sum->torque_body_nm.z -= (p->angular_nm_per_radps.z +
                                  p->angular_quadratic_nm_per_radps2.z * fabs(w.z)) *
                                 w.z;
}

#endif
