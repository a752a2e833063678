/* Walls along a path. Each stretch is a box between the corners of a line that runs beside the
 * path, as much longer at a turn as its outer faces need to meet. */
#include "hil/config/world/scenery.h"

#define OUT_OF_MEMORY "out of memory"

struct stretch {
        struct vec3 along, right; /* unit, level */
};

static const char *stretch_of(struct stretch *st, const struct scenery_wall *w, int i)
{
        struct vec3 way = vec3_sub(w->path_m[i + 1], w->path_m[i]);
        double length_m;

        way.z = 0.0;
        length_m = vec3_norm(way);
        if (!(length_m > 0.0))
                return "two points in a row are in the same place";
        st->along = vec3_scale(1.0 / length_m, way);
        st->right = (struct vec3){ -st->along.y, st->along.x, 0.0 };
        return NULL;
}

/* 1 + cosine of the turn between two stretches: 2 straight on, 0 back. */
static double openness(const struct stretch *a, const struct stretch *b)
{
        return 1.0 + vec3_dot(a->along, b->along);
}

/* The corner of the line beside the path at the point between two stretches, NULL where it
 * ends. */
static struct vec3 corner(const struct scenery_wall *w, int point,
                          const struct stretch *before, const struct stretch *after)
{
        struct vec3 right;

        if (!before || !after)
                right = before ? before->right : after->right;
        else
                right = vec3_scale(1.0 / openness(before, after),
                                   vec3_add(before->right, after->right));
        return vec3_axpy(w->path_m[point], w->right_m, right);
}

/* How much longer a box is there: half its thickness times the tangent of half the turn. */
static double overlap_m(const struct scenery_wall *w, const struct stretch *a,
                        const struct stretch *b)
{
        if (!a || !b)
                return 0.0;
        return 0.5 * w->thickness_m * fabs(vec3_dot(a->right, b->along)) / openness(a, b);
}

static const char *build_boxes(struct scenery *s, const struct scenery_place *p,
                               const struct scenery_wall *w, int i,
                               const struct stretch *before, const struct stretch *here,
                               const struct stretch *after)
{
        struct vec3 a = corner(w, i, before, here), b = corner(w, i + 1, here, after);
        double longer_a = overlap_m(w, before, here),
               longer_b = overlap_m(w, here, after);
        struct vec3 size, centre;

        b.z = a.z;
        if (!(vec3_dot(vec3_sub(b, a), here->along) > 0.0))
                return "is too narrow for the width of its turns";
        a = vec3_axpy(a, -longer_a, here->along);
        b = vec3_axpy(b, longer_b, here->along);
        size = (struct vec3){ vec3_norm(vec3_sub(b, a)), w->thickness_m, w->height_m };
        centre = vec3_scale(0.5, vec3_add(a, b));
        centre.z = -(a.z + 0.5 * w->height_m);
        return scenery_box(s, p, centre, size, atan2(here->along.y, here->along.x))
                       ? NULL
                       : OUT_OF_MEMORY;
}

const char *scenery_wall(struct scenery *s, const struct scenery_place *p,
                         const struct scenery_wall *wall)
{
        struct stretch before, here, after;
        const char *wrong = stretch_of(&here, wall, 0);

        for (int i = 0; !wrong && i + 1 < wall->points; i++) {
                bool last = i + 2 == wall->points;

                if (!last)
                        wrong = stretch_of(&after, wall, i + 1);
                if (!wrong && !last && openness(&here, &after) < 0.1)
                        wrong = "turns back too sharply";
                if (!wrong)
                        wrong = build_boxes(s, p, wall, i, i > 0 ? &before : NULL, &here,
                                            last ? NULL : &after);
                before = here;
                here = after;
        }
        return wrong;
}
