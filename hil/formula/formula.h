/* Formulas over the quantities of a run, as text: arithmetic, comparisons, and signal temporal logic
 * (Maler and Nickovic, FORMATS 2004) with the robustness of Donze and Maler (FORMATS 2010).
 *
 *   altitude_m > 4.5 and abs(roll_deg) < 10
 *   always[14, 32] abs(altitude_m - 5) < 1
 *   always (armed == 1 implies eventually[0, 2] duty_0 > 0.1)
 *   (altitude_m < 1) until[0, 10] (north_m > 3)
 *
 * Windows are in seconds from the moment at which the operator is judged, both ends included;
 * [2, end], and no window at all, reach to the end of the run. Tighter than and, or and implies bind
 * until, then not, always and eventually, then comparisons: "always a < 1 and b < 2" is
 * "(always a < 1) and b < 2".
 *
 * Robustness: a < b gives b - a, the distance to its edge in the unit of its sides. a == b and a != b
 * are for states and have no distance: infinity where they hold, else -infinity, as Fainekos and
 * Pappas (2009) give propositions. and, always: the smallest; or, eventually: the largest; not: the
 * negative. At 0 the sign decides: -0.0 does not hold (a < a), 0.0 does (a <= a).
 *
 * NaN: a comparison with NaN in it does not hold, negated or not: "not (x < 1)" means "x >= 1", and
 * every not is carried down to the comparisons before anything is judged. Its robustness is
 * -infinity. */
#ifndef HIL_FORMULA_FORMULA_H
#define HIL_FORMULA_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#define FORMULA_TEXT_MAX  400 /* bytes, the last 0 included */
#define FORMULA_DEPTH_MAX 64 /* parentheses, functions and prefixes inside each other */
#define FORMULA_WINDOW_S  86400.0

/* What formulas may speak of: name[i] stands for value[number[i]], or value[i] without number. */
struct formula_names {
        int count;
        const char *const *name;
        const int *number;
};

struct formula_error {
        char text[240]; /* "column 5: ...", what was expected where, in one line */
};

struct formula;

/* NULL with the reason. The names need not outlive the call. */
struct formula *formula_parse(const char *text, const struct formula_names *names,
                              struct formula_error *why);
void formula_free(struct formula *f); /* NULL is allowed */

/* A number, or else something that holds or does not. */
bool formula_is_number(const struct formula *f);
/* Has always, eventually or until in it. */
bool formula_is_temporal(const struct formula *f);
/* Has a part outside of always, eventually and until: judged at the start alone. */
bool formula_has_instant(const struct formula *f);
/* Whether it speaks of that number. */
bool formula_uses(const struct formula *f, int number);
/* How long it looks ahead at least: the ends of windows inside each other added up, with the starts
 * of those that have no end. */
int64_t formula_horizon_ns(const struct formula *f);

/* Of a formula that is not temporal: the number, or the robustness, at one instant. */
double formula_value(const struct formula *f, const double *value);
/* Of a condition that is not temporal. */
bool formula_holds(const struct formula *f, const double *value);

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

#endif
