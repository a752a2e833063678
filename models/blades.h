/* Rotor aerodynamics from blade elements (Micklisch 3.5.1 to 3.5.4 after Fay 2001 and Bouabdallah
 * 2007, with the corrections of docs/errata.md): thrust, hub force, torque and rolling moment as
 * functions of advance ratio mu, inflow ratio lambda, collective theta0 and twist:
 *
 *   C_T/(sigma a) = (1/6 + mu^2/4) th0 - (1 + mu^2) th_tw/8 - lambda/4
 *   C_H/(sigma a) = mu Cd/(4a) + lambda mu (th0 - th_tw/2)/4
 *   C_Q/(sigma a) = (1 + mu^2) Cd/(8a) + lambda (th0/6 - th_tw/8 - lambda/4)
 *   C_R/(sigma a) = -mu (th0/6 - th_tw/8 - lambda/8)
 *
 * The induced velocity is a state with the inertia of the air that the disk moves (apparent mass
 * 8/3 rho R^3): where it rests, thrust of blade elements and of momentum theory agree, so nothing
 * is solved by iteration. Between hover and twice the induced velocity of descent momentum
 * theory has no solution (vortex ring): a fit to measurements stands there; faster, the windmill
 * brake's branch. */
#ifndef MODELS_BLADES_H
#define MODELS_BLADES_H

#include "models/vec.h"

struct blades_params {
        double radius_m; /* 0: the vehicle's rotors are not computed from blade elements */
        int blades;
        double chord_m; /* mean */
        double pitch_rad, twist_rad; /* th(x) = pitch - twist x, x = r/R */
        double lift_slope; /* a, per rad */
        double drag_coefficient; /* Cd, mean over the blade */
        double thrust_factor, torque_factor; /* fit to a bench test; 1 */

        /* Filled by blades_params_prepare(). */
        double solidity; /* b c/(pi R) */
        double area_m2;
};

/* One rotor's forces in the axes of the flow: thrust along -z of the body, hub force against the
 * in-plane airspeed, torque against the spin, rolling moment about the in-plane airspeed. */
struct blades_forces {
        struct vec3 force_body_n, torque_body_nm; /* at the hub, torque without the arm's */
        double shaft_nm; /* aerodynamic torque on the shaft, against the spin, >= 0 in powered flight */
        double inflow_dot_mps2; /* of the induced velocity */
};

void blades_params_prepare(struct blades_params *p);

/* airspeed_body_mps: of the hub through the air. inflow_mps: the induced velocity, through the disk
 * downwards positive. ground_factor: induced velocity near the ground over that far away
 * (ground_effect.h), 1 in the open. spin +1 clockwise from above (about +z), -1 the other way. */
void blades_derive(struct blades_forces *out, const struct blades_params *p,
                   double speed_radps, double spin, struct vec3 airspeed_body_mps,
                   double inflow_mps, double ground_factor, double air_density_kgpm3);

/* The induced velocity at which a rotor at this speed and airspeed rests: iterates; for initial
 * states and tests. */
double blades_steady_inflow_mps(const struct blades_params *p, double speed_radps,
                                struct vec3 airspeed_body_mps, double air_density_kgpm3);

#endif
