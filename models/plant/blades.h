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
 * 8/3 rho R^3): where it settles, the thrusts of blade elements and of momentum theory agree, so
 * nothing is solved by iteration. Between hover and a descent at twice the induced velocity
 * momentum theory has no solution (vortex ring): a fit to measurements is used there, and in faster
 * descents the windmill brake branch. */
#pragma once

#include "models/vec.h"

#define BLADES_RING_NODES 33

struct blades_params {
        double radius_m; /* 0: the vehicle's rotors are not computed from blade elements */
        int blades;
        double chord_m; /* mean */
        double pitch_rad, twist_rad; /* th(x) = pitch - twist x, x = r/R */
        double lift_slope; /* a, per rad */
        double drag_coefficient; /* Cd, mean over the blade */
        /* Fits to a bench test, default 1: one for the effects of the blades' lift (thrust, its
         * share of the torque, rolling moment), one for those of their drag. Separate, so that the
         * power balance holds. */
        double thrust_factor, torque_factor;

        /* Filled by blades_params_prepare(). */
        double solidity; /* b c/(pi R) */
        double area_m2;
        double lift_m2, drag_m2; /* sigma A a and sigma A Cd with their factors */
        double disk_per_m; /* area over the apparent mass's volume */
        /* T/(2 rho A v^2) in the vortex ring over Vc/v from -2 to 0, and its slope. */
        double ring[BLADES_RING_NODES][2];
};

/* One rotor's forces, turned from the axes of the flow into the body's: thrust along -z, hub force
 * against the in-plane airspeed, torque against the spin, and the rolling moment about the in-plane
 * airspeed, positive for a rotor that turns clockwise seen from above, whose left side advances.
 * The formulas hold for mu and lambda up to 1. Beyond, both are held at 1, so that a stopping rotor
 * ends without forces; the drag of a stopped one belongs to the airframe. */
struct blades_forces {
        struct vec3 force_body_n,
                torque_body_nm; /* at the hub, torque without the arm's */
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

/* The induced velocity at which a rotor at this speed and airspeed settles, far from the ground.
 * Iterates; for initial states and tests. */
double blades_steady_inflow_mps(const struct blades_params *p, double speed_radps,
                                struct vec3 airspeed_body_mps, double air_density_kgpm3);
