/* Scenarios: which step is in force for whom, and scenario files. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config.h"
#include "hil/scenario.h"

/* Vehicle 0 has steps 0, 2 and 3; vehicle 1 has 0, 1 and 3. */
static const struct scenario two = {
        .duration_ns = 100,
        .steps = 4,
        .step = {
                { .t_ns = 0, .vehicle = -1, .setpoint = { .yaw_rad = 0.0 } },
                { .t_ns = 10, .vehicle = 1, .setpoint = { .yaw_rad = 1.0 } },
                { .t_ns = 10, .vehicle = 0, .setpoint = { .yaw_rad = 2.0 }, .rc_us = { 1500 } },
                { .t_ns = 20, .vehicle = -1, .setpoint = { .yaw_rad = 3.0 } },
        },
};

START_TEST(a_step_is_given_once_when_it_is_due)
{
        struct pilot_input input = { 0 };
        int next = 0;

        ck_assert(scenario_input(&two, 0, 0, &next, &input));
        ck_assert(!scenario_input(&two, 0, 0, &next, &input));
        ck_assert(!scenario_input(&two, 0, 9, &next, &input));
        ck_assert(scenario_input(&two, 0, 10, &next, &input));
        ck_assert_double_eq(input.setpoint.yaw_rad, 2.0);
        ck_assert_uint_eq(input.rc_us[0], 1500);
        ck_assert(scenario_input(&two, 0, 20, &next, &input));
        ck_assert_uint_eq(input.rc_us[0], 0);
        ck_assert(!scenario_input(&two, 0, INT64_MAX, &next, &input));
        ck_assert_int_eq(next, two.steps);
}
END_TEST

START_TEST(the_newest_of_several_due_steps_counts)
{
        struct pilot_input input = { 0 };
        int next = 0;

        ck_assert(scenario_input(&two, 0, 15, &next, &input));
        ck_assert_double_eq(input.setpoint.yaw_rad, 2.0);
}
END_TEST

START_TEST(a_step_for_one_vehicle_is_no_news_to_another)
{
        struct pilot_input input = { 0 };
        int next = 1;

        ck_assert(scenario_input(&two, 1, 10, &next, &input));
        ck_assert_double_eq(input.setpoint.yaw_rad, 1.0);
        next = 1;
        ck_assert(!scenario_input(&two, 5, 10, &next, &input));
        ck_assert_int_eq(next, 3);
}
END_TEST

START_TEST(a_scenario_without_steps_says_nothing)
{
        static const struct scenario none = { .duration_ns = 1 };
        struct pilot_input input;
        int next = 0;

        ck_assert(!scenario_input(&none, 0, 0, &next, &input));
}
END_TEST

/* Vehicle 0 is held, turned and let go; vehicle 1 is let go at 30. */
static const struct scenario jigs = {
        .duration_ns = 100,
        .steps = 5,
        .step = {
                { .t_ns = 0, .vehicle = -1, .jig = JIG_HOLD, .q_body_to_ned = { .w = 1.0 } },
                { .t_ns = 10, .vehicle = -1 },
                { .t_ns = 20, .vehicle = 0, .jig = JIG_HOLD, .q_body_to_ned = { .x = 1.0 } },
                { .t_ns = 25, .vehicle = 0, .jig = JIG_RELEASE },
                { .t_ns = 30, .vehicle = 1, .jig = JIG_RELEASE },
        },
};

START_TEST(a_jig_holds_turns_and_lets_go_when_its_step_is_due)
{
        struct quat q = { 0 };
        int next = 0;

        ck_assert_int_eq(scenario_jig(&jigs, 0, 0, &next, &q), JIG_HOLD);
        ck_assert_double_eq(q.w, 1.0);
        ck_assert_int_eq(scenario_jig(&jigs, 0, 10, &next, &q), JIG_AS_BEFORE);
        ck_assert_int_eq(scenario_jig(&jigs, 0, 20, &next, &q), JIG_HOLD);
        ck_assert_double_eq(q.x, 1.0);
        ck_assert_int_eq(scenario_jig(&jigs, 0, 24, &next, &q), JIG_AS_BEFORE);
        ck_assert_int_eq(scenario_jig(&jigs, 0, 99, &next, &q), JIG_RELEASE);
        ck_assert_int_eq(next, jigs.steps);
}
END_TEST

START_TEST(a_jig_of_one_vehicle_leaves_another_alone)
{
        struct quat q = { 0 };
        int next = 0;

        ck_assert_int_eq(scenario_jig(&jigs, 1, 26, &next, &q), JIG_HOLD);
        ck_assert_double_eq(q.w, 1.0);
        ck_assert_int_eq(scenario_jig(&jigs, 1, 30, &next, &q), JIG_RELEASE);
}
END_TEST

static struct rig_config rig;

START_TEST(hold_and_release_are_read)
{
        struct config_overrides o = {
                .sets = 2,
                .set = { "scenario.steps.0.hold_deg={\"roll\":180,\"yaw\":90}",
                         "scenario.steps.1.release=true" },
        };
        struct config_error why;
        struct vec3 down;

        ck_assert_msg(config_read(&rig, "rig_configs/default.json", &o, NULL, &why), "%s",
                      why.text);
        ck_assert_int_eq(rig.scenario.step[0].jig, JIG_HOLD);
        ck_assert_int_eq(rig.scenario.step[1].jig, JIG_RELEASE);
        ck_assert_int_eq(rig.scenario.step[2].jig, JIG_AS_BEFORE);
        down = quat_rotate(rig.scenario.step[0].q_body_to_ned,
                           (struct vec3){ 0.0, 0.0, 1.0 });
        ck_assert_double_eq_tol(down.z, -1.0, 1e-12);
}
END_TEST

START_TEST(the_default_scenario_reads_as_written)
{
        struct config_error why;
        const struct scenario *s = &rig.scenario;

        ck_assert_msg(config_read(&rig, "rig_configs/default.json", NULL, NULL, &why),
                      "%s", why.text);
        ck_assert_str_eq(s->name, "hover_and_waypoints");
        ck_assert_int_eq(s->duration_ns, 45000000000);
        ck_assert_int_eq(s->step[4].t_ns, 24000000000);
        ck_assert_int_eq(s->step[4].vehicle, -1);
        ck_assert_int_eq(s->step[4].setpoint.mode, MODE_GOTO);
        ck_assert_double_eq(s->step[4].setpoint.pos_ned_m.x, 3.0);
        ck_assert_double_eq(s->step[4].setpoint.pos_ned_m.z, -5.0);
        ck_assert_double_eq_tol(s->step[4].setpoint.yaw_rad, M_PI / 2, 1e-15);
        ck_assert_int_eq(s->requirement[0].quantifier, REQUIRE_EVENTUALLY);
        ck_assert_int_eq(s->requirement[0].signal, SIGNAL_ALTITUDE_M);
        ck_assert_int_eq(s->requirement[0].to_ns, 14000000000);
}
END_TEST

START_TEST(a_requirement_without_end_or_bound_has_the_widest)
{
        struct config_overrides o = { .sets = 1,
                                      .set = { "scenario.requirements=[{\"name\":"
                                               "\"r\",\"kind\":\"always\",\"signal\":"
                                               "\"tilt_deg\",\"max\":1}]" } };
        struct config_error why;

        ck_assert_msg(config_read(&rig, "rig_configs/default.json", &o, NULL, &why), "%s",
                      why.text);
        ck_assert_int_eq(rig.scenario.requirement[0].from_ns, 0);
        ck_assert_int_eq(rig.scenario.requirement[0].to_ns, rig.scenario.duration_ns);
        ck_assert(rig.scenario.requirement[0].min == -INFINITY);
}
END_TEST

/* What is set, and what is said of it. */
static const char *const wrong[][2] = {
        { "scenario.steps.2.up_m=null",
          "scenarios/hover_and_waypoints.json: steps.2.up_m: is "
          "required, and missing, with \"mode\": \"goto\"" },
        { "scenario.steps.3.at_s=3.5",
          "--set: scenario.steps.3.at_s: must not be before the "
          "step above it, which is at 4 s" },
        { "scenario.steps.1.vehicle=1",
          "--set: scenario.steps.1.vehicle: must be less than 1, "
          "the number of vehicles, is 1" },
        { "scenario.steps.1.rc_us=[1500, 900]",
          "--set: scenario.steps.1.rc_us.1: must be 0 or at least 1000, is 900" },
        { "scenario.steps.1.mode=fly",
          "--set: scenario.steps.1.mode: must be \"disarmed\", "
          "\"armed\", \"goto\" or \"land\", is \"fly\"" },
        { "scenario.steps.0={\"at_s\":0,\"mode\":\"armed\",\"hold_deg\":{},"
          "\"release\":true}",
          "--set: scenario.steps.0.release: must be false in a step with hold_deg" },
        { "scenario.requirements.0.max=4",
          "hover_and_waypoints.json: requirements.0.min: must "
          "not be greater than max, which is 4" },
        { "scenario.requirements.0.to_s=46",
          "--set: scenario.requirements.0.to_s: must not be "
          "after the end of the scenario, which is at 45 s" },
        { "scenario.requirements.0.from_s=15", "--set: scenario.requirements.0.from_s: "
                                               "must not be after to_s, which is 14 s" },
        { "scenario.requirements.0.vehicle=2",
          "--set: scenario.requirements.0.vehicle: must be "
          "less than 1" },
        { "scenario.requirements.5.max=null",
          "requirements.5: must have min or max, or both" },
        { "scenario.requirements.1.name=reaches 5 m",
          "--set: scenario.requirements.1.name: is the name of an earlier requirement "
          "too" },
        { "scenario.requirements.0.signal=altitude",
          "must be \"north_m\", \"east_m\", \"altitude_m\"" },
        { "scenario.duration_s=30", "after the end of the scenario, which is at 30 s" },
};

START_TEST(a_wrong_scenario_is_refused_by_its_key)
{
        struct config_overrides o = { .sets = 1, .set = { wrong[_i][0] } };
        struct config_error why = { "" };

        ck_assert(!config_read(&rig, "rig_configs/default.json", &o, NULL, &why));
        ck_assert_msg(strstr(why.text, wrong[_i][1]) != NULL, "%s: %s", wrong[_i][0],
                      why.text);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("scenario");
        TCase *tc = tcase_create("scenario");
        SRunner *sr = srunner_create(suite);
        int failures;

        tcase_add_test(tc, a_step_is_given_once_when_it_is_due);
        tcase_add_test(tc, the_newest_of_several_due_steps_counts);
        tcase_add_test(tc, a_step_for_one_vehicle_is_no_news_to_another);
        tcase_add_test(tc, a_scenario_without_steps_says_nothing);
        tcase_add_test(tc, a_jig_holds_turns_and_lets_go_when_its_step_is_due);
        tcase_add_test(tc, a_jig_of_one_vehicle_leaves_another_alone);
        tcase_add_test(tc, hold_and_release_are_read);
        tcase_add_test(tc, the_default_scenario_reads_as_written);
        tcase_add_test(tc, a_requirement_without_end_or_bound_has_the_widest);
        tcase_add_loop_test(tc, a_wrong_scenario_is_refused_by_its_key, 0,
                            (int)(sizeof(wrong) / sizeof(wrong[0])));
        suite_add_tcase(suite, tc);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
