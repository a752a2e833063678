#include "models/fc/laws/kemper.h"

struct vec3 kemper_torque(struct kemper *c, const struct fc_params *p, bool pid,
                          const struct attitude_ask *ask)
{
        const struct kemper_params *gain = &p->kemper;
        struct vec3 error = attitude_error(ask->is, ask->wanted);
        struct vec3 torque =
                vec3_sub(vec3_times(gain->p_nm_per_rad, error),
                         vec3_times(gain->d_nm_per_radps, ask->rate_body_radps));

        if (pid) {
                torque = vec3_add(torque, c->integral_nm);
                attitude_integrate(&c->integral_nm, p, gain->i_nm_per_rads, error, torque,
                                   ask);
        }
        return attitude_limit(p, torque);
}
