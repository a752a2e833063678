/* Rays through the tree: the nearer child first, the other one only if it can still be nearer than
 * the hit. */
#include "models/world/solid.h"

/* The products below are rounded; lengthened by this factor, no ray slips out between two boxes
 * (Ize 2013). */
#define FAR_SLACK (1.0 + 6.0 * 2.220446049250313e-16)

struct ray {
        struct vec3 pos_ned_m, dir_ned;
        struct vec3 per_dir; /* 1/dir, +-INFINITY along a plane */
};

/* For a ray in a box's face, 0 times infinity is NaN: the comparisons ignore it, because that face
 * then bounds nothing. */
static inline double later(double a, double b)
{
        return a > b ? a : b;
}

static inline double sooner(double a, double b)
{
        return a < b ? a : b;
}

/* Where the ray enters the box, INFINITY when not within max_m. */
static inline double enters(const struct ray *r, const struct scene_node *n, double max_m)
{
        const struct vec3 *a = &n->low_m, *b = &n->high_m;
        double x0 = ((r->per_dir.x < 0.0 ? b->x : a->x) - r->pos_ned_m.x) * r->per_dir.x;
        double x1 = ((r->per_dir.x < 0.0 ? a->x : b->x) - r->pos_ned_m.x) * r->per_dir.x;
        double y0 = ((r->per_dir.y < 0.0 ? b->y : a->y) - r->pos_ned_m.y) * r->per_dir.y;
        double y1 = ((r->per_dir.y < 0.0 ? a->y : b->y) - r->pos_ned_m.y) * r->per_dir.y;
        double z0 = ((r->per_dir.z < 0.0 ? b->z : a->z) - r->pos_ned_m.z) * r->per_dir.z;
        double z1 = ((r->per_dir.z < 0.0 ? a->z : b->z) - r->pos_ned_m.z) * r->per_dir.z;
        double in_m = later(z0, later(y0, later(x0, 0.0)));
        double out_m = sooner(z1, sooner(y1, sooner(x1, max_m)));

        return in_m <= out_m * FAR_SLACK ? in_m : INFINITY;
}

static void hit_leaf(struct scene_hit *hit, const struct scene *s, const struct ray *r,
                     const struct scene_node *n, double *max_m)
{
        for (int i = n->first; i < n->first + n->count; i++) {
                double range_m = solid_ray(&s->solid[i], r->pos_ned_m, r->dir_ned, *max_m,
                                           &hit->normal_ned);

                if (range_m < *max_m) {
                        *max_m = range_m;
                        hit->range_m = range_m;
                        hit->solid = i;
                }
        }
}

struct scene_hit scene_ray(const struct scene *s, struct vec3 pos_ned_m,
                           struct vec3 dir_ned, double max_m)
{
        const struct ray r = { pos_ned_m,
                               dir_ned,
                               { 1.0 / dir_ned.x, 1.0 / dir_ned.y, 1.0 / dir_ned.z } };
        struct scene_hit hit = { INFINITY, { 0.0, 0.0, 0.0 }, -1 };
        struct {
                int node;
                double in_m;
        } later_on[SCENE_DEPTH_MAX + 1];
        int waiting = 0, at = 0;

        if (s->nodes == 0 || !(enters(&r, &s->node[0], max_m) < INFINITY))
                return hit;
        for (;;) {
                const struct scene_node *n = &s->node[at];

                if (n->count == 0) {
                        double left_m = enters(&r, &s->node[n->first], max_m);
                        double right_m = enters(&r, &s->node[n->first + 1], max_m);
                        bool swap = right_m < left_m;

                        if (left_m < INFINITY && right_m < INFINITY) {
                                later_on[waiting].node = n->first + (swap ? 0 : 1);
                                later_on[waiting++].in_m = swap ? left_m : right_m;
                        }
                        if (left_m < INFINITY || right_m < INFINITY) {
                                at = n->first + (swap ? 1 : 0);
                                continue;
                        }
                } else {
                        hit_leaf(&hit, s, &r, n, &max_m);
                }
                do {
                        if (waiting == 0)
                                return hit;
                        waiting--;
                } while (later_on[waiting].in_m > max_m);
                at = later_on[waiting].node;
        }
}
