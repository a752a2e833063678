/* The tests that decide, against published values, against counting every way, and by simulation. */
#include <math.h>
#include <stdlib.h>

#include "hil/suite/statistics.h"
#include "models/rng.h"

#include "tests/suites.h"

/* Depression scores of nine patients on two visits: Hollander and Wolfe, Nonparametric Statistical
 * Methods (1973), table 3.1; the example of R's wilcox.test(). */
static const double first_visit[] = {
        1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30
};
static const double second_visit[] = { 0.878, 0.647, 0.598, 2.05, 1.06,
                                       1.29,  1.06,  3.14,  1.29 };

/* Darwin's maize, cross- less self-fertilised, eighths of an inch: Fisher, The Design of Experiments
 * (1935), sections 17 and 21. */
static const double maize[] = {
        49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48
};

static void take_visits(double *d)
{
        for (int i = 0; i < 9; i++)
                d[i] = first_visit[i] - second_visit[i];
}

TEST(quantiles_are_the_tabulated_ones)
{
        /* Abramowitz and Stegun, tables 26.1 and 26.10; the last two by scipy 1.10 (norm, t). */
        ck_assert_double_eq_tol(statistics_normal_quantile(0.9), 1.2815515655446004,
                                1e-12);
        ck_assert_double_eq_tol(statistics_normal_quantile(0.5), 0.0, 1e-12);
        ck_assert_double_eq_tol(statistics_t_quantile(0.975, 9.0), 2.262157, 1e-6);
        ck_assert_double_eq_tol(statistics_t_quantile(0.025, 9.0), -2.262157, 1e-6);
        ck_assert_double_eq_tol(statistics_normal_quantile(1e-9), -5.9978070150076865,
                                1e-9);
        ck_assert_double_eq_tol(statistics_t_quantile(0.9999, 15.0), 4.879998288424575,
                                1e-9);
        ck_assert(isinf(statistics_normal_quantile(0.0)));
        ck_assert(isinf(statistics_t_quantile(1.0, 3.0)));
}

TEST(students_t_of_one_and_two_degrees_has_its_closed_form)
{
        for (double t = 0.0; t < 50.0; t += 0.37) {
                double one = 1.0 - 2.0 / M_PI * atan(t);
                double two = 1.0 - t / sqrt(2.0 + t * t);

                ck_assert_double_eq_tol(statistics_t_two_sided(t, 1.0), one, 1e-13);
                ck_assert_double_eq_tol(statistics_t_two_sided(-t, 2.0), two, 1e-13);
        }
}

TEST(mcnemar_counts_the_divisions_at_least_as_uneven)
{
        /* 299/2048 and 22/1024: sums of binomial coefficients. */
        ck_assert_double_eq_tol(statistics_binomial_two_sided(3, 12), 299.0 / 2048.0,
                                1e-14);
        ck_assert_double_eq_tol(statistics_binomial_two_sided(9, 10), 22.0 / 1024.0,
                                1e-14);
        ck_assert_double_eq(statistics_binomial_two_sided(0, 0), 1.0);
        ck_assert_double_eq(statistics_binomial_two_sided(5, 10), 1.0);
}

TEST(what_none_of_n_showed_follows_the_rule_of_three)
{
        /* Hanley and Lippman-Hand, JAMA 249 (1983): about 3/n at 95 %. */
        ck_assert_double_eq_tol(statistics_unseen_share(300, 0.95), 0.01, 1e-4);
        ck_assert_double_eq_tol(pow(1.0 - statistics_unseen_share(16, 0.99), 16), 0.01,
                                1e-12);
        ck_assert_double_eq(statistics_unseen_share(0, 0.99), 1.0);
}

TEST(hodges_lehmann_is_the_published_one)
{
        struct interval i;
        double d[9];

        take_visits(d);
        /* R: (pseudo)median 0.46, 95 percent confidence interval 0.010 0.786. */
        ck_assert(statistics_hodges_lehmann(d, 9, 0.95, &i));
        ck_assert_double_eq_tol(i.estimate, 0.46, 1e-12);
        ck_assert_double_eq_tol(i.low, 0.010, 1e-12);
        ck_assert_double_eq_tol(i.high, 0.786, 1e-12);
}

TEST(too_few_pairs_have_no_interval)
{
        static const double d[] = { 1, 1, 1, 1, 1, 1, 1, 1 };
        struct interval i;

        ck_assert(!statistics_hodges_lehmann(d, 7, 0.99, &i));
        ck_assert_double_eq(i.estimate, 1.0);
        ck_assert(isinf(i.low) && isinf(i.high));
        ck_assert(statistics_hodges_lehmann(d, 8, 0.99, &i));
        ck_assert_double_eq(i.low, 1.0);
        ck_assert_int_eq(statistics_fewest_pairs(0.01), 8);
        ck_assert_int_eq(statistics_fewest_pairs(0.05), 6);
}

static double normal(struct rng *rng)
{
        return statistics_normal_quantile(rng_uniform(rng));
}

TEST(the_interval_covers_as_often_as_it_says)
{
        /* Exact at 12, approximate at 110: the same rule. */
        static const int pairs[] = { 12, 110 };
        struct rng rng;

        rng_init(&rng, 1, 0, 0, 0);
        for (int k = 0; k < 2; k++) {
                int missed = 0;

                for (int i = 0; i < 1000; i++) {
                        struct interval range;
                        double d[110];

                        for (int j = 0; j < pairs[k]; j++)
                                d[j] = 3.0 + normal(&rng);
                        statistics_hodges_lehmann(d, pairs[k], 0.95, &range);
                        missed += range.low > 3.0 || range.high < 3.0;
                }
                /* 50 expected, deviation 6.9. */
                ck_assert_int_ge(missed, 22);
                ck_assert_int_le(missed, 78);
        }
}

TEST(pairs_to_find_are_cohens)
{
        /* Two-sided paired t-test, alpha 0.05, power 0.8: 34 pairs for 0.5, 15 for 0.8, 199 for 0.2
         * (G*Power 3.1). */
        ck_assert_int_eq(statistics_pairs_to_find(0.5, 0.05, 0.8), 34);
        ck_assert_int_eq(statistics_pairs_to_find(-0.8, 0.05, 0.8), 15);
        /* The approximation may be one short. */
        ck_assert_int_ge(statistics_pairs_to_find(0.2, 0.05, 0.8), 198);
        ck_assert_int_le(statistics_pairs_to_find(0.2, 0.05, 0.8), 199);
        ck_assert_int_eq(statistics_pairs_to_find(0.0, 0.05, 0.8), PAIRS_NEVER);
}

TEST(pairs_to_exclude_make_the_interval_fit)
{
        int n = statistics_pairs_to_exclude(0.1, 1.0, 0.6, 0.99);

        ck_assert_double_le(statistics_t_quantile(0.995, n - 1.0) / sqrt(n), 0.5);
        ck_assert_double_gt(statistics_t_quantile(0.995, n - 2.0) / sqrt(n - 1.0), 0.5);
        ck_assert_int_eq(statistics_pairs_to_exclude(0.6, 1.0, 0.6, 0.99), PAIRS_NEVER);
        ck_assert_int_eq(statistics_pairs_to_exclude(0.0, 0.0, 0.6, 0.99), 2);
}

static struct flip_result flip(const double *d, int n)
{
        struct flip_table t = { .rows = 1, .pairs = n, .value = d };
        struct flip_result r;

        ck_assert(statistics_flip(&t, &r));
        ck_assert_double_eq(r.alone, r.among);
        return r;
}

TEST(sign_flips_give_fishers_probability_for_darwins_maize)
{
        double d[9];

        /* Fisher: 1726 of 32768 (scipy 1.10 counts the same). */
        ck_assert_double_eq_tol(flip(maize, 15).alone, 1726.0 / 32768.0, 1e-12);
        take_visits(d);
        /* scipy.stats.permutation_test, all samples: 14 of 512. */
        ck_assert_double_eq_tol(flip(d, 9).alone, 14.0 / 512.0, 1e-12);
}

TEST(outcomes_get_mcnemars_probability)
{
        static const double d[] = { -1, -1, 0, 1, -1, -1, 0, -1, -1, -1, 0, -1, -1 };

        ck_assert_double_eq_tol(flip(d, 13).alone, statistics_binomial_two_sided(1, 10),
                                1e-12);
}

TEST(a_missing_pair_is_as_good_as_none)
{
        double d[16];

        for (int i = 0; i < 15; i++)
                d[i] = maize[i];
        d[15] = NAN;
        ck_assert_double_eq_tol(flip(d, 16).alone, flip(maize, 15).alone, 1e-12);
}

TEST(one_wild_run_hides_nothing)
{
        double d[12];

        for (int i = 0; i < 12; i++)
                d[i] = 1.0 + 0.05 * i;
        d[7] = -1e6;
        /* Its size would drown the other eleven: then nearly every way is as large. */
        ck_assert_double_lt(flip(d, 12).alone, 0.1);
        d[7] = 1e6;
        ck_assert_double_le(flip(d, 12).alone, 2.0 / 4096.0);
}

TEST(scale_and_side_do_not_matter)
{
        double d[15];

        for (int i = 0; i < 15; i++)
                d[i] = -1e-300 * maize[i];
        ck_assert_double_eq_tol(flip(d, 15).alone, flip(maize, 15).alone, 1e-12);
}

TEST(drawn_flips_agree_with_all_of_them)
{
        /* 18 pairs are drawn, 15 are all tried: three that are zero change nothing. */
        double d[18] = { 0 };

        for (int i = 0; i < 15; i++)
                d[i] = maize[i];
        /* Deviation of 10,000 draws: 0.0022. */
        ck_assert_double_eq_tol(flip(d, 18).alone, flip(maize, 15).alone, 0.008);
}

TEST(rows_that_move_together_cost_nothing)
{
        double d[40 * 10];
        struct flip_table t = { .rows = 40, .pairs = 10, .value = d };
        struct flip_result r[40];
        struct rng rng;

        rng_init(&rng, 5, 0, 0, 0);
        for (int i = 0; i < 10; i++) {
                double x = 0.4 + normal(&rng);

                for (int j = 0; j < 40; j++)
                        d[j * 10 + i] = (j + 1) * x;
        }
        ck_assert(statistics_flip(&t, r));
        for (int j = 0; j < 40; j++) {
                ck_assert_double_eq_tol(r[j].alone, r[0].alone, 1e-12);
                ck_assert_double_eq_tol(r[j].among, r[0].alone, 1e-12);
        }
}

TEST(adjusted_is_never_below_alone_nor_above_holm)
{
        double d[20 * 12];
        struct flip_table t = { .rows = 20, .pairs = 12, .value = d };
        struct flip_result r[20];
        struct rng rng;

        rng_init(&rng, 6, 0, 0, 0);
        for (int i = 0; i < 20 * 12; i++)
                d[i] = normal(&rng) + (i / 12 < 3 ? 4.0 : 0.0);
        ck_assert(statistics_flip(&t, r));
        for (int j = 0; j < 20; j++) {
                ck_assert_double_ge(r[j].among, r[j].alone);
                ck_assert_double_le(r[j].among, 1.0);
        }
        for (int j = 0; j < 3; j++)
                ck_assert_double_le(r[j].among, 0.01);
}

TEST(exchanged_runs_have_wilcoxons_probability)
{
        /* 2 of 252 ways. Deviation of 10,000 draws: 0.0009. */
        static const double apart[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
        /* 0.83 0.91 1.07 1.38 1.49 against 0.71 0.86 1.24 1.45 1.52: R's wilcox.test(), exact, 1. */
        static const double mixed[] = { 0.83, 0.91, 1.07, 1.38, 1.49,
                                        0.71, 0.86, 1.24, 1.45, 1.52 };
        struct flip_table t = { .rows = 1, .pairs = 5, .value = apart };
        struct flip_result r;

        ck_assert(statistics_exchange(&t, &r));
        ck_assert_double_eq_tol(r.alone, 2.0 / 252.0, 0.004);
        t.value = mixed;
        ck_assert(statistics_exchange(&t, &r));
        ck_assert_double_eq_tol(r.alone, 1.0, 1e-12);
        ck_assert_int_eq(statistics_fewest_exchanged(0.005), 6);
}

TEST(exchange_leaves_out_runs_without_a_twin)
{
        static const double v[] = { 1, 2, 3, 4, 5, NAN, 6, 7, 8, 9, 10, 0 };
        struct flip_table t = { .rows = 1, .pairs = 6, .value = v };
        struct flip_result r;

        ck_assert(statistics_exchange(&t, &r) && r.alone < 0.03);
}

/* Of `tries` comparisons of `rows` correlated quantities, how many find any. */
static int alarms(int tries, int pairs, double shift, uint64_t seed)
{
        enum { ROWS = 30, MOST = 40 };
        static double d[ROWS * MOST];
        struct flip_table t = { .rows = ROWS, .pairs = pairs, .value = d };
        struct flip_result r[ROWS];
        struct rng rng;
        int found = 0;

        rng_init(&rng, seed, 0, 0, 0);
        for (int k = 0; k < tries; k++) {
                bool any = false;

                for (int i = 0; i < pairs; i++) {
                        double common = normal(&rng);

                        for (int j = 0; j < ROWS; j++) {
                                double x = 0.5 * common + normal(&rng);

                                /* Heavy tails, and steps of a coarse reading. */
                                x = j % 3 == 0 ? x * x * x : j % 3 == 1 ? round(x) : x;
                                d[j * pairs + i] = x + (j == 2 ? shift : 0.0);
                        }
                }
                ck_assert(statistics_flip(&t, r));
                for (int j = 0; j < ROWS; j++)
                        any = any || r[j].among <= 0.01;
                found += any;
        }
        return found;
}

TEST(a_release_against_itself_alarms_once_in_a_hundred_at_most)
{
        /* 10 expected of 1000, deviation 3.1: 20 would be a chance of 0.2 %. */
        ck_assert_int_le(alarms(1000, 8, 0.0, 11), 19);
        ck_assert_int_le(alarms(1000, 12, 0.0, 12), 19);
}

TEST(drawn_flips_alarm_no_more_often)
{
        /* 2 expected of 200. */
        ck_assert_int_le(alarms(200, 24, 0.0, 13), 7);
}

TEST(a_shift_of_two_and_a_half_deviations_is_found_in_sixteen_pairs)
{
        ck_assert_int_ge(alarms(50, 16, 2.8, 14), 49);
}
