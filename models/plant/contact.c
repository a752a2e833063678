/* At the end of a free step every point that is inside an obstacle gets the impulse that stops it
 * from going deeper. Velocities are settled first; positions follow from the same impulses. */
#include "models/plant/contact_solve.h"

#include <stddef.h>
#include <string.h>

/* Slower impacts do not bounce; otherwise the body would never come to rest. */
#define BOUNCE_MIN_MPS 0.2

/* Slower than this before and after a step that ends in contact, the body rests. */
#define REST_MPS 1e-9

/* How far beyond the vehicle's reach an empty ball is searched for: the farther, the rarer and the
 * more expensive the search. */
#define FREE_BEYOND_M 3.0

/* In a corner the way out of one surface leads into another; this many iterations. */
#define LIFTS_MAX 4
#define LIFTED_M  1e-12

void contact_params_prepare(struct contact_params *p)
{
        p->reach_m = 0.0;
        for (int i = 0; i < p->points; i++)
                p->reach_m =
                        fmax(p->reach_m, vec3_norm(p->point_body_m[i]) + p->radius_m[i]);
}

bool contact_search(struct contact_free *f, const struct contact_params *p,
                    const struct world *world, struct vec3 from_ned_m,
                    struct vec3 pos_ned_m)
{
        const double reach_m = p->reach_m + WORLD_SKIN_M;
        const double room_m = f->radius_m - reach_m, limit_m = reach_m + FREE_BEYOND_M;

        /* The obstacle at the ball's edge is still within reach. */
        if (f->touches && vec3_within(pos_ned_m, f->centre_ned_m, -room_m))
                return true;
        f->centre_ned_m = pos_ned_m;
        f->radius_m = world_free_m(world, pos_ned_m, limit_m);
        f->touches = f->radius_m < limit_m;
        return !vec3_within(pos_ned_m, from_ned_m, f->radius_m - reach_m);
}

/* Where the points were when the step began: the side from which they met a surface. */
struct start {
        struct vec3 pos_ned_m;
        struct mat3 body_to_ned;
};

/* What one point touches in a state; arm is to the point's centre. */
static int point_touches(const struct contact_params *p, int point,
                         const struct world *world, const struct start *from,
                         struct vec3 pos_ned_m, struct vec3 arm_ned_m,
                         struct world_touch out[WORLD_TOUCHES_MAX])
{
        struct vec3 before = vec3_add(
                from->pos_ned_m, mat3_times(from->body_to_ned, p->point_body_m[point]));

        return world_touches(world, before, vec3_add(pos_ned_m, arm_ned_m),
                             p->radius_m[point], out);
}

/* A place in the list; if it is full, the place of the shallowest. */
static struct touch *place_for(struct touch *touch, int *count, double depth_m)
{
        int at = 0;

        if (*count < CONTACT_TOUCHES_MAX)
                return &touch[(*count)++];
        for (int i = 1; i < CONTACT_TOUCHES_MAX; i++)
                if (touch[i].depth_m < touch[at].depth_m)
                        at = i;
        return touch[at].depth_m < depth_m ? &touch[at] : NULL;
}

static int find_touches(struct touch *touch, const struct contact_params *p,
                        const struct body_params *body, const struct world *world,
                        const struct start *from, const struct body_state *s)
{
        struct mat3 body_to_ned = quat_to_mat3(s->q_body_to_ned);
        int count = 0;

        for (int i = 0; i < p->points; i++) {
                struct vec3 arm = mat3_times(body_to_ned, p->point_body_m[i]);
                struct world_touch w[WORLD_TOUCHES_MAX];
                int found = point_touches(p, i, world, from, s->pos_ned_m, arm, w);

                for (int k = 0; k < found; k++) {
                        struct touch *t = place_for(touch, &count, -w[k].clearance_m);

                        if (t == NULL)
                                continue;
                        *t = (struct touch){ .point = i,
                                             .obstacle = w[k].obstacle,
                                             .friction = w[k].surface->friction,
                                             .restitution = w[k].surface->restitution,
                                             .depth_m = -w[k].clearance_m };
                        touch_prepare(t, vec3_axpy(arm, -p->radius_m[i], w[k].normal_ned),
                                      w[k].normal_ned, body, body_to_ned);
                }
        }
        return count;
}

/* Each point's motion before the impulses, and the speed that it must have after them. */
static void find_impacts(struct touch *touch, int count, const struct contact_velocity *v,
                         struct contact *c)
{
        for (int i = 0; i < count; i++) {
                struct touch *t = &touch[i];
                double speed;

                t->free_mps = push_speed_mps(&t->push[0], v);
                speed = -t->free_mps;
                t->wanted_mps = speed > BOUNCE_MIN_MPS ? t->restitution * speed : 0.0;
                if (i > 0 && speed <= c->impact_mps)
                        continue;
                c->impact_mps = fmax(0.0, speed);
                c->obstacle = t->obstacle;
        }
}

/* For how long before the end of the step the change of velocity must have acted to bring the
 * points out again: half the step for points at rest throughout it, the time since the impact for
 * points that hit. So the lift costs the energy that it gives. */
static double time_in_contact(const struct touch *touch, int count,
                              const struct contact_velocity *v, double dt_s)
{
        double longest_s = 0.0;

        for (int i = 0; i < count; i++) {
                double gained = push_speed_mps(&touch[i].push[0], v) - touch[i].free_mps;

                /* Also false if both are 0. */
                if (touch[i].depth_m < dt_s * gained)
                        longest_s = fmax(longest_s, touch[i].depth_m / gained);
                else if (gained > 0.0)
                        longest_s = dt_s;
        }
        return longest_s;
}

/* The depth of the deepest point, and the way out. */
static double deepest(const struct body_state *s, const struct contact_params *p,
                      const struct world *world, const struct start *from,
                      struct vec3 *way)
{
        struct mat3 body_to_ned = quat_to_mat3(s->q_body_to_ned);
        double deepest_m = 0.0;

        for (int i = 0; i < p->points; i++) {
                struct world_touch w[WORLD_TOUCHES_MAX];
                struct vec3 arm = mat3_times(body_to_ned, p->point_body_m[i]);

                if (point_touches(p, i, world, from, s->pos_ned_m, arm, w) > 0 &&
                    -w[0].clearance_m > deepest_m) {
                        deepest_m = -w[0].clearance_m;
                        *way = w[0].normal_ned;
                }
        }
        return deepest_m;
}

/* Corrects what rounding and the linear estimate of the rotation left. */
static void lift_out(struct body_state *s, const struct contact_params *p,
                     const struct world *world, const struct start *from)
{
        for (int n = 0; n < LIFTS_MAX; n++) {
                struct vec3 way = { 0.0, 0.0, 0.0 };
                double deep_m = deepest(s, p, world, from, &way);

                if (deep_m > 0.0)
                        s->pos_ned_m = vec3_axpy(s->pos_ned_m, deep_m, way);
                if (deep_m < LIFTED_M)
                        return;
        }
}

static bool rests(const struct body_state *s, double reach_m)
{
        return vec3_norm(s->vel_ned_mps) + reach_m * vec3_norm(s->rate_body_radps) <
               REST_MPS;
}

static void move_out(struct body_state *s, struct vec3 vel_gained_mps,
                     struct vec3 rate_gained_radps, double time_s)
{
        s->pos_ned_m = vec3_axpy(s->pos_ned_m, time_s, vel_gained_mps);
        s->q_body_to_ned =
                quat_normalise(quat_axpy(s->q_body_to_ned, time_s,
                                         quat_rate(s->q_body_to_ned, rate_gained_radps)));
}

/* Leaves the body in place if it is at rest: the forces that hold it act throughout the step, and
 * rounding errors would move it by microns in minutes. */
static bool settle_velocity(struct body_state *s, const struct contact_params *p,
                            const struct contact_velocity *v,
                            const struct body_state *before)
{
        s->vel_ned_mps = v->linear_mps;
        s->rate_body_radps = quat_rotate_inverse(s->q_body_to_ned, v->angular_radps);
        if (!rests(before, p->reach_m) || !rests(s, p->reach_m))
                return false;
        s->pos_ned_m = before->pos_ned_m;
        s->q_body_to_ned = before->q_body_to_ned;
        return true;
}

/* Where the body is and how it moves: what contact depends on, and changes. */
#define MOTION_BYTES offsetof(struct body_state, accel_ned_mps2)

static bool same_motion(const struct body_state *a, const struct body_state *b)
{
        return memcmp(a, b, MOTION_BYTES) == 0;
}

/* Standing motors ask the same in each step, and an answer that changed nothing is the same again: on the ground
 * before it is armed, contact would cost more than all the rest. */
static bool stands_still(const struct contact *c, const struct body_state *before,
                         const struct body_state *s)
{
        return c->still && same_motion(before, &c->still_before) &&
               same_motion(s, &c->still_free);
}

static bool same_touch(const struct contact_touch *a, const struct touch *b)
{
        return a->point == b->point &&
               memcmp(&a->normal_ned, &b->push[0].axis_ned, sizeof a->normal_ned) == 0 &&
               memcmp(a->impulse_ns, b->impulse_ns, sizeof a->impulse_ns) == 0;
}

/* Whether the last step's contact is this one's to the bit. */
static bool repeats(const struct contact *c, double last_impact_mps,
                    const struct touch *touch, int count)
{
        bool same = c->impact_mps == last_impact_mps && c->touches == count;

        for (int i = 0; same && i < count; i++)
                same = same_touch(&c->touch[i], &touch[i]);
        return same;
}

static void report(struct contact *c, const struct touch *touch, int count,
                   const struct body_state *s, const struct body_state *before,
                   double dt_s)
{
        c->touching = true;
        c->touches = count;
        for (int i = 0; i < count; i++) {
                c->touch[i].point = touch[i].point;
                c->touch[i].normal_ned = touch[i].push[0].axis_ned;
                memcpy(c->touch[i].impulse_ns, touch[i].impulse_ns,
                       sizeof c->touch[i].impulse_ns);
        }
        c->mean_accel_ned_mps2 =
                vec3_scale(1.0 / dt_s, vec3_sub(s->vel_ned_mps, before->vel_ned_mps));
        c->mean_rate_dot_body_radps2 = vec3_scale(
                1.0 / dt_s, vec3_sub(s->rate_body_radps, before->rate_body_radps));
}

static void meet(struct contact *c, const struct contact_params *p,
                 const struct body_params *body, const struct world *world,
                 const struct body_state *before, struct body_state *s, double dt_s)
{
        const struct start from = { before->pos_ned_m,
                                    quat_to_mat3(before->q_body_to_ned) };
        const double last_impact_mps = c->impact_mps;
        const struct body_state unmet = *s;
        struct touch touch[CONTACT_TOUCHES_MAX];
        struct contact_velocity v = { s->vel_ned_mps,
                                      quat_rotate(s->q_body_to_ned, s->rate_body_radps) };
        int count = find_touches(touch, p, body, world, &from, s);
        bool settled;

        if (count == 0) {
                *c = (struct contact){ .obstacle = -2 };
                return;
        }
        find_impacts(touch, count, &v, c);
        if (last_impact_mps < BOUNCE_MIN_MPS)
                touches_start_from(c, touch, count, body->per_mass, &v);
        touches_solve(touch, count, body, &v);
        settled = settle_velocity(s, p, &v, before);
        if (!settled) {
                move_out(s, vec3_sub(s->vel_ned_mps, unmet.vel_ned_mps),
                         vec3_sub(s->rate_body_radps, unmet.rate_body_radps),
                         time_in_contact(touch, count, &v, dt_s));
                lift_out(s, p, world, &from);
        }
        c->still = settled && same_motion(s, before) &&
                   repeats(c, last_impact_mps, touch, count);
        c->still_before = *before;
        c->still_free = unmet;
        report(c, touch, count, s, before, dt_s);
}

void contact_step(struct contact *c, const struct contact_params *p,
                  const struct body_params *body, const struct world *world,
                  const struct body_state *before, struct body_state *s, double dt_s)
{
        if (stands_still(c, before, s))
                memcpy(s, before, MOTION_BYTES);
        else
                meet(c, p, body, world, before, s, dt_s);
}
