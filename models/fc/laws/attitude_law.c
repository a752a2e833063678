#include "models/fc/laws/attitude_law.h"

#include "models/fc/laws/dikmen.h"

struct vec3 attitude_law_torque(struct attitude_law_state *c, const struct fc_params *p,
                                const struct attitude_ask *given)
{
        struct attitude_ask ask = *given;

        ask.rate_body_radps =
                rate_filter_step(&c->filter, &p->filter, ask.rate_body_radps, ask.dt_s);
        switch (p->law.attitude) {
        case ATTITUDE_KEMPER_PID:
        case ATTITUDE_KEMPER_PD:
                return kemper_torque(&c->kemper, p,
                                     p->law.attitude == ATTITUDE_KEMPER_PID, &ask);
        case ATTITUDE_HOFFMANN:
                return hoffmann_torque(&c->hoffmann, p, &ask);
        case ATTITUDE_DIKMEN:
                return dikmen_torque(p, &ask);
        case ATTITUDE_FINKEN:
                return finken_attitude_torque(&c->finken, p, &ask);
        case ATTITUDE_CASCADE:
        case ATTITUDE_LAWS:
                break;
        }
        return attitude_torque(&c->cascade, p, attitude_rate(p, ask.is, ask.wanted),
                               &ask);
}

struct vec3 attitude_law_trim_nm(const struct attitude_law_state *c,
                                 const struct fc_params *p)
{
        const struct finken_params *f = &p->finken;

        switch (p->law.attitude) {
        case ATTITUDE_KEMPER_PID:
                return c->kemper.integral_nm;
        case ATTITUDE_HOFFMANN:
                return c->hoffmann.integral_nm;
        case ATTITUDE_FINKEN:
                return attitude_limit(
                        p, vec3_times(finken_authority_nm(p, p->mass_kg * 9.80665),
                                      (struct vec3){ f->roll_pitch.i_per_s *
                                                             c->finken.roll.integral_s,
                                                     f->roll_pitch.i_per_s *
                                                             c->finken.pitch.integral_s,
                                                     f->yaw.i_per_s *
                                                             c->finken.yaw.integral_s }));
        case ATTITUDE_KEMPER_PD:
        case ATTITUDE_DIKMEN:
                return (struct vec3){ 0.0, 0.0, 0.0 };
        case ATTITUDE_CASCADE:
        case ATTITUDE_LAWS:
                break;
        }
        return c->cascade.integral_nm;
}

static bool all_positive(struct vec3 v)
{
        return v.x > 0.0 && v.y > 0.0 && v.z > 0.0;
}

bool attitude_law_ready(const struct fc_params *p, enum attitude_law law)
{
        switch (law) {
        case ATTITUDE_CASCADE:
                return true;
        case ATTITUDE_KEMPER_PID:
        case ATTITUDE_KEMPER_PD:
                return all_positive(p->kemper.p_nm_per_rad);
        case ATTITUDE_HOFFMANN:
                return all_positive(p->hoffmann.p_nm_per_rad);
        case ATTITUDE_DIKMEN:
                return all_positive(p->dikmen.inertia_kgm2) &&
                       all_positive(p->dikmen.surface_per_s);
        case ATTITUDE_FINKEN:
                return p->finken.roll_pitch.p > 0.0 && p->finken.yaw.p > 0.0;
        case ATTITUDE_LAWS:
                break;
        }
        return false;
}
