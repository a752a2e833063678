/* Allan deviations beside published numbers, and noise whose size is known. */
#include <math.h>
#include <stdlib.h>

#include "hil/rest/noise.h"
#include "models/rng.h"

#include "tests/suites.h"

#define POINTS 1000

/* NIST SP 1065 (Riley 2008), 12.4: the generator of the test suite of 1000 points. */
static void make_nbs14(double *out)
{
        uint64_t n = 1234567890;

        for (int i = 0; i < POINTS; i++) {
                out[i] = (double)n / 2147483647.0;
                n = 16807 * n % 2147483647;
        }
}

/* Its table 31: overlapping Allan deviations at 1, 10 and 100 samples, all seven digits. */
TEST(allan_agrees_with_the_test_suite_of_nist_sp_1065)
{
        double value[POINTS];

        make_nbs14(value);
        ck_assert_double_eq_tol(sqrt(allan_variance(value, POINTS, 1)), 2.922319e-01,
                                5e-8);
        ck_assert_double_eq_tol(sqrt(allan_variance(value, POINTS, 10)), 9.159953e-02,
                                5e-9);
        ck_assert_double_eq_tol(sqrt(allan_variance(value, POINTS, 100)), 3.241343e-02,
                                5e-9);
}

TEST(allan_octaves_are_those_of_one_after_the_other)
{
        double value[POINTS], sum[POINTS + 1];
        struct allan a;

        make_nbs14(value);
        allan_octaves(&a, value, POINTS, 0.5, sum);
        ck_assert_int_eq(a.taus, 8); /* 128 samples: a quarter of 1000 is 250 */
        for (int i = 0; i < a.taus; i++)
                ck_assert_double_eq_tol(
                        a.variance[i] / allan_variance(value, POINTS, (size_t)1 << i),
                        1.0, 1e-9);
        ck_assert_double_eq(allan_tau_s(&a, 3), 4.0);
}

static struct allan_scatter scatter;

static double freedom_of(size_t samples, int octave, enum allan_noise noise)
{
        double amount[ALLAN_NOISES] = { 0.0 };

        amount[noise] = 3.0;
        allan_scatter_make(&scatter, samples, octave + 1);
        return allan_freedom(&scatter, octave, amount);
}

/* NIST SP 1065, table 5 (Howe, Allan and Barnes 1981): white noise of frequency, N phases. */
TEST(degrees_of_freedom_of_white_noise_agree_with_the_printed_formula)
{
        double n = 1001.0;

        for (int octave = 0; octave <= 6; octave++) {
                double m = ldexp(1.0, octave);
                double printed = (3.0 * (n - 1.0) / (2.0 * m) - 2.0 * (n - 2.0) / n) *
                                 4.0 * m * m / (4.0 * m * m + 5.0);

                ck_assert_double_eq_tol(freedom_of(1000, octave, ALLAN_WHITE) / printed,
                                        1.0, 0.02);
        }
}

/* allantools 2024.06, edf_greenhall(alpha, 2, m, samples + 1, overlapping=True): Greenhall and Riley's own way. */
TEST(degrees_of_freedom_of_slow_noise_agree_with_allantools)
{
        static const struct {
                size_t samples;
                int octave;
                double flicker, walk;
        } known[] = { { 1000, 4, 71.3056, 56.4112 },
                      { 1000, 6, 16.5439, 12.9661 },
                      { 100000, 4, 7303.559, 5787.358 },
                      { 100000, 6, 1832.1079, 1446.5772 } };

        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
                size_t n = known[i].samples;
                int octave = known[i].octave;

                ck_assert_double_eq_tol(freedom_of(n, octave, ALLAN_FLICKER) /
                                                known[i].flicker,
                                        1.0, 0.006);
                ck_assert_double_eq_tol(freedom_of(n, octave, ALLAN_WALK) / known[i].walk,
                                        1.0, 0.006);
        }
}

/* R 4.2's qchisq(). */
TEST(chi_square_has_the_quantiles_of_the_tables)
{
        ck_assert_double_eq_tol(allan_chi_square(0.95, 1.0), 3.841458821, 1e-8);
        ck_assert_double_eq_tol(allan_chi_square(0.025, 1.0), 9.82069117e-04, 1e-11);
        ck_assert_double_eq_tol(allan_chi_square(0.975, 5.5), 13.64858391, 1e-7);
        ck_assert_double_eq_tol(allan_chi_square(0.025, 1000.0), 914.2571538, 1e-5);
}

#define LONG 20000

/* A hundred samples a second of white noise and of a rate random walk. */
static void make_noise(double *out, double n, double k, uint64_t seed)
{
        struct rng white, walk;
        double at = 3.0;

        rng_init(&white, seed, 0, 0, 0);
        rng_init(&walk, seed, 0, 0, 1);
        for (int i = 0; i < LONG; i++) {
                out[i] = at + 10.0 * n * rng_normal(&white);
                at += 0.1 * k * rng_normal(&walk);
        }
}

static void find(double n, double k, uint64_t seed, struct noise *out)
{
        static double value[LONG], sum[LONG + 1];
        struct allan a;
        struct noise_records of = { 1, { &a }, { &scatter } };

        make_noise(value, n, k, seed);
        allan_octaves(&a, value, LONG, 0.01, sum);
        allan_scatter_make(&scatter, LONG, a.taus);
        ck_assert(noise_find(&of, out));
        ck_assert(out->n.from <= out->n.found && out->n.found <= out->n.to);
}

/* Of 20 at 95 % fewer than 15 come once in 3000 times. */
TEST(noise_intervals_hold_the_truth)
{
        int n = 0, b = 0, k = 0;

        for (uint64_t seed = 1; seed <= DRAWN(20); seed++) {
                struct noise found;

                find(0.02, 0.01, seed, &found);
                n += found.n.from <= 0.02 && 0.02 <= found.n.to;
                b += found.b.from == 0.0;
                k += found.k.from <= 0.01 && 0.01 <= found.k.to;
        }
        ck_assert_int_ge(n, DRAWN(20) - DRAWN(5));
        ck_assert_int_ge(b, DRAWN(20) - DRAWN(5));
        ck_assert_int_ge(k, DRAWN(20) - DRAWN(5));
}

TEST(white_noise_alone_tells_neither_instability_nor_walk)
{
        struct noise found;

        find(0.02, 0.0, 1, &found);
        ck_assert(found.n.told && !found.b.told && !found.k.told);
        ck_assert_double_eq(found.b.from, 0.0);
        ck_assert_double_eq(found.k.from, 0.0);
        ck_assert_double_lt(found.k.to, 0.01);
}

/* A tone is no noise of these kinds. */
TEST(noise_does_not_describe_what_shakes)
{
        static double value[LONG], sum[LONG + 1];
        struct allan a;
        struct noise_records of = { 1, { &a }, { &scatter } };
        struct noise found;

        make_noise(value, 0.02, 0.0, 1);
        for (int i = 0; i < LONG; i++)
                value[i] += sin(0.013 * i);
        allan_octaves(&a, value, LONG, 0.01, sum);
        allan_scatter_make(&scatter, LONG, a.taus);
        ck_assert(!noise_find(&of, &found));
        ck_assert(!found.described);
}
