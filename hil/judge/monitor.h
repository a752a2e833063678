/* Formulas judged while a run goes on, tick by tick. */
#pragma once

#include "hil/formula/formula.h"

/* A temporal formula judged from time 0 while a run goes on. Nothing is allocated after it was
 * created, and a tick costs the same on average however long the windows are. An operator inside
 * another holds as many values as its window has ticks, 16 bytes each (until: 64), and all of it
 * twice; the outermost hold none.
 *
 * What the run has not shown is unknown: `lo` is the robustness if all of it turned out as badly
 * as can be, `hi` as well as can be (Deshmukh et al., Robust online monitoring of STL, 2017). Time 0
 * is the first tick if that is later. A window into which no tick falls takes the next tick. A
 * window beyond end_ns is never known to its end. */
struct monitor;

struct monitor_result {
        bool decided; /* nothing that may still come can change `holds` */
        bool open; /* the run ended before a window did, and nothing decided */
        bool holds;
        double robustness; /* of the whole where that is certain. Else the bound that stands: `hi` of
                              what does not hold, `lo` of what does, the finite one of what is open */
        double lo, hi;
        int64_t at_ns; /* the moment that decides the robustness: the worst of always, the best of
                          eventually, the earliest of several */
        int64_t decided_ns; /* the first tick that made it certain; -1: none did. An operator inside
                               another is taken into account when its window is over */
};

/* f outlives it. end_ns: of the run. NULL: no memory, or windows so long that their values would not
 * fit. */
#define MONITOR_VALUES_MAX 10000000
struct monitor *monitor_create(const struct formula *f, int64_t period_ns,
                               int64_t end_ns);
void monitor_free(struct monitor *m); /* NULL is allowed */
/* One tick, t_ns a period after the last one's. What comes after end_ns is ignored. */
void monitor_observe(struct monitor *m, int64_t t_ns, const double *value);
/* As if the run ended with the last observed tick. Exact, and for operators inside others as slow as
 * the rest of the run would be: for the end of a run. */
void monitor_judge(const struct monitor *m, struct monitor_result *out);
/* The same while the run goes on, at the cost of a look. False: it would be slow, an operator inside another has not come to its
 * end. */
bool monitor_so_far(const struct monitor *m, struct monitor_result *out);
