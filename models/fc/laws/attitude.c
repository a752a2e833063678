#include "models/fc/laws/attitude.h"

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

struct quat attitude_for(struct vec3 accel_ned_mps2, double yaw_rad)
{
        /* The body's down axis is opposite to the thrust. */
        struct vec3 down = { -accel_ned_mps2.x, -accel_ned_mps2.y, GRAVITY_MPS2 };
        struct quat tilt, yaw;

        /* Shortest rotation of (0, 0, 1) onto it: (1 + cos, axis sin), normalised. */
        down = vec3_scale(1.0 / vec3_norm(down), down);
        tilt = quat_normalise((struct quat){ 1.0 + down.z, -down.y, down.x, 0.0 });
        yaw = (struct quat){ cos(0.5 * yaw_rad), 0.0, 0.0, sin(0.5 * yaw_rad) };
        return quat_multiply(tilt, yaw);
}

struct vec3 attitude_error(struct quat is, struct quat wanted)
{
        struct quat error = quat_multiply(quat_conjugate(is), wanted);
        double norm = sqrt(error.w * error.w + error.z * error.z);
        /* error = swing twist: the twist turns about the body's own z. Upside down there is no twist. */
        struct quat twist =
                norm > 1e-6 ? (struct quat){ error.w / norm, 0.0, 0.0, error.z / norm }
                            : (struct quat){ 1.0, 0.0, 0.0, 0.0 };
        struct quat swing = quat_multiply(error, quat_conjugate(twist));
        double yaw_rad = 2.0 * atan2(twist.z, twist.w);

        if (yaw_rad > M_PI)
                yaw_rad -= 2.0 * M_PI;
        else if (yaw_rad < -M_PI)
                yaw_rad += 2.0 * M_PI;
        return (struct vec3){ 2.0 * swing.x, 2.0 * swing.y, yaw_rad };
}

struct vec3 attitude_rate(const struct fc_params *p, struct quat is, struct quat wanted)
{
        struct vec3 angle = attitude_error(is, wanted);

        return clamp3(vec3_times(p->attitude_p_per_s, angle), p->rate_max_radps);
}

struct vec3 attitude_limit(const struct fc_params *p, struct vec3 torque_nm)
{
        return clamp3(torque_nm, p->torque_max_nm);
}

double attitude_reach(double tau_s, double dt_s)
{
        return tau_s > 0.0 ? -expm1(-dt_s / tau_s) : 1.0;
}

/* Whether an integral may grow by `error`: not if the axis is at its limit, or got less from the
 * mixer than requested, unless that leads back. */
static double admit(double got, double torque, double most, double error)
{
        bool limited = got < 1.0 || fabs(torque) >= most;

        return !limited || torque * error < 0.0 ? error : 0.0;
}

void attitude_integrate(struct vec3 *integral_nm, const struct fc_params *p,
                        struct vec3 gain, struct vec3 error, struct vec3 torque_nm,
                        const struct attitude_ask *ask)
{
        const struct mixer_result *got = &ask->got;
        double dt_s = ask->hold ? 0.0 : ask->dt_s;
        struct vec3 grow = {
                admit(got->roll_pitch, torque_nm.x, p->torque_max_nm.x, error.x),
                admit(got->roll_pitch, torque_nm.y, p->torque_max_nm.y, error.y),
                admit(got->yaw, torque_nm.z, p->torque_max_nm.z, error.z)
        };

        *integral_nm = vec3_axpy(*integral_nm, dt_s, vec3_times(gain, grow));
        *integral_nm = clamp3(*integral_nm, vec3_scale(INTEGRAL_SHARE, p->torque_max_nm));
}

/* The derivative of the rate, smoothed. */
static struct vec3 differentiate(struct attitude *c, const struct fc_params *p,
                                 const struct attitude_ask *ask)
{
        if (c->started && ask->dt_s > 0.0) {
                struct vec3 raw = vec3_scale(
                        1.0 / ask->dt_s, vec3_sub(ask->rate_body_radps, c->rate_radps));

                c->accel_radps2 =
                        vec3_axpy(c->accel_radps2,
                                  attitude_reach(p->filter.rate_d_tau_s, ask->dt_s),
                                  vec3_sub(raw, c->accel_radps2));
        }
        c->rate_radps = ask->rate_body_radps;
        c->started = true;
        return c->accel_radps2;
}

struct vec3 attitude_torque(struct attitude *c, const struct fc_params *p,
                            struct vec3 rate_wanted, const struct attitude_ask *ask)
{
        struct vec3 error = vec3_sub(rate_wanted, ask->rate_body_radps);
        struct vec3 torque =
                vec3_add(vec3_times(p->rate_p_nm_per_radps, error),
                         vec3_times(p->rate_damping_nm_per_radps, rate_wanted));

        torque = vec3_add(torque, c->integral_nm);
        if (vec3_norm(p->filter.rate_d_kgm2) > 0.0)
                torque = vec3_sub(torque, vec3_times(p->filter.rate_d_kgm2,
                                                     differentiate(c, p, ask)));
        attitude_integrate(&c->integral_nm, p, p->rate_i_nm_per_rad, error, torque, ask);
        return attitude_limit(p, torque);
}
