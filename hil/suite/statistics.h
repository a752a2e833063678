/* What comparing two releases needs of statistics: exact tests that ask for no distribution, an
 * estimate with its interval, and how many pairs a question takes. Arithmetic only; every result is a
 * function of the arguments. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Probabilities in 0..1; a quantile of 0 or 1 is infinite. */
double statistics_normal_quantile(double p);
/* Student's t: the probability of a value at least as far from 0, either way; and the quantile. */
double statistics_t_two_sided(double t, double df);
double statistics_t_quantile(double p, double df);

/* McNemar's exact test: of n runs whose outcome changed, k changed one way. Two-sided probability
 * of a division at least as uneven, when either way is as likely. 1 for n = 0. */
double statistics_binomial_two_sided(int k, int n);

/* The largest share that none of n tries showing it leaves possible, one-sided. 1 for n = 0. */
double statistics_unseen_share(int n, double confidence);

struct interval {
        double estimate, low, high;
};

/* Hodges-Lehmann: the median of the pairwise means of d[0..n-1], with the exact interval of the
 * signed-rank test (Hollander and Wolfe, Nonparametric Statistical Methods, 3.2 and 3.3; normal
 * approximation above 100 pairs). False, with an infinite interval, when so few pairs can give no
 * interval of that confidence; the estimate is right all the same. n 1 to 2000. NaN estimate: no
 * memory. */
bool statistics_hodges_lehmann(const double *d, int n, double confidence,
                               struct interval *out);

double statistics_mean(const double *d, int n);
/* With n - 1; 0 for fewer than two. */
double statistics_deviation(const double *d, int n);

/* Fewest pairs for which an exact sign-flip test can reach alpha: 2 / 2^n <= alpha. */
int statistics_fewest_pairs(double alpha);
/* Fewest on each side for which an exchange of runs can: 2 / (2n over n) <= alpha. */
int statistics_fewest_exchanged(double alpha);

#define PAIRS_NEVER 1000000 /* no number of pairs below would do */

/* Pairs after which a difference of mean/deviation = effect is found with this power by a two-sided
 * paired test at alpha. Published values: Cohen's tables, as G*Power prints them. */
int statistics_pairs_to_find(double effect, double alpha, double power);
/* Pairs after which the interval of that confidence, about the mean, lies within +-margin with
 * even chance. */
int statistics_pairs_to_exclude(double mean, double deviation, double margin,
                                double confidence);

/* Many quantities of pairs: row-major, NaN where a quantity has no pair. */
struct flip_table {
        int rows, pairs;
        const double *
                value; /* rows x pairs differences; to exchange: rows x 2 pairs, of each row the
                                baseline's values, then the candidate's */
};

struct flip_result {
        double alone; /* probability for the row by itself */
        double among; /* adjusted for all rows: at most alpha in any row by chance alpha */
};

/* The sign-flip test with the step-down maximum of Westfall and Young (Resampling-Based Multiple
 * Testing, 1993). When both sides are the same release, swapping them within a pair changes
 * nothing but the signs of all its differences at once; so the signs are turned in every way, or in
 * FLIP_DRAWS drawn ones, and a row's |sum of scores| is held against the largest of all rows. A
 * score is the difference, no larger than three times the row's median one (so that one wild run
 * hides nothing), over the row's root sum of squares: both the same under every flip, so the test
 * stays exact. False: no memory. */
bool statistics_flip(const struct flip_table *t, struct flip_result *out);

/* The same with exchanged runs: any half of all runs could have been the candidate's, and a score is a value's
 * rank among both sides (Wilcoxon's rank sum). It does not look at who is whose twin: where twins resemble each
 * other it is cautious, where they do not it finds with ten pairs what sign flips cannot. */
bool statistics_exchange(const struct flip_table *t, struct flip_result *out);

#define FLIP_DRAWS 9999 /* where not every way is tried */
