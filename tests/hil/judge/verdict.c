#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/judge/verdict.h"

#include "tests/suites.h"

#define S INT64_C(1000000000)

static struct formula *parse(const char *text, int home)
{
        struct quantity_names names;
        struct formula_error why = { "" };
        struct formula *f;

        ck_assert(quantity_names_make(&names, 2, home));
        f = formula_parse(text, &names.names, &why);
        quantity_names_free(&names);
        ck_assert_msg(f != NULL, "%s", why.text);
        return f;
}

static struct requirement range(enum requirement_form form, double min, double max)
{
        return (struct requirement){ .name = "r",
                                     .form = form,
                                     .formula = parse("altitude_m", 0),
                                     .min = min,
                                     .max = max,
                                     .from_ns = 2 * S,
                                     .to_ns = 8 * S };
}

static struct requirement formula(const char *text)
{
        return (struct requirement){ .name = "r",
                                     .form = REQUIRE_FORMULA,
                                     .formula = parse(text, 0),
                                     .to_ns = 10 * S };
}

#define MANY 70 /* vehicles */

static struct requirement metric(enum figure_kind kind, double min, double max)
{
        struct requirement r = range(REQUIRE_METRIC, min, max);

        r.figure = (struct figure_setup){ .kind = kind,
                                          .from_ns = r.from_ns,
                                          .to_ns = r.to_ns,
                                          .target = 4.0,
                                          .from = 0.0,
                                          .band = 0.5 };
        return r;
}

/* altitude[i] at i seconds; all but the first vehicle are twice as high. */
static void fly_many(struct judge *j, const struct requirement *r, const double *altitude,
                     int seconds, int vehicles)
{
        char why[200];

        ck_assert_int_le(vehicles, MANY);
        ck_assert_msg(judge_open(j, r, 1, vehicles, S, 10 * S, why, sizeof why), "%s",
                      why);
        for (int i = 0; i <= seconds; i++) {
                const struct fc_report report = { 0 };
                struct vehicle v[2] = { 0 };
                struct observation o[MANY];

                for (int k = 0; k < vehicles; k++)
                        o[k] = (struct observation){ .t_ns = i * S,
                                                     .truth = &v[k > 0],
                                                     .report = &report };
                v[0].body.pos_ned_m.z = -altitude[i];
                v[1].body.pos_ned_m.z = -2.0 * altitude[i];
                judge_observe(j, o);
        }
        judge_finish(j, seconds * S);
}

static void fly(struct judge *j, const struct requirement *r, const double *altitude,
                int seconds)
{
        fly_many(j, r, altitude, seconds, 2);
}

/* Flies, compares and cleans up. */
static void expect(struct requirement r, const double *altitude, int seconds,
                   enum judge_outcome outcome, double robustness, int64_t at_ns,
                   const char *detail)
{
        struct judge j;
        char text[200];

        fly(&j, &r, altitude, seconds);
        judge_detail(&j, 0, text, sizeof text);
        ck_assert_str_eq(text, detail);
        ck_assert_int_eq(judge_result(&j, 0), outcome);
        if (isnan(robustness))
                ck_assert_double_nan(judge_robustness(&j, 0));
        else
                ck_assert_double_eq(judge_robustness(&j, 0), robustness);
        ck_assert_int_eq(judge_at_ns(&j, 0), at_ns);
        judge_close(&j);
        requirement_free(&r);
}

TEST(always_holds_only_when_every_tick_of_its_window_does)
{
        double inside[] = { 0, 0, 5, 5, 4.5, 6, 5, 5, 5, 0, 0 };
        double once_out[] = { 5, 5, 5, 5, 5, 6.5, 7.5, 5, 5, 5, 5 };

        expect(range(REQUIRE_ALWAYS, 4, 6), inside, 10, JUDGE_PASSED, 0.0, 5 * S,
               "held; closest at 5.000 s, value 6, margin 0");
        expect(range(REQUIRE_ALWAYS, 4, 6), once_out, 10, JUDGE_FAILED, -1.5, 6 * S,
               "broken at 5.000 s; worst at 6.000 s, value 7.5, outside by 1.5");
}

TEST(eventually_needs_one_tick_of_its_window)
{
        double once[] = { 0, 0, 0, 0, 0, 0, 4.25, 5, 0, 0, 0 };
        double outside_window[] = { 5, 5, 0, 0, 0, 3.5, 0, 0, 0, 5, 5 };

        expect(range(REQUIRE_EVENTUALLY, 4, 6), once, 10, JUDGE_PASSED, 1.0, 7 * S,
               "happened at 6.000 s; best value 5, margin 1");
        expect(range(REQUIRE_EVENTUALLY, 4, 6), outside_window, 10, JUDGE_FAILED, -0.5,
               5 * S, "did not happen; closest at 5.000 s, value 3.5, off by 0.5");
}

TEST(a_flight_that_ends_early_leaves_open_what_nothing_decided)
{
        const char *open = "the flight ended before its window did";
        double altitude[] = { 5, 5, 5, 5, 5, 5 };
        double broken[] = { 5, 5, 5, 9, 5, 5 };

        expect(range(REQUIRE_ALWAYS, 4, 6), altitude, 5, JUDGE_OPEN, 1.0, 2 * S, open);
        expect(range(REQUIRE_EVENTUALLY, 6, 7), altitude, 5, JUDGE_OPEN, -1.0, 2 * S,
               open);
        expect(range(REQUIRE_ALWAYS, 4, 6), altitude, 1, JUDGE_OPEN, NAN, -1, open);
        expect(range(REQUIRE_ALWAYS, 4, 6), broken, 5, JUDGE_FAILED, -3.0, 3 * S,
               "broken at 3.000 s; worst at 3.000 s, value 9, outside by 3");
        expect(range(REQUIRE_EVENTUALLY, 4, 6), altitude, 5, JUDGE_PASSED, 1.0, 2 * S,
               "happened at 2.000 s; best value 5, margin 1");
        expect(formula("always altitude_m > 1"), altitude, 5, JUDGE_OPEN, 4.0, 0, open);
        expect(formula("eventually[0, 4] altitude_m > 1"), altitude, 5, JUDGE_PASSED, 4.0,
               0, "happened at 0.000 s; best at 0.000 s, margin 4");
        expect(metric(FIGURE_MEAN, 4, 6), altitude, 5, JUDGE_OPEN, 1.0, 5 * S, open);
        expect(metric(FIGURE_MAXIMUM, 4, 6), broken, 5, JUDGE_FAILED, -3.0, 3 * S,
               "maximum 9 at 3.000 s, 3 too much");
}

TEST(a_signal_that_is_not_a_number_is_outside_of_everything)
{
        double altitude[] = { 5, 5, 5, NAN, 5, 5, 5, 5, 5, 5, 5 };
        double never[] = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };

        expect(range(REQUIRE_ALWAYS, -1e9, 1e9), altitude, 10, JUDGE_FAILED, -INFINITY,
               3 * S, "broken at 3.000 s; the signal was not a number at 3.000 s");
        expect(range(REQUIRE_EVENTUALLY, -1e9, 1e9), never, 10, JUDGE_FAILED, -INFINITY,
               2 * S, "did not happen; the signal was never a number");
        expect(metric(FIGURE_RMS, 0, 9), altitude, 10, JUDGE_FAILED, -INFINITY, 3 * S,
               "the signal was not a number at 3.000 s");
        expect(formula("always altitude_m < 9"), altitude, 10, JUDGE_FAILED, -INFINITY,
               3 * S, "broken at 3.000 s");
}

TEST(a_formula_says_when_it_broke_and_when_it_was_worst)
{
        double altitude[] = { 0, 1, 4, 6, 7, 6, 4, 3, 2, 1, 0 };

        expect(formula("always altitude_m < 5"), altitude, 10, JUDGE_FAILED, -2.0, 4 * S,
               "broken at 3.000 s; worst at 4.000 s, outside by 2");
        expect(formula("always altitude_m < 7.5"), altitude, 10, JUDGE_PASSED, 0.5, 4 * S,
               "held; closest at 4.000 s, margin 0.5");
        expect(formula("eventually altitude_m > 8"), altitude, 10, JUDGE_FAILED, -1.0,
               4 * S, "did not happen; closest at 4.000 s, off by 1");
        expect(formula("(altitude_m < 5) until (altitude_m > 6.5)"), altitude, 10,
               JUDGE_FAILED, -0.5, 3 * S, "did not hold; closest at 3.000 s, off by 0.5");
        expect(formula("always (altitude_m > 5 implies eventually[0, 4] altitude_m < "
                       "3.5)"),
               altitude, 10, JUDGE_PASSED, 0.5, 7 * S,
               "held; closest at 7.000 s, margin 0.5");
}

TEST(a_metric_says_its_value_and_by_how_much)
{
        /* A step at 2 s from 0 to 4, settled within 0.5 when it passes 3.5 at 5.25 s. */
        double altitude[] = { 0, 0, 0, 1, 2, 3, 5, 4.25, 4, 4, 4 };

        expect(metric(FIGURE_OVERSHOOT, -INFINITY, 20), altitude, 10, JUDGE_FAILED, -5.0,
               6 * S, "overshoot_percent 25 at 6.000 s, 5 too much");
        expect(metric(FIGURE_OVERSHOOT, -INFINITY, 30), altitude, 10, JUDGE_PASSED, 5.0,
               6 * S, "overshoot_percent 25 at 6.000 s, margin 5");
        /* Left the band above, came back at 6 + 2/3 s. */
        expect(metric(FIGURE_SETTLING_TIME, -INFINITY, 5), altitude, 10, JUDGE_PASSED,
               5.0 - (4.0 + (4.5 - 5.0) / (4.25 - 5.0)), 7 * S,
               "settling_time_s 4.66667 at 7.000 s, margin 0.333333");
        expect(metric(FIGURE_MINIMUM, 1, INFINITY), altitude, 10, JUDGE_FAILED, -1.0,
               2 * S, "minimum 0 at 2.000 s, 1 too little");
}

TEST(a_formula_may_speak_of_other_vehicles)
{
        double altitude[] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 };
        struct requirement r = formula("always v1.altitude_m - altitude_m > 4");

        expect(r, altitude, 10, JUDGE_PASSED, 1.0, 0,
               "held; closest at 0.000 s, margin 1");
        r = formula("always altitude_m > 9");
        formula_free(r.formula);
        r.formula = parse("always altitude_m > 9", 1);
        expect(r, altitude, 10, JUDGE_PASSED, 1.0, 0,
               "held; closest at 0.000 s, margin 1");
}

/* The altitude is 5 for three seconds, 1 otherwise. */
static double once_up[] = { 1, 1, 1, 5, 5, 5, 1, 1, 1, 1, 1 };

static const char *const never_came = "its condition never came";

TEST(what_held_because_its_condition_never_came_is_not_judged)
{
        static const char *const idle[] = {
                "always (altitude_m > 6 implies climb_mps > 1)",
                "always[6, 9] (altitude_m > 4 implies climb_mps > 1)",
                "always (altitude_m > 4 implies (altitude_m > 6 implies climb_mps > 1))",
                "always (altitude_m > 6 implies eventually[0, 2] climb_mps > 1)",
                "always eventually[0, 1] (altitude_m > 6 implies climb_mps > 1)",
                "(eventually altitude_m > 6) implies (always climb_mps > 1)",
                "always (altitude_m > 6 implies climb_mps > 1) and "
                "always (altitude_m < 0 implies climb_mps > 1)",
                "(altitude_m > 6 implies climb_mps > 1) until[0, 4] (altitude_m > 7 "
                "implies "
                "climb_mps > 1)",
        };
        static const char *const busy[] = {
                "always (altitude_m > 4 implies altitude_m < 6)",
                "always[3, 9] (not (altitude_m < 4) implies altitude_m < 6)",
                "always (altitude_m > 6 implies climb_mps > 1) and always altitude_m < 6",
                "always ((altitude_m > 2 implies altitude_m > 6) implies altitude_m < 2)",
                "not eventually (not (altitude_m > 4 implies altitude_m < 6))",
        };

        for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++)
                expect(formula(idle[i]), once_up, 10, JUDGE_OPEN, NAN, -1, never_came);
        for (size_t i = 0; i < sizeof busy / sizeof busy[0]; i++) {
                struct requirement r = formula(busy[i]);
                struct judge j;

                fly(&j, &r, once_up, 10);
                ck_assert_msg(judge_result(&j, 0) == JUDGE_PASSED, "%s", busy[i]);
                judge_close(&j);
                requirement_free(&r);
        }
}

/* A window that was not reached, and a condition that came, are what they were. */
TEST(an_implication_that_broke_or_stayed_open_is_no_idle_one)
{
        expect(formula("always (altitude_m > 4 implies altitude_m > 6)"), once_up, 10,
               JUDGE_FAILED, -1.0, 3 * S,
               "broken at 3.000 s; worst at 3.000 s, outside by 1");
        expect(formula("always (altitude_m > 6 implies altitude_m > 7)"), once_up, 5,
               JUDGE_OPEN, 1.0, 3 * S, "the flight ended before its window did");
}

/* Of the first of two vehicles, which was asked to fly and stayed where it was. */
static enum judge_outcome grounded_result_of(struct requirement r, bool armed)
{
        double ground[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
        enum judge_outcome o;
        struct judge j;

        fly(&j, &r, ground, 10);
        judge_grounded(&j, 0, armed);
        o = judge_result(&j, 0);
        judge_close(&j);
        requirement_free(&r);
        return o;
}

static enum judge_outcome grounded_result(struct requirement r)
{
        return grounded_result_of(r, false);
}

TEST(of_many_vehicles_one_on_the_ground_takes_no_other_along)
{
        double up[] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 };
        struct requirement r = formula("eventually altitude_m > 4");
        struct judge j;

        fly_many(&j, &r, up, 10, MANY);
        judge_grounded(&j, 32, false);
        judge_grounded(&j, 64, false);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_PASSED);
        judge_grounded(&j, 0, false);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_OPEN);
        judge_close(&j);
        requirement_free(&r);
}

TEST(what_a_board_that_armed_says_of_itself_is_judged_on_the_ground)
{
        static const char *const own[] = { "eventually armed == 0",
                                           "always (armed == 0 or mode == 0)" };

        ck_assert_int_eq(grounded_result(formula(own[0])), JUDGE_OPEN);
        for (size_t i = 0; i < 2; i++)
                ck_assert_int_eq(grounded_result_of(formula(own[i]), true), JUDGE_PASSED);
        ck_assert_int_eq(
                grounded_result_of(formula("eventually (armed == 0 and altitude_m < 1)"),
                                   true),
                JUDGE_OPEN);
}

TEST(of_a_vehicle_that_never_left_the_ground_nothing_about_its_flight_is_judged)
{
        static const char *const flight[] = {
                "always tilt_deg < 45",
                "always altitude_m < 9",
                "always rotor_radps_0 < 900",
                "always v1.altitude_m - altitude_m < 5",
                "eventually contact == 0",
                "always (contact == 0 implies altitude_m < 1)"
        };
        static const char *const other[] = { "always contact == 0",
                                             "always v1.tilt_deg < 45",
                                             "always lateness_us < 100",
                                             "always (time_s < 11 and missed == 0)" };

        for (size_t i = 0; i < sizeof flight / sizeof flight[0]; i++)
                ck_assert_msg(grounded_result(formula(flight[i])) == JUDGE_OPEN, "%s",
                              flight[i]);
        ck_assert_int_eq(grounded_result(range(REQUIRE_ALWAYS, -1, 6)), JUDGE_OPEN);
        ck_assert_int_eq(grounded_result(metric(FIGURE_RMS, 0, 9)), JUDGE_OPEN);
        for (size_t i = 0; i < 4; i++)
                ck_assert_msg(grounded_result(formula(other[i])) == JUDGE_PASSED, "%s",
                              other[i]);
        /* What did not hold has failed, on the ground as in the air. */
        ck_assert_int_eq(grounded_result(range(REQUIRE_EVENTUALLY, 4, 6)), JUDGE_FAILED);
        ck_assert_int_eq(grounded_result(metric(FIGURE_MEAN, 4, 6)), JUDGE_FAILED);
}

TEST(nothing_is_judged_of_what_became_no_number)
{
        double altitude[] = { 5, 5, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
        struct requirement r = range(REQUIRE_ALWAYS, 4, 6);
        char text[200];
        struct judge j;

        fly(&j, &r, altitude, 10);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_FAILED);
        judge_dismiss(&j);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_OPEN);
        ck_assert_double_nan(judge_robustness(&j, 0));
        judge_detail(&j, 0, text, sizeof text);
        ck_assert_str_eq(text, "the vehicle became no number");
        judge_close(&j);
        requirement_free(&r);
}

TEST(windows_that_do_not_fit_are_refused_by_name)
{
        struct requirement r = formula("always eventually altitude_m > 1");
        struct judge j;
        char why[200] = "";

        ck_assert(!judge_open(&j, &r, 1, 1, 1000, 86400 * S, why, sizeof why));
        ck_assert_ptr_nonnull(strstr(why, "requirement \"r\""));
        judge_close(&j);
        requirement_free(&r);
}

TEST(exit_statuses_tell_the_verdicts_apart)
{
        ck_assert_int_eq(verdict_exit_status(VERDICT_PASSED), 0);
        ck_assert_int_eq(verdict_exit_status(VERDICT_FAILED), 1);
        ck_assert_int_eq(verdict_exit_status(VERDICT_ERROR), 2);
        ck_assert_int_eq(verdict_exit_status(VERDICT_VOID), 3);
        ck_assert_str_eq(verdict_name(VERDICT_VOID), "void");
}
