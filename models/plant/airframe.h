/* Drag of the airframe: linear (Gruber 3.21) and quadratic (Gruber 3.17), force and
 * torque, against the motion relative to the air. */
#pragma once

#include "models/signals.h"

struct airframe_params {
        struct vec3 linear_n_per_mps; /* m b of 3.21 (b is a rate: docs/errata.md) */
        struct vec3 quadratic_area_m2; /* c_D A of 3.17; force is 1/2 rho c_D A v |v| */
        struct vec3 angular_nm_per_radps; /* b_omega of 3.23 */
        struct vec3 angular_quadratic_nm_per_radps2; /* c_D n/2 A rho/2 l^3 of 3.17 */
};

/* The same with signs and constant factors multiplied in, once per run; the force is per mass. */
struct airframe_gain {
        struct vec3 linear, quadratic; /* 1/s; m^2/kg, of the density */
        struct vec3 angular, angular_quadratic;
};

static inline struct airframe_gain airframe_gain(const struct airframe_params *p,
                                                 double per_mass)
{
        return (struct airframe_gain){
                .linear = vec3_scale(-per_mass, p->linear_n_per_mps),
                .quadratic = vec3_scale(-0.5 * per_mass, p->quadratic_area_m2),
                .angular = vec3_scale(-1.0, p->angular_nm_per_radps),
                .angular_quadratic = vec3_scale(-1.0, p->angular_quadratic_nm_per_radps2),
        };
}

/* (linear + quadratic |v|) v, axis by axis. */
static inline struct vec3 airframe_drag(struct vec3 linear, struct vec3 quadratic,
                                        struct vec3 v)
{
        return (struct vec3){ (linear.x + quadratic.x * fabs(v.x)) * v.x,
                              (linear.y + quadratic.y * fabs(v.y)) * v.y,
                              (linear.z + quadratic.z * fabs(v.z)) * v.z };
}

/* Specific force of the drag. */
static inline struct vec3 airframe_felt(const struct airframe_gain *g,
                                        struct vec3 airspeed_body_mps,
                                        double air_density_kgpm3)
{
        return airframe_drag(g->linear, vec3_scale(air_density_kgpm3, g->quadratic),
                             airspeed_body_mps);
}

static inline struct vec3 airframe_torque(const struct airframe_gain *g,
                                          struct vec3 rate_body_radps)
{
        return airframe_drag(g->angular, g->angular_quadratic, rate_body_radps);
}
