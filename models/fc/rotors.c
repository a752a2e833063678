#include "models/fc/rotors.h"

/* The share of a step that a first-order lag covers in dt_s; 1 without a lag. */
static double reach(double tau_s, double dt_s)
{
        return tau_s > 0.0 ? -expm1(-dt_s / tau_s) : 1.0;
}

static double limit(const struct fc_params *p, double speed_radps)
{
        double most = fmin(p->speed_limit_radps, p->speed_full_radps);

        return fmin(fmax(speed_radps, 0.0), most);
}

void rotors_step(struct rotors *r, const struct fc_params *p,
                 const double thrust_n[ROTORS_MAX], double dt_s,
                 struct motor_command *out)
{
        double motor = reach(p->motor_tau_s, dt_s);
        double wanted = reach(fmin(p->motor_tau_wanted_s, p->motor_tau_s), dt_s);

        for (int i = 0; i < ROTORS_MAX; i++) {
                double command;

                r->target_radps[i] = sqrt(thrust_n[i] / p->thrust_n_per_radps2);
                command = r->model_radps[i] +
                          wanted / motor * (r->target_radps[i] - r->model_radps[i]);
                command = limit(p, command);
                r->model_radps[i] += motor * (command - r->model_radps[i]);
                out->duty[i] = i < p->rotors ? command / p->speed_full_radps : 0.0;
        }
}

void rotors_even(struct rotors *r, const struct fc_params *p, double duty, double dt_s,
                 struct motor_command *out)
{
        double motor = reach(p->motor_tau_s, dt_s);
        double speed_radps = limit(p, duty * p->speed_full_radps);

        for (int i = 0; i < ROTORS_MAX; i++) {
                r->target_radps[i] = speed_radps;
                r->model_radps[i] += motor * (speed_radps - r->model_radps[i]);
                out->duty[i] = i < p->rotors ? speed_radps / p->speed_full_radps : 0.0;
        }
}
