/* Rig files: what a right one becomes, with what is set on top, and that every default stands in the
 * resolved text. */
#include <stdio.h>
#include <stdlib.h>

#include "hil/text/json.h"
#include "models/rng.h"
#include "tests/hil/config/rig_file.h"

PROCESS_EACH

static struct rig_config again;

TEST(settings_apply_in_order_after_the_scenario)
{
        struct config_overrides o = {
                .scenario = "rig_configs/scenarios/hover_and_waypoints.json",
                .sets = 4,
                .set = { "scenario.steps=[]", "scenario.requirements=[]",
                         "scenario.duration_s=1", "scenario.duration_s=2" },
        };

        config_free(&rig);
        ck_assert_msg(config_read(&rig, DEFAULT, &o, NULL, &why), "%s", why.text);
        ck_assert_int_eq(rig.scenario.duration_ns, 2000000000);
        ck_assert_int_eq(rig.scenario.steps, 0);
        o.scenario = "nowhere.json";
        config_free(&rig);
        ck_assert(!config_read(&rig, DEFAULT, &o, NULL, &why));
        ck_assert_str_eq(why.text, "--scenario: nowhere.json: no such file");
}

TEST(a_setting_makes_objects_that_the_file_left_out)
{
        expect_read(DEFAULT, "realtime.priority=0");
        ck_assert_int_eq(rig.realtime.priority, 0);
        ck_assert_int_eq(rig.realtime.stall_max_ns, 250000000);
}

TEST(a_setting_that_is_no_json_is_a_string)
{
        expect_read(DEFAULT, "vehicles.0.fc.link=unix-listen:/tmp/fc.sock");
        ck_assert_str_eq(rig.vehicle[0].fc.link_text[0], "unix-listen:/tmp/fc.sock");
        ck_assert_int_eq(rig.vehicle[0].fc.link[0].kind, LINK_UNIX_LISTEN);
}

TEST(null_leaves_a_sensor_out)
{
        expect_read(DEFAULT, "vehicles.0.vehicle.sensors.gps=null");
        ck_assert_int_eq(rig.vehicle[0].params.sensors.gps.schedule.period_ns, 0);
        ck_assert_int_eq(rig.vehicle[0].params.sensors.baro.schedule.period_ns, 20000000);
}

TEST(the_including_file_wins_deep_down)
{
        expect_read("tests/configs/good_wind.json", NULL);
        ck_assert_double_eq(rig.world.wind.steady_ned_mps.x, 3.0);
        ck_assert_double_eq(rig.world.origin.height_m, 353.0);
}

TEST(a_file_reference_replaces_the_whole_object)
{
        expect_read("tests/configs/good_other_world.json", NULL);
        ck_assert_double_eq(rig.world.wind.steady_ned_mps.x, 0.0);
        ck_assert_double_eq(rig.world.origin.height_m, 0.0);
}

/* Reads into a struct that held something else, so that nothing may be left unset. */
static char *resolve(struct rig_config *into, const char *path,
                     const struct config_overrides *o, int dirt)
{
        char *resolved = NULL;

        memset(into, dirt, sizeof(*into));
        ck_assert_msg(config_read(into, path, o, &resolved, &why), "%s", why.text);
        return resolved;
}

static void check_resolved(const char *path, const struct config_overrides *o)
{
        char *first = resolve(&rig, path, o, 0x55), *second = NULL;

        memset(&again, 0xAA, sizeof(again));
        ck_assert_msg(config_read_text(&again, "config.json", first, strlen(first), NULL,
                                       &second, &why),
                      "%s", why.text);
        ck_assert(strcmp(first, second) == 0);
        /* What they own is elsewhere in memory. */
        config_free(&rig);
        config_free(&again);
        ck_assert_mem_eq(&rig, &again, sizeof(rig));
        free(first);
        free(second);
}

TEST_EACH(the_resolved_text_gives_the_same_bits, COUNT(good))
{
        check_resolved(good[_i], NULL);
}

/* The next number in the tree after `at`, in the order of the text; NULL after the last. */
static struct json *next_value(struct json *at)
{
        if (at->first)
                return at->first;
        while (at && !at->next)
                at = at->parent;
        return at ? at->next : NULL;
}

/* Every number of the resolved rig is changed a little, one at a time (under sanitizers every eighth).
 * Where that is allowed, it must come through resolving to the bit. */
TEST(any_number_survives_resolving)
{
        char *text = resolve(&rig, DEFAULT, NULL, 0), path[160], set[240];
        struct json_error parse_why;
        struct json *root = json_parse(text, strlen(text), "x", &parse_why);
        struct config_overrides o = { .sets = 1, .set = { set } };
        struct rng rng;
        int tried = 0, numbers = 0;

        config_free(&rig);
        rng_init(&rng, 7, 0, 0, 0);
        for (struct json *n = root; n; n = next_value(n)) {
                char number[40];

                if (n->type != JSON_NUMBER || (SANITIZED && numbers++ % 8 != 0))
                        continue;
                json_path(n, path, sizeof(path));
                json_format_number(number, sizeof(number),
                                   n->number * (1.0 + 0.01 * rng_uniform(&rng)) +
                                           0.001 * rng_uniform(&rng));
                snprintf(set, sizeof(set), "%s=%s", path, number);
                bool read = config_read(&again, DEFAULT, &o, NULL, &why);

                config_free(&again);
                if (!read)
                        continue;
                check_resolved(DEFAULT, &o);
                tried++;
        }
        ck_assert_int_gt(tried, DRAWN(100));
        json_free(root);
        free(text);
}

TEST(every_default_stands_in_the_resolved_text)
{
        static const char *const keys[] = {
                "plant_step_us",
                "realtime.stall_max_ms",
                "log.truth_rate_hz",
                "vehicles.0.fc.motor_order.3",
                "vehicles.0.fc.timeout_ms",
                "vehicles.0.start.yaw_deg",
                "vehicles.0.vehicle.sensors.imu.part.gyro.cross_axis.zy",
                "scenario.requirements.5.to_s",
                "world.gravity_mps2",
        };
        char *text = resolve(&rig, DEFAULT, NULL, 0);
        struct json_error parse_why;
        struct json *root = json_parse(text, strlen(text), "x", &parse_why);

        for (int i = 0; i < COUNT(keys); i++)
                ck_assert_msg(json_at(root, keys[i]) != NULL, "%s", keys[i]);
        ck_assert_ptr_null(strstr(text, "include"));
        ck_assert_ptr_null(strstr(text, "comment"));
        json_free(root);
        free(text);
}

TEST(six_rotors_two_vehicles_and_two_channels)
{
        expect_read("tests/configs/good_hexa.json", NULL);
        ck_assert_int_eq(rig.vehicles, 2);
        ck_assert_int_eq(rig.vehicle[0].params.rotors, 6);
        ck_assert_int_eq(rig.vehicle[0].fc.links, 2);
        ck_assert_uint_eq(rig.vehicle[0].fc.motor_order[0], 5);
        ck_assert_uint_eq(rig.vehicle[1].fc.motor_order[3], 3);
        ck_assert_int_eq(rig.plant_step_ns, 312500);
        ck_assert_double_eq(rig.vehicle[1].start_ned_m.z, -2.0);
        expect_refused("tests/configs/good_hexa.json", "vehicles.1.name=hexa",
                       "--set: vehicles.1.name: is the name of vehicles.0 too");
        expect_refused("tests/configs/good_hexa.json",
                       "vehicles.1.fc.link=udp:127.0.0.1:9004",
                       "--set: vehicles.1.fc.link: is used by vehicles.0 too");
}

TEST(a_plant_step_that_is_left_out_divides_the_period)
{
        static const struct {
                const char *period;
                int64_t step_ns;
        } with[] = { { "period_us=1250", 1250000 },
                     { "period_us=10000", 10000000 },
                     { "period_us=20000", 10000000 },
                     { "period_us=25000", 6250000 },
                     { "period_us=70000", 10000000 } };

        for (size_t i = 0; i < sizeof with / sizeof with[0]; i++) {
                struct config_overrides o = {
                        .sets = 2, .set = { with[i].period, "plant_step_us=null" }
                };

                config_free(&rig);
                ck_assert_msg(config_read(&rig, DEFAULT, &o, NULL, &why), "%s", why.text);
                ck_assert_int_eq(rig.plant_step_ns, with[i].step_ns);
        }
        /* The period that a firmware's page names beside that of the file. */
        struct config_overrides other = { .sets = 1, .set = { "period_us=1250" } };

        config_free(&rig);
        ck_assert_msg(config_read(&rig, "rig_configs/rigs/ardupilot_sitl.json", &other,
                                  NULL, &why),
                      "%s", why.text);
        ck_assert_int_eq(rig.plant_step_ns, 1250000);
        expect_refused(DEFAULT, "period_us=1250",
                       "rig_configs/default.json: plant_step_us: must divide period_us, "
                       "which is 1250, is 1000: leave it out, or give 625");
}

TEST(flight_controller_parameters_read_alone)
{
        struct fc_params alone;

        expect_read(DEFAULT, NULL);
        ck_assert(config_read_fc(&alone, "rig_configs/flight_controllers/md4_200.json",
                                 &why));
        ck_assert_mem_eq(&alone, &rig.vehicle[0].fc.reference, sizeof(alone));
        ck_assert(!config_read_fc(&alone, DEFAULT, &why));
}
