/* Micklisch, Hilliard and ElAarag 8: separation, alignment, cohesion, targeting, informed avoid. The equations are not
 * printed; these are Reynolds' (1987), each limited to the same speed as the paper says, and added. */
#include "models/fc/flock/flock.h"

/* Away from a point within `near_m`, by the inverse of the distance. */
static struct vec3 push_from(struct vec3 pos_m, struct vec3 point_m, double near_m)
{
        struct vec3 away = vec3_sub(pos_m, point_m);
        double d2 = vec3_dot(away, away);

        if (!(d2 > 0.0) || d2 >= near_m * near_m)
                return (struct vec3){ 0.0, 0.0, 0.0 };
        return vec3_scale(1.0 / d2, away);
}

/* Of all that are near, with itself: (46). */
static struct vec3 centre_of(const struct flock_view *v)
{
        struct vec3 sum = v->pos_ned_m;

        for (int i = 0; i < v->others; i++)
                sum = vec3_add(sum, v->other[i].pos_ned_m);
        return vec3_scale(1.0 / (v->others + 1), sum);
}

static struct vec3 separation(const struct flock_micklisch_params *p,
                              const struct flock_view *v)
{
        struct vec3 sum = { 0.0, 0.0, 0.0 };

        for (int i = 0; i < v->others; i++)
                sum = vec3_add(sum, push_from(v->pos_ned_m, v->other[i].pos_ned_m,
                                              p->separation_m));
        return vec3_scale(p->separation_m2ps, sum);
}

static struct vec3 alignment(const struct flock_micklisch_params *p,
                             const struct flock_view *v)
{
        struct vec3 sum = { 0.0, 0.0, 0.0 };

        if (v->others == 0)
                return sum;
        for (int i = 0; i < v->others; i++)
                sum = vec3_add(sum, v->other[i].vel_ned_mps);
        return vec3_scale(p->alignment,
                          vec3_sub(vec3_scale(1.0 / v->others, sum), v->vel_ned_mps));
}

static struct vec3 avoidance(const struct flock_micklisch_params *p,
                             const struct flock_view *v)
{
        struct vec3 sum = { 0.0, 0.0, 0.0 };

        for (int i = 0; i < v->obstacles; i++)
                sum = vec3_add(sum, push_from(v->pos_ned_m, v->obstacle_ned_m[i],
                                              p->obstacle_m));
        return vec3_scale(p->obstacle_m2ps, sum);
}

struct vec3 flock_micklisch(const struct flock_params *params, const struct flock_view *v)
{
        const struct flock_micklisch_params *p = &params->micklisch;
        struct vec3 centre = centre_of(v);
        const struct vec3 each[] = {
                separation(p, v),
                alignment(p, v),
                vec3_scale(p->cohesion_per_s, vec3_sub(centre, v->pos_ned_m)),
                vec3_scale(p->targeting_per_s, vec3_sub(v->target_ned_m, centre)),
                avoidance(p, v),
        };
        struct vec3 sum = { 0.0, 0.0, 0.0 };

        /* In the order of enum flock_behaviour. */
        for (unsigned i = 0; i < sizeof each / sizeof each[0]; i++)
                if (v->behaviours >> i & 1)
                        sum = vec3_add(sum, flock_limit(each[i], p->speed_max_mps));
        return sum;
}
