#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/verdict.h"

#define S INT64_C(1000000000)

static struct scenario scenario_of(enum scenario_quantifier quantifier,
                                   enum scenario_signal signal, double min, double max)
{
        struct scenario s = { .duration_ns = 10 * S, .requirements = 1 };

        s.requirement[0] = (struct scenario_requirement){ .name = "r",
                                                          .quantifier = quantifier,
                                                          .signal = signal,
                                                          .min = min,
                                                          .max = max,
                                                          .from_ns = 2 * S,
                                                          .to_ns = 8 * S };
        return s;
}

/* altitude[i] at i seconds. */
static void fly(struct judge *j, const struct scenario *s, const double *altitude,
                int seconds)
{
        struct body_state level = { .q_body_to_ned = { 1, 0, 0, 0 } };

        judge_init(j, s);
        for (int i = 0; i <= seconds; i++) {
                struct observation o = { .truth = &level, .altitude_m = altitude[i] };

                judge_observe(j, 0, i * S, &o);
        }
        judge_finish(j, seconds * S);
}

START_TEST(always_holds_only_when_every_tick_of_its_window_does)
{
        struct scenario s = scenario_of(REQUIRE_ALWAYS, SIGNAL_ALTITUDE_M, 4, 6);
        double inside[] = { 0, 0, 5, 5, 4, 6, 5, 5, 5, 0, 0 };
        double once_out[] = { 5, 5, 5, 5, 5, 7.5, 5, 5, 5, 5, 5 };
        struct judge j;
        char text[200];

        fly(&j, &s, inside, 10);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_PASSED);

        fly(&j, &s, once_out, 10);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_FAILED);
        judge_detail(&j, 0, text, sizeof text);
        ck_assert_str_eq(text, "broken at 5.000 s; worst value 7.5, outside by 1.5");
}
END_TEST

START_TEST(eventually_needs_one_tick_of_its_window)
{
        struct scenario s = scenario_of(REQUIRE_EVENTUALLY, SIGNAL_ALTITUDE_M, 4, 6);
        double once[] = { 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0 };
        double outside_window[] = { 5, 5, 0, 0, 0, 3.5, 0, 0, 0, 5, 5 };
        struct judge j;
        char text[200];

        fly(&j, &s, once, 10);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_PASSED);

        fly(&j, &s, outside_window, 10);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_FAILED);
        judge_detail(&j, 0, text, sizeof text);
        ck_assert_str_eq(text,
                         "did not happen; closest at 5.000 s, value 3.5, off by 0.5");
}
END_TEST

START_TEST(a_flight_that_ends_early_leaves_open_what_nothing_decided)
{
        struct scenario always = scenario_of(REQUIRE_ALWAYS, SIGNAL_ALTITUDE_M, 4, 6);
        struct scenario eventually =
                scenario_of(REQUIRE_EVENTUALLY, SIGNAL_ALTITUDE_M, 4, 6);
        double good[] = { 5, 5, 5, 5, 5 }, bad[] = { 9, 9, 9, 9, 9 };
        struct judge j;

        fly(&j, &always, good, 4);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_OPEN);
        fly(&j, &always, bad, 4);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_FAILED);
        fly(&j, &eventually, good, 4);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_PASSED);
        fly(&j, &eventually, bad, 4);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_OPEN);
        fly(&j, &always, good, 1);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_OPEN);
}
END_TEST

START_TEST(a_signal_that_is_not_a_number_is_outside)
{
        struct scenario s =
                scenario_of(REQUIRE_ALWAYS, SIGNAL_ALTITUDE_M, -INFINITY, INFINITY);
        double nan_once[] = { 0, 0, 0, NAN, 0, 0, 0, 0, 0, 0, 0 };
        struct judge j;

        fly(&j, &s, nan_once, 10);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_FAILED);
}
END_TEST

START_TEST(tilt_is_the_angle_between_body_down_and_down)
{
        struct scenario s =
                scenario_of(REQUIRE_EVENTUALLY, SIGNAL_TILT_DEG, 29.999, 30.001);
        struct body_state b = { .q_body_to_ned =
                                        quat_from_euler(0.0, 0.52359877559829882, 2.0) };
        struct observation o = { .truth = &b };
        struct judge j;

        judge_init(&j, &s);
        judge_observe(&j, 0, 3 * S, &o);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_PASSED);
        b.q_body_to_ned = quat_from_euler(0.52359877559829882, 0.0, -1.0);
        judge_init(&j, &s);
        judge_observe(&j, 0, 3 * S, &o);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_PASSED);
}
END_TEST

START_TEST(another_vehicle_does_not_count)
{
        struct scenario s = scenario_of(REQUIRE_EVENTUALLY, SIGNAL_ARMED, 1, 1);
        struct body_state b = { .q_body_to_ned = { 1, 0, 0, 0 } };
        struct observation o = { .truth = &b, .armed = true };
        struct judge j;

        judge_init(&j, &s);
        judge_observe(&j, 1, 3 * S, &o);
        judge_finish(&j, 10 * S);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_OPEN);
        judge_observe(&j, 0, 4 * S, &o);
        ck_assert_int_eq(judge_result(&j, 0), JUDGE_PASSED);
}
END_TEST

START_TEST(exit_status_is_the_verdict)
{
        ck_assert_int_eq(verdict_exit_status(VERDICT_PASSED), 0);
        ck_assert_int_eq(verdict_exit_status(VERDICT_FAILED), 1);
        ck_assert_int_eq(verdict_exit_status(VERDICT_ERROR), 2);
        ck_assert_int_eq(verdict_exit_status(VERDICT_VOID), 3);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("verdict");
        TCase *t = tcase_create("requirements");
        SRunner *sr;
        int failed;

        tcase_add_test(t, always_holds_only_when_every_tick_of_its_window_does);
        tcase_add_test(t, eventually_needs_one_tick_of_its_window);
        tcase_add_test(t, a_flight_that_ends_early_leaves_open_what_nothing_decided);
        tcase_add_test(t, a_signal_that_is_not_a_number_is_outside);
        tcase_add_test(t, tilt_is_the_angle_between_body_down_and_down);
        tcase_add_test(t, another_vehicle_does_not_count);
        tcase_add_test(t, exit_status_is_the_verdict);
        suite_add_tcase(suite, t);
        sr = srunner_create(suite);
        srunner_run_all(sr, CK_NORMAL);
        failed = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failed != 0;
}
