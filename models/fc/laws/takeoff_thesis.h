/* Gruber's take-off controller: proportional to the height error (A.8.8, B.2.6). Its correcting
 * variable is a velocity. */
#pragma once

#include <stdbool.h>

struct takeoff_thesis_params {
        double gain_per_s;
        double tolerance_m; /* "successfully executed" within it */
};

/* Climb, up positive, to wanted_m; *done if the height is within the tolerance. */
double takeoff_thesis_mps(const struct takeoff_thesis_params *p, double wanted_m,
                          double height_m, bool *done);
