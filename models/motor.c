#include "models/motor.h"

#include <math.h>

double motor_reach(const struct motor_params *p, double dt_s)
{
        return -expm1(-dt_s / p->tau_s);
}

void motor_step(struct motor *m, const struct motor_params *p, double duty, double reach)
{
        double target = motor_target_radps(p, duty, 1.0);

        m->speed_radps = motor_speed_after(m->speed_radps, target, reach);
}
