/* Contact with the ground: impulses at the landing gear's points that stop what goes in,
 * with Coulomb friction and restitution, and a lift out of whatever depth the step
 * reached. Impulses instead of springs, so that no step size makes it explode or sink. */
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

/* What the last step's contact did: the mean acceleration over the step. Zero in the air.
 */
struct contact {
        bool touching;
        struct vec3 accel_ned_mps2;
        struct vec3 rate_dot_body_radps2;
        double impact_mps; /* speed into the ground at the hardest point, before the
                              impulse */
};

void contact_params_prepare(struct contact_params *p);

/* Corrects the state that a free step of dt_s reached. */
void contact_step(struct contact *c, const struct contact_params *p,
                  const struct body_params *body, const struct world *world,
                  struct body_state *state, double dt_s);

#endif
