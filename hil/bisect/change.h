/* Where in an ordered list of builds a quantity changes its level, when the builds differ a little anyway: the change's place,
 * both levels and the spread are unknown, and that there is no change is a hypothesis, too. Each is weighed by its Bayes factor
 * against no change (a change of mean at an unknown place: Chernoff and Zacks 1964; unknown level and spread with their
 * right-invariant prior, and the change in spreads normal: Gonen et al. 2005). Whatever level and spread really are, factors
 * above x come by chance once in x lists at most, however one looks on (Hendriksen, de Heide and Grunwald 2021), if the builds
 * scatter normally. The next build to look at is the one whose side is most open, as in a probabilistic binary search
 * (Horstein 1963). */
#pragma once

#include <stdbool.h>

struct bisect_change {
        int builds;
        double *level; /* owned: of each build; NAN: not looked at yet */
        bool *unseen; /* owned: it cannot be looked at */
        double *probability; /* owned: [0] that there is no change, [k] that build k is the first behind it */
};

/* False: no memory. builds 2 or more. */
bool bisect_change_open(struct bisect_change *c, int builds);
void bisect_change_close(struct bisect_change *c); /* cleared is allowed */

/* After levels have changed. */
void bisect_change_solve(struct bisect_change *c);

/* That a build is behind the change, if there is one. */
double bisect_change_behind(const struct bisect_change *c, int build);

/* The build whose side is most open, of those that can be looked at and are not `spent`; -1: none. */
int bisect_change_next(const struct bisect_change *c, const bool *spent);

/* Builds that cannot be looked at cannot be told from the one behind them. The likeliest such range, in most cases
 * of one build, and how probable it is that the first one behind the change lies in it. */
struct bisect_range {
        int first, last;
        double probability;
};
struct bisect_range bisect_change_best(const struct bisect_change *c);
/* The shortest row of builds in which it lies with this probability, if there is a change. */
struct bisect_range bisect_change_within(const struct bisect_change *c, double share);
