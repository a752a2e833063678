/* Vasarhelyi, Viragh, Somorjai, Nepusz, Eiben and Vicsek, Science Robotics 3 (2018) eaat3536: self-propulsion, repulsion
 * (1), friction (3) to (6), walls by shill agents (7), and their sum (9). The target draws a flock that has no speed of its own,
 * which the paper's does not. */
#include <math.h>

#include "models/fc/flock/flock.h"

/* The braking curve D (2): the speed from which one stops in r, at first in proportion, then by an even deceleration. */
static double braking_mps(double r_m, double accel_mps2, double gain_per_s)
{
        if (r_m <= 0.0)
                return 0.0;
        if (r_m * gain_per_s < accel_mps2 / gain_per_s)
                return r_m * gain_per_s;
        return sqrt(2.0 * accel_mps2 * r_m -
                    accel_mps2 * accel_mps2 / (gain_per_s * gain_per_s));
}

/* Towards another velocity, as far as the difference is more than may be at such a distance. */
static struct vec3 friction(double gain, double most_mps, struct vec3 own_mps,
                            struct vec3 other_mps)
{
        struct vec3 difference = vec3_sub(other_mps, own_mps);
        double speed_mps = vec3_norm(difference);

        if (speed_mps <= most_mps)
                return (struct vec3){ 0.0, 0.0, 0.0 };
        return vec3_scale(gain * (speed_mps - most_mps) / speed_mps, difference);
}

static struct vec3 among_others(const struct flock_vasarhelyi_params *p,
                                const struct flock_view *v)
{
        struct vec3 sum = { 0.0, 0.0, 0.0 };

        for (int i = 0; i < v->others; i++) {
                const struct flock_other *o = &v->other[i];
                struct vec3 away = vec3_sub(v->pos_ned_m, o->pos_ned_m);
                double r_m = vec3_norm(away);
                double most_mps = fmax(p->friction_mps,
                                       braking_mps(r_m - p->friction_m, p->friction_mps2,
                                                   p->friction_per_s));

                if (r_m > 0.0 && r_m < p->repulsion_m)
                        sum = vec3_axpy(sum,
                                        p->repulsion_per_s * (p->repulsion_m - r_m) / r_m,
                                        away);
                sum = vec3_add(sum, friction(p->friction_gain, most_mps, v->vel_ned_mps,
                                             o->vel_ned_mps));
        }
        return sum;
}

/* One wall: `inward` is its unit normal, left_m what is left to it. */
static struct vec3 from_wall(const struct flock_vasarhelyi_params *p,
                             const struct flock_view *v, struct vec3 inward,
                             double left_m)
{
        double most_mps = braking_mps(left_m - p->wall_m, p->wall_mps2, p->wall_per_s);

        return friction(1.0, most_mps, v->vel_ned_mps, vec3_scale(p->wall_mps, inward));
}

static struct vec3 from_walls(const struct flock_vasarhelyi_params *p,
                              const struct flock_view *v)
{
        struct vec3 at = vec3_sub(v->pos_ned_m, v->target_ned_m);
        const struct vec3 north = { 1.0, 0.0, 0.0 }, east = { 0.0, 1.0, 0.0 };
        struct vec3 sum = { 0.0, 0.0, 0.0 };

        if (p->arena_m == 0.0)
                return sum;
        sum = vec3_add(sum, from_wall(p, v, north, p->arena_m + at.x));
        sum = vec3_add(sum, from_wall(p, v, vec3_scale(-1.0, north), p->arena_m - at.x));
        sum = vec3_add(sum, from_wall(p, v, east, p->arena_m + at.y));
        return vec3_add(sum, from_wall(p, v, vec3_scale(-1.0, east), p->arena_m - at.y));
}

/* Along its own velocity; from rest towards the target. */
static struct vec3 of_its_own(const struct flock_vasarhelyi_params *p,
                              const struct flock_view *v)
{
        struct vec3 to_target = vec3_sub(v->target_ned_m, v->pos_ned_m);
        double speed_mps = vec3_norm(v->vel_ned_mps), d_m = vec3_norm(to_target);

        if (p->speed_mps == 0.0)
                return vec3_scale(p->cohesion_per_s, to_target);
        if (speed_mps > 0.05 * p->speed_mps)
                return vec3_scale(p->speed_mps / speed_mps, v->vel_ned_mps);
        return d_m > 0.0 ? vec3_scale(p->speed_mps / d_m, to_target) : to_target;
}

struct vec3 flock_vasarhelyi(const struct flock_params *params,
                             const struct flock_view *v)
{
        const struct flock_vasarhelyi_params *p = &params->vasarhelyi;

        return vec3_add(of_its_own(p, v), vec3_add(among_others(p, v), from_walls(p, v)));
}
