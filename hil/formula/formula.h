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
 * Over all vehicles: all(p), any(p), count(p), highest(x), lowest(x), mean(x). Plain names inside are each vehicle's own.
 *
 * Robustness: a < b gives b - a, the distance to its edge in the unit of its sides. a == b and a != b
 * are for states and have no distance: infinity where they hold, else -infinity, as Fainekos and
 * Pappas (2009) give propositions. and, always: the smallest; or, eventually: the largest; not: the
 * negative. At 0 the sign decides: -0.0 does not hold (a < a), 0.0 does (a <= a).
 *
 * NaN: a comparison with NaN in it does not hold, negated or not: "not (x < 1)" means "x >= 1", and
 * every not is carried down to the comparisons before anything is judged. Its robustness is
 * -infinity. */
#pragma once

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
        /* all(), any(), count(), highest(), lowest() and mean() go over so many vehicles, 0: there is none of these.
         * The first `each` names have numbers 0 to each - 1 of the first vehicle, and each more of every next. */
        int vehicles, each;
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

/* What a formula holds for without having asked anything: an `implies` whose condition never comes. *out
 * is a formula that holds where such a condition came, freed by the caller; NULL: this one always asks
 * something. False: no memory. */
bool formula_witness(const struct formula *f, struct formula **out);

/* Of a formula that is not temporal: the number, or the robustness, at one instant. */
double formula_value(const struct formula *f, const double *value);
/* Of a condition that is not temporal. */
bool formula_holds(const struct formula *f, const double *value);
