#include "models/fc/laws/hoffmann.h"

double hoffmann_share(const struct hoffmann_params *p, double speed_mps)
{
        double over_mps = p->pd_above_mps - p->pid_below_mps;

        if (speed_mps <= p->pid_below_mps)
                return 1.0;
        return over_mps > 0.0 ? fmax((p->pd_above_mps - speed_mps) / over_mps, 0.0) : 0.0;
}

/* The rate's derivative through 1/(1 + s tau). */
static void follow(struct hoffmann *c, const struct hoffmann_params *p,
                   const struct attitude_ask *ask)
{
        struct vec3 raw;

        if (c->started && ask->dt_s > 0.0) {
                raw = vec3_scale(1.0 / ask->dt_s,
                                 vec3_sub(ask->rate_body_radps, c->rate_radps));
                c->accel_radps2 = vec3_axpy(c->accel_radps2,
                                            attitude_reach(p->accel_tau_s, ask->dt_s),
                                            vec3_sub(raw, c->accel_radps2));
        }
        c->rate_radps = ask->rate_body_radps;
        c->started = true;
}

struct vec3 hoffmann_torque(struct hoffmann *c, const struct fc_params *p,
                            const struct attitude_ask *ask)
{
        const struct hoffmann_params *gain = &p->hoffmann;
        struct vec3 error = attitude_error(ask->is, ask->wanted), torque;
        double share = hoffmann_share(gain, ask->speed_mps);

        follow(c, gain, ask);
        torque = vec3_sub(vec3_times(gain->p_nm_per_rad, error),
                          vec3_times(gain->d_nm_per_radps, ask->rate_body_radps));
        torque = vec3_sub(torque, vec3_times(gain->a_kgm2, c->accel_radps2));
        torque = vec3_axpy(torque, share, c->integral_nm);
        if (share == 1.0)
                attitude_integrate(&c->integral_nm, p, gain->i_nm_per_rads, error, torque,
                                   ask);
        return attitude_limit(p, torque);
}
