/* Robust least squares with an interval for each parameter: MINPACK's lmder with numerical derivatives. Errors that are
 * correlated in time are allowed for by what leaving out a whole stretch would change. It does not know what the parameters
 * mean. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define LEAST_PARAMETERS 40
#define LEAST_CHANNELS   8
#define LEAST_STRETCHES  6 /* with fewer there are no intervals */

/* Residuals, row after row of `channels`, of the parameters; NaN: not there. Several threads ask at a time. */
typedef void (*least_residuals)(const void *of, const double *parameters, double *out);

struct least_problem {
        int parameters, channels;
        int considered; /* that come behind them: not fitted, but as uncertain as their scales say; residuals know no others */
        size_t rows;
        const int *
                stretch; /* of each row; errors of one belong together; NULL: no intervals are asked for */
        const double *start; /* of each parameter */
        const double
                *scale; /* > 0: its usual size, and 1 sigma of what is known beforehand */
        const double *low, *high; /* limits, both inside them */
        least_residuals residuals;
        const void *of;
        const double *begin; /* a solution is near there; NULL: nobody knows */
        bool rough; /* values to some per mille and no intervals will do */
        const bool *held; /* of each parameter: stays at its start; NULL: none does */
};

struct least_result {
        double value[LEAST_PARAMETERS];
        double half
                [LEAST_PARAMETERS]; /* of the 95 % interval; INFINITY: too few stretches */
        size_t stretches; /* with residuals in them */
        int iterations;
};

/* False: `why`. */
bool least_squares(const struct least_problem *p, struct least_result *r, char *why,
                   size_t cap);
