/* Quantiles, their confidence, and the correction for coordinated omission, against what is known of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/latency/latency.h"

#include "tests/suites.h"

static double uniform(uint64_t *state)
{
        *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
        return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

TEST(quantile_is_the_smallest_sample_that_covers_its_share)
{
        struct latency_samples l = { 0 };

        for (int i = 50; i >= 1; i--)
                ck_assert(latency_add(&l, i));
        latency_sort(&l);
        /* 0.14 * 50 is 7.000000000000001 in binary and must not ask for the eighth. */
        ck_assert_double_eq(latency_quantile(&l, 0.14).s, 7.0);
        ck_assert_double_eq(latency_quantile(&l, 0.141).s, 8.0);
        ck_assert_double_eq(latency_quantile(&l, 0.0).s, 1.0);
        ck_assert_double_eq(latency_quantile(&l, 1.0).s, 50.0);
        latency_free(&l);
}

/* From tables of the binomial distribution: of 16, p = 0.75, at most 7 come with 0.0075, at most 8 with 0.0271,
 * at most 14 with 0.9365, at most 15 with 0.9900. By hand: all of 5 lie on one side of the median once in 32, of 6
 * once in 64. 40 and 61 of 100 are what every textbook gives. Poisson with mean 1: 4 or more with 0.0190, 3 or more with
 * 0.0803. */
TEST(ranks_are_those_of_the_binomial_distribution)
{
        static const struct {
                int n;
                double p;
                int low, high;
        } known[] = {
                { 16, 0.75, 8, 16 },  { 5, 0.5, 0, 0 },        { 6, 0.5, 1, 6 },
                { 100, 0.5, 40, 61 }, { 1000, 0.5, 469, 532 }, { 1000, 0.999, 997, 0 },
        };

        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
                int low, high;

                latency_ranks(known[i].n, known[i].p, &low, &high);
                ck_assert_int_eq(low, known[i].low);
                ck_assert_int_eq(high, known[i].high);
        }
}

/* The chance that a quantile lies between two ranks, summed up by Pascal's rule instead of by factorials. */
static double coverage(int n, double p, int low, int high)
{
        static double row[402];
        double sum = 0.0;

        memset(row, 0, sizeof row);
        row[0] = 1.0;
        for (int i = 0; i < n; i++)
                for (int k = i + 1; k >= 0; k--)
                        row[k] = row[k] * (1.0 - p) + (k > 0 ? row[k - 1] * p : 0.0);
        for (int k = low; k < (high > 0 ? high : n + 1); k++)
                sum += row[k];
        return sum;
}

TEST(intervals_have_95_percent_and_no_rank_more)
{
        static const double p[] = { 0.05, 0.5, 0.9, 0.99 };

        for (int n = 1; n <= 400; n += 7)
                for (size_t i = 0; i < sizeof p / sizeof p[0]; i++) {
                        int low, high;

                        latency_ranks(n, p[i], &low, &high);
                        ck_assert_double_ge(coverage(n, p[i], low, high), 0.95);
                        ck_assert_double_ge(coverage(n, p[i], low, 0), 0.975);
                        ck_assert_double_lt(coverage(n, p[i], low + 1, 0), 0.975);
                }
}

/* Of exponential samples the quantile p is -ln(1 - p): in at least 95 of 100 trials it is in the interval. */
TEST(intervals_hold_the_quantiles_of_a_known_distribution)
{
        static const double p[] = { 0.5, 0.9, 0.99 };
        int held[3] = { 0 }, mean = 0;
        uint64_t seed = 1;

        for (int trial = 0; trial < 1000; trial++) {
                struct latency_samples l = { 0 };
                struct latency_figure f;

                for (int i = 0; i < 500; i++)
                        ck_assert(latency_add(&l, -log(uniform(&seed))));
                latency_sort(&l);
                for (int i = 0; i < 3; i++) {
                        double truth = -log1p(-p[i]);

                        f = latency_quantile(&l, p[i]);
                        held[i] += !(f.low_s > truth) && !(f.high_s < truth);
                }
                f = latency_mean(&l);
                mean += f.low_s <= 1.0 && f.high_s >= 1.0;
                latency_free(&l);
        }
        /* 1000 trials of 95 % scatter by 7. */
        for (int i = 0; i < 3; i++)
                ck_assert_int_ge(held[i], 935);
        ck_assert_int_ge(mean, 925);
}

/* 1, 2, 3 scatter by 1: errors of 2 are halved, errors of 0.5 stay. */
TEST(errors_are_no_larger_than_the_scatter_they_are_part_of)
{
        struct latency_samples l = { 0 }, errors = { 0 };

        ck_assert_double_eq(latency_error_scale(&l, &errors), 1.0);
        for (int i = 1; i <= 3; i++)
                ck_assert(latency_add(&l, i) && latency_add(&errors, 2.0));
        ck_assert_double_eq_tol(latency_error_scale(&l, &errors), 0.5, 1e-12);
        for (int i = 0; i < 3; i++)
                errors.s[i] = 0.5;
        ck_assert_double_eq(latency_error_scale(&l, &errors), 1.0);
        latency_free(&l);
        latency_free(&errors);
}

TEST(what_is_no_number_is_no_sample)
{
        struct latency_samples l = { 0 };

        ck_assert(latency_add(&l, (double)NAN));
        ck_assert(isnan(latency_quantile(&l, 0.5).s));
        ck_assert(isnan(latency_mean(&l).s));
        ck_assert(latency_add(&l, 1.0));
        ck_assert(isnan(latency_quantile(&l, 0.5).low_s));
        ck_assert_double_eq(latency_mean(&l).s, 1.0);
        ck_assert(isnan(latency_mean(&l).low_s));
        latency_free(&l);
}

#define FRAMES 100

/* Frames a millisecond apart, each answered after 0.2 ms. */
static void even(struct latency_frame *frame)
{
        for (int i = 0; i < FRAMES; i++)
                frame[i] = (struct latency_frame){ i * 1e-3, i * 1e-3,
                                                   i > 0 ? (i - 0.8) * 1e-3 : (double)NAN,
                                                   i - 1 };
}

TEST(without_a_stall_the_correction_adds_nothing)
{
        struct latency_frame frame[FRAMES];
        struct latency_samples raw = { 0 }, corrected = { 0 };

        even(frame);
        ck_assert(latency_round_trips(frame, FRAMES, &raw));
        ck_assert(latency_intended(frame, FRAMES, NULL, &corrected));
        ck_assert_int_eq(raw.count, FRAMES - 1);
        ck_assert_int_eq(corrected.count, FRAMES - 1);
        for (int i = 0; i < raw.count; i++) {
                ck_assert_double_eq_tol(raw.s[i], 0.2e-3, 1e-12);
                ck_assert_double_eq_tol(corrected.s[i], 0.2e-3, 1e-12);
        }
        latency_free(&raw);
        latency_free(&corrected);
}

/* The host stalls for 10 ms: frames 41 to 50 are not sent. HdrHistogram's recordValueWithExpectedInterval(10.2 ms, 1 ms)
 * would record 10.2, 9.2, ... 1.2 ms. */
TEST(stall_counts_as_a_staircase_of_the_frames_that_should_have_been)
{
        struct latency_frame frame[FRAMES];
        struct latency_samples raw = { 0 }, corrected = { 0 };
        double wait_s[FRAMES];

        even(frame);
        for (int i = 41; i <= 50; i++) {
                frame[i].sent_s = (double)NAN;
                frame[i + 1].answer_s = (double)NAN;
                frame[i + 1].answers = -1;
        }
        ck_assert(latency_round_trips(frame, FRAMES, &raw));
        ck_assert(latency_intended(frame, FRAMES, wait_s, &corrected));
        ck_assert_int_eq(raw.count, FRAMES - 1 - 10);
        ck_assert_int_eq(corrected.count, FRAMES - 1);
        latency_sort(&raw);
        latency_sort(&corrected);
        ck_assert_double_eq_tol(latency_quantile(&raw, 1.0).s, 0.2e-3, 1e-12);
        for (int i = 0; i < 10; i++) {
                ck_assert_double_eq_tol(wait_s[41 + i], (10.2 - i) * 1e-3, 1e-12);
                ck_assert_double_eq_tol(corrected.s[corrected.count - 1 - i],
                                        (10.2 - i) * 1e-3, 1e-12);
        }
        latency_free(&raw);
        latency_free(&corrected);
}

TEST(answer_that_was_lost_is_made_good_by_the_next)
{
        struct latency_frame frame[FRAMES];
        struct latency_samples corrected = { 0 };
        double wait_s[FRAMES];

        even(frame);
        frame[31].answer_s = (double)NAN;
        frame[31].answers = -1;
        ck_assert(latency_intended(frame, FRAMES, wait_s, &corrected));
        ck_assert_double_eq_tol(wait_s[29], 0.2e-3, 1e-12);
        ck_assert_double_eq_tol(wait_s[30], 1.2e-3, 1e-12);
        ck_assert_double_eq_tol(wait_s[31], 0.2e-3, 1e-12);
        ck_assert(isnan(wait_s[FRAMES - 1]));
        latency_free(&corrected);
}

/* INAV takes every fourth. */
TEST(ticks_between_the_frames_that_a_board_takes_are_not_due)
{
        struct latency_frame frame[40];
        struct latency_samples corrected = { 0 };
        int missed;

        for (int i = 0; i < 40; i++)
                frame[i] = (struct latency_frame){ i * 1e-3, NAN, NAN, -1 };
        for (int i = 3; i < 40; i += 4) {
                frame[i].sent_s = i == 19 ? NAN : i * 1e-3;
                if (i + 3 < 40 && i != 19) {
                        frame[i + 3].answer_s = (i + 2.5) * 1e-3;
                        frame[i + 3].answers = i;
                }
        }
        ck_assert_int_eq(latency_mark_due(frame, 40, &missed), 10);
        ck_assert_int_eq(missed, 1);
        ck_assert(isnan(frame[18].due_s) && !isnan(frame[19].due_s));
        ck_assert(latency_intended(frame, 40, NULL, &corrected));
        latency_sort(&corrected);
        /* All as long as it took, but the one that was missed: until the next one's answer. */
        ck_assert_int_eq(corrected.count, 9);
        ck_assert_double_eq_tol(corrected.s[7], 2.5e-3, 1e-9);
        ck_assert_double_eq_tol(corrected.s[8], 6.5e-3, 1e-9);
        latency_free(&corrected);

        /* One that takes every tick's. */
        for (int i = 0; i < 40; i++)
                frame[i] = (struct latency_frame){ i * 1e-3, i == 7 ? NAN : i * 1e-3, NAN,
                                                   -1 };
        ck_assert_int_eq(latency_mark_due(frame, 40, &missed), 40);
        ck_assert_int_eq(missed, 1);
}

TEST(every_sample_is_in_one_bar)
{
        struct latency_samples l = { 0 };
        struct latency_bins b;
        uint64_t seed = 3;
        int sum = 0;

        for (int i = 0; i < 5000; i++)
                ck_assert(latency_add(&l, -log(uniform(&seed))));
        latency_sort(&l);
        latency_bin(&l, &b);
        for (int i = 0; i < LATENCY_BINS; i++)
                sum += b.count[i];
        ck_assert_int_eq(sum + b.below + b.above, 5000);
        ck_assert_int_eq(b.below, 4);
        ck_assert_int_eq(b.above, 5);
        ck_assert_int_gt(b.count[0], b.count[LATENCY_BINS / 2]);
        latency_free(&l);
}

TEST(bars_of_equal_samples_are_one)
{
        struct latency_samples l = { 0 };
        struct latency_bins b;
        char text[400] = "";
        FILE *out = fmemopen(text, sizeof text, "w");

        for (int i = 0; i < 10; i++)
                ck_assert(latency_add(&l, 1.5e-3));
        latency_bin(&l, &b);
        ck_assert_int_eq(b.count[0], 10);
        latency_print_bins(out, &b);
        fclose(out);
        ck_assert_str_eq(text, "      1500.0       10 "
                               "################################################\n");
        latency_free(&l);
}
