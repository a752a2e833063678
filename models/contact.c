/* Sequential impulses at the contact points (Catto 2005, after Moreau's time stepping):
 * at the end of a free step every point that is inside gets the impulse that stops it
 * going deeper. */
#include "models/contact.h"

#include <math.h>

#define ITERATIONS_MAX 40

/* Slower impacts do not bounce, or resting would never end. */
#define BOUNCE_MIN_MPS 0.2

struct touch {
        struct vec3 arm_ned_m; /* from the centre of mass */
        struct vec3 axis_ned[3]; /* normal, then two tangents */
        double mass_kg[3]; /* effective, along each axis */
        double impulse_ns[3];
        double speed_mps; /* wanted along the normal */
        double depth_m;
};

void contact_params_prepare(struct contact_params *p)
{
        p->reach_m = 0.0;
        for (int i = 0; i < p->points; i++)
                p->reach_m = fmax(p->reach_m, vec3_norm(p->point_body_m[i]));
}

/* The inverse inertia works in body axes; contact in NED. */
static struct vec3 angular_response(const struct body_params *body, struct quat q,
                                    struct vec3 moment_ned)
{
        struct vec3 m = quat_rotate_inverse(q, moment_ned);

        return quat_rotate(q, body_matrix_times(body->inverse_kgm2, m));
}

static struct vec3 any_tangent(struct vec3 n)
{
        struct vec3 t = fabs(n.x) < 0.5 ? (struct vec3){ 1.0, 0.0, 0.0 }
                                        : (struct vec3){ 0.0, 1.0, 0.0 };

        t = vec3_axpy(t, -vec3_dot(t, n), n);
        return vec3_scale(1.0 / vec3_norm(t), t);
}

static void touch_prepare(struct touch *t, const struct body_params *body, struct quat q)
{
        t->axis_ned[1] = any_tangent(t->axis_ned[0]);
        t->axis_ned[2] = vec3_cross(t->axis_ned[0], t->axis_ned[1]);
        for (int k = 0; k < 3; k++) {
                struct vec3 moment = vec3_cross(t->arm_ned_m, t->axis_ned[k]);
                struct vec3 spun = angular_response(body, q, moment);

                t->mass_kg[k] = 1.0 / (1.0 / body->mass_kg + vec3_dot(spun, moment));
                t->impulse_ns[k] = 0.0;
        }
}

static double point_speed(const struct touch *t, struct vec3 vel, struct vec3 rate_ned,
                          int k)
{
        return vec3_dot(vec3_add(vel, vec3_cross(rate_ned, t->arm_ned_m)),
                        t->axis_ned[k]);
}

static int find_touches(struct touch *touch, const struct contact_params *p,
                        const struct world *world, const struct body_state *s)
{
        int count = 0;

        for (int i = 0; i < p->points; i++) {
                struct vec3 arm = quat_rotate(s->q_body_to_ned, p->point_body_m[i]);
                struct ground g = world_ground(world, vec3_add(s->pos_ned_m, arm));

                if (g.clearance_m > 0.0)
                        continue;
                touch[count++] = (struct touch){ .arm_ned_m = arm,
                                                 .axis_ned = { g.normal_ned },
                                                 .depth_m = -g.clearance_m };
        }
        return count;
}

/* One impulse along axis k, kept within lo..hi in sum; returns how much it changed. */
static double push(struct touch *t, int k, double wanted_mps, double lo, double hi,
                   const struct body_params *body, struct quat q, struct vec3 *vel,
                   struct vec3 *rate_ned)
{
        double missing = wanted_mps - point_speed(t, *vel, *rate_ned, k);
        double total = fmin(fmax(t->impulse_ns[k] + t->mass_kg[k] * missing, lo), hi);
        double change = total - t->impulse_ns[k];
        struct vec3 impulse = vec3_scale(change, t->axis_ned[k]);

        t->impulse_ns[k] = total;
        *vel = vec3_axpy(*vel, 1.0 / body->mass_kg, impulse);
        *rate_ned = vec3_add(
                *rate_ned, angular_response(body, q, vec3_cross(t->arm_ned_m, impulse)));
        return fabs(change);
}

static void solve(struct touch *touch, int count, double friction,
                  const struct body_params *body, struct quat q, struct vec3 *vel,
                  struct vec3 *rate_ned)
{
        double enough = 1e-12 * body->mass_kg;

        for (int n = 0; n < ITERATIONS_MAX; n++) {
                double changed = 0.0;

                for (int i = 0; i < count; i++) {
                        struct touch *t = &touch[i];
                        double grip;

                        changed += push(t, 0, t->speed_mps, 0.0, INFINITY, body, q, vel,
                                        rate_ned);
                        grip = friction * t->impulse_ns[0];
                        changed += push(t, 1, 0.0, -grip, grip, body, q, vel, rate_ned);
                        changed += push(t, 2, 0.0, -grip, grip, body, q, vel, rate_ned);
                }
                if (changed < enough)
                        return;
        }
}

void contact_step(struct contact *c, const struct contact_params *p,
                  const struct body_params *body, const struct world *world,
                  struct body_state *s, double dt_s)
{
        struct touch touch[CONTACT_POINTS_MAX];
        struct vec3 vel = s->vel_ned_mps, rate_ned;
        double lift_m = 0.0;
        int count;

        *c = (struct contact){ 0 };
        if (world_ground(world, s->pos_ned_m).clearance_m > p->reach_m)
                return;
        count = find_touches(touch, p, world, s);
        if (count == 0)
                return;

        rate_ned = quat_rotate(s->q_body_to_ned, s->rate_body_radps);
        for (int i = 0; i < count; i++) {
                double speed;

                touch_prepare(&touch[i], body, s->q_body_to_ned);
                speed = -point_speed(&touch[i], vel, rate_ned, 0);
                touch[i].speed_mps =
                        speed > BOUNCE_MIN_MPS ? world->ground_restitution * speed : 0.0;
                c->impact_mps = fmax(c->impact_mps, speed);
                lift_m = fmax(lift_m, touch[i].depth_m);
        }
        solve(touch, count, world->ground_friction, body, s->q_body_to_ned, &vel,
              &rate_ned);

        c->touching = true;
        c->accel_ned_mps2 = vec3_scale(1.0 / dt_s, vec3_sub(vel, s->vel_ned_mps));
        s->vel_ned_mps = vel;
        {
                struct vec3 rate = quat_rotate_inverse(s->q_body_to_ned, rate_ned);

                c->rate_dot_body_radps2 =
                        vec3_scale(1.0 / dt_s, vec3_sub(rate, s->rate_body_radps));
                s->rate_body_radps = rate;
        }
        s->pos_ned_m = vec3_axpy(s->pos_ned_m, lift_m, touch[0].axis_ned[0]);
}
