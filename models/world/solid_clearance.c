/* Distances of points from single solids, with the normal of the nearest surface. */
#include "models/world/solid.h"

#include <stddef.h>

static const struct vec3 up = { 0.0, 0.0, -1.0 };

static double with_sign(double size, double of)
{
        return of < 0.0 ? -size : size;
}

/* Outwards from a point on a solid, in the solid's own axes: `over` is how far the point is beyond
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

        if (normal_ned != NULL)
                *normal_ned = far_m > 0.0 ? vec3_scale(1.0 / far_m, off) : up;
        return far_m - s->size_m.x;
}

/* The point of a triangle that is nearest to the point at `off` from its first corner, by the
 * regions of its corners, edges and face (Ericson, Real-Time Collision Detection, 5.1.5). In the
 * face it is the foot of a normal. */
static struct vec3 nearest_off(const struct solid *s, struct vec3 off, bool *in_face)
{
        const struct vec3 a = s->edge_m[0], b = s->edge_m[1], origin = { 0.0, 0.0, 0.0 };
        struct vec3 off_a = vec3_sub(off, a), off_b = vec3_sub(off, b);
        double oa = vec3_dot(a, off), ob = vec3_dot(b, off);
        double aa = vec3_dot(a, off_a), ab = vec3_dot(b, off_a);
        double ba = vec3_dot(a, off_b), bb = vec3_dot(b, off_b);
        double face_a, face_b, face_o, per_area;

        *in_face = false;
        if (oa <= 0.0 && ob <= 0.0)
                return origin;
        if (aa >= 0.0 && ab <= aa)
                return a;
        if (bb >= 0.0 && ba <= bb)
                return b;
        face_b = oa * ab - aa * ob;
        if (face_b <= 0.0 && oa >= 0.0 && aa <= 0.0)
                return vec3_scale(oa / (oa - aa), a);
        face_a = ba * ob - oa * bb;
        if (face_a <= 0.0 && ob >= 0.0 && bb <= 0.0)
                return vec3_scale(ob / (ob - bb), b);
        face_o = aa * bb - ba * ab;
        if (face_o <= 0.0 && ab - aa >= 0.0 && ba - bb >= 0.0)
                return vec3_axpy(a, (ab - aa) / ((ab - aa) + (ba - bb)), vec3_sub(b, a));
        *in_face = true;
        per_area = 1.0 / (face_o + face_a + face_b);
        return vec3_axpy(vec3_scale(face_a * per_area, a), face_b * per_area, b);
}

static double clearance_triangle(const struct solid *s, struct vec3 pos_ned_m,
                                 struct vec3 *normal_ned)
{
        struct vec3 off = vec3_sub(pos_ned_m, s->pos_ned_m), way, face;
        double far_m, area, side;
        bool in_face;

        way = vec3_sub(off, nearest_off(s, off, &in_face));
        far_m = vec3_norm(way);
        if (normal_ned == NULL)
                return far_m;
        face = vec3_cross(s->edge_m[0], s->edge_m[1]);
        area = vec3_norm(face);
        side = vec3_dot(off, face) < 0.0 ? -1.0 : 1.0;
        if (area > 0.0 && (in_face || far_m == 0.0))
                *normal_ned = vec3_scale(side / area, face);
        else
                *normal_ned = far_m > 0.0 ? vec3_scale(1.0 / far_m, way) : up;
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
        if (normal_ned != NULL)
                *normal_ned = mat3_times(s->axes_to_ned, normal);
        return clearance_m;
}
