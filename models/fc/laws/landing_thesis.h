/* Gruber's landing controller: down at a given velocity until the measured one has been zero for
 * some time (A.8.6, B.2.7). */
#pragma once

#include <stdbool.h>

#define LANDING_THESIS_KEPT 10 /* measurements of z (A.8.6) */

struct landing_thesis_params {
        double sink_mps; /* "downward velocity" */
        double every_s; /* between two measurements */
        double zero_mps; /* a measured velocity below this is zero */
};

struct landing_thesis {
        double down_m[LANDING_THESIS_KEPT]; /* a ring, the oldest at `next` */
        int kept, next;
        double since_s; /* the last measurement */
        bool landed; /* never reset */
};

/* Climb, up positive: -sink_mps, or 0 once it has landed. down_m: a coordinate. */
double landing_thesis_step(struct landing_thesis *s,
                           const struct landing_thesis_params *p, double down_m,
                           double dt_s);
