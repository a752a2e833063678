#include "models/sensors/relative.h"

#include <math.h>

enum { AXIS_RANGE, AXIS_AZIMUTH, AXIS_ELEVATION, AXIS_LOSS, AXIS_MULTIPATH, AXIS_LONGER };

void relative_init(struct relative *relative, const struct relative_params *p,
                   uint64_t seed, uint32_t vehicle)
{
        (void)p;
        *relative = (struct relative){ .last = -1 };
        for (uint32_t i = 0; i <= AXIS_LONGER; i++)
                rng_init(&relative->rng[i], seed, vehicle, SENSOR_RELATIVE, i);
}

/* The next number after the last, or else the first; NULL: none is within reach. */
static const struct neighbour *choose_next(const struct neighbours *others, int32_t last,
                                           struct vec3 from_ned_m, double reach_m)
{
        const struct neighbour *first = NULL;

        for (int i = 0; others != NULL && i < others->count; i++) {
                const struct neighbour *n = &others->at[i];

                if (vec3_norm(vec3_sub(n->pos_ned_m, from_ned_m)) > reach_m)
                        continue;
                if (n->index > last)
                        return n;
                if (first == NULL)
                        first = n;
        }
        return first;
}

/* Drawn for every sample, used or not. */
struct draws {
        double loss, multipath, longer;
};

static struct draws draw(struct relative *r)
{
        struct draws d;

        d.loss = rng_uniform(&r->rng[AXIS_LOSS]);
        d.multipath = rng_uniform(&r->rng[AXIS_MULTIPATH]);
        d.longer = -log(rng_uniform(&r->rng[AXIS_LONGER]));
        return d;
}

static void measure_range(struct relative *r, const struct relative_params *p,
                          const struct draws *d, double true_m, bool hidden,
                          struct relative_sample *out)
{
        double range_m = true_m;

        if (d->multipath < p->multipath_ratio)
                range_m += p->multipath_m * d->longer;
        if (hidden)
                range_m += p->wall_m;
        error_apply(&p->range, &r->rng[AXIS_RANGE], 1, &range_m);
        out->has_range = d->loss >= p->loss_ratio && (!hidden || p->wall_m > 0.0);
        out->range_m = out->has_range ? range_m : 0.0;
}

static void measure_bearing(struct relative *r, const struct relative_params *p,
                            struct vec3 dir_body, bool hidden,
                            struct relative_sample *out)
{
        double angle[2] = { atan2(dir_body.y, dir_body.x),
                            atan2(-dir_body.z, hypot(dir_body.x, dir_body.y)) };

        error_apply(&p->bearing, &r->rng[AXIS_AZIMUTH], 2, angle);
        out->has_bearing =
                !hidden && vec3_dot(dir_body, p->axis_body) >= cos(0.5 * p->opening_rad);
        out->azimuth_rad = out->has_bearing ? remainder(angle[0], 2.0 * M_PI) : 0.0;
        out->elevation_rad =
                out->has_bearing ? fmin(fmax(angle[1], -M_PI_2), M_PI_2) : 0.0;
}

void relative_step(struct relative *relative, const struct relative_params *p,
                   const struct exposure *e, struct relative_sample *out)
{
        struct quat q = e->body->q_body_to_ned;
        struct vec3 from_ned_m =
                vec3_add(e->body->pos_ned_m, quat_rotate(q, p->lever_arm_body_m));
        const struct neighbour *other =
                choose_next(e->others, relative->last, from_ned_m, p->reach_m);
        struct draws drawn = draw(relative);
        struct vec3 dir_ned = { 1.0, 0.0, 0.0 };
        double way_m = 0.0;
        bool hidden = false;

        *out = (struct relative_sample){ .t_ns = out->t_ns, .peer = -1 };
        if (other != NULL) {
                struct vec3 way = vec3_sub(other->pos_ned_m, from_ned_m);

                way_m = vec3_norm(way);
                if (way_m > 0.0)
                        dir_ned = vec3_scale(1.0 / way_m, way);
                hidden = world_hit(e->world, from_ned_m, dir_ned, way_m).range_m < way_m;
                relative->last = other->index;
                out->peer = other->index;
        }
        if (p->ranging)
                measure_range(relative, p, &drawn, way_m, hidden, out);
        if (p->sighting)
                measure_bearing(relative, p, quat_rotate(quat_conjugate(q), dir_ned),
                                hidden, out);
        if (other == NULL)
                *out = (struct relative_sample){ .t_ns = out->t_ns, .peer = -1 };
}
