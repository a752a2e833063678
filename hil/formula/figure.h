/* One figure of a signal over a window: those of a step response, and sums and extremes. Streaming:
 * nothing is kept but what the figure needs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum figure_kind {
        FIGURE_SETTLING_TIME, /* s from the window's start until it is in the band for good */
        FIGURE_RISE_TIME, /* s from 10 % to 90 % of the step */
        FIGURE_OVERSHOOT, /* % of the step, beyond the target */
        FIGURE_STEADY_ERROR, /* distance of its mean over the last fifth from the target */
        FIGURE_RMS,
        FIGURE_MEAN,
        FIGURE_PEAK, /* largest absolute value */
        FIGURE_MINIMUM,
        FIGURE_MAXIMUM,
        FIGURE_HOLDS_SINCE, /* s from the window's start until a condition (1: it holds, 0) became true for good */
        FIGURE_KINDS
};

extern const char *const figure_names[]; /* "settling_time_s"; NULL at the end */

/* From the value `from` to `target`; the band is target - band to target + band. */
struct figure_setup {
        enum figure_kind kind;
        int64_t from_ns, to_ns; /* the window, both ends included */
        double target;
        double from; /* NaN: the signal's first value in the window */
        double band; /* NaN: 2 % of the step */
};

/* Starts zeroed. */
struct figure {
        int64_t count, tail_count;
        double first; /* value, or setup->from */
        double last; /* the one before */
        int64_t last_ns;
        double sum, tail_sum; /* of squares for the RMS */
        double extreme;
        int64_t at_ns; /* the moment that the figure shows: of the extreme, of settling, else the last */
        double low_s,
                high_s; /* when it passed 10 % and 90 %, from the window's start; NaN: not yet */
        double settled_s; /* when it came into the band; INFINITY: it is outside */
        double outside_s; /* when it was outside last */
        bool undefined; /* it was NaN */
};

/* One tick of the window, in order. */
void figure_add(struct figure *f, const struct figure_setup *p, int64_t t_ns,
                double value);
/* Of the window so far. INFINITY: it did not settle or rise. NaN: no tick, a NaN in it, or a step of no
 * height. Between ticks crossings are interpolated. */
double figure_value(const struct figure *f, const struct figure_setup *p);
/* The range that what may still come leaves to the figure. */
void figure_bounds(const struct figure *f, const struct figure_setup *p, double *least,
                   double *most);
