/* Slow noise: the Allan deviations that its parameters promise, whatever the rate.
 * Expected deviations are IEEE Std 952's; the tolerances are four standard errors of
 * the estimate and what the finite row of processes leaves out. */
#include <math.h>
#include <string.h>

#include "models/sensors/errors/drift.h"

#include "tests/suites.h"

#define FLOOR 0.6643 /* sqrt(2 ln 2/pi) */

static struct drift drift;
static struct drift_params params;

static struct drift_params of_all_axes(double instability, double walk, double sample_s)
{
        struct drift_params p = { .every = 0 };

        for (int i = 0; i < DRIFT_AXES; i++) {
                p.instability[i] = instability;
                p.walk[i] = walk;
        }
        drift_params_prepare(&p, sample_s);
        return p;
}

static void start(double instability, double walk, double sample_s, uint64_t seed)
{
        params = of_all_axes(instability, walk, sample_s);
        drift_init(&drift, &params, seed, 0, 0, 16, 24);
}

/* Allan deviation at one averaging time, over neighbouring clusters, from all six
 * axes. */
struct allan {
        int in_cluster, clusters; /* samples per cluster; clusters so far */
        int count;
        double sum[DRIFT_AXES], before[DRIFT_AXES], square;
};

static void allan_add(struct allan *a)
{
        for (int i = 0; i < DRIFT_AXES; i++)
                a->sum[i] += drift.sum[i];
        if (++a->count < a->in_cluster)
                return;
        for (int i = 0; i < DRIFT_AXES; i++) {
                double mean = a->sum[i] / a->in_cluster, d = mean - a->before[i];

                if (a->clusters > 0)
                        a->square += 0.5 * d * d;
                a->before[i] = mean;
                a->sum[i] = 0.0;
        }
        a->clusters++;
        a->count = 0;
}

static double allan_deviation(const struct allan *a)
{
        return sqrt(a->square / (DRIFT_AXES * (a->clusters - 1)));
}

/* Successive differences of 1/f noise are correlated: three degrees of freedom are
 * worth about two clusters. */
static double relative_error(const struct allan *a)
{
        return 4.0 * 0.5 * sqrt(2.0 * 1.5 / (DRIFT_AXES * a->clusters));
}

static void run(struct allan *a, int n, int samples)
{
        for (int k = 0; k < samples; k++) {
                drift_step(&drift, &params);
                for (int i = 0; i < n; i++)
                        allan_add(&a[i]);
        }
}

/* 3 h at 40 Hz, from 2 s to 128 s. */
TEST(bias_instability_is_a_floor_of_0_664_times_itself)
{
        struct allan a[7] = { { 0 } };

        start(2.0, 0.0, 0.025, 5);
        for (int i = 0; i < 7; i++)
                a[i].in_cluster = 80 << i;
        run(a, 7, 432000);
        for (int i = 0; i < 7; i++)
                ck_assert_double_eq_tol(allan_deviation(&a[i]) / (2.0 * FLOOR), 1.0,
                                        0.02 + relative_error(&a[i]));
}

/* The same process from samples of 0.2 ms to 25 ms: 400 s, at 1 s and 4 s. */
TEST(bias_instability_does_not_depend_on_the_rate)
{
        const int per_s[4] = { 5000, 1000, 400, 40 };

        for (int r = 0; r < 4; r++) {
                struct allan a[2] = { { .in_cluster = per_s[r] },
                                      { .in_cluster = 4 * per_s[r] } };

                start(1.0, 0.0, 1.0 / per_s[r], 77);
                run(a, 2, 400 * per_s[r]);
                for (int i = 0; i < 2; i++)
                        ck_assert_double_eq_tol(allan_deviation(&a[i]) / FLOOR, 1.0,
                                                0.035 + relative_error(&a[i]));
        }
}

TEST(slow_samples_still_see_the_floor)
{
        struct allan a = { .in_cluster = 100 };

        start(1.0, 0.0, 1.0, 9);
        run(&a, 1, 300000);
        ck_assert_double_eq_tol(allan_deviation(&a) / FLOOR, 1.0,
                                0.035 + relative_error(&a));
}

/* K sqrt(tau/3), from 1 s to 256 s. */
TEST(random_walk_rises_with_the_root_of_the_averaging_time)
{
        struct allan a[5] = { { 0 } };

        start(0.0, 0.3, 0.01, 6);
        for (int i = 0; i < 5; i++)
                a[i].in_cluster = 100 << (2 * i);
        run(a, 5, 1000000);
        for (int i = 0; i < 5; i++) {
                double tau_s = 0.01 * a[i].in_cluster;

                ck_assert_double_eq_tol(allan_deviation(&a[i]), 0.3 * sqrt(tau_s / 3.0),
                                        0.3 * sqrt(tau_s / 3.0) * relative_error(&a[i]));
        }
}

/* Variance over 500 runs of six axes. */
TEST(random_walk_spreads_by_k_squared_a_second)
{
        enum { RUNS = 500 };
        double square = 0.0;

        for (uint64_t seed = 0; seed < RUNS; seed++) {
                start(0.0, 2.0, 0.01, seed);
                for (int i = 0; i < DRIFT_AXES; i++)
                        ck_assert_double_eq(drift.sum[i], 0.0);
                run(NULL, 0, 1000);
                for (int i = 0; i < DRIFT_AXES; i++)
                        square += drift.sum[i] * drift.sum[i];
        }
        ck_assert_double_eq_tol(square / (RUNS * DRIFT_AXES) / (4.0 * 10.0), 1.0,
                                4.0 * sqrt(2.0 / (RUNS * DRIFT_AXES)));
}

/* Eight processes of variance B^2 ln 4/pi, at the start and later. */
TEST(bias_instability_is_stationary_from_the_start)
{
        enum { RUNS = 2000 };
        double first = 0.0, later = 0.0;

        for (uint64_t seed = 0; seed < RUNS; seed++) {
                start(1.0, 0.0, 0.025, seed);
                for (int i = 0; i < DRIFT_AXES; i++)
                        first += drift.sum[i] * drift.sum[i];
                run(NULL, 0, 100);
                for (int i = 0; i < DRIFT_AXES; i++)
                        later += drift.sum[i] * drift.sum[i];
        }
        first /= 8.0 * log(4.0) / M_PI * RUNS * DRIFT_AXES;
        later /= 8.0 * log(4.0) / M_PI * RUNS * DRIFT_AXES;
        ck_assert_double_eq_tol(first, 1.0, 4.0 * sqrt(2.0 / (RUNS * DRIFT_AXES)));
        ck_assert_double_eq_tol(later, 1.0, 4.0 * sqrt(2.0 / (RUNS * DRIFT_AXES)));
}

TEST(axes_are_independent)
{
        enum { RUNS = 3000 };
        double product[DRIFT_AXES][DRIFT_AXES] = { { 0.0 } };

        for (uint64_t seed = 0; seed < RUNS; seed++) {
                start(1.0, 1.0, 0.025, seed);
                run(NULL, 0, 10);
                for (int i = 0; i < DRIFT_AXES; i++)
                        for (int j = 0; j <= i; j++)
                                product[i][j] += drift.sum[i] * drift.sum[j];
        }
        for (int i = 0; i < DRIFT_AXES; i++)
                for (int j = 0; j < i; j++)
                        ck_assert_double_lt(fabs(product[i][j]) /
                                                    sqrt(product[i][i] * product[j][j]),
                                            4.0 / sqrt(RUNS));
}

/* What a run draws depends on nothing but its length: one normal a step, and one
 * more in three of them for the slower processes, never two. */
TEST(at_most_two_processes_move_in_a_step)
{
        uint64_t most = 0, all = 0;

        start(1.0, 0.0, 0.025, 1);
        for (int n = 0; n < 1 << 14; n++) {
                struct rng before = drift.flicker_rng[2];
                uint64_t drawn;

                drift_step(&drift, &params);
                drawn = 2 * (drift.flicker_rng[2].counter - before.counter) +
                        (uint64_t)before.has_spare -
                        (uint64_t)drift.flicker_rng[2].has_spare;
                most = drawn > most ? drawn : most;
                all += drawn;
        }
        ck_assert_uint_eq(most, 2);
        /* 4^7 steps: 4^7 + 4^6 + ... + 1 draws. */
        ck_assert_uint_eq(all, ((1 << 16) - 1) / 3);
}

TEST(nothing_drifts_where_there_is_no_parameter)
{
        struct drift before;

        start(0.0, 0.0, 0.001, 1);
        before = drift;
        run(NULL, 0, 10000);
        ck_assert_mem_eq(&drift, &before, sizeof drift);
        for (int i = 0; i < DRIFT_AXES; i++)
                ck_assert_double_eq(drift.sum[i], 0.0);
}
