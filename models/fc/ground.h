/* Height above the surface below, for take-off and landing, by the selected law. */
#pragma once

#include "models/fc/estimate/estimator.h"

struct ground_height {
        double above_m; /* above the landing position, as the sensors say it: standing there it is */
        double standing_m; /* this much */
        bool by_sonar; /* and not by the pressure */
};

/* takeoff_down_m: down coordinate of the take-off position. */
struct ground_height ground_height(const struct fc_estimator *e,
                                   const struct fc_params *p, double takeoff_down_m);

/* Above where it stood, or will stand. */
double ground_clearance_m(const struct fc_estimator *e, const struct fc_params *p,
                          double takeoff_down_m);
