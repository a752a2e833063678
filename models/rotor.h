/* Rotors: speed -> force and torque on the body. Quadratic in the speed
 * (Gruber 3.9, 4.11), scaled with air density, with the reaction to the rotor's own
 * acceleration and its gyroscopic torque (Gruber footnote to 3.9; Bouabdallah 2007). */
#ifndef MODELS_ROTOR_H
#define MODELS_ROTOR_H

#include "models/signals.h"

struct rotor_params {
        struct vec3 pos_body_m; /* hub, from the centre of mass */
        double spin; /* +1: turns about +z (clockwise seen from above), or -1 */
        double thrust_n_per_radps2; /* t_F at air_density_ref_kgpm3; thrust along -z */
        double torque_nm_per_radps2; /* q_F, likewise; acts against the spin */
        double inertia_kgm2; /* about the axis, rotor and motor bell */
        double air_density_ref_kgpm3; /* at which the two factors were measured */
};

/* Adds one rotor's share. accel_radps2 is the rate of change of the speed; density_ratio
 * is the air's density over air_density_ref_kgpm3. */
static inline void rotor_add_wrench(struct wrench *sum, const struct rotor_params *p,
                                    double speed_radps, double accel_radps2,
                                    struct vec3 rate_body_radps, double density_ratio)
{
        double square = density_ratio * speed_radps * speed_radps;
        double thrust_n = p->thrust_n_per_radps2 * square;
        double momentum = p->spin * p->inertia_kgm2 * speed_radps;

        sum->force_body_n.z -= thrust_n;
        /* r x (0, 0, -T), then -w x (0, 0, h), then drag and the reaction to dh/dt. */
        sum->torque_body_nm.x -=
                p->pos_body_m.y * thrust_n + rate_body_radps.y * momentum;
        sum->torque_body_nm.y +=
                p->pos_body_m.x * thrust_n + rate_body_radps.x * momentum;
        sum->torque_body_nm.z -= p->spin * (p->torque_nm_per_radps2 * square +
                                            p->inertia_kgm2 * accel_radps2);
}

#endif
