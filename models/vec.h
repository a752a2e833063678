/* Three-vectors and attitude quaternions, as far as a rigid body needs them. Everything
 * is inline and uses +, -, *, / and sqrt alone, so that every compiler gives the same
 * bits. */
#pragma once

#include <math.h>
#include <stdbool.h>

#define DEG_PER_RAD 57.29577951308232

struct vec3 {
        double x, y, z;
};

/* Rows. */
struct mat3 {
        struct vec3 x, y, z;
};

/* Hamilton convention, unit length. As q_body_to_ned it takes body vectors to NED. */
struct quat {
        double w, x, y, z;
};

static inline struct vec3 vec3_add(struct vec3 a, struct vec3 b)
{
        return (struct vec3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline struct vec3 vec3_sub(struct vec3 a, struct vec3 b)
{
        return (struct vec3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline struct vec3 vec3_scale(double s, struct vec3 a)
{
        return (struct vec3){ s * a.x, s * a.y, s * a.z };
}

/* Axis by axis. */
static inline struct vec3 vec3_times(struct vec3 a, struct vec3 b)
{
        return (struct vec3){ a.x * b.x, a.y * b.y, a.z * b.z };
}

/* a + s b */
static inline struct vec3 vec3_axpy(struct vec3 a, double s, struct vec3 b)
{
        return (struct vec3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline double vec3_dot(struct vec3 a, struct vec3 b)
{
        return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec3 vec3_cross(struct vec3 a, struct vec3 b)
{
        return (struct vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                              a.x * b.y - a.y * b.x };
}

static inline double vec3_norm(struct vec3 a)
{
        return sqrt(vec3_dot(a, a));
}

/* Whether a is nearer to b than far_m; of none where that is not above 0. */
static inline bool vec3_within(struct vec3 a, struct vec3 b, double far_m)
{
        struct vec3 way = vec3_sub(a, b);

        return far_m > 0.0 && vec3_dot(way, way) < far_m * far_m;
}

static inline struct vec3 mat3_times(struct mat3 m, struct vec3 v)
{
        return (struct vec3){ m.x.x * v.x + m.x.y * v.y + m.x.z * v.z,
                              m.y.x * v.x + m.y.y * v.y + m.y.z * v.z,
                              m.z.x * v.x + m.z.y * v.y + m.z.z * v.z };
}

/* m^T v: the inverse rotation when m is one. */
static inline struct vec3 mat3_transpose_times(struct mat3 m, struct vec3 v)
{
        return (struct vec3){ m.x.x * v.x + m.y.x * v.y + m.z.x * v.z,
                              m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
                              m.x.z * v.x + m.y.z * v.y + m.z.z * v.z };
}

/* R(q): cheaper than quat_rotate() from the second vector on. */
static inline struct mat3 quat_to_mat3(struct quat q)
{
        double x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
        double xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
        double xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
        double wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;

        return (struct mat3){ { 1.0 - (yy + zz), xy - wz, xz + wy },
                              { xy + wz, 1.0 - (xx + zz), yz - wx },
                              { xz - wy, yz + wx, 1.0 - (xx + yy) } };
}

/* The same rotation as R(q) v, written with two cross products. */
static inline struct vec3 quat_rotate(struct quat q, struct vec3 v)
{
        struct vec3 u = { q.x, q.y, q.z };
        struct vec3 t = vec3_scale(2.0, vec3_cross(u, v));

        return vec3_add(vec3_axpy(v, q.w, t), vec3_cross(u, t));
}

static inline struct quat quat_conjugate(struct quat q)
{
        return (struct quat){ q.w, -q.x, -q.y, -q.z };
}

/* R(q)^T v */
static inline struct vec3 quat_rotate_inverse(struct quat q, struct vec3 v)
{
        return quat_rotate(quat_conjugate(q), v);
}

/* R(quat_multiply(a, b)) = R(a) R(b) */
static inline struct quat quat_multiply(struct quat a, struct quat b)
{
        return (struct quat){
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        };
}

/* The rate of change of a body's attitude q that turns at rate_body_radps. */
static inline struct quat quat_rate(struct quat q, struct vec3 rate_body_radps)
{
        struct vec3 h = vec3_scale(0.5, rate_body_radps);

        return (struct quat){ -(q.x * h.x + q.y * h.y + q.z * h.z),
                              q.w * h.x + q.y * h.z - q.z * h.y,
                              q.w * h.y + q.z * h.x - q.x * h.z,
                              q.w * h.z + q.x * h.y - q.y * h.x };
}

/* a + s b, not normalised. */
static inline struct quat quat_axpy(struct quat a, double s, struct quat b)
{
        return (struct quat){ a.w + s * b.w, a.x + s * b.x, a.y + s * b.y,
                              a.z + s * b.z };
}

static inline struct quat quat_normalise(struct quat q)
{
        double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);

        return (struct quat){ s * q.w, s * q.x, s * q.y, s * q.z };
}

/* The same for a q that is nearly of unit length, by one Newton step instead of a root and
 * a division: an error of e in the length becomes 1.5 e^2. */
static inline struct quat quat_renormalise(struct quat q)
{
        double s = 1.5 - 0.5 * ((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z));

        return (struct quat){ s * q.w, s * q.x, s * q.y, s * q.z };
}

/* Aerospace sequence: yaw about down, then pitch, then roll (Gruber 3.2). */
static inline struct quat quat_from_euler(double roll_rad, double pitch_rad,
                                          double yaw_rad)
{
        double cr = cos(0.5 * roll_rad), sr = sin(0.5 * roll_rad);
        double cp = cos(0.5 * pitch_rad), sp = sin(0.5 * pitch_rad);
        double cy = cos(0.5 * yaw_rad), sy = sin(0.5 * yaw_rad);

        return (struct quat){
                cr * cp * cy + sr * sp * sy,
                sr * cp * cy - cr * sp * sy,
                cr * sp * cy + sr * cp * sy,
                cr * cp * sy - sr * sp * cy,
        };
}

/* x roll, y pitch, z yaw, rad. Pitch is clamped where rounding leaves asin's domain. */
static inline struct vec3 quat_to_euler(struct quat q)
{
        double s = 2.0 * (q.w * q.y - q.z * q.x);

        s = s > 1.0 ? 1.0 : s < -1.0 ? -1.0 : s;
        return (struct vec3){
                atan2(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)),
                asin(s),
                atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z)),
        };
}
