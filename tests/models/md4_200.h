/* The vehicle that the plant's tests fly: Gruber's md4-200, table 4.2 as corrected in
 * docs/errata.md, without sensors, over flat ground in calm air. */
#pragma once

#include "models/vehicle/vehicle.h"

#define MD4_ARM_M      0.26
#define MD4_MASS_KG    0.964
#define MD4_T_F        8.694e-5
#define MD4_Q_F        1.734e-6
#define MD4_TAU_S      0.165
#define MD4_DRAG_PER_S 2.77634
#define MD4_B_OMEGA    1.0473
#define MD4_B_OMEGA_Z  0.0320
#define MD4_J_XX       8.173e-3
#define MD4_J_ZZ       14.882e-3
#define MD4_FOOT_M     0.12 /* how far the feet are below the centre of mass */

static inline struct world calm_world(void)
{
        return (struct world){ .origin = { 0.8134, 0.2494, 0.0 },
                               .gravity_mps2 = 9.81,
                               .atmosphere = { 101325.0, 288.15 },
                               .ground = { .friction = 0.7 } };
}

/* Air of the same density at every height: a thousand million times as hot, and under as much more
 * pressure. */
static inline struct world uniform_air(void)
{
        struct world w = calm_world();

        w.atmosphere = (struct atmosphere){ 101325e9, 288.15e9 };
        return w;
}

/* Front, right, back, left, as in Gruber 3.9. Thrust factors hold at the density of the
 * world's origin, so that they are what the rotors give there. */
static inline void md4_200_fit_rotors(struct vehicle_params *p)
{
        const double x[4] = { 1.0, 0.0, -1.0, 0.0 }, y[4] = { 0.0, 1.0, 0.0, -1.0 };
        struct world w = calm_world();

        p->rotors = 4;
        for (int i = 0; i < 4; i++) {
                p->motor[i] = (struct motor_params){ .tau_s = MD4_TAU_S,
                                                     .speed_full_radps =
                                                             1.08 * 4250.0 * M_PI / 30.0,
                                                     .speed_limit_radps =
                                                             2000.0 * M_PI / 30.0 };
                p->rotor[i] = (struct rotor_params){
                        .pos_body_m = { MD4_ARM_M * x[i], MD4_ARM_M * y[i], 0.0 },
                        .spin = i % 2 == 0 ? 1.0 : -1.0,
                        .thrust_n_per_radps2 = MD4_T_F,
                        .torque_nm_per_radps2 = MD4_Q_F,
                        .inertia_kgm2 = 1.188e-4,
                        .air_density_ref_kgpm3 =
                                atmosphere_density_kgpm3(&w.atmosphere, 0.0),
                };
        }
}

static inline struct vehicle_params md4_200(void)
{
        const double m = MD4_MASS_KG, b = MD4_DRAG_PER_S, f = MD4_FOOT_M;
        struct vehicle_params p = {
                .body = { .mass_kg = m,
                          .inertia_kgm2 = { { MD4_J_XX, 0.0, 0.0 },
                                            { 0.0, MD4_J_XX, 0.0 },
                                            { 0.0, 0.0, MD4_J_ZZ } } },
                .airframe = { .linear_n_per_mps = { m * b, m * b, m * b },
                              .angular_nm_per_radps = { MD4_B_OMEGA, MD4_B_OMEGA,
                                                        MD4_B_OMEGA_Z } },
                /* Four feet, and four points that it lies on upside down. */
                .contact = { .points = 8,
                             .point_body_m = { { 0.15, 0.15, f },
                                               { -0.15, 0.15, f },
                                               { -0.15, -0.15, f },
                                               { 0.15, -0.15, f },
                                               { 0.26, 0.0, -0.03 },
                                               { 0.0, 0.26, -0.03 },
                                               { -0.26, 0.0, -0.03 },
                                               { 0.0, -0.26, -0.03 } } },
        };

        md4_200_fit_rotors(&p);
        return p;
}

/* Speed of each rotor at which four of them carry the weight. */
static inline double md4_200_hover_radps(void)
{
        return sqrt(MD4_MASS_KG * 9.81 / (4.0 * MD4_T_F));
}

static inline struct motor_command all_at(double speed_radps)
{
        struct motor_command c = { { 0.0 } };

        for (int i = 0; i < 4; i++)
                c.duty[i] = speed_radps / (1.08 * 4250.0 * M_PI / 30.0);
        return c;
}

static inline void fly(struct vehicle *v, const struct vehicle_params *p,
                       const struct world *w, const struct motor_command *c,
                       double duration_s)
{
        int64_t end_ns = v->t_ns + (int64_t)(duration_s * 1e9 + 0.5);

        while (v->t_ns < end_ns)
                vehicle_move(v, p, w, c);
}

/* At height_m, level, rotors already turning at speed_radps. */
static inline void put(struct vehicle *v, struct vehicle_params *p, const struct world *w,
                       int64_t step_ns, double height_m, double speed_radps)
{
        vehicle_params_prepare(p, step_ns, 1, 0);
        vehicle_init(v, p, w, 1, 0, (struct vec3){ 0.0, 0.0, -height_m }, 0.0);
        for (int i = 0; i < p->rotors; i++)
                v->motor[i].speed_radps = speed_radps;
}
