/* How fast a vehicle's motion decays by itself where that is fastest: what the integrator must keep up
 * with. Real and negative eigenvalues of the plant, with everything else held: drag on a body that falls under
 * full thrust, damping of a turn under the rotors' full torque, and with blade elements the induced velocity of
 * rotors at full speed. */
#pragma once

#include "models/vehicle/vehicle.h"

/* A decay of `rate` is stable in steps of dt while rate dt is less: the end of the classical Runge-Kutta
 * method's region on the real axis, where 1 - x + x^2/2 - x^3/6 + x^4/24 = 1 (Hairer and Wanner, Solving
 * Ordinary Differential Equations II, IV.2). */
#define RK4_REAL_LIMIT 2.785

enum decay { DECAY_TURN, DECAY_DRAG, DECAY_INFLOW, DECAYS };

struct decay_rate {
        double per_s;
        int axis; /* of the body, 0 to 2, where it is fastest; of the inflow 0 */
};

/* p is prepared. */
void vehicle_decay_rates(struct decay_rate rate[DECAYS], const struct vehicle_params *p,
                         double air_density_kgpm3);
