#include "models/plant/collision.h"

/* Slower impacts do not bounce; otherwise vehicles that lie on each other would never come to rest. */
#define BOUNCE_MIN_MPS 0.2

/* Cosine between the normal and the line of centres up to which that is a way to part. */
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

/* The part of an angular momentum that its own inertia takes up. */
static void turn(struct side *s, struct vec3 momentum_ned_nms)
{
        struct vec3 body = quat_rotate_inverse(s->state->q_body_to_ned, momentum_ned_nms);

        s->state->rate_body_radps =
                vec3_add(s->state->rate_body_radps,
                         body_matrix_times(s->params->inverse_kgm2, body));
}

static double kinetic_j(const struct side *s)
{
        struct vec3 v = s->state->vel_ned_mps, w = s->state->rate_body_radps;

        return 0.5 * s->params->mass_kg * vec3_dot(v, v) +
               0.5 * vec3_dot(w, body_matrix_times(s->params->inertia_kgm2, w));
}

/* Moved along the normal by d, two that pass each other with v have n x v d more angular momentum for each kg of their reduced
 * mass. They pass each other as much slower, and what that cannot take back, about the line between
 * them, turns them. */
static void keep_spin(struct side *a, struct side *b, struct vec3 normal, double depth_m)
{
        double share = a->params->per_mass / (a->params->per_mass + b->params->per_mass);
        struct vec3 between = vec3_sub(a->state->pos_ned_m, b->state->pos_ned_m);
        struct vec3 passing = vec3_sub(a->state->vel_ned_mps, b->state->vel_ned_mps);
        struct vec3 lack = vec3_scale(-depth_m, vec3_cross(normal, passing));
        struct vec3 slower, rest;
        double per_m2 = 1.0 / vec3_dot(between, between);

        slower = vec3_scale(per_m2, vec3_cross(lack, between));
        rest = vec3_scale(share * a->params->mass_kg * per_m2 * vec3_dot(lack, between),
                          between);
        a->state->vel_ned_mps = vec3_axpy(a->state->vel_ned_mps, share, slower);
        b->state->vel_ned_mps = vec3_axpy(b->state->vel_ned_mps, share - 1.0, slower);
        turn(a, vec3_scale(1.0 - share, rest));
        turn(b, vec3_scale(share, rest));
}

/* The lighter one moves more. False, with nothing done: it would cost energy that is not there. */
static bool part_along(struct side *a, struct side *b, struct vec3 way, double depth_m)
{
        double share = a->params->per_mass / (a->params->per_mass + b->params->per_mass);
        const struct body_state before[2] = { *a->state, *b->state };
        double before_j;

        a->state->pos_ned_m = vec3_axpy(a->state->pos_ned_m, share * depth_m, way);
        b->state->pos_ned_m =
                vec3_axpy(b->state->pos_ned_m, (share - 1.0) * depth_m, way);
        if (!(a->params->per_mass > 0.0 && b->params->per_mass > 0.0))
                return true;
        before_j = kinetic_j(a) + kinetic_j(b);
        keep_spin(a, b, way, depth_m);
        if (kinetic_j(a) + kinetic_j(b) <= before_j * (1.0 + 1e-12))
                return true;
        *a->state = before[0];
        *b->state = before[1];
        return false;
}

/* Along the line of centres it never costs any, but it is farther. */
static void part(struct side *a, struct side *b, const struct shape_contact *c)
{
        struct vec3 line = vec3_sub(a->state->pos_ned_m, b->state->pos_ned_m);
        double along;

        if (part_along(a, b, c->normal_ned, c->depth_m))
                return;
        line = vec3_scale(1.0 / vec3_norm(line), line);
        along = vec3_dot(line, c->normal_ned);
        if (along > ALONG_MIN)
                part_along(a, b, line, c->depth_m / along);
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

double collision_step(struct collision_body *a, struct collision_body *b,
                      double restitution, double friction)
{
        const struct shape_pose shape_a = pose_of(a), shape_b = pose_of(b);
        struct side at_a = { a->params, a->state, { 0.0, 0.0, 0.0 } };
        struct side at_b = { b->params, b->state, { 0.0, 0.0, 0.0 } };
        struct shape_contact c;
        double met_mps, impulse_ns;

        if (!shapes_meet(&shape_a, &shape_b, &c))
                return 0.0;
        part(&at_a, &at_b, &c);
        /* Both are pushed at the same point. */
        at_a.arm_ned_m = vec3_sub(c.at_ned_m, a->state->pos_ned_m);
        at_b.arm_ned_m = vec3_sub(c.at_ned_m, b->state->pos_ned_m);
        met_mps =
                -vec3_dot(vec3_sub(speed_there(&at_a), speed_there(&at_b)), c.normal_ned);
        if (!(met_mps > 0.0))
                return 0.0;
        if (met_mps < BOUNCE_MIN_MPS)
                restitution = 0.0;
        impulse_ns = (1.0 + restitution) * met_mps /
                     (per_kg(&at_a, c.normal_ned) + per_kg(&at_b, c.normal_ned));
        push(&at_a, vec3_scale(impulse_ns, c.normal_ned));
        push(&at_b, vec3_scale(-impulse_ns, c.normal_ned));
        rub(&at_a, &at_b, c.normal_ned, friction * impulse_ns);
        return met_mps;
}
