/* The FINken's PID (Maeurer and Velinov 3.1.2): its integral is reset when the error changes sign, its
 * only protection against wind-up.
 *
 * The thesis prints gains without units. Those of its own program (github.com/ovgu-FINken/Simulation,
 * vrep/scripts/finkenPID.lua) count time in steps of 50 ms: a printed K_I of 0.1 is 2 per second, a
 * printed K_D of 1.5 is 0.075 s. The derivative there is the difference over such a step, of target and
 * attitude alike; here it is taken at every frame and smoothed. The first step has none. */
#pragma once

#include "models/fc/laws/params.h"

struct finken_pid {
        double error, integral_s; /* the error's integral: its unit times s */
        double slope_per_s; /* the error's derivative, smoothed */
        bool started;
};

/* d_tau_s: lag of the derivative. hold: nothing integrates. */
double finken_pid_step(struct finken_pid *c, const struct finken_gains *gains,
                       double d_tau_s, double error, double dt_s, bool hold);
