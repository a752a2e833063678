/* Sequential impulses at the contact points (Catto 2005, after Moreau's time stepping):
 * at the end of a free step every point that is inside gets the impulse that stops it
 * going deeper. Velocities are settled first, positions follow from what settled them. */
#include "models/contact.h"

#include <math.h>

#define ITERATIONS_MAX 100

/* From then on the friction's limits stay as they are. While they follow the normal
 * impulses, the two can chase each other for ever where the gear jams; with the limits
 * fixed the search is for a minimum of the kinetic energy, and finds it. */
#define ITERATIONS_COUPLED 50

/* Slower impacts do not bounce, or resting would never end. */
#define BOUNCE_MIN_MPS 0.2

/* Velocity that nobody can measure: when an iteration changes less, it was the last. */
#define CONVERGED_MPS 1e-13

/* Slower than this before and after a step that ends in contact, the body rests. */
#define REST_MPS 1e-9

/* One direction in which one point can be pushed, and what a push does to the body. */
struct push {
        struct vec3 axis_ned;
        struct vec3 moment_ned; /* of a unit impulse */
        struct vec3 spin_ned; /* the rate of turn it gives */
        double per_kg; /* the speed it gives the point along the axis */
};

struct touch {
        int point;
        struct vec3 arm_ned_m; /* from the centre of mass */
        double depth_m;
        struct push push[3]; /* normal, then two tangents */
        double tangent_kg; /* a step along both tangents that never overshoots */
        double free_mps; /* along the normal, before the impulses */
        double wanted_mps; /* afterwards, at least */
        double impulse_ns[3];
        double grip_ns; /* as much as friction may give */
};

/* The part of the state that impulses change, in NED. */
struct velocity {
        struct vec3 linear_mps;
        struct vec3 angular_radps;
};

void contact_params_prepare(struct contact_params *p)
{
        p->reach_m = 0.0;
        for (int i = 0; i < p->points; i++)
                p->reach_m = fmax(p->reach_m, vec3_norm(p->point_body_m[i]));
}

static struct vec3 any_tangent(struct vec3 n)
{
        struct vec3 t = fabs(n.x) < 0.5 ? (struct vec3){ 1.0, 0.0, 0.0 }
                                        : (struct vec3){ 0.0, 1.0, 0.0 };

        t = vec3_axpy(t, -vec3_dot(t, n), n);
        return vec3_scale(1.0 / vec3_norm(t), t);
}

static struct push push_along(struct vec3 axis_ned, struct vec3 arm_ned_m,
                              const struct body_params *body, struct mat3 body_to_ned)
{
        struct push push = { .axis_ned = axis_ned,
                             .moment_ned = vec3_cross(arm_ned_m, axis_ned) };
        struct vec3 moment_body = mat3_transpose_times(body_to_ned, push.moment_ned);

        push.spin_ned = mat3_times(body_to_ned,
                                   body_matrix_times(body->inverse_kgm2, moment_body));
        push.per_kg = body->per_mass + vec3_dot(push.spin_ned, push.moment_ned);
        return push;
}

/* The largest step along the tangents for which descending the kinetic energy cannot
 * overshoot: one over the larger eigenvalue of the 2x2 matrix that couples them. */
static double tangent_step_kg(const struct push *a, const struct push *b)
{
        double coupling = vec3_dot(a->spin_ned, b->moment_ned);
        double half_difference = 0.5 * (a->per_kg - b->per_kg);

        return 1.0 / (0.5 * (a->per_kg + b->per_kg) +
                      sqrt(half_difference * half_difference + coupling * coupling));
}

static double speed_along(const struct push *p, const struct velocity *v)
{
        return vec3_dot(p->axis_ned, v->linear_mps) +
               vec3_dot(p->moment_ned, v->angular_radps);
}

static void apply(struct velocity *v, const struct push *p, double per_mass,
                  double impulse_ns)
{
        v->linear_mps = vec3_axpy(v->linear_mps, per_mass * impulse_ns, p->axis_ned);
        v->angular_radps = vec3_axpy(v->angular_radps, impulse_ns, p->spin_ned);
}

static void touch_prepare(struct touch *t, struct vec3 normal_ned,
                          const struct body_params *body, struct mat3 body_to_ned)
{
        struct vec3 tangent = any_tangent(normal_ned);
        struct vec3 axis[3] = { normal_ned, tangent, vec3_cross(normal_ned, tangent) };

        for (int k = 0; k < 3; k++)
                t->push[k] = push_along(axis[k], t->arm_ned_m, body, body_to_ned);
        t->tangent_kg = tangent_step_kg(&t->push[1], &t->push[2]);
}

static int find_touches(struct touch *touch, const struct contact_params *p,
                        const struct body_params *body, const struct world *world,
                        const struct body_state *s)
{
        struct mat3 body_to_ned = quat_to_mat3(s->q_body_to_ned);
        int count = 0;

        for (int i = 0; i < p->points; i++) {
                struct vec3 arm = mat3_times(body_to_ned, p->point_body_m[i]);
                struct ground g = world_ground(world, vec3_add(s->pos_ned_m, arm));

                if (g.clearance_m > 0.0)
                        continue;
                touch[count] = (struct touch){ .point = i,
                                               .arm_ned_m = arm,
                                               .depth_m = -g.clearance_m };
                touch_prepare(&touch[count], g.normal_ned, body, body_to_ned);
                count++;
        }
        return count;
}

/* Along the normal: whatever makes the point's speed what is wanted, as long as the
 * ground does not pull. Returns by how much it changed. */
static double push_out(struct touch *t, struct velocity *v, double per_mass)
{
        const struct push *normal = &t->push[0];
        double missing = (t->wanted_mps - speed_along(normal, v)) / normal->per_kg;
        double total = fmax(t->impulse_ns[0] + missing, 0.0);
        double change = total - t->impulse_ns[0];

        t->impulse_ns[0] = total;
        apply(v, normal, per_mass, change);
        return fabs(change);
}

/* Along the tangents: towards standstill, within the friction cone. One step size for
 * both, so that what slides is braked exactly against its motion. */
static double hold(struct touch *t, struct velocity *v, double per_mass)
{
        double x = t->impulse_ns[1] - t->tangent_kg * speed_along(&t->push[1], v);
        double y = t->impulse_ns[2] - t->tangent_kg * speed_along(&t->push[2], v);
        double wanted = sqrt(x * x + y * y);
        double share = wanted > t->grip_ns ? t->grip_ns / wanted : 1.0;
        double change_x = share * x - t->impulse_ns[1];
        double change_y = share * y - t->impulse_ns[2];

        t->impulse_ns[1] = share * x;
        t->impulse_ns[2] = share * y;
        apply(v, &t->push[1], per_mass, change_x);
        apply(v, &t->push[2], per_mass, change_y);
        return fabs(change_x) + fabs(change_y);
}

static void solve(struct touch *touch, int count, double friction,
                  const struct body_params *body, struct velocity *v)
{
        const double enough_ns = CONVERGED_MPS * body->mass_kg;

        for (int n = 0; n < ITERATIONS_MAX; n++) {
                double changed_ns = 0.0;

                for (int i = 0; i < count; i++) {
                        struct touch *t = &touch[i];

                        changed_ns += push_out(t, v, body->per_mass);
                        if (n < ITERATIONS_COUPLED)
                                t->grip_ns = friction * t->impulse_ns[0];
                        changed_ns += hold(t, v, body->per_mass);
                }
                if (changed_ns < enough_ns)
                        return;
        }
}

/* What each point does before the impulses, and which speed it must have after them. */
static void find_impacts(struct touch *touch, int count, double restitution,
                         const struct velocity *v, struct contact *c)
{
        for (int i = 0; i < count; i++) {
                struct touch *t = &touch[i];
                double speed;

                t->free_mps = speed_along(&t->push[0], v);
                speed = -t->free_mps;
                t->wanted_mps = speed > BOUNCE_MIN_MPS ? restitution * speed : 0.0;
                c->impact_mps = fmax(c->impact_mps, speed);
        }
}

/* What rests needs the same impulses as in the step before. */
static void start_from(const struct contact *before, struct touch *touch, int count,
                       double per_mass, struct velocity *v)
{
        for (int i = 0; i < count; i++) {
                for (int k = 0; k < 3; k++) {
                        touch[i].impulse_ns[k] = before->impulse_ns[touch[i].point][k];
                        apply(v, &touch[i].push[k], per_mass, touch[i].impulse_ns[k]);
                }
        }
}

/* For how long before the end of the step the change of velocity must have been there to
 * bring the points out again: half the step for what rested all through it, the time
 * since the impact for what hit. So the lift costs the energy that it gives. */
static double time_in_contact(const struct touch *touch, int count,
                              const struct velocity *v, double dt_s)
{
        double longest_s = 0.0;

        for (int i = 0; i < count; i++) {
                double gained = speed_along(&touch[i].push[0], v) - touch[i].free_mps;

                /* Also false where both are 0. */
                if (touch[i].depth_m < dt_s * gained)
                        longest_s = fmax(longest_s, touch[i].depth_m / gained);
                else if (gained > 0.0)
                        longest_s = dt_s;
        }
        return longest_s;
}

/* What rounding and the linear estimate of the rotation left. */
static void lift_out(struct body_state *s, const struct contact_params *p,
                     const struct world *world, const struct touch *touch, int count)
{
        struct mat3 body_to_ned = quat_to_mat3(s->q_body_to_ned);
        struct vec3 way = { 0.0, 0.0, 0.0 };
        double deepest_m = 0.0;

        for (int i = 0; i < count; i++) {
                struct vec3 arm =
                        mat3_times(body_to_ned, p->point_body_m[touch[i].point]);
                struct ground g = world_ground(world, vec3_add(s->pos_ned_m, arm));

                if (-g.clearance_m > deepest_m) {
                        deepest_m = -g.clearance_m;
                        way = g.normal_ned;
                }
        }
        s->pos_ned_m = vec3_axpy(s->pos_ned_m, deepest_m, way);
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

/* Moves the points out of the ground, or leaves the body where it was if it rests: the
 * forces that hold it do so all through the step, and what a step's arithmetic would move
 * it adds up to microns in minutes. */
static void settle_pose(struct body_state *s, const struct contact_params *p,
                        const struct world *world, const struct touch *touch, int count,
                        const struct velocity *v, const struct body_state *before,
                        double dt_s)
{
        struct vec3 vel_free = s->vel_ned_mps, rate_free = s->rate_body_radps;

        s->vel_ned_mps = v->linear_mps;
        s->rate_body_radps = quat_rotate_inverse(s->q_body_to_ned, v->angular_radps);
        if (rests(before, p->reach_m) && rests(s, p->reach_m)) {
                s->pos_ned_m = before->pos_ned_m;
                s->q_body_to_ned = before->q_body_to_ned;
                return;
        }
        move_out(s, vec3_sub(s->vel_ned_mps, vel_free),
                 vec3_sub(s->rate_body_radps, rate_free),
                 time_in_contact(touch, count, v, dt_s));
        lift_out(s, p, world, touch, count);
}

static void report(struct contact *c, const struct touch *touch, int count,
                   const struct body_state *s, const struct body_state *before,
                   double dt_s)
{
        for (int i = 0; i < count; i++)
                for (int k = 0; k < 3; k++)
                        c->impulse_ns[touch[i].point][k] = touch[i].impulse_ns[k];
        c->mean_accel_ned_mps2 =
                vec3_scale(1.0 / dt_s, vec3_sub(s->vel_ned_mps, before->vel_ned_mps));
        c->mean_rate_dot_body_radps2 = vec3_scale(
                1.0 / dt_s, vec3_sub(s->rate_body_radps, before->rate_body_radps));
}

void contact_step(struct contact *c, const struct contact_params *p,
                  const struct body_params *body, const struct world *world,
                  const struct body_state *before, struct body_state *s, double dt_s)
{
        const struct contact last = *c;
        struct touch touch[CONTACT_POINTS_MAX];
        struct velocity v = { s->vel_ned_mps,
                              quat_rotate(s->q_body_to_ned, s->rate_body_radps) };
        int count = find_touches(touch, p, body, world, s);

        *c = (struct contact){ .touching = count > 0 };
        if (count == 0)
                return;
        find_impacts(touch, count, world->ground_restitution, &v, c);
        if (last.impact_mps < BOUNCE_MIN_MPS)
                start_from(&last, touch, count, body->per_mass, &v);
        solve(touch, count, world->ground_friction, body, &v);
        settle_pose(s, p, world, touch, count, &v, before, dt_s);
        report(c, touch, count, s, before, dt_s);
}
