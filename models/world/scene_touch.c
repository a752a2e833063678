/* The surroundings of a point: the surfaces that it touches, and how much clearance it has. */
#include "models/world/solid.h"

#include <stddef.h>

/* A point less than this behind a plane counts as on it. */
#define ON_PLANE_M 1e-9

struct path {
        struct vec3 from_ned_m, to_ned_m;
        struct vec3 dir_ned;
        double length_m;
};

/* Where the point entered, if it did so on this path: the touch as seen from there. */
static bool went_through(const struct solid *s, const struct path *path,
                         struct scene_touch *t)
{
        double range_m;
        struct vec3 entry;

        if (!(path->length_m > 0.0))
                return false;
        range_m = solid_ray(s, path->from_ned_m, path->dir_ned, path->length_m,
                            &t->normal_ned);
        if (!(range_m > 0.0 && range_m < path->length_m))
                return false;
        entry = vec3_axpy(path->from_ned_m, range_m, path->dir_ned);
        t->clearance_m = vec3_dot(vec3_sub(path->to_ned_m, entry), t->normal_ned);
        return true;
}

/* Inside a solid the nearest face is the one to leave by, so that two boxes side by side are one
 * floor; unless it is the back of the solid that the point just entered. */
static bool touches(const struct solid *s, const struct path *path, double within_m,
                    struct scene_touch *t)
{
        struct scene_touch entry;
        bool entered = went_through(s, path, &entry);

        if (!entered && solid_clearance(s, path->to_ned_m, NULL) > within_m)
                return false;
        t->clearance_m = solid_clearance(s, path->to_ned_m, &t->normal_ned);
        if (entered && (s->shape == SOLID_TRIANGLE || t->clearance_m > 0.0 ||
                        vec3_dot(entry.normal_ned, t->normal_ned) < -0.5))
                *t = entry;
        return t->clearance_m <= within_m;
}

/* A point that touches a's plane cannot reach what is behind it. */
static bool hides(const struct scene_touch *a, const struct scene_touch *b,
                  struct vec3 pos_ned_m)
{
        struct vec3 on_a = vec3_axpy(pos_ned_m, -a->clearance_m, a->normal_ned);
        struct vec3 on_b = vec3_axpy(pos_ned_m, -b->clearance_m, b->normal_ned);

        return vec3_dot(vec3_sub(on_b, on_a), a->normal_ned) <= ON_PLANE_M;
}

static int keep(struct scene_touch *out, int count, int max, const struct scene_touch *t,
                struct vec3 pos_ned_m)
{
        int at = 0, kept;

        while (at < count && out[at].clearance_m <= t->clearance_m) {
                if (hides(&out[at], t, pos_ned_m))
                        return count;
                at++;
        }
        kept = at;
        for (int i = at; i < count; i++)
                if (!hides(t, &out[i], pos_ned_m))
                        out[kept++] = out[i];
        if (at == max)
                return kept;
        if (kept == max)
                kept--;
        for (int i = kept; i > at; i--)
                out[i] = out[i - 1];
        out[at] = *t;
        return kept + 1;
}

static bool apart(double low, double high, double a, double b, double within)
{
        return (a < b ? a : b) - within > high || (a < b ? b : a) + within < low;
}

static bool near_path(const struct scene_node *n, const struct path *p, double within_m)
{
        const struct vec3 *a = &p->from_ned_m, *b = &p->to_ned_m;

        return !apart(n->low_m.x, n->high_m.x, a->x, b->x, within_m) &&
               !apart(n->low_m.y, n->high_m.y, a->y, b->y, within_m) &&
               !apart(n->low_m.z, n->high_m.z, a->z, b->z, within_m);
}

int scene_touches(const struct scene *s, struct vec3 from_ned_m, struct vec3 pos_ned_m,
                  double within_m, struct scene_touch *out, int max)
{
        struct vec3 way = vec3_sub(pos_ned_m, from_ned_m);
        struct path path = { from_ned_m, pos_ned_m, way, vec3_norm(way) };
        struct scene_touch found[SCENE_TOUCHES_MAX];
        int todo[SCENE_DEPTH_MAX + 1] = { 0 }, waiting = s->nodes > 0, count = 0;

        path.dir_ned = vec3_scale(1.0 / path.length_m, way);
        while (waiting > 0) {
                const struct scene_node *n = &s->node[todo[--waiting]];

                if (!near_path(n, &path, within_m))
                        continue;
                if (n->count == 0) {
                        todo[waiting++] = n->first + 1;
                        todo[waiting++] = n->first;
                }
                for (int i = n->first; i < n->first + n->count; i++) {
                        struct scene_touch t;

                        if (!touches(&s->solid[i], &path, within_m, &t))
                                continue;
                        t.solid = i;
                        count = keep(found, count, SCENE_TOUCHES_MAX, &t, pos_ned_m);
                }
        }
        count = count < max ? count : max;
        for (int i = 0; i < count; i++)
                out[i] = found[i];
        return count;
}

/* Square of the distance from a box, 0 inside. */
static inline double square_from(const struct scene_node *n, struct vec3 p)
{
        struct vec3 low = vec3_sub(n->low_m, p), high = vec3_sub(p, n->high_m);
        double x = low.x > high.x ? low.x : high.x, y = low.y > high.y ? low.y : high.y;
        double z = low.z > high.z ? low.z : high.z;

        x = x > 0.0 ? x : 0.0;
        y = y > 0.0 ? y : 0.0;
        z = z > 0.0 ? z : 0.0;
        return x * x + y * y + z * z;
}

double scene_free_m(const struct scene *s, struct vec3 pos_ned_m, double limit_m)
{
        struct {
                int node;
                double square;
        } todo[SCENE_DEPTH_MAX + 1];
        int waiting = s->nodes > 0;

        todo[0].node = 0;
        todo[0].square = 0.0;
        while (waiting > 0) {
                const struct scene_node *n = &s->node[todo[--waiting].node];

                if (limit_m <= 0.0 || todo[waiting].square >= limit_m * limit_m)
                        continue;
                if (n->count == 0) {
                        double left = square_from(&s->node[n->first], pos_ned_m);
                        double right = square_from(&s->node[n->first + 1], pos_ned_m);
                        bool swap = right < left;

                        /* The nearer one on top. */
                        todo[waiting].node = n->first + (swap ? 0 : 1);
                        todo[waiting++].square = swap ? left : right;
                        todo[waiting].node = n->first + (swap ? 1 : 0);
                        todo[waiting++].square = swap ? right : left;
                }
                for (int i = n->first; i < n->first + n->count; i++) {
                        double far_m = solid_clearance(&s->solid[i], pos_ned_m, NULL);

                        limit_m = far_m < limit_m ? far_m : limit_m;
                }
        }
        return limit_m;
}
