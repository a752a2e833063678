/* Where a quantity changes its level along an ordered list of releases, any number of times. All levels and the spread of
 * releases about them are unknown. For each number of changes their best places are found (segment neighbourhood: Auger
 * and Lawrence 1989), and the number by what each change takes off the residuals, weighed by Schwarz's criterion (1978) and
 * against the chance of a false alarm. */
#pragma once

#include <stdbool.h>

#define HISTORY_CHANGES_MAX 8

struct history_change {
        int at; /* the first release behind it */
        int first, last; /* it is one of these, with a probability of 95 % */
        double from,
                to; /* means of the levels before and behind, up to the next change */
};

struct history_changes {
        int count;
        struct history_change of[HISTORY_CHANGES_MAX];
        double spread; /* standard deviation of the releases about their levels */
};

/* level[0..releases-1], NAN: not known. least: spread that releases have anyway, > 0. doubt: chance of a false alarm, 0..1.
 * False: no memory. */
bool history_find_changes(struct history_changes *c, const double *level, int releases,
                          double least, double doubt);
