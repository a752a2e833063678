/* Allan deviations of rates at rest: overlapping, with the degrees of freedom that the noise itself leaves them (Greenhall
 * and Riley 2003; Riley, NIST SP 1065, 5.4), for a sum of three kinds of noise in the terms of IEEE Std 952:
 *
 *   variance(tau) = N^2/tau + (2 ln 2/pi) B^2 + K^2 tau/3 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define ALLAN_TAUS_MAX 24 /* octaves */

enum allan_noise { ALLAN_WHITE, ALLAN_FLICKER, ALLAN_WALK, ALLAN_NOISES };
#define ALLAN_PAIRS (ALLAN_NOISES * (ALLAN_NOISES + 1) / 2)

/* Over `factor` samples of the mean of each two neighbouring stretches, all that there are. 2 factor < count. */
double allan_variance(const double *sample, size_t count, size_t factor);

/* Averaging times of 1, 2, 4, ... samples, the longest of a quarter of the record. */
struct allan {
        double period_s;
        size_t count; /* samples */
        int taus;
        double variance[ALLAN_TAUS_MAX];
};

/* `sum` has room for count + 1. */
void allan_octaves(struct allan *a, const double *sample, size_t count, double period_s,
                   double *sum);
static inline double allan_tau_s(const struct allan *a, int i)
{
        return a->period_s * (double)((size_t)1 << i);
}

/* How estimates of a record of so many samples scatter: for amounts c of the noises, which have the variances
 * c0/tau, c1 and c2 tau at tau in samples, their covariance is the sum over pairs k <= l of c_k c_l part[pair]. */
struct allan_scatter {
        int taus;
        double part[ALLAN_TAUS_MAX][ALLAN_TAUS_MAX]
                   [ALLAN_PAIRS]; /* the first index is not the larger one */
};

void allan_scatter_make(struct allan_scatter *s, size_t count, int taus);
double allan_covariance(const struct allan_scatter *s, int i, int k,
                        const double amount[ALLAN_NOISES]);
double allan_expected(int i, const double amount[ALLAN_NOISES]);
/* Of the variance at octave i. */
double allan_freedom(const struct allan_scatter *s, int i,
                     const double amount[ALLAN_NOISES]);

/* The probability that chi-square of so many degrees of freedom is below x. */
double allan_chi_square_below(double x, double freedom);
/* What x has to be for chi-square of so many degrees of freedom to be below it with that probability. */
double allan_chi_square(double probability, double freedom);
