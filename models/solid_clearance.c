/* Distances of points from single solids, with the normal of what is nearest. */
#include "models/solid.h"

static const struct vec3 up = { 0.0, 0.0, -1.0 };

static double with_sign(double size, double of)
{
        return of < 0.0 ? -size : size;
}

/* From a point on a full solid outwards, in its own axes: `over` is how far the point is beyond
 * each of the surfaces along the axes, negative inside. */
static double beyond(struct vec3 pos, struct vec3 over, struct vec3 *normal)
{
        struct vec3 out = { over.x > 0.0 ? over.x : 0.0, over.y > 0.0 ? over.y : 0.0,
                            over.z > 0.0 ? over.z : 0.0 };
        double far_m = vec3_norm(out);

        if (far_m > 0.0) {
                *normal = (struct vec3){ with_sign(out.x / far_m, pos.x),
                                         with_sign(out.y / far_m, pos.y),
                                         with_sign(out.z / far_m, pos.z) };
                return far_m;
        }
        *normal = (struct vec3){ 0.0, 0.0, 0.0 };
        if (over.z >= over.x && over.z >= over.y) {
                normal->z = with_sign(1.0, pos.z);
                return over.z;
        }
        if (over.x >= over.y) {
                normal->x = with_sign(1.0, pos.x);
                return over.x;
        }
        normal->y = with_sign(1.0, pos.y);
        return over.y;
}

static double clearance_box(const struct solid *s, struct vec3 pos, struct vec3 *normal)
{
        struct vec3 over = { fabs(pos.x) - s->size_m.x, fabs(pos.y) - s->size_m.y,
                             fabs(pos.z) - s->size_m.z };

        return beyond(pos, over, normal);
}

/* In the plane of the axis and the point: the radius is x there. */
static double clearance_cylinder(const struct solid *s, struct vec3 pos,
                                 struct vec3 *normal)
{
        double r = sqrt(pos.x * pos.x + pos.y * pos.y), clearance_m;
        struct vec3 flat = { r, 0.0, pos.z }, out;
        struct vec3 over = { r - s->size_m.x, -INFINITY, fabs(pos.z) - s->size_m.z };

        clearance_m = beyond(flat, over, &out);
        *normal = (struct vec3){ r > 0.0 ? out.x * (pos.x / r) : out.x,
                                 r > 0.0 ? out.x * (pos.y / r) : 0.0, out.z };
        return clearance_m;
}

static double clearance_sphere(const struct solid *s, struct vec3 pos_ned_m,
                               struct vec3 *normal_ned)
{
        struct vec3 off = vec3_sub(pos_ned_m, s->pos_ned_m);
        double far_m = vec3_norm(off);

        *normal_ned = far_m > 0.0 ? vec3_scale(1.0 / far_m, off) : up;
        return far_m - s->size_m.x;
}

static double clamp_ratio(double part, double whole)
{
        double ratio = part / whole;

        /* Written so that 0/0, of an edge without length, is 0. */
        return ratio > 0.0 ? (ratio < 1.0 ? ratio : 1.0) : 0.0;
}

/* The point of the edge from a along e that is nearest to p, when it is nearer than what was
 * found. */
static void nearest_on_edge(struct vec3 a, struct vec3 e, struct vec3 p,
                            struct vec3 *nearest, double *square)
{
        double t = clamp_ratio(vec3_dot(vec3_sub(p, a), e), vec3_dot(e, e));
        struct vec3 on = vec3_axpy(a, t, e), off = vec3_sub(p, on);
        double square_here = vec3_dot(off, off);

        if (square_here < *square) {
                *square = square_here;
                *nearest = on;
        }
}

/* Whether p lies over the triangle's face: inside all three of its edges. */
static bool over_face(const struct solid *s, struct vec3 off, struct vec3 normal)
{
        struct vec3 a = s->edge_m[0], b = s->edge_m[1];

        return vec3_dot(vec3_cross(a, off), normal) >= 0.0 &&
               vec3_dot(vec3_cross(off, b), normal) >= 0.0 &&
               vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(off, a)), normal) >= 0.0;
}

static double clearance_triangle(const struct solid *s, struct vec3 pos_ned_m,
                                 struct vec3 *normal_ned)
{
        struct vec3 a = s->pos_ned_m, off = vec3_sub(pos_ned_m, a), nearest = a;
        struct vec3 normal = vec3_cross(s->edge_m[0], s->edge_m[1]);
        double area = vec3_norm(normal), far_m, square = INFINITY;

        normal = area > 0.0 ? vec3_scale(1.0 / area, normal) : up;
        if (area > 0.0 && over_face(s, off, normal)) {
                far_m = vec3_dot(off, normal);
                *normal_ned = far_m < 0.0 ? vec3_scale(-1.0, normal) : normal;
                return fabs(far_m);
        }
        nearest_on_edge(a, s->edge_m[0], pos_ned_m, &nearest, &square);
        nearest_on_edge(a, s->edge_m[1], pos_ned_m, &nearest, &square);
        nearest_on_edge(vec3_add(a, s->edge_m[0]), vec3_sub(s->edge_m[1], s->edge_m[0]),
                        pos_ned_m, &nearest, &square);
        off = vec3_sub(pos_ned_m, nearest);
        far_m = vec3_norm(off);
        *normal_ned = far_m > 0.0 ? vec3_scale(1.0 / far_m, off) : normal;
        return far_m;
}

double solid_clearance(const struct solid *s, struct vec3 pos_ned_m,
                       struct vec3 *normal_ned)
{
        struct vec3 pos, normal;
        double clearance_m;

        if (s->shape == SOLID_TRIANGLE)
                return clearance_triangle(s, pos_ned_m, normal_ned);
        if (s->shape == SOLID_SPHERE)
                return clearance_sphere(s, pos_ned_m, normal_ned);
        pos = mat3_transpose_times(s->axes_to_ned, vec3_sub(pos_ned_m, s->pos_ned_m));
        clearance_m = s->shape == SOLID_BOX ? clearance_box(s, pos, &normal)
                                            : clearance_cylinder(s, pos, &normal);
        *normal_ned = mat3_times(s->axes_to_ned, normal);
        return clearance_m;
}
