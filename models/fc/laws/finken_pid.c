#include "models/fc/laws/finken_pid.h"

static bool same_sign(double a, double b)
{
        return (a < 0.0) == (b < 0.0);
}

double finken_pid_step(struct finken_pid *c, const struct finken_gains *gains,
                       double d_tau_s, double error, double dt_s, bool hold)
{
        if (c->started && dt_s > 0.0) {
                double reach = d_tau_s > 0.0 ? -expm1(-dt_s / d_tau_s) : 1.0;

                c->slope_per_s += reach * ((error - c->error) / dt_s - c->slope_per_s);
        }
        if (hold || (c->started && !same_sign(error, c->error)))
                c->integral_s = 0.0;
        else
                c->integral_s += error * dt_s;
        c->error = error;
        c->started = true;
        return gains->p * error + gains->i_per_s * c->integral_s +
               gains->d_s * c->slope_per_s;
}
