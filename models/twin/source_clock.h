/* The clock of whoever measures, against ours: every word has a time by that clock and arrives by ours, late by a
 * delay that is never negative and that nobody says. The least difference of arrival and measurement in each window
 * of time lies close to the difference of the clocks, but for the least delay of the way, which only the user can
 * know; through the minima of the windows goes a line, whose slope is how much faster ours runs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SOURCE_CLOCK_WINDOW_NS INT64_C(2000000000)
#define SOURCE_CLOCK_WINDOWS   32
/* A difference that lies so far beside the line is another clock: it was set, or has started anew. */
#define SOURCE_CLOCK_JUMP_S 1.0

struct source_clock {
        bool known;
        int64_t first_ns; /* ours, of the first word since it was last set */
        int64_t zero_ns; /* ours minus theirs, then */
        int windows; /* that are full; a ring */
        struct {
                double at_s, least_s; /* since first_ns; beyond zero_ns */
        } window[SOURCE_CLOCK_WINDOWS];
        int64_t window_end_ns;
        double at_s, least_s; /* of the window that is open */
        uint64_t jumps;
};

/* A word that was measured at theirs_ns arrived at ours_ns. Returns by how much later than the fastest it came. */
int64_t source_clock_hear(struct source_clock *c, int64_t theirs_ns, int64_t ours_ns);

/* Parts in a million by which ours runs faster than theirs, with one standard deviation; false: not enough is known,
 * for which less than four windows are. */
bool source_clock_drift(const struct source_clock *c, double *ppm, double *sigma_ppm);
