#include "models/plant/motor.h"

#include <math.h>

void motor_params_prepare(struct motor_params *p, double dt_s)
{
        p->step_duty = p->steps > 0.0 ? 1.0 / p->steps : 0.0;
        p->down_ratio = p->tau_down_s > 0.0 && p->tau_down_s != p->tau_s
                                ? expm1(-dt_s / p->tau_down_s) / expm1(-dt_s / p->tau_s)
                                : 0.0;
}

double motor_reach(const struct motor_params *p, double dt_s)
{
        return -expm1(-dt_s / p->tau_s);
}

void motor_quad_add(struct motor_quad *q, int lane, const struct motor_params *p,
                    double reach_half, double reach_full)
{
        q->fits &= p->thrust_linear == 0.0 && p->down_ratio == 0.0;
        q->steps[lane] = p->steps;
        q->step_duty[lane] = p->step_duty;
        q->dead_band[lane] = p->dead_band;
        q->full_radps[lane] = p->speed_full_radps;
        q->limit_radps[lane] = p->speed_limit_radps;
        q->tau_s[lane] = p->tau_s;
        q->reach_half[lane] = reach_half;
        q->reach_full[lane] = reach_full;
}
