/* All that is wrong with a rig and the files that it names, each place once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"

#include "tests/suites.h"

#define VEHICLE(more)                                                                    \
        "{ \"name\": \"a\", \"vehicle\": \"../../rig_configs/vehicles/md4_200.json\", "  \
        "\"fc\": { \"codec\": \"hilp\", \"link\": \"pty\" }" more " }"
#define WORLD    "\"world\": \"../../rig_configs/worlds/flat.json\""
#define SCENARIO "\"scenario\": { \"name\": \"s\", \"duration_s\": 9 }"

static struct rig_config rig;
static struct config_error why;

/* As if it stood in tests/configs. */
static void refuse(const char *text, const char *expected)
{
        ck_assert(!config_read_text(&rig, "tests/configs/x.json", text, strlen(text),
                                    NULL, NULL, &why));
        ck_assert_str_eq(why.text, expected);
        config_free(&rig);
}

TEST(every_error_of_a_file_is_told_in_its_order)
{
        refuse("{ \"pase\": \"lockstep\", " WORLD ", \"seed\": -1, " SCENARIO
               ", \"vehicles\": [" VEHICLE(", \"start\": { \"yaw_rad\": 1 }") "] }",
               "tests/configs/x.json: name: is required, and missing\n"
               "tests/configs/x.json: pase: unknown key, did you mean \"pace\"?\n"
               "tests/configs/x.json: seed: must be at least 0, is -1\n"
               "tests/configs/x.json: vehicles.0.start.yaw_rad: unknown key, did you "
               "mean "
               "\"yaw_deg\"? The unit here is degrees");
        ck_assert_int_eq(why.count, 4);
}

TEST(files_follow_in_the_order_in_which_they_are_named)
{
        refuse("{ \"name\": \"x\", \"world\": \"wrong_world.json\", " SCENARIO
               ", \"vehicles\": [" VEHICLE("") "], \"sed\": 1 }",
               "tests/configs/x.json: sed: unknown key, did you mean \"seed\"?\n"
               "tests/configs/wrong_world.json: gravity_mps: unknown key, did you mean "
               "\"gravity_mps2\"? The unit here is m/s^2\n"
               "tests/configs/wrong_world.json: wind_mps.north: must be a number, is "
               "\"strong\"");
}

TEST(a_missing_file_does_not_hide_a_wrong_key)
{
        refuse("{ \"name\": \"x\", \"world\": \"nowhere.json\", " SCENARIO
               ", \"vehicles\": [" VEHICLE("") "], \"sed\": 1 }",
               "tests/configs/x.json: world: tests/configs/nowhere.json: no such file\n"
               "tests/configs/x.json: sed: unknown key, did you mean \"seed\"?");
}

/* Also one of those that are read last. */
TEST(a_wrong_obstacle_does_not_hide_a_missing_mesh)
{
        refuse("{ \"name\": \"x\", \"world\": { \"name\": \"w\", \"origin\": { "
               "\"latitude_deg\": 47, \"longitude_deg\": 15, \"height_m\": 0 }, "
               "\"obstacles\": [ { \"name\": \"a\", \"shape\": \"sphere\", \"radius_m\": "
               "0 }, "
               "{ \"name\": \"b\", \"shape\": \"mesh\", \"file\": \"none.obj\" } ] "
               "}, " SCENARIO ", \"vehicles\": [" VEHICLE("") "] }",
               "tests/configs/x.json: world.obstacles.0.radius_m: must be greater than "
               "0, "
               "is 0\n"
               "tests/configs/x.json: world.obstacles.1.file: tests/configs/none.obj: no "
               "such file");
}

/* What the missing file would have had is not asked for. */
TEST(nothing_is_missing_beside_a_missing_include)
{
        refuse("{ \"include\": \"nowhere.json\", \"sed\": 1, \"vehicles\": [ "
               "{ \"fc\": { \"lnk\": \"pty\" } } ] }",
               "tests/configs/x.json: include: tests/configs/nowhere.json: no such file\n"
               "tests/configs/x.json: sed: unknown key, did you mean \"seed\"?\n"
               "tests/configs/x.json: vehicles.0.fc.lnk: unknown key, did you mean "
               "\"link\"?");
}

TEST(a_syntax_error_ends_its_own_file_alone)
{
        refuse("{ \"name\": \"x\", \"world\": \"truncated.json\", " SCENARIO
               ", \"vehicles\": [" VEHICLE("") "], \"sed\": 1 }",
               "tests/configs/x.json: sed: unknown key, did you mean \"seed\"?\n"
               "tests/configs/truncated.json: line 5, column 1: ends too early: the file "
               "is cut short");
}

/* A key in another spelling is not missing, too; of a choice that is wrong nothing follows. */
TEST(no_error_follows_from_another)
{
        refuse("{ \"nme\": \"x\", " WORLD ", \"period_us\": \"1 ms\", "
               "\"plant_step_us\": 3000, " SCENARIO ", \"vehicles\": [" VEHICLE("") "] }",
               "tests/configs/x.json: nme: unknown key, did you mean \"name\"?\n"
               "tests/configs/x.json: period_us: must be a number, is \"1 ms\"");
        refuse("{ \"name\": \"x\", " WORLD
               ", \"vehicles\": [" VEHICLE("") "], \"scenario\": { \"name\": \"s\", "
                                               "\"duration_s\": 9, \"steps\": [ { "
                                               "\"mode\": \"go_to\", \"east_m\": 1 } ] "
                                               "} }",
               "tests/configs/x.json: scenario.steps.0.mode: must be \"disarmed\", "
               "\"armed\", \"goto\" or \"land\", is \"go_to\"");
}

/* Of a vehicle that cannot be read it is not known what it carries; the other's is. */
TEST(a_scenario_is_judged_by_the_vehicles_that_can_be)
{
        refuse("{ \"name\": \"x\", " WORLD ", \"vehicles\": [" VEHICLE(
                       "") ", "
                           "{ \"name\": \"b\", \"vehicle\": \"none.json\", \"fc\": { "
                           "\"codec\": "
                           "\"hilq\", \"link\": \"pty\" } } ], "
                           "\"scenario\": { \"name\": \"s\", \"duration_s\": 9, "
                           "\"steps\": [ "
                           "{ \"vehicle\": 0, \"sensor_fault\": { \"sensor\": \"flow\", "
                           "\"does\": "
                           "\"zero\" } }, { \"vehicle\": 1, \"sensor_fault\": { "
                           "\"sensor\": \"flow\", "
                           "\"does\": \"zero\" } }, { \"when\": \"hight_m > 1\", "
                           "\"mode\": \"land\" "
                           "} ] } }",
               "tests/configs/x.json: vehicles.1.vehicle: tests/configs/none.json: no "
               "such file\n"
               "tests/configs/x.json: vehicles.1.fc.codec: no codec is called \"hilq\"; "
               "known: \"hilp\", \"ardupilot\", \"betaflight\", \"inav\", \"px4\"\n"
               "tests/configs/x.json: scenario.steps.0.sensor_fault.sensor: must be a "
               "sensor that the vehicle carries, is \"flow\"\n"
               "tests/configs/x.json: scenario.steps.2.when: column 1: unknown name "
               "\"hight_m\", did you mean \"height_m\"?");
}

TEST(what_several_name_and_what_a_loop_makes_is_wrong_once)
{
        refuse("{ \"name\": \"x\", " WORLD ", \"vehicles\": ["
               "{ \"name\": \"a\", \"vehicle\": \"wrong_vehicle.json\", \"fc\": { "
               "\"codec\": \"hilp\", \"link\": \"pty\" } }, "
               "{ \"name\": \"b\", \"vehicle\": \"wrong_vehicle.json\", \"fc\": { "
               "\"codec\": \"hilp\", \"link\": \"pty\" } } ], \"scenario\": { \"name\": "
               "\"s\", \"duration_s\": 9, \"steps\": [ { \"repeat\": 200, \"steps\": [ { "
               "\"mod\": \"land\" } ] } ] } }",
               "tests/configs/x.json: scenario.steps.0.steps.0(turn=0).mod: unknown key, "
               "did you mean \"mode\"?\n"
               "tests/configs/wrong_vehicle.json: mass_g: unknown key, did you mean "
               "\"mass_kg\"? The unit here is kg");
}

TEST(beyond_twenty_they_are_counted)
{
        char text[2000] = "{ \"z00\": 1", last[80];

        for (int i = 1; i < 30; i++)
                snprintf(text + strlen(text), sizeof text - strlen(text),
                         ", \"z%02d\": 1", i);
        strcat(text, " }");
        ck_assert(
                !config_read_text(&rig, "x.json", text, strlen(text), NULL, NULL, &why));
        /* Four keys are missing, which is said of the object, before what is in it. */
        ck_assert_int_eq(why.count, 34);
        ck_assert_ptr_nonnull(strstr(why.text, "x.json: z15: unknown key"));
        ck_assert_ptr_null(strstr(why.text, "x.json: z16: unknown key"));
        snprintf(last, sizeof last, "%s", strrchr(why.text, '\n'));
        ck_assert_str_eq(last, "\nand 14 more");
}

TEST(settings_are_all_judged_behind_the_files)
{
        const struct config_overrides o = {
                .scenario = "nowhere.json",
                .sets = 3,
                .set = { "vehicles.0.fc.timeout_ms=-1", "sed=2", "pace=fast" },
        };

        ck_assert(!config_read(&rig, "rig_configs/default.json", &o, NULL, &why));
        ck_assert_str_eq(
                why.text,
                "--scenario: nowhere.json: no such file\n"
                "--set: vehicles.0.fc.timeout_ms: must be at least 1, is -1\n"
                "--set: pace: must be \"realtime\" or \"lockstep\", is \"fast\"\n"
                "--set: sed: unknown key, did you mean \"seed\"?");
}
