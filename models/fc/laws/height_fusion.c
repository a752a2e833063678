#include "models/fc/laws/height_fusion.h"

#include <math.h>

/* (36) with O_u - R_u, and all of the weight below R_u: docs/errata.md. */
static double sonar_weight(const struct height_fusion_params *p, double sonar_m)
{
        double reach_m = fmax(0.0, sonar_m - p->sonar_offset_m);

        if (!(sonar_m < p->sonar_below_m) || !(sonar_m < p->sonar_max_m))
                return 0.0;
        return sqrt(p->sonar_max_m * p->sonar_max_m - reach_m * reach_m) / p->sonar_max_m;
}

void height_fusion_step(const struct height_fusion_params *p, double pressure_m,
                        double sonar_m, bool echo, struct height_fusion *out)
{
        double w = echo ? sonar_weight(p, sonar_m) : 0.0;

        /* Above its threshold the pressure has no weight. If the sonar hears the ground
         * nevertheless, that ground counts: "the landing area is closer than the pressure sensor
         * perceives it to be" (5.1). */
        if (w > 0.0 && !(pressure_m < p->pressure_below_m))
                w = 1.0;
        out->sonar_weight = w;
        out->pressure_weight = 1.0 - w; /* (37) */
        out->main = w > out->pressure_weight ? HEIGHT_BY_SONAR : HEIGHT_BY_PRESSURE;
        out->height_m = out->pressure_weight * pressure_m; /* (35) */
        if (w > 0.0)
                out->height_m += w * sonar_m;
}
