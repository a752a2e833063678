/* What a comparison makes of runs: who is whose twin, what counts, and what is said of it. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/suite/compare.h"
#include "hil/text/json.h"
#include "models/rng.h"

#include "tests/suites.h"

static const struct compare_options standard = { .alpha = COMPARE_ALPHA,
                                                 .power = COMPARE_POWER };
static char why[700];

/* Sides are made of summaries in memory. */
static void add_run(struct compared_side *s, const char *group, uint64_t seed, int repeat,
                    const char *text)
{
        struct compared_result *r;

        s->run = realloc(s->run, (size_t)(s->runs + 1) * sizeof *s->run);
        r = &s->run[s->runs++];
        ck_assert_msg(compared_result_parse(r, text, strlen(text), "summary.json", why,
                                            sizeof why),
                      "%s", why);
        snprintf(r->group, sizeof r->group, "%s", group);
        snprintf(r->path, sizeof r->path, "%s/%d-%d", group, (int)seed, repeat);
        r->seed = seed;
        r->repeat = repeat;
}

static void add(struct compared_side *s, uint64_t seed, const char *verdict, double value,
                double robustness, const char *signal)
{
        char text[600], number[40];

        json_format_number(number, sizeof number, value);
        snprintf(text, sizeof text,
                 "{\"verdict\": \"%s\", \"seed\": %d, \"pace\": \"lockstep\", "
                 "\"signal_sha256\": \"%s\", \"version\": \"1\", \"requirements\": "
                 "[{\"name\": \"holds\", \"passed\": %s, \"robustness\": %.17g}], "
                 "\"metrics\": [{\"name\": \"position_error_rms\", \"vehicle\": \"a\", "
                 "\"value\": %s, \"unit\": \"m\"}]}",
                 verdict, (int)seed, signal, robustness >= 0.0 ? "true" : "false",
                 robustness, isfinite(value) ? number : "null");
        add_run(s, "rig/flight", seed, 1, text);
}

static void compare(struct comparison *c, struct compared_side *a,
                    struct compared_side *b)
{
        ck_assert_msg(compare_sides(c, &standard, a, b, why, sizeof why), "%s", why);
}

static void free_all(struct comparison *c, struct compared_side *a,
                     struct compared_side *b)
{
        comparison_free(c);
        compared_side_free(a);
        compared_side_free(b);
}

static const struct compare_row *row(const struct comparison *c, const char *name)
{
        for (int i = 0; i < c->rows; i++)
                if (strcmp(c->row[i].name, name) == 0)
                        return &c->row[i];
        ck_abort_msg("no row %s", name);
        return NULL;
}

#define METRIC "position_error_rms (a)"

/* What a seed does to both sides: much more than a release does. */
static double of_seed(int seed)
{
        return 1.0 + 0.5 * sin(12.9898 * seed);
}

/* Sides of `n` seeds; the candidate's metric is `shift` larger, and as noisy as asked. */
static void make_sides(struct compared_side *a, struct compared_side *b, int n,
                       double shift, double noise)
{
        struct rng rng;

        *a = *b = (struct compared_side){ 0 };
        rng_init(&rng, 3, 0, 0, 0);
        for (int i = 1; i <= n; i++) {
                double base = of_seed(i);

                add(a, (uint64_t)i, "passed", base, 0.5, "aa");
                add(b, (uint64_t)i, "passed",
                    base + shift + noise * (rng_uniform(&rng) - 0.5), 0.5, "bb");
        }
}

START_TEST(the_same_bits_are_the_same_from_one_pair_on)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        char text[300];

        add(&a, 1, "passed", 1.0, 0.5, "aa");
        add(&b, 1, "passed", 1.0, 0.5, "aa");
        compare(&c, &a, &b);
        ck_assert_int_eq(c.verdict, COMPARE_SAME);
        ck_assert_int_eq(c.identical, 1);
        compare_explain(&c, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "same to the bit"));
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(one_pair_that_differs_is_too_little_data)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;

        add(&a, 1, "passed", 1.0, 0.5, "aa");
        add(&b, 1, "passed", 2.0, 0.5, "bb");
        compare(&c, &a, &b);
        ck_assert_int_eq(c.verdict, COMPARE_TOO_LITTLE);
        ck_assert_int_eq(row(&c, METRIC)->verdict, COMPARE_TOO_LITTLE);
        /* Ten pairs are the fewest that can tell at 0.2 %. */
        ck_assert_int_eq(row(&c, METRIC)->more, 9);
        ck_assert_int_eq(compare_exit_status(c.verdict), 3);
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(pairing_finds_what_the_seeds_would_hide)
{
        struct compared_side a, b;
        struct comparison c;

        /* Seeds differ by 35 %, the releases by 3 %. */
        make_sides(&a, &b, 16, 0.03, 0.02);
        compare(&c, &a, &b);
        ck_assert_int_eq(row(&c, METRIC)->verdict, COMPARE_REGRESSED);
        ck_assert_double_eq_tol(row(&c, METRIC)->shift.estimate, 0.03, 0.005);
        ck_assert_double_le(row(&c, METRIC)->p.among, 0.01);
        ck_assert_int_eq(row(&c, "holds")->verdict, COMPARE_SAME);
        ck_assert_int_eq(c.verdict, COMPARE_REGRESSED);
        ck_assert_int_eq(compare_exit_status(c.verdict), 1);
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(what_has_a_sign_is_better_nearer_to_zero)
{
        static const double from[] = { -0.3, -0.3, 0.3 }, to[] = { -0.1, 0.5, 0.1 };
        static const enum compare_verdict verdict[] = { COMPARE_IMPROVED,
                                                        COMPARE_REGRESSED,
                                                        COMPARE_IMPROVED };

        for (int k = 0; k < 3; k++) {
                struct compared_side a = { 0 }, b = { 0 };
                struct comparison c;

                for (int i = 1; i <= 12; i++) {
                        add(&a, (uint64_t)i, "passed", from[k] + 1e-4 * i, 0.5, "aa");
                        add(&b, (uint64_t)i, "passed", to[k] + 1e-4 * i, 0.5, "bb");
                        a.run[i - 1].value[3].better = BETTER_ZERO;
                }
                compare(&c, &a, &b);
                ck_assert_int_eq(row(&c, METRIC)->verdict, verdict[k]);
                free_all(&c, &a, &b);
        }
}
END_TEST

START_TEST(exchanged_sides_turn_regressed_into_improved)
{
        struct compared_side a, b;
        struct comparison c;

        make_sides(&a, &b, 16, 0.03, 0.02);
        compare(&c, &b, &a);
        ck_assert_int_eq(row(&c, METRIC)->verdict, COMPARE_IMPROVED);
        ck_assert_int_eq(c.verdict, COMPARE_IMPROVED);
        ck_assert_int_eq(compare_exit_status(c.verdict), 0);
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(noise_within_the_threshold_is_the_same)
{
        struct compared_side a, b;
        struct comparison c;

        make_sides(&a, &b, 16, 0.0, 0.02);
        compare(&c, &a, &b);
        ck_assert_int_eq(row(&c, METRIC)->verdict, COMPARE_SAME);
        ck_assert_double_eq_tol(row(&c, METRIC)->margin,
                                0.02 * fabs(row(&c, METRIC)->mean_a), 1e-12);
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(noise_beyond_it_asks_for_more_and_that_settles_it)
{
        struct compared_side a, b;
        struct comparison c;
        int more;

        make_sides(&a, &b, 16, 0.0, 0.2);
        compare(&c, &a, &b);
        ck_assert_int_eq(row(&c, METRIC)->verdict, COMPARE_TOO_LITTLE);
        more = row(&c, METRIC)->more;
        ck_assert_int_gt(more, 10);
        ck_assert_int_lt(more, 500);
        free_all(&c, &a, &b);
        /* Half as many again: the estimate is one from 16 pairs. */
        make_sides(&a, &b, 16 + 3 * more / 2, 0.0, 0.2);
        compare(&c, &a, &b);
        ck_assert_int_ne(row(&c, METRIC)->verdict, COMPARE_TOO_LITTLE);
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(a_threshold_of_its_own_wins)
{
        struct compare_options o = standard;
        struct compared_side a, b;
        struct comparison c;

        make_sides(&a, &b, 16, 0.0, 0.2);
        o.limits = 2;
        o.limit[0] = (struct compare_limit){ METRIC, 0.1 };
        o.limit[1] = (struct compare_limit){ "", 1e-6 };
        ck_assert(compare_sides(&c, &o, &a, &b, why, sizeof why));
        ck_assert_int_eq(row(&c, METRIC)->verdict, COMPARE_SAME);
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(void_runs_are_neither_passed_nor_failed)
{
        struct compared_side a, b;
        struct comparison c;

        make_sides(&a, &b, 12, 0.0, 0.0);
        for (int i = 0; i < 10; i++)
                b.run[i].verdict = i % 2 ? RUN_VOID : RUN_ERROR;
        compare(&c, &a, &b);
        ck_assert_int_eq(c.twins, 12);
        ck_assert_int_eq(c.unusable, 10);
        ck_assert_int_eq(c.columns, 2);
        ck_assert_int_eq(c.newly_failing, 0);
        ck_assert_int_eq(row(&c, "the whole run")->verdict, COMPARE_TOO_LITTLE);
        free_all(&c, &a, &b);
        make_sides(&a, &b, 3, 0.0, 0.0);
        for (int i = 0; i < 3; i++)
                a.run[i].verdict = RUN_VOID;
        compare(&c, &a, &b);
        ck_assert_int_eq(c.rows, 0);
        ck_assert_int_eq(c.verdict, COMPARE_TOO_LITTLE);
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(runs_that_fail_now_are_named)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        char text[800];

        for (int i = 1; i <= 12; i++) {
                add(&a, (uint64_t)i, "passed", 1.0, 0.5, "aa");
                add(&b, (uint64_t)i, i > 2 ? "failed" : "passed", 1.0, i > 2 ? -0.5 : 0.5,
                    "bb");
        }
        compare(&c, &a, &b);
        ck_assert_int_eq(c.newly_failing, 10);
        ck_assert_int_eq(row(&c, "holds")->verdict, COMPARE_REGRESSED);
        ck_assert_int_eq(row(&c, "holds")->down, 10);
        ck_assert_int_eq(row(&c, "holds, robustness")->verdict, COMPARE_REGRESSED);
        compare_explain(&c, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "10 runs passed before and fail now"));
        ck_assert_ptr_nonnull(strstr(text, "rig/flight/3-1"));
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(a_number_that_is_gone_is_a_regression)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;

        for (int i = 1; i <= 12; i++) {
                add(&a, (uint64_t)i, "passed", of_seed(i), 0.5, "aa");
                add(&b, (uint64_t)i, "passed", NAN, 0.5, "bb");
        }
        compare(&c, &a, &b);
        ck_assert_int_eq(row(&c, METRIC ": has a number")->verdict, COMPARE_REGRESSED);
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(repeats_in_lockstep_are_no_more_data)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;

        for (int i = 1; i <= 20; i++) {
                add(&a, 1, "passed", 1.0, 0.5, "aa");
                add(&b, 1, "passed", 1.5, 0.5, "bb");
                a.run[i - 1].repeat = b.run[i - 1].repeat = i;
        }
        compare(&c, &a, &b);
        ck_assert_int_eq(c.columns, 1);
        ck_assert_int_eq(row(&c, METRIC)->verdict, COMPARE_TOO_LITTLE);
        free_all(&c, &a, &b);
        for (int i = 1; i <= 20; i++) {
                add(&a, 1, "passed", 1.0, 0.5, "aa");
                add(&b, 1, "passed", 1.5, 0.5, "bb");
                a.run[i - 1].repeat = b.run[i - 1].repeat = i;
                a.run[i - 1].lockstep = false;
        }
        compare(&c, &a, &b);
        ck_assert_int_eq(c.columns, 20);
        ck_assert_int_eq(row(&c, METRIC)->verdict, COMPARE_REGRESSED);
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(names_say_which_way_is_better)
{
        ck_assert_int_eq(compared_better_of("position_error_rms"), BETTER_LESS);
        ck_assert_int_eq(compared_better_of("RMS of the roll rate"), BETTER_LESS);
        ck_assert_int_eq(compared_better_of("settling_time_s"), BETTER_LESS);
        ck_assert_int_eq(compared_better_of("phase margin"), BETTER_MORE);
        ck_assert_int_eq(compared_better_of("error margin"), BETTER_MORE);
        ck_assert_int_eq(compared_better_of("lateral_speed"), BETTER_NEITHER);
        ck_assert_int_eq(compared_better_of("terrain"), BETTER_NEITHER);
        ck_assert_int_eq(compared_better_of("est_roll_error_mean_deg"), BETTER_ZERO);
}
END_TEST

START_TEST(a_metric_may_say_itself_which_way_is_better)
{
        static const char text[] =
                "{\"verdict\": \"passed\", \"seed\": 1, \"metrics\": ["
                "{\"name\": \"speed\", \"value\": 1, \"better\": \"more\"},"
                "{\"name\": \"error\", \"value\": 1, \"better\": \"neither\"}]}";
        struct compared_result r;

        ck_assert(compared_result_parse(&r, text, strlen(text), "x", why, sizeof why));
        ck_assert_int_eq(r.values, 3);
        ck_assert_int_eq(r.value[1].better, BETTER_MORE);
        ck_assert_int_eq(r.value[2].better, BETTER_NEITHER);
        free(r.value);
}
END_TEST

START_TEST(latency_counts_in_real_time_alone)
{
        static const char format[] =
                "{\"verdict\": \"passed\", \"seed\": 1, \"pace\": \"%s\", "
                "\"latency_us\": {\"loop\": {\"count\": 5, \"p50\": 80, \"p99\": 90, "
                "\"p99_9\": 95, \"max\": 99}}}";
        struct compared_result r;
        char text[300];

        snprintf(text, sizeof text, format, "lockstep");
        ck_assert(compared_result_parse(&r, text, strlen(text), "x", why, sizeof why));
        ck_assert_int_eq(r.values, 1);
        free(r.value);
        snprintf(text, sizeof text, format, "realtime");
        ck_assert(compared_result_parse(&r, text, strlen(text), "x", why, sizeof why));
        ck_assert_int_eq(r.values, 4);
        ck_assert_double_eq(r.value[1].value, 80.0);
        ck_assert_str_eq(r.value[1].unit, "us");
        free(r.value);
}
END_TEST

START_TEST(what_is_no_summary_is_refused_in_words)
{
        static const char *const text[] = { "{}", "[]", "{\"verdict\": \"good\"}",
                                            "{\"verdict\": \"passed\"}", "" };
        struct compared_result r;

        for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
                ck_assert(!compared_result_parse(&r, text[i], strlen(text[i]), "a.json",
                                                 why, sizeof why));
                ck_assert_ptr_nonnull(strstr(why, "a.json: "));
                free(r.value);
        }
}
END_TEST

START_TEST(json_and_page_hold_the_verdict)
{
        struct compared_side a, b;
        struct comparison c;
        struct json_error error;
        struct json *root;
        char *json, *html;

        make_sides(&a, &b, 16, 0.03, 0.02);
        compare(&c, &a, &b);
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
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(names_from_a_summary_are_text_on_the_page)
{
        static const char text[] =
                "{\"verdict\": \"passed\", \"seed\": 1, \"version\": \"<b>&\", "
                "\"metrics\": [{\"name\": \"<evil>\", \"value\": 1}]}";
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        char *html;

        add_run(&a, "g", 1, 1, text);
        add_run(&b, "g", 1, 1, text);
        compare(&c, &a, &b);
        html = compare_html(&c, NULL);
        ck_assert_ptr_null(strstr(html, "<evil>"));
        ck_assert_ptr_null(strstr(html, "<b>"));
        ck_assert_ptr_nonnull(strstr(html, "\\u003cevil\\u003e"));
        free(html);
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(a_run_without_a_log_is_named_where_flights_are_drawn)
{
        struct compared_side side[2] = { { .folder = "/nowhere/<a>" },
                                         { .folder = "/nowhere/b" } };
        struct comparison c;
        char *html;

        add(&side[0], 1, "passed", 1.0, 0.5, "aa");
        add(&side[1], 1, "passed", 2.0, 0.5, "bb");
        add(&side[0], 2, "void", 1.0, 0.5, "aa");
        add(&side[1], 2, "passed", 2.0, 0.5, "bb");
        compare(&c, &side[0], &side[1]);
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
        free_all(&c, &side[0], &side[1]);
}
END_TEST

/* Two metrics of `n` seeds: one moves far and steadily, one by a trifle and more steadily yet. */
static void make_two(struct compared_side *a, struct compared_side *b, int n)
{
        for (int i = 1; i <= n; i++) {
                struct compared_side *const side[] = { a, b };

                for (int k = 0; k < 2; k++) {
                        char text[400];

                        snprintf(text, sizeof text,
                                 "{\"verdict\": \"passed\", \"seed\": %d, \"metrics\": "
                                 "[{\"name\": \"trifle\", \"value\": %.9g}, {\"name\": "
                                 "\"far_error\", \"value\": %.9g}]}",
                                 i, 10.0 + k * (1e-3 + 1e-6 * (i % 3)),
                                 of_seed(i) + k * (0.5 + 0.02 * (i % 4)));
                        add_run(side[k], "rig/flight", (uint64_t)i, 1, text);
                }
        }
}

START_TEST(the_headline_names_the_largest_effect_that_matters)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        char text[1200];

        make_two(&a, &b, 12);
        compare(&c, &a, &b);
        ck_assert_int_eq(c.count[COMPARE_REGRESSED], 2);
        ck_assert_double_gt(row(&c, "trifle")->effect, row(&c, "far_error")->effect);
        ck_assert_ptr_eq(compare_largest(&c), row(&c, "far_error"));
        compare_explain(&c, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "far_error of rig/flight"));
        /* Both notes, where both are true. */
        ck_assert_ptr_nonnull(strstr(row(&c, "trifle")->note, "is not known"));
        ck_assert_ptr_nonnull(strstr(row(&c, "trifle")->note, "smaller than what"));
        ck_assert_ptr_null(strstr(row(&c, "far_error")->note, "smaller"));
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(what_one_pair_cannot_have_is_a_dash)
{
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c;
        char *text = NULL, *html;
        size_t len;
        FILE *f = open_memstream(&text, &len);

        add(&a, 1, "passed", 1.0, 0.5, "aa");
        add(&b, 1, "passed", 2.0, 0.5, "bb");
        compare(&c, &a, &b);
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
        free_all(&c, &a, &b);
}
END_TEST

START_TEST(a_metric_may_be_null_or_left_out)
{
        static const char *const text[] = {
                "{\"verdict\": \"passed\", \"seed\": 1, \"metrics\": [{\"name\": "
                "\"rise_s\", \"value\": null}]}",
                "{\"verdict\": \"passed\", \"seed\": 1, \"metrics\": []}",
        };

        for (int i = 0; i < 4; i++) {
                struct compared_side a = { 0 }, b = { 0 };
                struct comparison c;

                add_run(&a, "g", 1, 1, text[i / 2]);
                add_run(&b, "g", 1, 1, text[i % 2]);
                compare(&c, &a, &b);
                ck_assert_int_eq(c.rows, 1); /* the whole run */
                ck_assert_int_eq(c.one_sided, 0);
                free_all(&c, &a, &b);
        }
}
END_TEST

/* One that changed nothing, with the noise of a real-time run, 100 times: the exact bound for any
 * alarm is 0.2 %. tests/hil/suite/statistics.c has a thousand. */
START_TEST(a_release_against_itself_raises_no_alarm)
{
        int alarms = 0;

        for (int k = 0; k < 100; k++) {
                struct compared_side a = { 0 }, b = { 0 };
                struct comparison c;
                struct rng rng;

                rng_init(&rng, (uint64_t)k, 0, 0, 0);
                for (int i = 1; i <= 10; i++) {
                        add(&a, (uint64_t)i, "passed",
                            of_seed(i) + 0.1 * rng_uniform(&rng), rng_uniform(&rng),
                            "aa");
                        add(&b, (uint64_t)i, "passed",
                            of_seed(i) + 0.1 * rng_uniform(&rng), rng_uniform(&rng),
                            "bb");
                }
                compare(&c, &a, &b);
                alarms += c.verdict == COMPARE_REGRESSED || c.verdict == COMPARE_IMPROVED;
                free_all(&c, &a, &b);
        }
        /* 0.2 expected at most; 3 would be a chance of 0.1 %. */
        ck_assert_int_lt(alarms, 3);
}
END_TEST

static void put(const char *folder, const char *path, const char *text)
{
        char name[400];
        FILE *f;

        snprintf(name, sizeof name, "%s/%s", folder, path);
        for (char *slash = name + strlen(folder) + 1; (slash = strchr(slash, '/'));
             slash++) {
                *slash = '\0';
                mkdir(name, 0777);
                *slash = '/';
        }
        f = fopen(name, "w");
        ck_assert_ptr_nonnull(f);
        fputs(text, f);
        fclose(f);
}

START_TEST(a_folder_is_read_by_its_paths)
{
        static const char text[] = "{\"verdict\": \"passed\", \"seed\": 9, \"config\": "
                                   "\"rigs/x.json\"}";
        char folder[] = "/tmp/hilrig_compare_XXXXXX", command[100];
        struct compared_side s;

        ck_assert_ptr_nonnull(mkdtemp(folder));
        ck_assert(!compared_side_read(&s, folder, why, sizeof why));
        ck_assert_ptr_nonnull(strstr(why, "no finished run"));
        compared_side_free(&s);
        put(folder, "rig/flight/12-3/summary.json", text);
        put(folder, "rig/flight/2-1/summary.json", text);
        put(folder, "rig/flight/2-2/config.json", "{}");
        put(folder, "20260101T000000Z-x/summary.json", text);
        put(folder, "20260102T000000Z-x/summary.json", text);
        put(folder, "rig/flight/7-1/summary.json", "{");
        ck_assert_msg(compared_side_read(&s, folder, why, sizeof why), "%s", why);
        ck_assert_int_eq(s.runs, 4);
        ck_assert_int_eq(s.unreadable, 1);
        ck_assert_str_eq(s.run[0].group, "rig/flight");
        ck_assert_int_eq((int)s.run[0].seed, 2);
        ck_assert_int_eq((int)s.run[1].seed, 12);
        ck_assert_int_eq(s.run[1].repeat, 3);
        ck_assert_str_eq(s.run[2].group, "rigs/x.json");
        ck_assert_int_eq((int)s.run[2].seed, 9);
        ck_assert_int_eq(s.run[3].repeat, s.run[2].repeat + 1);
        compared_side_free(&s);
        snprintf(command, sizeof command, "rm -r %s", folder);
        ck_assert_int_eq(system(command), 0);
}
END_TEST

static void __attribute__((constructor)) add_suite(void)
{
        Suite *suite = suite_create("compare");
        TCase *tc = tcase_create("compare");

        tcase_set_timeout(tc, 60);
        tcase_add_test(tc, the_same_bits_are_the_same_from_one_pair_on);
        tcase_add_test(tc, one_pair_that_differs_is_too_little_data);
        tcase_add_test(tc, pairing_finds_what_the_seeds_would_hide);
        tcase_add_test(tc, what_has_a_sign_is_better_nearer_to_zero);
        tcase_add_test(tc, exchanged_sides_turn_regressed_into_improved);
        tcase_add_test(tc, noise_within_the_threshold_is_the_same);
        tcase_add_test(tc, noise_beyond_it_asks_for_more_and_that_settles_it);
        tcase_add_test(tc, a_threshold_of_its_own_wins);
        tcase_add_test(tc, void_runs_are_neither_passed_nor_failed);
        tcase_add_test(tc, runs_that_fail_now_are_named);
        tcase_add_test(tc, a_number_that_is_gone_is_a_regression);
        tcase_add_test(tc, repeats_in_lockstep_are_no_more_data);
        tcase_add_test(tc, names_say_which_way_is_better);
        tcase_add_test(tc, a_metric_may_say_itself_which_way_is_better);
        tcase_add_test(tc, latency_counts_in_real_time_alone);
        tcase_add_test(tc, what_is_no_summary_is_refused_in_words);
        tcase_add_test(tc, json_and_page_hold_the_verdict);
        tcase_add_test(tc, the_headline_names_the_largest_effect_that_matters);
        tcase_add_test(tc, what_one_pair_cannot_have_is_a_dash);
        tcase_add_test(tc, a_metric_may_be_null_or_left_out);
        tcase_add_test(tc, names_from_a_summary_are_text_on_the_page);
        tcase_add_test(tc, a_run_without_a_log_is_named_where_flights_are_drawn);
        tcase_add_test(tc, a_release_against_itself_raises_no_alarm);
        tcase_add_test(tc, a_folder_is_read_by_its_paths);
        suite_add_tcase(suite, tc);
        suites_add(__FILE__, suite);
}
