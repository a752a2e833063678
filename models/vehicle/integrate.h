/* How a vehicle's motion changes under given loads of its rotors, and one step of it: what a vehicle that is stepped
 * alone (move.c) and many that are stepped together (batch_lanes.h) have in common. Everything is inline and uses +, -, *,
 * / alone, so that a compiler may take several vehicles at once and the bits stay. */
#pragma once

#include "models/isa.h"
#include "models/plant/ground_effect.h"
#include "models/vehicle/vehicle.h"

static inline double density_of(const struct air *air, double down_m)
{
        return air->density_kgpm3 + air->slope_kgpm4 * (down_m - air->down_m);
}

/* What blade elements give the body: per mass, and about the centre of mass. */
struct effort {
        struct vec3 felt_body_mps2, torque_body_nm;
};

/* What acts on the body while it moves so, contact apart. effort NULL: the rotors are all in
 * `load`. Inlined by force: compilers that call it pass its results through memory, four
 * times a step. */
ALWAYS_INLINE void derive(struct body_motion_rate *d, const struct vehicle_params *p,
                          const struct vehicle *v, const struct body_motion *m,
                          const struct rotor_load *load, const struct effort *effort)
{
        const struct surroundings *around = &v->around;
        struct mat3 body_to_ned = quat_to_mat3(m->q_body_to_ned);
        double rho = density_of(&v->air, m->down_m), lift_rho = rho;
        struct vec3 airspeed = mat3_transpose_times(body_to_ned, m->airspeed_ned_mps);
        struct vec3 felt, drag_nm = { 0.0, 0.0, 0.0 }, torque;

        if (p->off_centre)
                airspeed = vec3_sub(airspeed,
                                    vec3_cross(m->rate_body_radps, p->centre_body_m));
        felt = airframe_felt(&p->drag, airspeed, rho);
        if (p->off_centre)
                drag_nm =
                        vec3_scale(-p->body.mass_kg, vec3_cross(p->centre_body_m, felt));
        /* Blade elements know of the ground by themselves. */
        if (effort == NULL)
                lift_rho *= ground_effect_tilted_ratio(
                        p->rotor_radius_m, around->surface_down_m - m->down_m + p->hub_m,
                        body_to_ned.z.z);
        torque = vec3_add(
                rotor_torque(load, v->drive_nm, m->rate_body_radps, rho, lift_rho),
                airframe_torque(&p->drag, m->rate_body_radps));
        felt.z += lift_rho * load->square[0];
        if (p->off_centre)
                torque = vec3_add(torque, drag_nm);
        if (effort != NULL) {
                felt = vec3_add(felt, effort->felt_body_mps2);
                torque = vec3_add(torque, effort->torque_body_nm);
        }
        body_derive(d, &p->body, m, body_to_ned, felt,
                    vec3_add(torque, around->torque_body_nm));
        d->felt_ned_mps2 =
                vec3_axpy(d->felt_ned_mps2, p->body.per_mass, around->force_ned_n);
        d->sink_mps = m->airspeed_ned_mps.z + around->wind_ned_mps.z;
}

ALWAYS_INLINE struct body_motion motion_of(const struct vehicle *v)
{
        const struct body_state *s = &v->body;

        return (struct body_motion){
                .q_body_to_ned = s->q_body_to_ned,
                .rate_body_radps = s->rate_body_radps,
                .airspeed_ned_mps = vec3_sub(s->vel_ned_mps, v->around.wind_ned_mps),
                .down_m = s->pos_ned_m.z,
        };
}

/* Classical RK4, with the rotors' loads at the start, in the middle and at the end of the step. */
ALWAYS_INLINE void integrate(struct vehicle *v, const struct vehicle_params *p,
                             const struct rotor_load *at_start,
                             const struct rotor_load *in_middle,
                             const struct rotor_load *at_end)
{
        const double g = v->body.gravity_mps2, half_s = 0.5 * p->step_s;
        struct body_motion start = motion_of(v), m;
        struct body_motion_rate k[4];

        derive(&k[0], p, v, &start, at_start, NULL);
        body_advance(&m, &start, &k[0], g, half_s);
        derive(&k[1], p, v, &m, in_middle, NULL);
        body_advance(&m, &start, &k[1], g, half_s);
        derive(&k[2], p, v, &m, in_middle, NULL);
        body_advance(&m, &start, &k[2], g, p->step_s);
        derive(&k[3], p, v, &m, at_end, NULL);
        body_finish(&v->body, k, p->step_s);
}
