/* Scenarios: which step fires when, and scenario files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/formula/quantity.h"
#include "hil/scenario/scenario.h"

#include "tests/suites.h"

PROCESS_EACH

#define SECOND INT64_C(1000000000)

/* Every step that fires at the tick, as a string of digits. */
static const char *fired(struct timeline *t, int64_t t_ns, const double *value)
{
        static char text[16];
        size_t n = 0;
        int step;

        while ((step = timeline_due(t, t_ns, value)) >= 0)
                text[n++] = (char)('0' + step);
        text[n] = '\0';
        return text;
}

TEST(steps_fire_once_in_their_order_when_their_times_come)
{
        static const struct scenario s = {
                .steps = 4,
                .step = { { .t_ns = 0 }, { .t_ns = 10 }, { .t_ns = 10 }, { .t_ns = 20 } },
        };
        struct timeline t = { .scenario = &s };

        ck_assert_str_eq(fired(&t, 0, NULL), "0");
        ck_assert_str_eq(fired(&t, 9, NULL), "");
        ck_assert_str_eq(fired(&t, 11, NULL), "12");
        ck_assert_str_eq(fired(&t, 12, NULL), "");
        ck_assert_str_eq(fired(&t, INT64_MAX, NULL), "3");
        ck_assert_str_eq(fired(&t, INT64_MAX, NULL), "");
}

TEST(a_step_waits_for_the_one_above_it)
{
        struct quantity_names names;
        struct formula_error why;
        struct scenario s = { .steps = 3 };
        struct timeline t = { .scenario = &s };
        double *value;

        ck_assert(quantity_names_make(&names, 1, 0));
        value = calloc((size_t)quantity_count, sizeof *value);
        s.step[0].trigger = TRIGGER_WHEN;
        s.step[0].t_ns = INT64_MAX;
        s.step[0].when = formula_parse("altitude_m > 4.5", &names.names, &why);
        ck_assert_msg(s.step[0].when != NULL, "%s", why.text);
        s.step[1].trigger = TRIGGER_AFTER;
        s.step[1].t_ns = 2 * SECOND;
        s.step[2].trigger = TRIGGER_TIME;
        s.step[2].t_ns = SECOND;

        ck_assert_str_eq(fired(&t, 3 * SECOND, NULL), "");
        ck_assert_str_eq(fired(&t, 4 * SECOND, value), "");
        for (int i = 0; i < quantity_count; i++)
                if (strcmp(quantities[i].name, "altitude_m") == 0)
                        value[i] = 4.6;
        ck_assert_str_eq(fired(&t, 5 * SECOND, value), "0");
        ck_assert_str_eq(fired(&t, 7 * SECOND - 1, value), "");
        ck_assert_str_eq(fired(&t, 7 * SECOND, value), "12");
        free(value);
        quantity_names_free(&names);
        scenario_free(&s);
}

TEST(a_condition_that_never_holds_is_given_up_when_the_step_says_so)
{
        struct quantity_names names;
        struct formula_error why;
        struct scenario s = { .steps = 1 };
        struct timeline t = { .scenario = &s };

        ck_assert(quantity_names_make(&names, 1, 0));
        s.step[0].trigger = TRIGGER_WHEN;
        s.step[0].t_ns = 9 * SECOND;
        s.step[0].when = formula_parse("armed == 1", &names.names, &why);
        ck_assert_ptr_nonnull(s.step[0].when);
        ck_assert_str_eq(fired(&t, 9 * SECOND - 1, NULL), "");
        ck_assert_str_eq(fired(&t, 9 * SECOND, NULL), "0");
        quantity_names_free(&names);
        scenario_free(&s);
}

TEST(a_replay_fires_what_was_recorded_and_nothing_else)
{
        static const struct scenario s = { .steps = 2 };
        struct timeline t = { .scenario = &s };

        ck_assert(!timeline_fire(&t, 1, 5));
        ck_assert(timeline_fire(&t, 0, 5));
        ck_assert(!timeline_fire(&t, 0, 6));
        ck_assert(timeline_fire(&t, 1, 6));
        ck_assert(!timeline_fire(&t, 2, 7));
        ck_assert(!timeline_fire(&t, -1, 7));
}

/* Steps 0 and 1 are of the scenario itself, 2 and 3 of its track. */
static const struct scenario beside = {
        .steps = 4,
        .tracks = 1,
        .step = { { .t_ns = 20 },
                  { .trigger = TRIGGER_AFTER, .t_ns = 5 },
                  { .track = 1, .trigger = TRIGGER_AFTER, .t_ns = 10 },
                  { .track = 1, .trigger = TRIGGER_AFTER, .t_ns = 12 } },
};

TEST(a_track_waits_for_none_but_its_own_steps)
{
        struct timeline t = { .scenario = &beside };
        int first = -1;

        ck_assert_str_eq(fired(&t, 9, NULL), "");
        ck_assert_str_eq(fired(&t, 10, NULL), "2");
        ck_assert_int_eq(timeline_left(&t, &first), 3);
        ck_assert_int_eq(first, 0);
        ck_assert_str_eq(fired(&t, 21, NULL), "0");
        ck_assert_str_eq(fired(&t, 22, NULL), "3");
        ck_assert_int_eq(timeline_left(&t, &first), 1);
        ck_assert_int_eq(first, 1);
        /* 5 after it fired, at 21, whatever fired since. */
        ck_assert_str_eq(fired(&t, 25, NULL), "");
        ck_assert_str_eq(fired(&t, 26, NULL), "1");
        ck_assert_int_eq(timeline_left(&t, &first), 0);
}

TEST(of_steps_of_one_tick_those_of_the_first_track_fire_first)
{
        struct timeline t = { .scenario = &beside };

        ck_assert_str_eq(fired(&t, 20, NULL), "02");
        ck_assert_str_eq(fired(&t, 40, NULL), "13");
}

TEST(a_replay_follows_each_track_by_itself)
{
        struct timeline t = { .scenario = &beside };

        ck_assert(!timeline_fire(&t, 3, 5));
        ck_assert(timeline_fire(&t, 2, 5));
        ck_assert(!timeline_fire(&t, 2, 6));
        ck_assert(timeline_fire(&t, 3, 6));
        ck_assert(!timeline_fire(&t, 1, 7));
        ck_assert(timeline_fire(&t, 0, 7));
        ck_assert(timeline_fire(&t, 1, 7));
        ck_assert(!timeline_fire(&t, 4, 8));
}

static struct rig_config rig;

TEST(hold_and_release_are_read)
{
        struct config_overrides o = {
                .sets = 2,
                .set = { "scenario.steps.0.hold_deg={\"roll\":180,\"yaw\":90}",
                         "scenario.steps.1.release=true" },
        };
        struct config_error why;
        struct vec3 down;

        config_free(&rig);
        ck_assert_msg(config_read(&rig, "rig_configs/default.json", &o, NULL, &why), "%s",
                      why.text);
        ck_assert_int_eq(rig.scenario.step[0].jig, JIG_HOLD);
        ck_assert_int_eq(rig.scenario.step[1].jig, JIG_RELEASE);
        ck_assert_int_eq(rig.scenario.step[2].jig, JIG_AS_BEFORE);
        down = quat_rotate(rig.scenario.step[0].q_body_to_ned,
                           (struct vec3){ 0.0, 0.0, 1.0 });
        ck_assert_double_eq_tol(down.z, -1.0, 1e-12);
}

TEST(the_default_scenario_reads_as_written)
{
        struct config_error why;
        const struct scenario *s = &rig.scenario;

        config_free(&rig);
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
        ck_assert_int_eq(s->requirement[0].form, REQUIRE_EVENTUALLY);
        ck_assert_str_eq(s->requirement[0].text, "altitude_m");
        ck_assert_int_eq(s->requirement[0].to_ns, 14000000000);
}

TEST(a_requirement_without_end_or_bound_has_the_widest)
{
        struct config_overrides o = { .sets = 1,
                                      .set = { "scenario.requirements=[{\"name\":"
                                               "\"r\",\"kind\":\"always\",\"signal\":"
                                               "\"tilt_deg\",\"max\":1}]" } };
        struct config_error why;

        config_free(&rig);
        ck_assert_msg(config_read(&rig, "rig_configs/default.json", &o, NULL, &why), "%s",
                      why.text);
        ck_assert_int_eq(rig.scenario.requirement[0].from_ns, 0);
        ck_assert_int_eq(rig.scenario.requirement[0].to_ns, rig.scenario.duration_ns);
        ck_assert(rig.scenario.requirement[0].min == -INFINITY);
}

/* What is set, and what is said of it. */
static const char *const wrong[][2] = {
        { "scenario.steps.2.up_m=null",
          "scenarios/hover_and_waypoints.json: steps.2.up_m: is "
          "required, and missing, with \"mode\": \"goto\"" },
        { "scenario.steps.3.at_s=3.5", "--set: scenario.steps.3.at_s: must not be before "
                                       "a step above it, which is at 4 s" },
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
          "--set: scenario.steps.0.release: means nothing beside hold_deg" },
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
          "requirements.5.min: is required, and missing, without max" },
        { "scenario.requirements.1.name=reaches 5 m",
          "--set: scenario.requirements.1.name: is the name of an earlier requirement "
          "too" },
        { "scenario.requirements.0.signal=altitude",
          "--set: scenario.requirements.0.signal: column 1: unknown name \"altitude\", "
          "did "
          "you mean \"altitude_m\"?" },
        { "scenario.duration_s=30", "after the end of the scenario, which is at 30 s" },
};

TEST_EACH(a_wrong_scenario_is_refused_by_its_key, sizeof(wrong) / sizeof(wrong[0]))
{
        struct config_overrides o = { .sets = 1, .set = { wrong[_i][0] } };
        struct config_error why = { "" };

        ck_assert(!config_read(&rig, "rig_configs/default.json", &o, NULL, &why));
        ck_assert_msg(strstr(why.text, wrong[_i][1]) != NULL, "%s: %s", wrong[_i][0],
                      why.text);
}
