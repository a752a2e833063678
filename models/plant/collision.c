#include "models/plant/collision.h"

/* Slower impacts do not bounce; otherwise vehicles that lie on each other would never come to rest. */
#define BOUNCE_MIN_MPS 0.2

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

/* From b to a. Coincident centres define no direction: down is used. */
static struct vec3 line_of_centres(const struct collision_body *a,
                                   const struct collision_body *b, double *far_m)
{
        struct vec3 way = vec3_sub(a->state->pos_ned_m, b->state->pos_ned_m);

        *far_m = vec3_norm(way);
        return *far_m > 0.0 ? vec3_scale(1.0 / *far_m, way)
                            : (struct vec3){ 0.0, 0.0, 1.0 };
}

/* The lighter one moves more. Further apart they would have more angular momentum about each other: they pass
 * each other as much slower. */
static void part(struct collision_body *a, struct collision_body *b, struct vec3 normal,
                 double far_m, double overlap_m)
{
        double share = a->params->per_mass / (a->params->per_mass + b->params->per_mass);
        struct vec3 passing = vec3_sub(a->state->vel_ned_mps, b->state->vel_ned_mps);
        double slower = -overlap_m / (far_m + overlap_m);

        passing = vec3_axpy(passing, -vec3_dot(passing, normal), normal);
        a->state->pos_ned_m = vec3_axpy(a->state->pos_ned_m, share * overlap_m, normal);
        b->state->pos_ned_m =
                vec3_axpy(b->state->pos_ned_m, (share - 1.0) * overlap_m, normal);
        a->state->vel_ned_mps = vec3_axpy(a->state->vel_ned_mps, share * slower, passing);
        b->state->vel_ned_mps =
                vec3_axpy(b->state->vel_ned_mps, (share - 1.0) * slower, passing);
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

double collision_step(struct collision_body *a, struct collision_body *b,
                      double restitution, double friction)
{
        double far_m, overlap_m, met_mps, impulse_ns;
        struct vec3 normal = line_of_centres(a, b, &far_m);
        struct side at_a = { a->params, a->state, { 0.0, 0.0, 0.0 } };
        struct side at_b = { b->params, b->state, { 0.0, 0.0, 0.0 } };

        overlap_m = a->radius_m + b->radius_m - far_m;
        if (!(overlap_m > 0.0))
                return 0.0;
        part(a, b, normal, far_m, overlap_m);
        /* Both are pushed at the same point, on the line: the push itself turns neither. */
        at_a.arm_ned_m = vec3_scale(-a->radius_m, normal);
        at_b.arm_ned_m = vec3_scale(b->radius_m, normal);
        met_mps =
                -vec3_dot(vec3_sub(a->state->vel_ned_mps, b->state->vel_ned_mps), normal);
        if (!(met_mps > 0.0))
                return 0.0;
        if (met_mps < BOUNCE_MIN_MPS)
                restitution = 0.0;
        impulse_ns = (1.0 + restitution) * met_mps /
                     (a->params->per_mass + b->params->per_mass);
        push(&at_a, vec3_scale(impulse_ns, normal));
        push(&at_b, vec3_scale(-impulse_ns, normal));
        rub(&at_a, &at_b, normal, friction * impulse_ns);
        return met_mps;
}
