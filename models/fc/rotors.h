/* Rotor thrust -> motor duty, leading the motor's lag: the command overshoots the desired speed for
 * as long as the motor lags behind it. The motor's speed is modelled from the commands alone. */
#pragma once

#include "models/fc/laws/params.h"

struct rotors {
        double target_radps[ROTORS_MAX]; /* before the lead */
        double model_radps[ROTORS_MAX]; /* at the end of the step */
};

/* `out` is held for about dt_s. */
void rotors_step(struct rotors *r, const struct fc_params *p,
                 const double thrust_n[ROTORS_MAX], double dt_s,
                 struct motor_command *out);

/* The same duty for all, without lead; 0 stops them. */
void rotors_even(struct rotors *r, const struct fc_params *p, double duty, double dt_s,
                 struct motor_command *out);
