/* Rotors: speed -> force and torque on the body. Quadratic in the speed
 * (Gruber 3.9, 4.11), scaled with air density, with the reaction to the rotor's own
 * acceleration and its gyroscopic torque (Gruber footnote to 3.9; Bouabdallah 2007). */
#pragma once

#include "models/quad.h"
#include "models/signals.h"

struct rotor_params {
        struct vec3 pos_body_m; /* hub, from the centre of mass */
        double spin; /* +1: turns about +z (clockwise seen from above), or -1 */
        double thrust_n_per_radps2; /* t_F at air_density_ref_kgpm3; thrust along -z */
        double torque_nm_per_radps2; /* q_F, likewise; acts against the spin */
        double inertia_kgm2; /* about the axis, rotor and motor bell */
        double air_density_ref_kgpm3; /* at which the two factors were measured, > 0 */
};

/* Two doubles side by side. */
typedef double rotor_pair __attribute__((vector_size(16)));

/* The loads of one rotor: `square` per square of its speed at an air density of 1 kg/m3, `speed`
 * per speed. Computed once. */
struct rotor_gain {
        quad square; /* force along z, torque about x, y and z */
        rotor_pair speed; /* angular momentum about z; its decay, momentum/tau */
};

/* The loads of all rotors at one instant, in the same order. None of them depends on the body's
 * motion. */
struct rotor_load {
        quad square; /* N, N m at 1 kg/m3 */
        rotor_pair speed; /* N m s, N m */
};

static inline struct rotor_gain rotor_gain(const struct rotor_params *p, double tau_s,
                                           double per_mass)
{
        double lift = p->thrust_n_per_radps2 / p->air_density_ref_kgpm3;
        double drag = p->torque_nm_per_radps2 / p->air_density_ref_kgpm3;
        double momentum = p->spin * p->inertia_kgm2;

        /* r x (0, 0, -T), and the drag against the spin. */
        return (struct rotor_gain){ { -per_mass * lift, -p->pos_body_m.y * lift,
                                      p->pos_body_m.x * lift, -p->spin * drag },
                                    { momentum, momentum / tau_s } };
}

static inline struct rotor_load rotor_load(const struct rotor_gain *g,
                                           const double *speed_radps, int rotors)
{
        struct rotor_load sum = { 0 };

        for (int i = 0; i < rotors; i++) {
                double speed = speed_radps[i];

                sum.square += g[i].square * (speed * speed);
                sum.speed += g[i].speed * speed;
        }
        return sum;
}

/* Torque of the load on a body that turns at rate_body_radps in this air, including -w x (0, 0, h)
 * and the reaction to dh/dt, which is drive_nm less the decay. Near the ground the density that
 * gives the lift is increased by the same factor as the thrust. */
static inline struct vec3 rotor_torque(const struct rotor_load *l, double drive_nm,
                                       struct vec3 rate_body_radps,
                                       double air_density_kgpm3,
                                       double lift_density_kgpm3)
{
        struct vec3 w = rate_body_radps;
        double momentum_nms = l->speed[0], decay_nm = l->speed[1];

        return (struct vec3){ lift_density_kgpm3 * l->square[1] - w.y * momentum_nms,
                              lift_density_kgpm3 * l->square[2] + w.x * momentum_nms,
                              air_density_kgpm3 * l->square[3] + (decay_nm - drive_nm) };
}
