/* Contact with the ground and with obstacles: impulses at points of the gear and at spheres of the
 * hull stop them from penetrating, with Coulomb friction and the restitution of the surface.
 * Impulses instead of springs, so that no step size makes it explode or sink. */
#pragma once

#include "models/plant/body.h"
#include "models/world/world.h"

#define CONTACT_POINTS_MAX 16
/* For all points together, with everything that they touch. */
#define CONTACT_TOUCHES_MAX 24

struct contact_params {
        int points;
        struct vec3 point_body_m[CONTACT_POINTS_MAX];
        double radius_m
                [CONTACT_POINTS_MAX]; /* 0: a point of the gear; else a sphere of the hull */
        double reach_m; /* how far the farthest reaches from the centre of mass, by
                           contact_params_prepare() */
};

/* The result of the last step's contact. In the air everything is 0, except that obstacle is -2. */
struct contact {
        bool touching;
        double impact_mps; /* speed into the surface at the hardest point, before the
                              impulse */
        int obstacle; /* what that point met: index in the world file, -1 the ground, -2 nothing */
        /* Of the body over the step, including everything that acts on it. */
        struct vec3 mean_accel_ned_mps2;
        struct vec3 mean_rate_dot_body_radps2;
        /* Each point against each surface that it touches, along the normal and two tangents: where the
         * next step's search begins. */
        int touches;
        struct contact_touch {
                int point;
                struct vec3 normal_ned;
                double impulse_ns[3];
        } touch[CONTACT_TOUCHES_MAX];
        /* The last step's answer was the one before's to the bit, and would be again, if the body came from this
         * motion and a free step led to that one. Whoever changes the body or its points makes it false. */
        bool still;
        struct body_state still_before, still_free;
};

void contact_params_prepare(struct contact_params *p);

/* The space that was found empty last, so that steps in the open make no queries. */
struct contact_free {
        struct vec3 centre_ned_m;
        double radius_m; /* of an empty ball; 0 to begin with */
        bool touches; /* something is at that radius, not farther */
};

/* The rest of contact_possible(), and a new ball where the last one is left. */
bool contact_search(struct contact_free *f, const struct contact_params *p,
                    const struct world *world, struct vec3 from_ned_m,
                    struct vec3 pos_ned_m);

/* Whether any point may touch, or went through something, on the way between two positions. False
 * while all of them are in the empty ball. */
static inline bool contact_possible(struct contact_free *f,
                                    const struct contact_params *p,
                                    const struct world *world, struct vec3 from_ned_m,
                                    struct vec3 pos_ned_m)
{
        const double room_m = f->radius_m - (p->reach_m + WORLD_SKIN_M);

        return !(vec3_within(pos_ned_m, f->centre_ned_m, room_m) &&
                 vec3_within(from_ned_m, f->centre_ned_m, room_m)) &&
               contact_search(f, p, world, from_ned_m, pos_ned_m);
}

/* Corrects the state that a free step of dt_s reached from `before`. */
void contact_step(struct contact *c, const struct contact_params *p,
                  const struct body_params *body, const struct world *world,
                  const struct body_state *before, struct body_state *state, double dt_s);
