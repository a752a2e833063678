/* Tracks of a scenario file: steps beside each other, in one numbering, and loops in and of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"

#include "tests/suites.h"

#define DEFAULT "rig_configs/default.json"

static struct rig_config rig;
static struct config_error why;
static char *resolved;

static bool read_with(const char *tracks, const char *steps)
{
        char text[4200];
        const struct config_overrides o = { .sets = 1, .set = { text } };

        snprintf(text, sizeof text,
                 "scenario={\"name\": \"s\", \"duration_s\": 60, \"steps\": %s, "
                 "\"tracks\": %s}",
                 steps, tracks);
        config_free(&rig);
        free(resolved);
        return config_read(&rig, DEFAULT, &o, &resolved, &why);
}

static void expect_read(const char *tracks, const char *steps)
{
        ck_assert_msg(read_with(tracks, steps), "%s", why.text);
}

static void refused(const char *tracks, const char *steps, const char *expected)
{
        ck_assert_msg(!read_with(tracks, steps), "was taken");
        ck_assert_str_eq(why.text, expected);
}

#define LAND "{\"at_s\": 9, \"mode\": \"land\"}"

TEST(steps_are_numbered_through_all_tracks)
{
        static const int track[] = { 0, 0, 1, 2, 2 };
        const struct scenario *s = &rig.scenario;

        expect_read("[{\"name\": \"a\", \"steps\": [{\"after_s\": 5, \"mode\": "
                    "\"armed\"}]}, {\"name\": \"b\", \"steps\": [{\"at_s\": 2, \"mode\": "
                    "\"goto\", \"up_m\": 1}, " LAND "]}]",
                    "[" LAND ", {\"mode\": \"disarmed\"}]");
        ck_assert_int_eq(s->tracks, 2);
        ck_assert_int_eq(s->steps, 5);
        for (int i = 0; i < 5; i++)
                ck_assert_int_eq(s->step[i].track, track[i]);
        ck_assert_int_eq(s->step[2].trigger, TRIGGER_AFTER);
        ck_assert_int_eq(s->step[2].t_ns, 5000000000);
        ck_assert_int_eq(s->step[3].setpoint.mode, MODE_GOTO);
}

/* What a run leaves as config.json must be the same scenario. */
TEST(the_resolved_text_has_the_same_tracks)
{
        static struct rig_config again;
        char *same = NULL;

        expect_read(
                "[{\"repeat\": 3, \"index\": \"i\", \"tracks\": [{\"name\": \"t${i}\", "
                "\"steps\": [{\"repeat\": \"=i + 1\", \"index\": \"j\", \"steps\": "
                "[{\"name\": \"${i}${j}\", \"after_s\": 3, \"for_s\": \"=1 + j\", "
                "\"sensor_fault\": {\"sensor\": \"gyro\", \"does\": \"bias\", "
                "\"amount_dps\": \"=i + 1\"}}]}]}]}]",
                "[]");
        ck_assert_int_eq(rig.scenario.tracks, 3);
        ck_assert_int_eq(rig.scenario.steps, 6);
        ck_assert_str_eq(rig.scenario.step[4].name, "21");
        ck_assert_int_eq(rig.scenario.step[4].track, 3);
        ck_assert_int_eq(rig.scenario.step[4].action, ACTION_SENSOR_FAULT);
        ck_assert_int_eq(rig.scenario.step[4].for_ns, 2000000000);
        ck_assert_msg(config_read_text(&again, "config.json", resolved, strlen(resolved),
                                       NULL, &same, &why),
                      "%s", why.text);
        ck_assert_str_eq(resolved, same);
        ck_assert_int_eq(again.scenario.step[4].track, 3);
        config_free(&again);
        free(same);
}

TEST(times_may_go_back_from_track_to_track_and_not_within_one)
{
        expect_read(
                "[{\"name\": \"a\", \"steps\": [{\"at_s\": 1, \"mode\": \"armed\"}]}]",
                "[" LAND "]");
        refused("[{\"name\": \"a\", \"steps\": [{\"at_s\": 9, \"mode\": \"armed\"}, "
                "{\"at_s\": 8, \"mode\": \"land\"}]}]",
                "[]",
                "--set: scenario.tracks.0.steps.1.at_s: must not be before a step above "
                "it, which is at 9 s");
}

TEST(a_track_has_a_name_of_its_own_and_steps)
{
        refused("[{\"name\": \"a\", \"steps\": [" LAND "]}, {\"name\": \"a\", \"steps\": "
                "[" LAND "]}]",
                "[]",
                "--set: scenario.tracks.1.name: is the name of an earlier track too");
        refused("[{\"name\": \"a\", \"steps\": []}]", "[]",
                "--set: scenario.tracks.0.steps: must have at least 1 entries, has 0");
        refused("[{\"steps\": [" LAND "]}]", "[]",
                "--set: scenario.tracks.0.name: is required, and missing");
}

TEST(a_step_of_a_loop_in_a_loop_of_tracks_is_named_as_it_is_written)
{
        refused("[{\"repeat\": 2, \"index\": \"i\", \"tracks\": [{\"name\": \"t${i}\", "
                "\"steps\": [" LAND ", {\"repeat\": 2, \"index\": \"j\", \"steps\": "
                "[{\"after_s\": \"=1/(i*j - 1)\", \"mode\": \"land\"}]}]}]}]",
                "[]",
                "--set: scenario.tracks.0.tracks.0(i=1).steps.1.steps.0(j=1).after_s: "
                "must "
                "give a finite number, \"1/(i*j - 1)\" gives an infinite one");
}

TEST(all_tracks_together_have_as_many_steps_as_a_scenario)
{
        refused("[{\"name\": \"a\", \"steps\": [{\"repeat\": 200, \"steps\": [" LAND
                "]}]}]",
                "[{\"repeat\": 100, \"steps\": [" LAND "]}]",
                "--set: scenario.tracks.0.steps: with those before them there are more "
                "than 256 steps");
}

/* However lists stand in each other, what they make is bounded together. */
TEST(loops_in_loops_of_other_lists_are_bounded)
{
        ck_assert(
                !read_with("[{\"repeat\": 256, \"tracks\": [{\"name\": \"a\", \"steps\": "
                           "[{\"repeat\": 256, \"steps\": [" LAND "]}]}]}]",
                           "[]"));
        ck_assert_msg(strstr(why.text, "all loops together must turn at most 2048 times"),
                      "%s", why.text);
}

/* Seventeen that begin at once; of each other in turn sixteen are in force at most. */
TEST(more_wire_faults_at_once_than_there_is_room_for_are_refused)
{
        char together[3600] = "[", apart[3600] = "[";

        for (int i = 0; i < 17; i++) {
                snprintf(together + strlen(together), sizeof together - strlen(together),
                         "%s{\"at_s\": 3, \"wire_fault\": {\"does\": \"drop\", "
                         "\"direction\": \"to_fc\", \"probability\": 0.1}}",
                         i > 0 ? ", " : "");
                snprintf(apart + strlen(apart), sizeof apart - strlen(apart),
                         "%s{\"after_s\": %d, \"for_s\": 16, \"wire_fault\": {\"does\": "
                         "\"drop\", \"direction\": \"to_fc\", \"probability\": 0.1}}",
                         i > 0 ? ", " : "", i > 0);
        }
        strcat(together, "]");
        strcat(apart, "]");
        refused("[]", together,
                "--set: scenario.steps: must have at most 16 wire faults of one vehicle "
                "at once, has 17 at 3 s");
        expect_read("[]", apart);
}

TEST(a_stimulus_may_be_cut_off)
{
        static const struct {
                const char *step;
                int64_t for_ns;
        } cases[] = { { "", 2000000000 },
                      { "\"for_s\": 0.5, ", 500000000 },
                      { "\"for_s\": 3600, ", 2000000000 } };

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
                char steps[300];

                snprintf(steps, sizeof steps,
                         "[{\"at_s\": 1, %s\"stimulus\": {\"input\": \"up_m\", "
                         "\"shape\": \"ramp\", \"amplitude\": 1, \"for_s\": 2}}]",
                         cases[i].step);
                expect_read("[]", steps);
                ck_assert_int_eq(rig.scenario.step[0].for_ns, cases[i].for_ns);
                /* The ramp is as steep as without. */
                ck_assert_int_eq(rig.scenario.step[0].stimulus.for_ns, 2000000000);
        }
}
