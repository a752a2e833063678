/* Polygons and circles that a mission must stay inside or outside of. */
#include "hil/mission/route.h"

#include <math.h>

/* Of the way between two places; fences are much larger. */
#define CROSSING_STEP_M 0.25
#define CROSSING_STEPS  20000

static bool inside_polygon(const struct route_fence *corner, int corners, double north_m,
                           double east_m)
{
        bool inside = false;

        for (int i = 0, j = corners - 1; i < corners; j = i++) {
                const struct route_fence *a = &corner[i], *b = &corner[j];

                if ((a->north_m > north_m) != (b->north_m > north_m) &&
                    east_m < (b->east_m - a->east_m) * (north_m - a->north_m) /
                                             (b->north_m - a->north_m) +
                                     a->east_m)
                        inside = !inside;
        }
        return inside;
}

const char *route_fence_breached(const struct route *r, struct vec3 pos)
{
        for (int i = 0; i < r->fences; i++) {
                const struct route_fence *f = &r->fence[i];
                bool within_circle =
                        hypot(pos.x - f->north_m, pos.y - f->east_m) <= f->radius_m;

                if (f->command == MISSION_FENCE_CIRCLE_INSIDE && !within_circle)
                        return "outside a circle that it is to stay in";
                if (f->command == MISSION_FENCE_CIRCLE_OUTSIDE && within_circle)
                        return "inside a circle that it is to stay out of";
                if (f->corners == 0)
                        continue;
                within_circle = inside_polygon(f, f->corners, pos.x, pos.y);
                if (f->command == MISSION_FENCE_POLYGON_INSIDE && !within_circle)
                        return "outside a polygon that it is to stay in";
                if (f->command == MISSION_FENCE_POLYGON_OUTSIDE && within_circle)
                        return "inside a polygon that it is to stay out of";
        }
        return NULL;
}

const char *route_fence_crossed(const struct route *r, struct vec3 from, struct vec3 to)
{
        struct vec3 way = vec3_sub(to, from);
        int parts = (int)fmin(ceil(vec3_norm(way) / CROSSING_STEP_M), CROSSING_STEPS);

        if (r->fences == 0)
                return NULL;
        for (int i = 0; i <= parts; i++) {
                const char *breached = route_fence_breached(
                        r,
                        vec3_add(from, vec3_scale(parts ? (double)i / parts : 0.0, way)));

                if (breached != NULL)
                        return breached;
        }
        return NULL;
}
