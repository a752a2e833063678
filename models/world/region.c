/* The share of one box that is inside another, by the divergence theorem: no polyhedron is built. In
 * the region's axes the share's indicator is 1 where |x| < X, |y| < Y and low < z < high; the field (0,
 * 0, clamp(z, low, high)), 0 outside |x| < X and |y| < Y, has it as its divergence. So volume and first
 * moments are sums over just the body's six faces, each cut by four planes and flattened beyond two.
 * They are continuous in the boxes' poses: coincident faces are no special case. */
#include "models/world/region.h"

#include <stdbool.h>

#define CORNERS_MAX 16 /* a quadrangle cut by five planes has at most 9 */
#define THIN        1e-6 /* of the longest side: thickness given to a flat body */

struct polygon {
        int corners;
        struct vec3 at[CORNERS_MAX];
};

/* Volume and first moments about the body's centre, in the region's axes. */
struct moments {
        double volume_m3;
        struct vec3 first_m4;
};

static double coordinate(struct vec3 v, int axis)
{
        return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Sutherland and Hodgman's step: keeps what has side * coordinate <= limit. */
static void cut(struct polygon *p, int axis, double side, double limit)
{
        struct polygon whole = *p;
        int n = 0;

        for (int i = 0; i < whole.corners; i++) {
                struct vec3 a = whole.at[i];
                struct vec3 b = whole.at[i + 1 < whole.corners ? i + 1 : 0];
                double beyond_a = side * coordinate(a, axis) - limit;
                double beyond_b = side * coordinate(b, axis) - limit;

                if (beyond_a <= 0.0 && n < CORNERS_MAX)
                        p->at[n++] = a;
                if ((beyond_a <= 0.0) != (beyond_b <= 0.0) && n < CORNERS_MAX)
                        p->at[n++] = vec3_axpy(a, beyond_a / (beyond_a - beyond_b),
                                               vec3_sub(b, a));
        }
        p->corners = n;
}

/* Adds `times` the integrals of z, x z, y z and z^2/2 over the triangle's projection along z. */
static void add_triangle(struct moments *m, double times, struct vec3 a, struct vec3 b,
                         struct vec3 c)
{
        double area = 0.5 * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
        double x = a.x + b.x + c.x, y = a.y + b.y + c.y, z = a.z + b.z + c.z;
        double xz = a.x * a.z + b.x * b.z + c.x * c.z;
        double yz = a.y * a.z + b.y * b.z + c.y * c.z;
        double zz = a.z * a.z + b.z * b.z + c.z * c.z;

        m->volume_m3 += times * area * z / 3.0;
        m->first_m4.x += times * area * (x * z + xz) / 12.0;
        m->first_m4.y += times * area * (y * z + yz) / 12.0;
        m->first_m4.z += times * area * (z * z + zz) / 24.0;
}

static void add_polygon(struct moments *m, double times, const struct polygon *p)
{
        for (int i = 2; i < p->corners; i++)
                add_triangle(m, times, p->at[0], p->at[i - 1], p->at[i]);
}

/* Clamps the part of the polygon beyond a limit of z to that limit. */
static void flatten(struct moments *m, const struct polygon *p, double side, double limit)
{
        struct polygon beyond = *p;

        cut(&beyond, 2, -side, -limit);
        add_polygon(m, -1.0, &beyond);
        for (int i = 0; i < beyond.corners; i++)
                beyond.at[i].z = side * limit;
        add_polygon(m, 1.0, &beyond);
}

/* low and high: the region's walls, seen from the body's centre. */
static void add_face(struct moments *m, struct polygon p, struct vec3 low,
                     struct vec3 high)
{
        cut(&p, 0, 1.0, high.x);
        cut(&p, 0, -1.0, -low.x);
        cut(&p, 1, 1.0, high.y);
        cut(&p, 1, -1.0, -low.y);
        add_polygon(m, 1.0, &p);
        flatten(m, &p, 1.0, high.z);
        flatten(m, &p, -1.0, -low.z);
}

/* The face whose outward normal is along `out`; u, v and out are right-handed half edges. */
static struct polygon face(struct vec3 out, struct vec3 u, struct vec3 v)
{
        struct vec3 near = vec3_sub(out, u), far = vec3_add(out, u);

        return (struct polygon){ .corners = 4,
                                 .at = { vec3_sub(near, v), vec3_sub(far, v),
                                         vec3_add(far, v), vec3_add(near, v) } };
}

static struct moments moments_inside(const struct vec3 edge[3], struct vec3 low,
                                     struct vec3 high)
{
        struct moments m = { 0 };

        for (int i = 0; i < 3; i++) {
                struct vec3 u = edge[(i + 1) % 3], v = edge[(i + 2) % 3];

                add_face(&m, face(edge[i], u, v), low, high);
                add_face(&m, face(vec3_scale(-1.0, edge[i]), v, u), low, high);
        }
        return m;
}

static double longest(struct vec3 v)
{
        return fmax(v.x, fmax(v.y, v.z));
}

/* A flat body becomes a thin one, so that it has a volume to take a share of. */
static struct vec3 thickened(struct vec3 half_m)
{
        double least_m = THIN * fmax(longest(half_m), 1e-3);

        return (struct vec3){ fmax(half_m.x, least_m), fmax(half_m.y, least_m),
                              fmax(half_m.z, least_m) };
}

static struct vec3 extent(const struct vec3 edge[3])
{
        return (struct vec3){ fabs(edge[0].x) + fabs(edge[1].x) + fabs(edge[2].x),
                              fabs(edge[0].y) + fabs(edge[1].y) + fabs(edge[2].y),
                              fabs(edge[0].z) + fabs(edge[1].z) + fabs(edge[2].z) };
}

/* The body's box and the region's walls; everything in the region's axes, relative to the box's
 * centre. */
struct meeting {
        struct vec3 centre_ned_m; /* of the body's box */
        struct vec3 half_m, edge[3], extent_m;
        struct vec3 low_m, high_m;
};

static struct meeting meet(const struct region *r, const struct region_body *b)
{
        struct quat turn =
                quat_multiply(quat_conjugate(r->q_region_to_ned), b->q_body_to_ned);
        struct mat3 body_to_region = quat_to_mat3(turn);
        struct meeting m = { .half_m = thickened(b->half_m) };
        struct vec3 at;

        m.centre_ned_m =
                vec3_add(b->pos_ned_m, quat_rotate(b->q_body_to_ned, b->centre_body_m));
        at = quat_rotate_inverse(r->q_region_to_ned,
                                 vec3_sub(m.centre_ned_m, r->centre_ned_m));
        for (int i = 0; i < 3; i++)
                m.edge[i] = mat3_times(body_to_region,
                                       (struct vec3){ i == 0 ? m.half_m.x : 0.0,
                                                      i == 1 ? m.half_m.y : 0.0,
                                                      i == 2 ? m.half_m.z : 0.0 });
        m.extent_m = extent(m.edge);
        m.low_m = vec3_sub(vec3_scale(-1.0, r->half_m), at);
        m.high_m = vec3_sub(r->half_m, at);
        return m;
}

static bool apart(const struct meeting *m)
{
        return m->low_m.x >= m->extent_m.x || m->high_m.x <= -m->extent_m.x ||
               m->low_m.y >= m->extent_m.y || m->high_m.y <= -m->extent_m.y ||
               m->low_m.z >= m->extent_m.z || m->high_m.z <= -m->extent_m.z;
}

static bool inside(const struct meeting *m)
{
        return m->low_m.x <= -m->extent_m.x && m->high_m.x >= m->extent_m.x &&
               m->low_m.y <= -m->extent_m.y && m->high_m.y >= m->extent_m.y &&
               m->low_m.z <= -m->extent_m.z && m->high_m.z >= m->extent_m.z;
}

struct region_overlap region_overlap(const struct region *r, const struct region_body *b)
{
        struct meeting m = meet(r, b);
        struct region_overlap o = { 0 };
        struct moments share;
        double whole_m3 = 8.0 * m.half_m.x * m.half_m.y * m.half_m.z;
        struct vec3 arm_m = vec3_sub(m.centre_ned_m, b->pos_ned_m);

        if (apart(&m))
                return o;
        if (inside(&m))
                return (struct region_overlap){ 1.0, arm_m };

        share = moments_inside(m.edge, m.low_m, m.high_m);
        /* Less is rounding, and has no centre. Written so that NaN counts as no overlap. */
        if (!(share.volume_m3 > 1e-12 * whole_m3))
                return o;
        o.overlap_ratio = fmin(share.volume_m3 / whole_m3, 1.0);
        o.arm_ned_m = vec3_add(
                arm_m, quat_rotate(r->q_region_to_ned,
                                   vec3_scale(1.0 / share.volume_m3, share.first_m4)));
        return o;
}

/* Whether the spheres around both boxes are certainly apart, by (a + b)^2 <= 2 (a^2 + b^2), which
 * needs no square root. */
static bool far_away(const struct region *r, struct vec3 centre_ned_m, double square_m2)
{
        struct vec3 d = vec3_sub(centre_ned_m, r->centre_ned_m);

        return vec3_dot(d, d) > 2.0 * (square_m2 + vec3_dot(r->half_m, r->half_m));
}

void region_effect(struct region_effect *out, const struct region *regions, int count,
                   const struct region_body *b)
{
        struct vec3 half_m = thickened(b->half_m);
        double square_m2 = vec3_dot(half_m, half_m);
        struct vec3 centre_ned_m;

        *out = (struct region_effect){ 0 };
        if (count == 0)
                return;
        centre_ned_m =
                vec3_add(b->pos_ned_m, quat_rotate(b->q_body_to_ned, b->centre_body_m));
        for (int i = 0; i < count; i++) {
                const struct region *r = &regions[i];
                struct region_overlap o;
                struct vec3 force_n;

                if (far_away(r, centre_ned_m, square_m2))
                        continue;
                o = region_overlap(r, b);
                force_n = vec3_scale(o.overlap_ratio, r->force_ned_n);
                out->wind_ned_mps =
                        vec3_axpy(out->wind_ned_mps, o.overlap_ratio, r->wind_ned_mps);
                out->force_ned_n = vec3_add(out->force_ned_n, force_n);
                out->torque_ned_nm =
                        vec3_add(out->torque_ned_nm, vec3_cross(o.arm_ned_m, force_n));
        }
}
