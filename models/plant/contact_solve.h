/* Sequential impulses at the touching points (Catto 2005, after Moreau's time stepping). */
#pragma once

#include "models/plant/contact.h"

/* One direction in which one point can be pushed, and the effect of a push on the body. */
struct push {
        struct vec3 axis_ned;
        struct vec3 moment_ned; /* of a unit impulse */
        struct vec3 spin_ned; /* the rate of turn it gives */
        double per_kg; /* the speed it gives the point along the axis */
};

/* One point against one surface. */
struct touch {
        int point, obstacle;
        double friction, restitution;
        double depth_m;
        struct push push[3]; /* normal, then two tangents */
        double tangent_kg; /* a step along both tangents that never overshoots */
        double free_mps; /* along the normal, before the impulses */
        double wanted_mps; /* afterwards, at least */
        double impulse_ns[3];
        double grip_ns; /* as much as friction may give */
};

/* The part of the state that impulses change, in NED. */
struct contact_velocity {
        struct vec3 linear_mps;
        struct vec3 angular_radps;
};

/* Fills push and tangent_kg. arm_ned_m goes from the centre of mass to the point of contact. */
void touch_prepare(struct touch *t, struct vec3 arm_ned_m, struct vec3 normal_ned,
                   const struct body_params *body, struct mat3 body_to_ned);

static inline double push_speed_mps(const struct push *p,
                                    const struct contact_velocity *v)
{
        return vec3_dot(p->axis_ned, v->linear_mps) +
               vec3_dot(p->moment_ned, v->angular_radps);
}

/* A body at rest needs the same impulses as in the step before: begins with those. */
void touches_start_from(const struct contact *before, struct touch *touch, int count,
                        double per_mass, struct contact_velocity *v);

/* Finds the impulses that give every touch its wanted speed within its friction cone, and
 * applies them to v. */
void touches_solve(struct touch *touch, int count, const struct body_params *body,
                   struct contact_velocity *v);
