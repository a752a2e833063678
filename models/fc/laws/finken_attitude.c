#include "models/fc/laws/finken_attitude.h"

#define SHARE_MAX 1.0 /* a stream stops at -1 */

/* Only yaw can differ by more than half a turn. */
static double wrap(double rad)
{
        return remainder(rad, 2.0 * M_PI);
}

struct vec3 finken_authority_nm(const struct fc_params *p, double thrust_n)
{
        double x = 0.0, y = 0.0;

        for (int i = 0; i < p->rotors; i++) {
                x += fabs(p->rotor_pos_body_m[i].x) / p->rotors;
                y += fabs(p->rotor_pos_body_m[i].y) / p->rotors;
        }
        return vec3_scale(
                2.0 * thrust_n,
                (struct vec3){ y, x, p->torque_nm_per_radps2 / p->thrust_n_per_radps2 });
}

/* Entries of the rotation matrices; for yaw, angles. */
static struct vec3 error_of(struct quat is, struct quat wanted)
{
        struct mat3 r = quat_to_mat3(is), target = quat_to_mat3(wanted);

        return (struct vec3){ target.z.y - r.z.y, r.z.x - target.z.x,
                              wrap(quat_to_euler(wanted).z - quat_to_euler(is).z) };
}

static double share(struct finken_pid *c, const struct finken_gains *gains,
                    const struct fc_params *p, double error,
                    const struct attitude_ask *ask)
{
        double out =
                finken_pid_step(c, gains, p->finken.d_tau_s, error, ask->dt_s, ask->hold);

        return fmin(fmax(out, -SHARE_MAX), SHARE_MAX);
}

struct vec3 finken_attitude_torque(struct finken_attitude *c, const struct fc_params *p,
                                   const struct attitude_ask *ask)
{
        const struct finken_params *f = &p->finken;
        struct vec3 error = error_of(ask->is, ask->wanted);
        struct vec3 shares = { share(&c->roll, &f->roll_pitch, p, error.x, ask),
                               share(&c->pitch, &f->roll_pitch, p, error.y, ask),
                               share(&c->yaw, &f->yaw, p, error.z, ask) };

        return attitude_limit(p,
                              vec3_times(finken_authority_nm(p, ask->thrust_n), shares));
}
