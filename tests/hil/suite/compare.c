/* What a comparison makes of runs: who is whose twin, what counts, and what is said of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/judge/verdict.h"
#include "hil/suite/compare.h"
#include "hil/text/json.h"

#include "tests/hil/suite/compare_stage.h"
#include "tests/suites.h"

TEST(the_same_bits_are_the_same_from_one_pair_on)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        char text[300];

        stage_add(&a, 1, "passed", 1.0, 0.5, "aa");
        stage_add(&b, 1, "passed", 1.0, 0.5, "aa");
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(c.verdict, COMPARE_SAME);
        ck_assert_int_eq(c.identical, 1);
        compare_explain(&c, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "same to the bit"));
        stage_free(&c, &a, &b);
}

TEST(void_runs_are_neither_passed_nor_failed)
{
        struct compared_side a, b;
        struct comparison c;

        stage_make_sides(&a, &b, 12, 0.0, 0.0);
        for (int i = 0; i < 10; i++)
                b.run[i].verdict = i % 2 ? RUN_VOID : RUN_ERROR;
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(c.twins, 12);
        ck_assert_int_eq(c.unusable, 10);
        ck_assert_int_eq(c.columns, 2);
        ck_assert_int_eq(c.newly_failing, 0);
        ck_assert_int_eq(stage_row(&c, "the whole run")->verdict, COMPARE_TOO_LITTLE);
        stage_free(&c, &a, &b);
        stage_make_sides(&a, &b, 3, 0.0, 0.0);
        for (int i = 0; i < 3; i++)
                a.run[i].verdict = RUN_VOID;
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(c.rows, 0);
        ck_assert_int_eq(c.verdict, COMPARE_TOO_LITTLE);
        stage_free(&c, &a, &b);
}

TEST(runs_that_fail_now_are_named)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        char text[800];

        for (int i = 1; i <= 12; i++) {
                stage_add(&a, (uint64_t)i, "passed", 1.0, 0.5, "aa");
                stage_add(&b, (uint64_t)i, i > 2 ? "failed" : "passed", 1.0,
                          i > 2 ? -0.5 : 0.5, "bb");
        }
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(c.newly_failing, 10);
        ck_assert_int_eq(stage_row(&c, "holds")->verdict, COMPARE_REGRESSED);
        ck_assert_int_eq(stage_row(&c, "holds")->down, 10);
        ck_assert_int_eq(stage_row(&c, "holds, robustness")->verdict, COMPARE_REGRESSED);
        compare_explain(&c, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "10 runs passed before and fail now"));
        ck_assert_ptr_nonnull(strstr(text, "rig/flight/3-1"));
        stage_free(&c, &a, &b);
}

TEST(a_number_that_is_gone_is_a_regression)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;

        for (int i = 1; i <= 12; i++) {
                stage_add(&a, (uint64_t)i, "passed", stage_of_seed(i), 0.5, "aa");
                stage_add(&b, (uint64_t)i, "passed", NAN, 0.5, "bb");
        }
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(stage_row(&c, STAGE_METRIC ": has a number")->verdict,
                         COMPARE_REGRESSED);
        stage_free(&c, &a, &b);
}

TEST(repeats_in_lockstep_are_no_more_data)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;

        for (int i = 1; i <= 20; i++) {
                stage_add(&a, 1, "passed", 1.0, 0.5, "aa");
                stage_add(&b, 1, "passed", 1.5, 0.5, "bb");
                a.run[i - 1].repeat = b.run[i - 1].repeat = i;
        }
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(c.columns, 1);
        ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->verdict, COMPARE_TOO_LITTLE);
        stage_free(&c, &a, &b);
        for (int i = 1; i <= 20; i++) {
                stage_add(&a, 1, "passed", 1.0, 0.5, "aa");
                stage_add(&b, 1, "passed", 1.5, 0.5, "bb");
                a.run[i - 1].repeat = b.run[i - 1].repeat = i;
                a.run[i - 1].lockstep = false;
        }
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(c.columns, 20);
        ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->verdict, COMPARE_REGRESSED);
        stage_free(&c, &a, &b);
}

TEST(json_and_page_hold_the_verdict)
{
        struct compared_side a, b;
        struct comparison c;
        struct json_error error;
        struct json *root;
        char *json, *html;

        stage_make_sides(&a, &b, 16, 0.03, 0.02);
        stage_compare(&c, &a, &b);
        json = compare_json(&c);
        root = json_parse(json, strlen(json), "x", &error);
        ck_assert_str_eq(json_string(root, "verdict"), "regressed");
        ck_assert_double_eq(json_number(root, "regressed"), 1.0);
        html = compare_html(&c, NULL);
        ck_assert_ptr_nonnull(strstr(html, "<header class=\"verdict failed\""));
        ck_assert_ptr_nonnull(strstr(html, "</span> regressed</h1>"));
        ck_assert_ptr_nonnull(strstr(html, "\"baseline_values\":["));
        ck_assert_ptr_null(strstr(html, "://"));
        free(html);
        json_free(root);
        free(json);
        stage_free(&c, &a, &b);
}

TEST(names_from_a_summary_are_text_on_the_page)
{
        static const char text[] =
                "{\"verdict\": \"passed\", \"seed\": 1, \"version\": \"<b>&\", "
                "\"metrics\": [{\"name\": \"<evil>\", \"value\": 1}]}";
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        char *html;

        stage_add_run(&a, "g", 1, 1, text);
        stage_add_run(&b, "g", 1, 1, text);
        stage_compare(&c, &a, &b);
        html = compare_html(&c, NULL);
        ck_assert_ptr_null(strstr(html, "<evil>"));
        ck_assert_ptr_null(strstr(html, "<b>"));
        ck_assert_ptr_nonnull(strstr(html, "\\u003cevil\\u003e"));
        free(html);
        stage_free(&c, &a, &b);
}

/* Nothing passed, and nothing failed: there are metrics to compare all the same. */
TEST(runs_of_which_nothing_was_required_are_compared_by_their_metrics)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        char text[300];

        for (int i = 0; i < 12; i++)
                for (int k = 0; k < 2; k++) {
                        snprintf(text, sizeof text,
                                 "{\"verdict\": \"void\", \"end_reason\": "
                                 "\"" NOTHING_REQUIRED "\", \"seed\": %d, \"pace\": "
                                 "\"lockstep\", \"metrics\": [{\"name\": "
                                 "\"position_error_rms\", \"vehicle\": \"a\", \"value\": "
                                 "%.17g, \"unit\": \"m\"}]}",
                                 i, stage_of_seed(i) * (k == 0 ? 1.0 : 1.5));
                        stage_add_run(k == 0 ? &a : &b, "rig/flight", (uint64_t)i, 1,
                                      text);
                }
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(c.unusable, 0);
        ck_assert_int_eq(stage_row(&c, STAGE_METRIC)->verdict, COMPARE_REGRESSED);
        for (int i = 0; i < c.rows; i++)
                ck_assert_str_ne(c.row[i].name, "the whole run");
        stage_free(&c, &a, &b);
}

TEST(a_run_without_a_log_is_named_where_flights_are_drawn)
{
        struct compared_side side[2] = { { .folder = "/nowhere/<a>" },
                                         { .folder = "/nowhere/b" } };
        struct comparison c;
        char *html;

        stage_add(&side[0], 1, "passed", 1.0, 0.5, "aa");
        stage_add(&side[1], 1, "passed", 2.0, 0.5, "bb");
        stage_add(&side[0], 2, "void", 1.0, 0.5, "aa");
        stage_add(&side[1], 2, "passed", 2.0, 0.5, "bb");
        stage_compare(&c, &side[0], &side[1]);
        html = compare_html(&c, side);
        ck_assert_ptr_nonnull(strstr(html, "\"flights\":{"));
        ck_assert_ptr_nonnull(
                strstr(html, "\"Baseline rig/flight/1-1: its run.ulg is missing"));
        ck_assert_ptr_nonnull(
                strstr(html, "\"Candidate rig/flight/1-1: its run.ulg is missing"));
        /* Void runs are in no row, and not drawn. */
        ck_assert_ptr_null(strstr(html, "rig/flight/2-1"));
        ck_assert_ptr_null(strstr(html, "<a>"));
        free(html);
        stage_free(&c, &side[0], &side[1]);
}

/* Three metrics of `n` seeds: one moves far and steadily, one by a trifle and more steadily yet, and one far and
 * less steadily, of which nobody knows which way is better. */
static void make_three(struct compared_side *a, struct compared_side *b, int n)
{
        for (int i = 1; i <= n; i++) {
                struct compared_side *const side[] = { a, b };

                for (int k = 0; k < 2; k++) {
                        char text[400];

                        snprintf(text, sizeof text,
                                 "{\"verdict\": \"passed\", \"seed\": %d, \"metrics\": "
                                 "[{\"name\": \"trifle\", \"value\": %.9g}, {\"name\": "
                                 "\"far_error\", \"value\": %.9g}, {\"name\": "
                                 "\"way\", \"value\": %.9g}]}",
                                 i, 10.0 + k * (1e-3 + 1e-6 * (i % 3)),
                                 stage_of_seed(i) + k * (0.5 + 0.02 * (i % 4)),
                                 10.0 + k * (2.0 + 0.5 * (i % 4)));
                        stage_add_run(side[k], "rig/flight", (uint64_t)i, 1, text);
                }
        }
}

TEST(the_headline_names_the_largest_effect_that_matters)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        char text[1200];

        make_three(&a, &b, 12);
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(c.count[COMPARE_REGRESSED], 2);
        ck_assert_double_gt(stage_row(&c, "trifle")->effect,
                            stage_row(&c, "far_error")->effect);
        ck_assert_ptr_eq(compare_largest(&c), stage_row(&c, "far_error"));
        compare_explain(&c, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "far_error of rig/flight"));
        ck_assert_ptr_nonnull(strstr(stage_row(&c, "way")->note, "is not known"));
        ck_assert_int_eq(stage_row(&c, "trifle")->verdict, COMPARE_SAME);
        ck_assert(stage_row(&c, "trifle")->certain);
        ck_assert_ptr_nonnull(strstr(stage_row(&c, "trifle")->note, "smaller than what"));
        ck_assert_ptr_null(strstr(stage_row(&c, "far_error")->note, "smaller"));
        stage_free(&c, &a, &b);
}

TEST(what_one_pair_cannot_have_is_a_dash)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        char *text = NULL, *html;
        size_t len;
        FILE *f = open_memstream(&text, &len);

        stage_add(&a, 1, "passed", 1.0, 0.5, "aa");
        stage_add(&b, 1, "passed", 2.0, 0.5, "bb");
        stage_compare(&c, &a, &b);
        compare_print(f, &c);
        fclose(f);
        html = compare_html(&c, NULL);
        ck_assert_ptr_null(strstr(text, "inf"));
        ck_assert_ptr_null(strstr(text, "nan"));
        ck_assert_ptr_nonnull(strstr(text, "1 run with a twin"));
        ck_assert_ptr_nonnull(strstr(text, "1 independent pair\n"));
        ck_assert_ptr_null(strstr(strstr(html, "id=\"data\""), "inf\""));
        ck_assert_ptr_null(strstr(html, "\"nan"));
        ck_assert_ptr_null(strstr(html, ">inf"));
        ck_assert_ptr_null(strstr(html, ">nan"));
        ck_assert_ptr_nonnull(strstr(html, "\"independent_pairs\":1,"));
        free(html);
        free(text);
        stage_free(&c, &a, &b);
}

TEST(a_metric_may_be_null_or_left_out)
{
        static const char *const text[] = {
                "{\"verdict\": \"passed\", \"seed\": 1, \"metrics\": [{\"name\": "
                "\"rise_s\", \"value\": null}]}",
                "{\"verdict\": \"passed\", \"seed\": 1, \"metrics\": []}",
        };

        for (int i = 0; i < 4; i++) {
                struct compared_side a = { 0 }, b = { 0 };
                struct comparison c;

                stage_add_run(&a, "g", 1, 1, text[i / 2]);
                stage_add_run(&b, "g", 1, 1, text[i % 2]);
                stage_compare(&c, &a, &b);
                ck_assert_int_eq(c.rows, 1); /* the whole run */
                ck_assert_int_eq(c.one_sided, 0);
                stage_free(&c, &a, &b);
        }
}

TEST(firmware_is_named_on_both_sides)
{
        static const char format[] = "{\"verdict\": \"passed\", \"seed\": %d, "
                                     "\"firmware\": [\"%s\", \"%s\"]}";
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        char text[300], *json;

        for (int i = 1; i <= 3; i++) {
                snprintf(text, sizeof text, format, i, "INAV 9.1.0", "INAV 9.1.0");
                stage_add_run(&a, "g", (uint64_t)i, 1, text);
                snprintf(text, sizeof text, format, i, "INAV 9.2.0", "");
                stage_add_run(&b, "g", (uint64_t)i, 1, text);
        }
        stage_compare(&c, &a, &b);
        ck_assert_str_eq(c.firmware_a, "INAV 9.1.0");
        ck_assert_str_eq(c.firmware_b, "INAV 9.2.0");
        json = compare_json(&c);
        ck_assert_ptr_nonnull(strstr(json, "\"firmware\": \"INAV 9.2.0\""));
        free(json);
        stage_free(&c, &a, &b);
}

TEST(too_few_pairs_are_said_to_be)
{
        struct compared_side a, b;
        struct comparison c;
        struct compare_options o = stage_usual_rules();
        char text[2000];

        ck_assert_int_eq(compare_fewest(&o), 9);
        ck_assert_int_eq(compare_fewest_any(&o), 6);
        stage_make_sides(&a, &b, 3, 5.0, 0.0);
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(c.verdict, COMPARE_TOO_LITTLE);
        compare_explain(&c, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text,
                                     "it takes 9 to decide every row, and fewer than "
                                     "6 can decide none"));
        stage_free(&c, &a, &b);
}

TEST(what_the_host_did_is_in_no_verdict)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;

        for (int i = 1; i <= 12; i++) {
                struct compared_side *const side[] = { &a, &b };

                for (int k = 0; k < 2; k++) {
                        char text[400];

                        snprintf(
                                text, sizeof text,
                                "{\"verdict\": \"passed\", \"seed\": %d, \"pace\": "
                                "\"realtime\", \"latency_us\": {\"loop\": {\"count\": 5, "
                                "\"p50\": %d, \"p99\": 90, \"p99_9\": 95}}, \"metrics\": "
                                "[{\"name\": \"missed_periods\", \"value\": %d}]}",
                                i, 80 + 400 * k + i, 100 * k + i);
                        stage_add_run(side[k], "rig/flight", (uint64_t)i, 1, text);
                }
        }
        stage_compare(&c, &a, &b);
        ck_assert_int_eq(stage_row(&c, "missed_periods")->verdict, COMPARE_NOT_JUDGED);
        ck_assert_int_eq(stage_row(&c, "loop latency, p50")->verdict, COMPARE_NOT_JUDGED);
        ck_assert_double_eq(stage_row(&c, "missed_periods")->shift.estimate, 100.0);
        ck_assert_int_eq(c.verdict, COMPARE_SAME);
        stage_free(&c, &a, &b);
}
