/* A clock that runs apart, seen through delays: its drift, the delays, and what is no clock at all. */
#include <math.h>

#include "models/rng.h"
#include "models/twin/source_clock.h"

#include "tests/suites.h"

#define MS INT64_C(1000000)

TEST(drift_and_delays_are_told_apart)
{
        struct source_clock c = { 0 };
        struct rng noise;
        double ppm, sigma, worst_s = 0.0;

        rng_init(&noise, 11, 0, 0, 0);
        /* Ours runs 80 ppm faster; 20 ms between words; 5 ms of delay at least, and about 4 ms more. */
        for (int i = 0; i < 5000; i++) {
                int64_t theirs = INT64_C(1700000000000000000) + i * 20 * MS;
                double late_s = -0.004 * log(rng_uniform(&noise));
                int64_t ours = (int64_t)((double)(i * 20 * MS) * (1.0 + 80e-6)) + 5 * MS +
                               (int64_t)(late_s * 1e9);
                int64_t told = source_clock_hear(&c, theirs, ours);

                if (i > 2000 && fabs((double)told * 1e-9 - late_s) > worst_s)
                        worst_s = fabs((double)told * 1e-9 - late_s);
        }
        ck_assert(source_clock_drift(&c, &ppm, &sigma));
        ck_assert_double_eq_tol(ppm, 80.0, 5.0);
        ck_assert_double_lt(sigma, 5.0);
        ck_assert_double_lt(worst_s, 0.001);
        ck_assert_uint_eq(c.jumps, 0);
}

TEST(a_clock_that_is_set_begins_anew)
{
        struct source_clock c = { 0 };
        double ppm, sigma;

        for (int i = 0; i < 1000; i++)
                source_clock_hear(&c, i * 20 * MS, i * 20 * MS);
        ck_assert(source_clock_drift(&c, &ppm, &sigma));
        ck_assert_int_eq(source_clock_hear(&c, 3600000 * MS, 20000 * MS), 0);
        ck_assert_uint_eq(c.jumps, 1);
        ck_assert(!source_clock_drift(&c, &ppm, &sigma));
}

TEST(no_time_is_too_strange)
{
        static const int64_t strange[] = { INT64_MIN, INT64_MAX,    0, -1, INT64_MIN + 1,
                                           1,         INT64_MAX - 1 };
        struct source_clock c = { 0 };

        for (int i = 0; i < 49; i++)
                ck_assert_int_ge(source_clock_hear(&c, strange[i % 7], i * MS), 0);
}
