/* Polygons and circles that a mission must stay inside or outside of. */
#include "hil/mission/route.h"

#include <math.h>

static const char out_of_circle[] = "outside a circle that it is to stay in";
static const char in_circle[] = "inside a circle that it is to stay out of";
static const char out_of_polygon[] = "outside a polygon that it is to stay in";
static const char in_polygon[] = "inside a polygon that it is to stay out of";

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
                        return out_of_circle;
                if (f->command == MISSION_FENCE_CIRCLE_OUTSIDE && within_circle)
                        return in_circle;
                if (f->corners == 0)
                        continue;
                within_circle = inside_polygon(f, f->corners, pos.x, pos.y);
                if (f->command == MISSION_FENCE_POLYGON_INSIDE && !within_circle)
                        return out_of_polygon;
                if (f->command == MISSION_FENCE_POLYGON_OUTSIDE && within_circle)
                        return in_polygon;
        }
        return NULL;
}

/* On which side of the line from a to b: the sign. */
static double side_of(const struct route_fence *a, const struct route_fence *b,
                      struct vec3 p)
{
        return (b->north_m - a->north_m) * (p.y - a->east_m) -
               (b->east_m - a->east_m) * (p.x - a->north_m);
}

static bool crosses_edge(const struct route_fence *a, const struct route_fence *b,
                         struct vec3 from, struct vec3 to)
{
        struct route_fence begin = { .north_m = from.x, .east_m = from.y },
                           end = { .north_m = to.x, .east_m = to.y };
        struct vec3 first = { a->north_m, a->east_m, 0.0 },
                    second = { b->north_m, b->east_m, 0.0 };

        return side_of(a, b, from) * side_of(a, b, to) < 0.0 &&
               side_of(&begin, &end, first) * side_of(&begin, &end, second) < 0.0;
}

static bool crosses_polygon(const struct route_fence *corner, struct vec3 from,
                            struct vec3 to)
{
        for (int i = 0, j = corner->corners - 1; i < corner->corners; j = i++)
                if (crosses_edge(&corner[i], &corner[j], from, to))
                        return true;
        return false;
}

static bool comes_near(const struct route_fence *circle, struct vec3 from, struct vec3 to)
{
        double north_m = to.x - from.x, east_m = to.y - from.y;
        double length2 = north_m * north_m + east_m * east_m;
        double part = length2 > 0.0 ? ((circle->north_m - from.x) * north_m +
                                       (circle->east_m - from.y) * east_m) /
                                              length2
                                    : 0.0;

        part = fmin(fmax(part, 0.0), 1.0);
        return hypot(from.x + part * north_m - circle->north_m,
                     from.y + part * east_m - circle->east_m) <= circle->radius_m;
}

const char *route_fence_crossed(const struct route *r, struct vec3 from, struct vec3 to)
{
        const char *breached = route_fence_breached(r, from);

        if (breached == NULL)
                breached = route_fence_breached(r, to);
        for (int i = 0; breached == NULL && i < r->fences; i++) {
                const struct route_fence *f = &r->fence[i];

                if (f->command == MISSION_FENCE_CIRCLE_OUTSIDE && comes_near(f, from, to))
                        breached = in_circle;
                else if (f->corners > 0 && crosses_polygon(f, from, to))
                        breached = f->command == MISSION_FENCE_POLYGON_OUTSIDE
                                           ? in_polygon
                                           : out_of_polygon;
        }
        return breached;
}
