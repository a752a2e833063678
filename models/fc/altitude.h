/* Height -> climb -> thrust: P, then PI with the drag of the desired climb fed forward, and the
 * thrust that keeps its vertical component when the vehicle tilts. */
#pragma once

#include "models/fc/estimate/motion.h"

struct altitude {
        double integral_mps2; /* up */
};

/* Climb that leads to a height, up positive. */
double altitude_climb_mps(const struct fc_params *p, const struct motion *is,
                          double target_down_m);

/* Total thrust for a climb. thrust_max_n: of all rotors together. */
double altitude_step(struct altitude *c, const struct fc_params *p,
                     const struct motion *is, struct quat q_body_to_ned, double climb_mps,
                     double thrust_max_n, double dt_s);
