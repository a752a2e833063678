#include "models/fc/laws/takeoff_thesis.h"

#include <math.h>

double takeoff_thesis_mps(const struct takeoff_thesis_params *p, double wanted_m,
                          double height_m, bool *done)
{
        double away_m = wanted_m - height_m;

        *done = fabs(away_m) <= p->tolerance_m;
        return p->gain_per_s * away_m;
}
