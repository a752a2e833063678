/* Contact with the ground: impulses at the landing gear's points that stop what goes in,
 * with Coulomb friction and restitution. Impulses instead of springs, so that no step
 * size makes it explode or sink. */
#ifndef MODELS_CONTACT_H
#define MODELS_CONTACT_H

#include "models/body.h"
#include "models/world.h"

#define CONTACT_POINTS_MAX 12

struct contact_params {
        int points;
        struct vec3 point_body_m[CONTACT_POINTS_MAX];
        double reach_m; /* farthest point from the centre of mass, by
                           contact_params_prepare() */
};

/* What the last step's contact did. Zero in the air. */
struct contact {
        bool touching;
        double impact_mps; /* speed into the ground at the hardest point, before the
                              impulse */
        /* Of the body over the step, everything that acts on it included. */
        struct vec3 mean_accel_ned_mps2;
        struct vec3 mean_rate_dot_body_radps2;
        /* At each point, along the normal and two tangents: where the next step's search
         * begins. */
        double impulse_ns[CONTACT_POINTS_MAX][3];
};

void contact_params_prepare(struct contact_params *p);

/* Whether any point may be in the ground: false for certain when it is farther away than
 * the farthest point reaches. */
static inline bool contact_possible(const struct contact_params *p,
                                    const struct world *world, struct vec3 pos_ned_m)
{
        return !(world_ground(world, pos_ned_m).clearance_m > p->reach_m);
}

/* Corrects the state that a free step of dt_s reached from `before`. */
void contact_step(struct contact *c, const struct contact_params *p,
                  const struct body_params *body, const struct world *world,
                  const struct body_state *before, struct body_state *state, double dt_s);

#endif
