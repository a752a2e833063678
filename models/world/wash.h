/* Rotor wash: the jets below a vehicle's rotors, as the air that others meet in them. A rotor's jet is that of
 * momentum theory: at s along it the air moves with v (1 + s/sqrt(s^2 + R^2)), v the velocity that the disc
 * induces, and as much of it passes as through the disc, so that the radius shrinks from R to R/sqrt(2)
 * (Leishman, Principles of Helicopter Aerodynamics, 2.2). Its edge mixes with the still air, until 6 R down nothing
 * of the core is left; from there it is a turbulent jet, Gaussian, that widens by 6 degrees and slows as it
 * widens. Its momentum stays. Flight sweeps it back, and a surface turns it into a wall jet that flows off along it.
 *
 * Where jets run into each other their momentum fluxes add, not their velocities (Reichardt 1943): so four jets that
 * have merged still carry the thrust of four rotors. Flux here: u |u|, in m^2/s^2. */
#pragma once

#include "models/signals.h"
#include "models/world/world.h"

/* A jet ends where its middle is slower, a wall jet likewise. */
#define WASH_STILL_MPS 0.5

/* Of one vehicle: all of its rotors have one radius and one axis. */
struct wash {
        int jets; /* 0: it moves no air */
        struct wash_jet {
                struct vec3 hub_ned_m;
                double induced_mps;
        } jet[ROTORS_MAX];
        double radius_m;
        struct vec3 axis_ned; /* unit, the way the air goes through the discs */
        struct vec3 way_ned; /* unit, of the jets: swept back from the axis by flight */
        double climb_mps, across_mps; /* of the discs through the air; >= 0 */
        struct vec3 middle_ned_m; /* of the hubs */
        double arm_m, lift_m; /* from there to the farthest hub; of that along the jets */
        double mean_mps; /* of the induced velocities */
        double length_m; /* of the jets */

        bool stopped; /* by a surface, at `foot` */
        struct vec3 foot_ned_m, normal_ned;
        double flux_m4ps2; /* thrust over density, of all jets */
        double width_m; /* of all of them together, at the foot */
        double far_m; /* how far along the surface the wall jet goes */
};

/* What a disc induces at this thrust over density, by Glauert: thrust = 2 rho A v sqrt(across^2 + (climb + v)^2).
 * Momentum theory has no solution for slow descents: climb_mps is at least 0. */
double wash_induced_mps(double thrust_over_density_m4ps2, double radius_m,
                        double climb_mps, double across_mps);

/* The rotors' air, one after the other; then where it goes. vel_ned_mps: of the vehicle through the air. */
void wash_begin(struct wash *w, double radius_m, struct vec3 axis_ned,
                struct vec3 vel_ned_mps);
void wash_add_rotor(struct wash *w, struct vec3 hub_ned_m, double induced_mps);
void wash_finish(struct wash *w, const struct world *world);

/* Beyond this distance in the horizontal from the hubs' middle nobody feels it. */
double wash_reach_m(const struct wash *w);

/* Whether a sphere there may feel it: the quick test. */
bool wash_reaches(const struct wash *w, struct vec3 pos_ned_m, double radius_m);

/* Adds the flux at a place. */
void wash_add_flux(const struct wash *w, struct vec3 pos_ned_m,
                   struct vec3 *flux_ned_m2ps2);

/* The air's velocity that belongs to a flux. */
struct vec3 wash_velocity_mps(struct vec3 flux_ned_m2ps2);
