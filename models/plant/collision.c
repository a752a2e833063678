#include "models/plant/collision.h"

/* Slower impacts do not bounce; otherwise vehicles that lie on each other would never come to rest. */
#define BOUNCE_MIN_MPS 0.2

/* Less of a way along the normal is no way to part. */
#define ALONG_MIN 0.2

/* One of the two bodies, and where the other pushes it. */
struct side {
        const struct body_params *params;
        struct body_state *state;
        struct vec3 arm_ned_m;
};

static struct vec3 speed_there(const struct side *s)
{
        struct vec3 rate_ned =
                quat_rotate(s->state->q_body_to_ned, s->state->rate_body_radps);

        return vec3_add(s->state->vel_ned_mps, vec3_cross(rate_ned, s->arm_ned_m));
}

/* The change of rate that an impulse there gives. */
static struct vec3 spin_body(const struct side *s, struct vec3 impulse_ned_ns)
{
        struct vec3 moment = vec3_cross(s->arm_ned_m, impulse_ned_ns);

        return body_matrix_times(s->params->inverse_kgm2,
                                 quat_rotate_inverse(s->state->q_body_to_ned, moment));
}

static void push(struct side *s, struct vec3 impulse_ned_ns)
{
        struct vec3 spin = spin_body(s, impulse_ned_ns);

        s->state->vel_ned_mps =
                vec3_axpy(s->state->vel_ned_mps, s->params->per_mass, impulse_ned_ns);
        s->state->rate_body_radps = vec3_add(s->state->rate_body_radps, spin);
}

/* Speed along the axis there for a unit impulse along it. */
static double per_kg(const struct side *s, struct vec3 axis_ned)
{
        struct vec3 spin_ned =
                quat_rotate(s->state->q_body_to_ned, spin_body(s, axis_ned));

        return s->params->per_mass +
               vec3_dot(axis_ned, vec3_cross(spin_ned, s->arm_ned_m));
}

static double kinetic_j(const struct side *s)
{
        struct vec3 v = s->state->vel_ned_mps, w = s->state->rate_body_radps;

        return 0.5 * s->params->mass_kg * vec3_dot(v, v) +
               0.5 * vec3_dot(w, body_matrix_times(s->params->inertia_kgm2, w));
}

static struct vec3 spin_nms(const struct side *s, struct vec3 rate_body_radps)
{
        return quat_rotate(s->state->q_body_to_ned,
                           body_matrix_times(s->params->inertia_kgm2, rate_body_radps));
}

/* The two as one rigid body. */
struct both {
        double share_a, share_b; /* of what they are moved apart */
        double reduced_kg;
        struct vec3 between_ned_m;
        struct vec3 vel_ned_mps;
        struct vec3
                rate_ned_radps; /* with their angular momentum about the common centre of mass */
        double kinetic_j;
};

static struct vec3 momentum_at_rate(const struct side *a, const struct side *b,
                                    const struct both *both, struct vec3 rate)
{
        struct vec3 orbit =
                vec3_cross(both->between_ned_m, vec3_cross(rate, both->between_ned_m));
        struct vec3 of_a = quat_rotate_inverse(a->state->q_body_to_ned, rate);
        struct vec3 of_b = quat_rotate_inverse(b->state->q_body_to_ned, rate);

        return vec3_axpy(vec3_add(spin_nms(a, of_a), spin_nms(b, of_b)), both->reduced_kg,
                         orbit);
}

static struct vec3 rate_for_momentum(const struct side *a, const struct side *b,
                                     const struct both *both, struct vec3 momentum)
{
        struct vec3 x = momentum_at_rate(a, b, both, (struct vec3){ 1.0, 0.0, 0.0 });
        struct vec3 y = momentum_at_rate(a, b, both, (struct vec3){ 0.0, 1.0, 0.0 });
        struct vec3 z = momentum_at_rate(a, b, both, (struct vec3){ 0.0, 0.0, 1.0 });
        double per_det = 1.0 / vec3_dot(x, vec3_cross(y, z));

        return vec3_scale(per_det, (struct vec3){ vec3_dot(momentum, vec3_cross(y, z)),
                                                  vec3_dot(x, vec3_cross(momentum, z)),
                                                  vec3_dot(x, vec3_cross(y, momentum)) });
}

static struct vec3 momentum_of_both(const struct side *a, const struct side *b,
                                    const struct both *both)
{
        struct vec3 passing = vec3_sub(a->state->vel_ned_mps, b->state->vel_ned_mps);

        return vec3_axpy(vec3_add(spin_nms(a, a->state->rate_body_radps),
                                  spin_nms(b, b->state->rate_body_radps)),
                         both->reduced_kg, vec3_cross(both->between_ned_m, passing));
}

static struct both take_as_one(const struct side *a, const struct side *b)
{
        double per_kg_sum = a->params->per_mass + b->params->per_mass;
        struct both both = { .share_a = a->params->per_mass / per_kg_sum,
                             .share_b = b->params->per_mass / per_kg_sum,
                             .reduced_kg = 1.0 / per_kg_sum,
                             .between_ned_m =
                                     vec3_sub(a->state->pos_ned_m, b->state->pos_ned_m) };
        struct vec3 momentum = momentum_of_both(a, b, &both);

        both.vel_ned_mps = vec3_axpy(vec3_scale(both.share_b, a->state->vel_ned_mps),
                                     both.share_a, b->state->vel_ned_mps);
        both.rate_ned_radps = rate_for_momentum(a, b, &both, momentum);
        both.kinetic_j = 0.5 * (a->params->mass_kg + b->params->mass_kg) *
                                 vec3_dot(both.vel_ned_mps, both.vel_ned_mps) +
                         0.5 * vec3_dot(momentum, both.rate_ned_radps);
        return both;
}

/* Turned as one, the two do not move against each other where they touch. */
static void turn_both(struct side *a, struct side *b, const struct both *both,
                      struct vec3 rate_ned)
{
        struct vec3 passing = vec3_cross(rate_ned, both->between_ned_m);

        a->state->vel_ned_mps = vec3_axpy(a->state->vel_ned_mps, both->share_a, passing);
        b->state->vel_ned_mps = vec3_axpy(b->state->vel_ned_mps, -both->share_b, passing);
        a->state->rate_body_radps =
                vec3_add(a->state->rate_body_radps,
                         quat_rotate_inverse(a->state->q_body_to_ned, rate_ned));
        b->state->rate_body_radps =
                vec3_add(b->state->rate_body_radps,
                         quat_rotate_inverse(b->state->q_body_to_ned, rate_ned));
}

/* What they do otherwise than one rigid body would is all that can give energy; its momenta are 0. False: it has
 * less than that. */
static bool brake_to(struct side *a, struct side *b, double most_j)
{
        const struct both both = take_as_one(a, b);
        double have_j = kinetic_j(a) + kinetic_j(b), left;
        struct side *side[2] = { a, b };

        if (have_j <= most_j)
                return true;
        if (both.kinetic_j > most_j * (1.0 + 1e-12))
                return false;
        left = sqrt(fmax(most_j - both.kinetic_j, 0.0) / (have_j - both.kinetic_j));
        for (int i = 0; i < 2; i++) {
                struct body_state *s = side[i]->state;

                s->vel_ned_mps = vec3_axpy(vec3_scale(left, s->vel_ned_mps), 1.0 - left,
                                           both.vel_ned_mps);
                s->rate_body_radps = vec3_scale(left, s->rate_body_radps);
        }
        turn_both(a, b, &both, vec3_scale(1.0 - left, both.rate_ned_radps));
        return true;
}

/* The lighter one moves more. Moved apart by d, two that pass each other with v have d x v more angular momentum for each
 * kg of their reduced mass, which is taken back by turning them as one. False, with nothing done: they would have more
 * than most_j. */
static bool part_by(struct side *a, struct side *b, struct vec3 apart_ned_m,
                    double most_j)
{
        const struct body_state before[2] = { *a->state, *b->state };
        double share = a->params->per_mass / (a->params->per_mass + b->params->per_mass);
        struct vec3 passing = vec3_sub(a->state->vel_ned_mps, b->state->vel_ned_mps),
                    lack;
        struct both both;

        a->state->pos_ned_m = vec3_axpy(a->state->pos_ned_m, share, apart_ned_m);
        b->state->pos_ned_m = vec3_axpy(b->state->pos_ned_m, share - 1.0, apart_ned_m);
        if (!(a->params->per_mass > 0.0 && b->params->per_mass > 0.0))
                return true;
        both = take_as_one(a, b);
        lack = vec3_scale(-both.reduced_kg, vec3_cross(apart_ned_m, passing));
        turn_both(a, b, &both, rate_for_momentum(a, b, &both, lack));
        if (brake_to(a, b, most_j))
                return true;
        *a->state = before[0];
        *b->state = before[1];
        return false;
}

/* By the depth along the normal. The more of the line of centres is added to that, the less they turn, and the less energy
 * it costs, but the farther it is. */
static void part(struct side *a, struct side *b, const struct shape_contact *c,
                 double most_j)
{
        static const double added[5] = { 0.0, 0.25, 1.0, 4.0, 16.0 };
        struct vec3 line = vec3_sub(a->state->pos_ned_m, b->state->pos_ned_m);
        double far_m = vec3_norm(line);

        line = vec3_scale(far_m > 0.0 ? 1.0 / far_m : 0.0, line);
        for (int i = 0; i < 5; i++) {
                struct vec3 way = vec3_axpy(c->normal_ned, added[i], line);
                double along = vec3_dot(way, c->normal_ned);

                if (along > ALONG_MIN &&
                    part_by(a, b, vec3_scale(c->depth_m / along, way), most_j))
                        return;
        }
}

/* Against the sliding, with Coulomb's limit: towards standstill, as far as the limit allows. */
static void rub(struct side *a, struct side *b, struct vec3 normal, double limit_ns)
{
        struct vec3 slide = vec3_sub(speed_there(a), speed_there(b)), along;
        double speed, needed_ns;

        slide = vec3_axpy(slide, -vec3_dot(slide, normal), normal);
        speed = vec3_norm(slide);
        if (!(speed > 0.0))
                return;
        along = vec3_scale(-1.0 / speed, slide);
        needed_ns = speed / (per_kg(a, along) + per_kg(b, along));
        needed_ns = fmin(needed_ns, limit_ns);
        push(a, vec3_scale(needed_ns, along));
        push(b, vec3_scale(-needed_ns, along));
}

static struct shape_pose pose_of(const struct collision_body *c)
{
        return (struct shape_pose){ c->shape, c->state->pos_ned_m,
                                    quat_to_mat3(c->state->q_body_to_ned) };
}

/* What two that approach where they touch do to each other. Returns how fast they did. */
static double strike(struct side *a, struct side *b, const struct shape_contact *c,
                     double restitution, double friction)
{
        struct vec3 passing = vec3_sub(speed_there(a), speed_there(b));
        double met_mps = -vec3_dot(passing, c->normal_ned), impulse_ns;

        if (!(met_mps > 0.0))
                return 0.0;
        if (met_mps < BOUNCE_MIN_MPS)
                restitution = 0.0;
        impulse_ns = (1.0 + restitution) * met_mps /
                     (per_kg(a, c->normal_ned) + per_kg(b, c->normal_ned));
        push(a, vec3_scale(impulse_ns, c->normal_ned));
        push(b, vec3_scale(-impulse_ns, c->normal_ned));
        rub(a, b, c->normal_ned, friction * impulse_ns);
        return met_mps;
}

struct collision collision_step(struct collision_body *a, struct collision_body *b,
                                double restitution, double friction)
{
        const struct shape_pose shape_a = pose_of(a), shape_b = pose_of(b);
        struct side at_a = { a->params, a->state, { 0.0, 0.0, 0.0 } };
        struct side at_b = { b->params, b->state, { 0.0, 0.0, 0.0 } };
        struct shape_contact c;
        double before_j, met_mps;

        if (!shapes_meet(&shape_a, &shape_b, &c))
                return (struct collision){ 0 };
        before_j = kinetic_j(&at_a) + kinetic_j(&at_b);
        /* Both are pushed at the same point. */
        at_a.arm_ned_m = vec3_sub(c.at_ned_m, a->state->pos_ned_m);
        at_b.arm_ned_m = vec3_sub(c.at_ned_m, b->state->pos_ned_m);
        met_mps = strike(&at_a, &at_b, &c, restitution, friction);
        part(&at_a, &at_b, &c, before_j);
        return (struct collision){ c.depth_m, met_mps };
}
