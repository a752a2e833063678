/* The histogram against exact quantiles of the sorted samples. */
#include <math.h>
#include <stdlib.h>

#include "hil/time/histogram.h"

#include "tests/suites.h"

#define SAMPLES 5000

static const double levels[] = { 0.0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0 };
#define LEVELS (sizeof levels / sizeof levels[0])

/* Numerical Recipes' quick 64-bit generator: enough for test data. */
static uint64_t next_random(uint64_t *state)
{
        *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
        return *state >> 11;
}

/* Durations spread evenly over the powers of two up to 2^bits. */
static int64_t random_ns(uint64_t *state, unsigned bits)
{
        uint64_t size = next_random(state) % bits;

        return (int64_t)(next_random(state) & ((2ULL << size) - 1));
}

static int compare(const void *a, const void *b)
{
        int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

        return (x > y) - (x < y);
}

static int64_t exact_quantile(const int64_t *sorted, int n, double p)
{
        int rank = (int)ceil(p * n - 1e-6);

        return sorted[rank > 1 ? rank - 1 : 0];
}

TEST_EACH(quantile_is_within_a_64th_above_the_exact_one, 11)
{
        static int64_t ns[SAMPLES];
        uint64_t state = (uint64_t)_i + 1;
        struct histogram h = { 0 };

        for (int i = 0; i < SAMPLES; i++) {
                ns[i] = random_ns(&state, 6 + 3 * (unsigned)_i);
                histogram_add(&h, ns[i]);
        }
        qsort(ns, SAMPLES, sizeof ns[0], compare);
        ck_assert_uint_eq(h.count, SAMPLES);
        ck_assert_int_eq(h.max_ns, ns[SAMPLES - 1]);
        for (size_t i = 0; i < LEVELS; i++) {
                int64_t exact = exact_quantile(ns, SAMPLES, levels[i]);
                int64_t q = histogram_quantile_ns(&h, levels[i]);

                ck_assert_int_ge(q, exact);
                ck_assert_int_le(q, exact + exact / 64);
        }
}

TEST(every_power_of_two_and_its_neighbours_fall_within_a_64th)
{
        for (int bit = 0; bit < 36; bit++)
                for (int64_t off = -1; off <= 1; off++) {
                        int64_t ns = (1LL << bit) + off;
                        struct histogram h = { 0 };

                        /* A larger sample, so that the maximum does not clip the quantile. */
                        histogram_add(&h, ns);
                        histogram_add(&h, INT64_MAX);
                        ck_assert_int_ge(histogram_quantile_ns(&h, 0.5), ns);
                        ck_assert_int_le(histogram_quantile_ns(&h, 0.5), ns + ns / 64);
                }
}

TEST(below_64_ns_every_value_is_exact)
{
        for (int64_t ns = 0; ns < 64; ns++) {
                struct histogram h = { 0 };

                histogram_add(&h, ns);
                histogram_add(&h, 1000000);
                ck_assert_int_eq(histogram_quantile_ns(&h, 0.5), ns);
        }
}

TEST(merging_equals_adding_everything_to_one)
{
        uint64_t state = 7;
        struct histogram a = { 0 }, b = { 0 }, all = { 0 };

        for (int i = 0; i < SAMPLES; i++) {
                int64_t ns = random_ns(&state, 37);

                histogram_add(i % 3 ? &a : &b, ns);
                histogram_add(&all, ns);
        }
        histogram_merge(&a, &b);
        ck_assert_mem_eq(&a, &all, sizeof a);
}

TEST(empty_histogram_answers_zero)
{
        struct histogram h = { 0 };

        for (size_t i = 0; i < LEVELS; i++)
                ck_assert_int_eq(histogram_quantile_ns(&h, levels[i]), 0);
}

TEST(negative_counts_as_zero)
{
        struct histogram h = { 0 };

        histogram_add(&h, -5);
        histogram_add(&h, INT64_MIN);
        ck_assert_uint_eq(h.count, 2);
        ck_assert_int_eq(histogram_quantile_ns(&h, 1.0), 0);
        ck_assert_int_eq(h.max_ns, 0);
}

TEST(longer_than_the_range_is_the_largest_value)
{
        struct histogram h = { 0 };

        histogram_add(&h, 1);
        histogram_add(&h, 100000000000);
        ck_assert_int_eq(histogram_quantile_ns(&h, 0.5), 1);
        ck_assert_int_eq(histogram_quantile_ns(&h, 0.99), 100000000000);
}

TEST(quantile_is_the_smallest_that_covers_its_share)
{
        struct histogram h = { 0 };

        for (int i = 1; i <= 50; i++)
                histogram_add(&h, i);
        /* 0.14 * 50 is 7.000000000000001 in binary and must not ask for the eighth. */
        ck_assert_int_eq(histogram_quantile_ns(&h, 0.14), 7);
        ck_assert_int_eq(histogram_quantile_ns(&h, 0.141), 8);
        ck_assert_int_eq(histogram_quantile_ns(&h, 0.0), 1);
        ck_assert_int_eq(histogram_quantile_ns(&h, 1.0), 50);
}

TEST(full_bucket_does_not_wrap)
{
        struct histogram h = { 0 }, other = { 0 };

        h.bucket[5] = UINT32_MAX - 1;
        h.count = UINT32_MAX - 1;
        h.max_ns = 5;
        other.bucket[5] = 10;
        other.count = 10;
        histogram_merge(&h, &other);
        histogram_add(&h, 5);
        ck_assert_uint_eq(h.bucket[5], UINT32_MAX);
        ck_assert_uint_eq(h.count, UINT32_MAX + 10ULL);
        ck_assert_int_eq(histogram_quantile_ns(&h, 0.5), 5);
}
