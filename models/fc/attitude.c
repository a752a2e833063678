#include "models/fc/attitude.h"

#define GRAVITY_MPS2 9.80665

/* Share of the largest torque that an integral may hold. */
#define INTEGRAL_SHARE 0.5

static double clamp(double x, double most)
{
        return fmin(fmax(x, -most), most);
}

static struct vec3 clamp3(struct vec3 v, struct vec3 most)
{
        return (struct vec3){ clamp(v.x, most.x), clamp(v.y, most.y),
                              clamp(v.z, most.z) };
}

static struct vec3 times(struct vec3 a, struct vec3 b)
{
        return (struct vec3){ a.x * b.x, a.y * b.y, a.z * b.z };
}

struct quat attitude_for(struct vec3 accel_ned_mps2, double yaw_rad)
{
        /* The body's down axis is opposite to the thrust. */
        struct vec3 down = { -accel_ned_mps2.x, -accel_ned_mps2.y, GRAVITY_MPS2 };
        struct quat tilt, yaw;

        /* Shortest turn of (0, 0, 1) onto it: (1 + cos, axis sin), normalised. */
        down = vec3_scale(1.0 / vec3_norm(down), down);
        tilt = quat_normalise((struct quat){ 1.0 + down.z, -down.y, down.x, 0.0 });
        yaw = (struct quat){ cos(0.5 * yaw_rad), 0.0, 0.0, sin(0.5 * yaw_rad) };
        return quat_multiply(tilt, yaw);
}

struct vec3 attitude_rate(const struct fc_params *p, struct quat is, struct quat wanted)
{
        struct quat error = quat_multiply(quat_conjugate(is), wanted);
        double norm = sqrt(error.w * error.w + error.z * error.z);
        /* error = swing twist: the twist turns about the body's own z. Upside down there
         * is none. */
        struct quat twist =
                norm > 1e-6 ? (struct quat){ error.w / norm, 0.0, 0.0, error.z / norm }
                            : (struct quat){ 1.0, 0.0, 0.0, 0.0 };
        struct quat swing = quat_multiply(error, quat_conjugate(twist));
        double yaw_rad = 2.0 * atan2(twist.z, twist.w);
        struct vec3 angle;

        if (yaw_rad > M_PI)
                yaw_rad -= 2.0 * M_PI;
        else if (yaw_rad < -M_PI)
                yaw_rad += 2.0 * M_PI;
        angle = (struct vec3){ 2.0 * swing.x, 2.0 * swing.y, yaw_rad };
        return clamp3(times(p->attitude_p_per_s, angle), p->rate_max_radps);
}

/* Whether an integral may grow by `error`: not when the axis is at its limit, or got less
 * from the mixer than it asked for, unless that leads back. */
static double admit(double got, double torque, double most, double error)
{
        bool limited = got < 1.0 || fabs(torque) >= most;

        return !limited || torque * error < 0.0 ? error : 0.0;
}

struct vec3 attitude_torque(struct attitude *c, const struct fc_params *p,
                            struct vec3 rate_is, struct vec3 rate_wanted,
                            const struct mixer_result *last, double dt_s)
{
        struct vec3 error = vec3_sub(rate_wanted, rate_is);
        struct vec3 torque = vec3_add(times(p->rate_p_nm_per_radps, error),
                                      times(p->rate_damping_nm_per_radps, rate_wanted));
        struct vec3 grow;

        torque = vec3_add(torque, c->integral_nm);
        grow = (struct vec3){
                admit(last->roll_pitch, torque.x, p->torque_max_nm.x, error.x),
                admit(last->roll_pitch, torque.y, p->torque_max_nm.y, error.y),
                admit(last->yaw, torque.z, p->torque_max_nm.z, error.z)
        };
        c->integral_nm =
                vec3_axpy(c->integral_nm, dt_s, times(p->rate_i_nm_per_rad, grow));
        c->integral_nm =
                clamp3(c->integral_nm, vec3_scale(INTEGRAL_SHARE, p->torque_max_nm));
        return clamp3(torque, p->torque_max_nm);
}
