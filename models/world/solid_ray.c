/* Rays against single solids, and their bounding boxes. A ray meets a solid where its intervals
 * inside each of the solid's surfaces overlap. */
#include "models/world/solid.h"

/* Rays through an edge that two triangles share must not slip through between them. */
#define EDGE_SLACK 1e-12

#define BOUNDS_SLACK_M 1e-9

static double row_extent(struct vec3 row, struct vec3 half)
{
        return fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z;
}

static double disk_extent(double axis, double radius)
{
        double across = 1.0 - axis * axis;

        return radius * sqrt(across > 0.0 ? across : 0.0);
}

static struct vec3 half_extent(const struct solid *s)
{
        const struct mat3 *m = &s->axes_to_ned;
        double r = s->size_m.x, h = s->size_m.z;

        if (s->shape == SOLID_SPHERE)
                return (struct vec3){ r, r, r };
        if (s->shape == SOLID_BOX)
                return (struct vec3){ row_extent(m->x, s->size_m),
                                      row_extent(m->y, s->size_m),
                                      row_extent(m->z, s->size_m) };
        return (struct vec3){ fabs(m->x.z) * h + disk_extent(m->x.z, r),
                              fabs(m->y.z) * h + disk_extent(m->y.z, r),
                              fabs(m->z.z) * h + disk_extent(m->z.z, r) };
}

static void bounds_along(double a, double b, double c, double *low, double *high)
{
        double slack = BOUNDS_SLACK_M + 1e-15 * (fabs(a) + fabs(b) + fabs(c));

        *low = fmin(a, fmin(b, c)) - slack;
        *high = fmax(a, fmax(b, c)) + slack;
}

void solid_bounds(const struct solid *s, struct vec3 *low, struct vec3 *high)
{
        struct vec3 a = s->pos_ned_m, b, c;

        if (s->shape == SOLID_TRIANGLE) {
                b = vec3_add(a, s->edge_m[0]);
                c = vec3_add(a, s->edge_m[1]);
        } else {
                struct vec3 half = half_extent(s);

                b = vec3_sub(a, half);
                c = vec3_add(a, half);
        }
        bounds_along(a.x, b.x, c.x, &low->x, &high->x);
        bounds_along(a.y, b.y, c.y, &low->y, &high->y);
        bounds_along(a.z, b.z, c.z, &low->z, &high->z);
}

/* The interval of a ray that is inside all surfaces so far, and the normal where it enters. */
struct stretch {
        double in_m, out_m;
        struct vec3 normal; /* own axes */
};

static void stretch_cut(struct stretch *s, double in_m, double out_m, struct vec3 normal)
{
        if (in_m > s->in_m) {
                s->in_m = in_m;
                s->normal = normal;
        }
        if (out_m < s->out_m)
                s->out_m = out_m;
}

/* Between the planes at -half and +half along one axis. */
static void cut_slab(struct stretch *s, double pos, double dir, double half,
                     struct vec3 axis)
{
        double near = (-half - pos) / dir, far = (half - pos) / dir;

        if (dir > 0.0)
                stretch_cut(s, near, far, vec3_scale(-1.0, axis));
        else if (dir < 0.0)
                stretch_cut(s, far, near, axis);
        else if (fabs(pos) > half)
                s->out_m = -INFINITY;
}

/* Inside the cylinder of that radius about z. */
static void cut_tube(struct stretch *s, struct vec3 pos, struct vec3 dir, double radius)
{
        double a = dir.x * dir.x + dir.y * dir.y;
        double b = pos.x * dir.x + pos.y * dir.y, middle_m, half_m, square;
        struct vec3 off;

        if (!(a > 0.0)) {
                if (pos.x * pos.x + pos.y * pos.y > radius * radius)
                        s->out_m = -INFINITY;
                return;
        }
        /* From the point nearest to the axis: far away, b^2 - a c would lose its digits. */
        middle_m = -b / a;
        off = vec3_axpy(pos, middle_m, dir);
        square = (radius * radius - (off.x * off.x + off.y * off.y)) / a;
        if (!(square >= 0.0)) {
                s->out_m = -INFINITY;
                return;
        }
        half_m = sqrt(square);
        off = vec3_axpy(pos, middle_m - half_m, dir);
        off.z = 0.0;
        stretch_cut(s, middle_m - half_m, middle_m + half_m,
                    radius > 0.0 ? vec3_scale(1.0 / radius, off)
                                 : (struct vec3){ 1.0, 0.0, 0.0 });
}

static double enter(const struct stretch *st, const struct solid *s, struct vec3 dir_ned,
                    double max_m, struct vec3 *normal_ned)
{
        if (!(st->out_m > 0.0 && st->in_m <= st->out_m && st->in_m < max_m))
                return INFINITY;
        if (st->in_m > 0.0) {
                *normal_ned = mat3_times(s->axes_to_ned, st->normal);
                return st->in_m;
        }
        *normal_ned = vec3_scale(-1.0, dir_ned);
        return 0.0;
}

static double ray_full(const struct solid *s, struct vec3 pos_ned_m, struct vec3 dir_ned,
                       double max_m, struct vec3 *normal_ned)
{
        const struct vec3 x = { 1.0, 0.0, 0.0 }, y = { 0.0, 1.0, 0.0 },
                          z = { 0.0, 0.0, 1.0 };
        struct vec3 pos =
                mat3_transpose_times(s->axes_to_ned, vec3_sub(pos_ned_m, s->pos_ned_m));
        struct vec3 dir = mat3_transpose_times(s->axes_to_ned, dir_ned);
        struct stretch st = { .in_m = -INFINITY, .out_m = INFINITY };

        if (s->shape == SOLID_BOX) {
                cut_slab(&st, pos.x, dir.x, s->size_m.x, x);
                cut_slab(&st, pos.y, dir.y, s->size_m.y, y);
        } else {
                cut_tube(&st, pos, dir, s->size_m.x);
        }
        cut_slab(&st, pos.z, dir.z, s->size_m.z, z);
        return enter(&st, s, dir_ned, max_m, normal_ned);
}

static double ray_sphere(const struct solid *s, struct vec3 pos_ned_m,
                         struct vec3 dir_ned, double max_m, struct vec3 *normal_ned)
{
        struct vec3 pos = vec3_sub(pos_ned_m, s->pos_ned_m);
        double nearest_m = -vec3_dot(pos, dir_ned), r = s->size_m.x, square, range_m;
        struct vec3 off = vec3_axpy(pos, nearest_m, dir_ned);

        if (vec3_dot(pos, pos) < r * r) {
                *normal_ned = vec3_scale(-1.0, dir_ned);
                return 0.0;
        }
        square = r * r - vec3_dot(off, off);
        if (!(square >= 0.0))
                return INFINITY;
        range_m = nearest_m - sqrt(square);
        if (!(range_m >= 0.0 && range_m < max_m))
                return INFINITY;
        *normal_ned = r > 0.0 ? vec3_scale(1.0 / r, vec3_axpy(pos, range_m, dir_ned))
                              : vec3_scale(-1.0, dir_ned);
        return range_m;
}

/* Moeller and Trumbore, both sides. Written so that NaN is no hit. */
static double ray_triangle(const struct solid *s, struct vec3 pos_ned_m,
                           struct vec3 dir_ned, double max_m, struct vec3 *normal_ned)
{
        struct vec3 p = vec3_cross(dir_ned, s->edge_m[1]), t, q, normal;
        double det = vec3_dot(s->edge_m[0], p), per_det, u, v, range_m;

        if (det == 0.0)
                return INFINITY;
        per_det = 1.0 / det;
        t = vec3_sub(pos_ned_m, s->pos_ned_m);
        u = vec3_dot(t, p) * per_det;
        if (!(u >= -EDGE_SLACK && u <= 1.0 + EDGE_SLACK))
                return INFINITY;
        q = vec3_cross(t, s->edge_m[0]);
        v = vec3_dot(dir_ned, q) * per_det;
        if (!(v >= -EDGE_SLACK && u + v <= 1.0 + EDGE_SLACK))
                return INFINITY;
        range_m = vec3_dot(s->edge_m[1], q) * per_det;
        if (!(range_m >= 0.0 && range_m < max_m))
                return INFINITY;
        normal = vec3_cross(s->edge_m[0], s->edge_m[1]);
        *normal_ned = vec3_scale((det > 0.0 ? 1.0 : -1.0) / vec3_norm(normal), normal);
        return range_m;
}

double solid_ray(const struct solid *s, struct vec3 pos_ned_m, struct vec3 dir_ned,
                 double max_m, struct vec3 *normal_ned)
{
        switch (s->shape) {
        case SOLID_TRIANGLE:
                return ray_triangle(s, pos_ned_m, dir_ned, max_m, normal_ned);
        case SOLID_SPHERE:
                return ray_sphere(s, pos_ned_m, dir_ned, max_m, normal_ned);
        default:
                return ray_full(s, pos_ned_m, dir_ned, max_m, normal_ned);
        }
}
