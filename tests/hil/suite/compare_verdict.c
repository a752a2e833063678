/* When a row has changed, is the same or open, and what that makes of the whole. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/rng.h"

#include "tests/hil/suite/compare_stage.h"
#include "tests/suites.h"

TEST(one_pair_that_differs_is_too_little_data)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;

        stage_add(&a, 1, "passed", 1.0, 0.5, "aa");
        stage_add(&b, 1, "passed", 2.0, 0.5, "bb");
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(c.verdict, COMPARE_TOO_LITTLE);
        ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->verdict, COMPARE_TOO_LITTLE);
        /* Nine pairs are the fewest that can tell at 0.8 %. */
        ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->more, 8);
        ck_assert_int_eq(compare_exit_status(c.verdict), 3);
        stage_free(&c, &a, &b);
}

TEST(pairing_finds_what_the_seeds_would_hide)
{
        struct compared_side a, b;
        struct comparison c;

        /* Seeds differ by 35 %, the releases by 3 %. */
        stage_make_sides(&a, &b, 16, 0.03, 0.02);
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->verdict, COMPARE_REGRESSED);
        ck_assert_double_eq_tol(stage_row(&c, STAGE_METRIC)->shift.estimate, 0.03, 0.005);
        ck_assert_double_le(stage_row(&c, STAGE_METRIC)->p.among, 0.01);
        ck_assert_int_eq(stage_row(&c, "holds")->verdict, COMPARE_SAME);
        ck_assert_int_eq(c.verdict, COMPARE_REGRESSED);
        ck_assert_int_eq(compare_exit_status(c.verdict), 1);
        stage_free(&c, &a, &b);
}

TEST(what_has_a_sign_is_better_nearer_to_zero)
{
        static const double from[] = { -0.3, -0.3, 0.3 }, to[] = { -0.1, 0.5, 0.1 };
        static const enum compare_verdict verdict[] = { COMPARE_IMPROVED,
                                                        COMPARE_REGRESSED,
                                                        COMPARE_IMPROVED };

        for (int k = 0; k < 3; k++) {
                struct compared_side a = { 0 }, b = { 0 };
                struct comparison c;

                for (int i = 1; i <= 12; i++) {
                        stage_add(&a, (uint64_t)i, "passed", from[k] + 1e-4 * i, 0.5,
                                  "aa");
                        stage_add(&b, (uint64_t)i, "passed", to[k] + 1e-4 * i, 0.5, "bb");
                        a.run[i - 1].value[3].better = BETTER_ZERO;
                }
                stage_compare(&c, &a, &b);
                ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->verdict, verdict[k]);
                stage_free(&c, &a, &b);
        }
}

TEST(exchanged_sides_turn_regressed_into_improved)
{
        struct compared_side a, b;
        struct comparison c;

        stage_make_sides(&a, &b, 16, 0.03, 0.02);
        stage_compare(&c, &b, &a);
        ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->verdict, COMPARE_IMPROVED);
        ck_assert_int_eq(c.verdict, COMPARE_IMPROVED);
        ck_assert_int_eq(compare_exit_status(c.verdict), 0);
        stage_free(&c, &a, &b);
}

TEST(noise_within_the_threshold_is_the_same)
{
        struct compared_side a, b;
        struct comparison c;

        stage_make_sides(&a, &b, 16, 0.0, 0.02);
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->verdict, COMPARE_SAME);
        ck_assert_double_eq_tol(stage_row(&c, STAGE_METRIC)->margin,
                                0.02 * fabs(stage_row(&c, STAGE_METRIC)->mean_a), 1e-12);
        stage_free(&c, &a, &b);
}

TEST(noise_beyond_it_asks_for_more_and_that_settles_it)
{
        struct compared_side a, b;
        struct comparison c;
        int more;

        stage_make_sides(&a, &b, 16, 0.0, 0.2);
        stage_compare_by(&c, stage_strict_rules(2.0), &a, &b);
        ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->verdict, COMPARE_TOO_LITTLE);
        more = stage_row(&c, STAGE_METRIC)->more;
        ck_assert_int_gt(more, 10);
        ck_assert_int_lt(more, 500);
        stage_free(&c, &a, &b);
        /* Half as many again: the estimate is one from 16 pairs. */
        stage_make_sides(&a, &b, 16 + 3 * more / 2, 0.0, 0.2);
        stage_compare_by(&c, stage_strict_rules(2.0), &a, &b);
        ck_assert_int_ne(stage_row(&c, STAGE_METRIC)->verdict, COMPARE_TOO_LITTLE);
        stage_free(&c, &a, &b);
}

TEST(a_threshold_of_its_own_wins)
{
        static const char *const name[] = { STAGE_METRIC, "position_error_rms" };

        for (int i = 0; i < 2; i++) {
                struct compare_options o = stage_strict_rules(1e-4);
                struct compared_side a, b;
                struct comparison c;

                stage_make_sides(&a, &b, 16, 0.0, 0.2);
                stage_compare_by(&c, o, &a, &b);
                ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->verdict,
                                 COMPARE_TOO_LITTLE);
                comparison_free(&c);
                o.rules.margin[1] = o.rules.margin[0];
                o.rules.margin[0] = (struct suite_margin){ "", 0.1, -1.0, 0.0 };
                snprintf(o.rules.margin[0].row, SUITE_ROW_MAX, "%s", name[i]);
                o.rules.margins = 2;
                stage_compare_by(&c, o, &a, &b);
                ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->verdict, COMPARE_SAME);
                stage_free(&c, &a, &b);
        }
}

/* `n` seeds with a metric that becomes 20 % better with certainty, and another whose noise hides what became of it. */
static void make_trade(struct compared_side *a, struct compared_side *b, int n,
                       double worse, bool both)
{
        *a = *b = (struct compared_side){ 0 };
        for (int i = 1; i <= n; i++) {
                struct compared_side *const side[] = { a, b };

                for (int k = 0; k < 2; k++) {
                        double noise =
                                k || both ? 2.0 * sin((k ? 78.233 : 45.164) * i) : 0.0;
                        char text[400];

                        snprintf(text, sizeof text,
                                 "{\"verdict\": \"passed\", \"seed\": %d, \"metrics\": "
                                 "[{\"name\": \"rms\", \"value\": %.9g}, {\"name\": "
                                 "\"tilt\", \"value\": %.9g}]}",
                                 i, stage_of_seed(i) * (1.0 - 0.2 * k),
                                 10.0 + 0.01 * i + k * worse + noise);
                        stage_add_run(side[k], "rig/flight", (uint64_t)i, 1, text);
                }
        }
}

TEST(nothing_is_improved_beside_a_row_that_may_be_worse)
{
        struct compared_side a, b;
        struct comparison c;
        char text[2000];

        make_trade(&a, &b, 12, 0.8, false);
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(stage_row(&c, "rms")->verdict, COMPARE_IMPROVED);
        ck_assert_int_eq(stage_row(&c, "tilt")->verdict, COMPARE_TOO_LITTLE);
        ck_assert_int_eq(c.verdict, COMPARE_TOO_LITTLE);
        ck_assert_int_eq(compare_exit_status(c.verdict), 3);
        compare_explain(&c, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "open: tilt"));
        stage_free(&c, &a, &b);
        /* It may also be better: then it is no worse, and says nothing against what is. */
        make_trade(&a, &b, 12, -3.0, false);
        stage_compare(&c, &a, &b);
        ck_assert_int_ne(stage_row(&c, "tilt")->verdict, COMPARE_TOO_LITTLE);
        ck_assert_int_eq(c.verdict, COMPARE_IMPROVED);
        stage_free(&c, &a, &b);
}

TEST(nothing_is_improved_beside_a_row_that_leans_to_the_worse)
{
        struct compared_side a, b;
        struct comparison c;
        char text[2000];

        /* 5 % worse, by less than the twins differ anyway. */
        make_trade(&a, &b, 40, 0.5, true);
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(stage_row(&c, "rms")->verdict, COMPARE_IMPROVED);
        ck_assert_int_ne(stage_row(&c, "tilt")->verdict, COMPARE_TOO_LITTLE);
        ck_assert(stage_row(&c, "tilt")->leans);
        ck_assert_int_eq(c.verdict, COMPARE_TOO_LITTLE);
        compare_explain(&c, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "1 row improved, but 1 leans to the worse"));
        ck_assert_ptr_nonnull(strstr(text, ": tilt"));
        stage_free(&c, &a, &b);
        make_trade(&a, &b, 40, 0.0, true);
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(c.verdict, COMPARE_IMPROVED);
        stage_free(&c, &a, &b);
}

TEST(what_is_certain_and_worse_needs_not_stand_out_of_the_noise)
{
        struct compared_side a, b;
        struct comparison c;

        /* 10 % of what twins differ by 14 % in; sixty pairs make it certain. */
        make_trade(&a, &b, 60, 1.0, true);
        stage_compare(&c, &a, &b);
        ck_assert_double_gt(stage_row(&c, "tilt")->margin, 2.0);
        ck_assert_int_eq(stage_row(&c, "tilt")->verdict, COMPARE_REGRESSED);
        stage_free(&c, &a, &b);
}

TEST(a_certain_trifle_is_no_improvement)
{
        struct compared_side a, b;
        struct comparison c;

        stage_make_sides(&a, &b, 12, -0.004, 0.001);
        stage_compare(&c, &a, &b);
        ck_assert(stage_row(&c, STAGE_METRIC)->certain);
        ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->verdict, COMPARE_SAME);
        ck_assert_int_eq(c.verdict, COMPARE_SAME);
        stage_free(&c, &a, &b);
}

TEST(runs_that_lie_apart_are_found_where_twins_do_not_resemble_each_other)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        struct rng rng;

        /* Of differences of 1 to 21 no sign flip in ten pairs makes anything certain beside thirty other rows;
         * but every run of the candidate is worse than every one of the baseline. */
        rng_init(&rng, 9, 0, 0, 0);
        for (int i = 1; i <= 10; i++) {
                struct compared_side *const side[] = { &a, &b };

                for (int k = 0; k < 2; k++) {
                        char text[3000];
                        int used = snprintf(
                                text, sizeof text,
                                "{\"verdict\": \"passed\", \"seed\": %d, \"metrics\": "
                                "[{\"name\": \"tilt\", \"value\": %.9g}",
                                i,
                                20.0 + rng_uniform(&rng) +
                                        k * (1.1 + 20.0 * pow(rng_uniform(&rng), 3.0)));

                        for (int j = 0; j < 30; j++)
                                used += snprintf(
                                        text + used, sizeof text - (size_t)used,
                                        ", {\"name\": \"error %d\", \"value\": %.9g}", j,
                                        1.0 + 0.1 * rng_uniform(&rng));
                        snprintf(text + used, sizeof text - (size_t)used, "]}");
                        stage_add_run(side[k], "rig/flight", (uint64_t)i, 1, text);
                }
        }
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(stage_row(&c, "tilt")->verdict, COMPARE_REGRESSED);
        ck_assert_int_eq(c.count[COMPARE_REGRESSED], 1);
        stage_free(&c, &a, &b);
}

TEST(an_erratic_candidate_does_not_widen_the_margin)
{
        struct compared_side a, b;
        struct comparison c;

        stage_make_sides(&a, &b, 12, 0.0, 0.0);
        for (int i = 0; i < 12; i++)
                b.run[i].value[3].value = 1.0 + 50.0 * (i % 4 == 0);
        stage_compare(&c, &a, &b);
        ck_assert_double_lt(stage_row(&c, STAGE_METRIC)->margin, 2.0);
        ck_assert_int_eq(c.verdict, COMPARE_TOO_LITTLE);
        stage_free(&c, &a, &b);
}

TEST(a_baseline_tells_how_many_pairs_its_margins_ask_for)
{
        struct compare_options o = stage_strict_rules(1.0);
        struct compared_side a, b;
        struct comparison c;
        int pairs;

        stage_make_sides(&a, &b, 10, 0.0, 0.0);
        stage_compare_by(&c, o, &a, &a);
        ck_assert_ptr_eq(compare_outlook(&c, 10, &pairs), stage_row(&c, STAGE_METRIC));
        ck_assert_int_gt(pairs, 1000);
        comparison_free(&c);
        stage_compare(&c, &a, &a);
        ck_assert_ptr_null(compare_outlook(&c, 10, &pairs));
        ck_assert_int_eq(pairs, 10);
        comparison_free(&c);
        /* What is the same in every run asks for nothing, whatever its margin. */
        for (int i = 0; i < a.runs; i++)
                a.run[i].value[3].value = 0.0;
        stage_compare_by(&c, o, &a, &a);
        ck_assert_ptr_ne(compare_outlook(&c, 10, &pairs), stage_row(&c, STAGE_METRIC));
        stage_free(&c, &a, &b);
}

/* One that changed nothing, with the noise of a real-time run, 100 times: the exact bound for any
 * alarm is 0.8 %. tests/hil/suite/statistics.c has a thousand. */
TEST(a_release_against_itself_raises_no_alarm)
{
        int alarms = 0, open = 0;

        for (int k = 0; k < 100; k++) {
                struct compared_side a = { 0 }, b = { 0 };
                struct comparison c;
                struct rng rng;

                rng_init(&rng, (uint64_t)k, 0, 0, 0);
                for (int i = 1; i <= 10; i++) {
                        stage_add(&a, (uint64_t)i, "passed",
                                  stage_of_seed(i) + 0.1 * rng_uniform(&rng),
                                  rng_uniform(&rng), "aa");
                        stage_add(&b, (uint64_t)i, "passed",
                                  stage_of_seed(i) + 0.1 * rng_uniform(&rng),
                                  rng_uniform(&rng), "bb");
                }
                stage_compare(&c, &a, &b);
                alarms += c.verdict == COMPARE_REGRESSED || c.verdict == COMPARE_IMPROVED;
                open += c.verdict == COMPARE_TOO_LITTLE;
                stage_free(&c, &a, &b);
        }
        /* 0.8 expected at most; 5 would be a chance of 0.1 %. */
        ck_assert_int_lt(alarms, 5);
        /* And ten pairs decide. */
        ck_assert_int_lt(open, 5);
}
