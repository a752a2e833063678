/* Three-vectors and attitude quaternions, as far as a rigid body needs them. Everything
 * is inline and uses +, -, *, / and sqrt alone, so that every compiler gives the same
 * bits. */
#ifndef MODELS_VEC_H
#define MODELS_VEC_H

#include <math.h>

struct vec3 {
        double x, y, z;
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

static inline struct quat quat_normalise(struct quat q)
{
        double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);

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

#endif
