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
