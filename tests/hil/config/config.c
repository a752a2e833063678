/* Rig files: what a wrong one is told, what a right one becomes, and that every default stands in
 * the resolved text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/text/json.h"
#include "models/world/geomagnetism.h"
#include "models/rng.h"

#include "tests/suites.h"

#define DEFAULT  "rig_configs/default.json"
#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static struct rig_config rig, again;
static struct config_error why;

/* A file with one thing set on top, or none. */
static bool read_set(const char *path, const char *set)
{
        struct config_overrides o = { .sets = set ? 1 : 0, .set = { set } };

        why.text[0] = '\0';
        /* What an earlier one owned. */
        config_free(&rig);
        return config_read(&rig, path, &o, NULL, &why);
}

static void expect_read(const char *path, const char *set)
{
        ck_assert_msg(read_set(path, set), "%s", why.text);
}

static void expect_refused(const char *path, const char *set, const char *words)
{
        ck_assert_msg(!read_set(path, set), "was read: %s", set ? set : path);
        ck_assert_msg(strstr(why.text, words) != NULL, "said: %s\nnot: %s", why.text,
                      words);
}

/* Files under tests/configs, and the whole of what is said of them. */
static const char *const wrong_rigs[][2] = {
        { "misspelt_key.json", "tests/configs/misspelt_key.json: perod_us: unknown key, "
                               "did you mean \"period_us\"?" },
        { "unknown_key.json",
          "tests/configs/unknown_key.json: antenna: unknown key; "
          "known here: name, seed, pace, "
          "period_us, plant_step_us, world, scenario, mission, stop_after_s, "
          "vehicles, stations, realtime, meeting, radio, wash, log" },
        { "not_a_number.json",
          "tests/configs/not_a_number.json: line 3, column 16: a number must be finite" },
        { "overflow.json", "tests/configs/overflow.json: line 3, column 16: number is "
                           "too large for a double" },
        { "truncated.json",
          "tests/configs/truncated.json: line 5, column 1: ends too early: the "
          "file is cut short" },
        { "cut_string.json",
          "tests/configs/cut_string.json: line 2, column 11: string does not "
          "end: the file is cut short" },
        { "twice.json", "tests/configs/twice.json: realtime.cpu: given twice" },
        { "trailing.json",
          "tests/configs/trailing.json: line 1, column 49: something follows the "
          "end of the JSON value" },
        { "no_object.json",
          "tests/configs/no_object.json: must be an object or the name of a "
          "file, is an array of 3" },
        { "empty.json", "tests/configs/empty.json: is empty" },
        { "nowhere.json", "tests/configs/nowhere.json: no such file" },
        { "../configs", "tests/configs/../configs: is not a regular file" },
        { "missing_include.json", "tests/configs/missing_include.json: include: "
                                  "tests/configs/nowhere.json: no such file" },
        { "missing_world.json", "tests/configs/missing_world.json: world: "
                                "tests/configs/nowhere.json: no such file" },
        { "include_number.json",
          "tests/configs/include_number.json: include: must be the name of a file" },
        { "include_array.json", "tests/configs/include_array.json: include: "
                                "tests/configs/no_object.json holds no object" },
        { "cycle_a.json", "tests/configs/cycle_c.json: include: is cyclic: "
                          "tests/configs/cycle_a.json -> "
                          "tests/configs/cycle_b.json -> tests/configs/cycle_c.json -> "
                          "tests/configs/cycle_a.json" },
        { "cycle_self.json",
          "tests/configs/cycle_self.json: name: is required, and missing\n"
          "tests/configs/cycle_self.json: scenario: is required, and missing\n"
          "tests/configs/cycle_self.json: vehicles: is required, and missing\n"
          "tests/configs/cycle_self.json: world: is cyclic: "
          "tests/configs/cycle_self.json -> tests/configs/cycle_self.json" },
        { "incomplete.json",
          "tests/configs/incomplete.json: scenario: is required, and missing\n"
          "tests/configs/incomplete.json: vehicles: is required, and missing" },
};

TEST_EACH(a_wrong_rig_file_is_told_what_and_where, COUNT(wrong_rigs))
{
        char path[100];

        snprintf(path, sizeof(path), "tests/configs/%s", wrong_rigs[_i][0]);
        ck_assert(!read_set(path, NULL));
        ck_assert_str_eq(why.text, wrong_rigs[_i][1]);
}

static const char *const wrong_vehicles[][2] = {
        { "other_unit.json",
          "tests/configs/other_unit.json: mass_g: unknown key, did you mean "
          "\"mass_kg\"? The unit here is kg" },
        { "no_unit.json", "tests/configs/no_unit.json: mass: unknown key, did you mean "
                          "\"mass_kg\"? The unit here is kg" },
        { "negative_mass.json",
          "tests/configs/negative_mass.json: mass_kg: must be greater than 0, is -1.2" },
        { "wrong_type.json",
          "tests/configs/wrong_type.json: mass_kg: must be a number, is \"heavy\"" },
        { "nested.json",
          "tests/configs/nested.json: sensors.imu.accel.lsb_g: must be at least "
          "1.0197e-07, is 0" },
        { "list_without_list.json",
          "tests/configs/list_without_list.json: rotors.list: is "
          "required, and missing, with \"layout\": \"list\"" },
        { "impossible_inertia.json", "tests/configs/impossible_inertia.json: "
                                     "inertia_kgm2: cannot belong to a body: it must "
                                     "be positive definite, and no principal moment may "
                                     "exceed the sum of the other two" },
};

TEST_EACH(an_error_names_the_file_in_which_the_value_stands, COUNT(wrong_vehicles))
{
        char set[120];

        snprintf(set, sizeof(set), "vehicles.0.vehicle=tests/configs/%s",
                 wrong_vehicles[_i][0]);
        ck_assert(!read_set(DEFAULT, set));
        ck_assert_str_eq(why.text, wrong_vehicles[_i][1]);
}

/* Settings on top of the default rig, and a part of what is said of them. */
static const char *const wrong_sets[][2] = {
        { "pace=fast", "--set: pace: must be \"realtime\" or \"lockstep\", is \"fast\"" },
        { "seed=-1", "--set: seed: must be at least 0, is -1" },
        { "seed=1.5", "--set: seed: must be a whole number, is 1.5" },
        { "seed=1e300", "--set: seed: must be at most 9007199254740992, is 1e+300" },
        { "period_us=NaN", "--set: period_us: must be a number, is \"NaN\"" },
        { "period_us=1000.5", "--set: period_us: must be a whole number" },
        { "period_us=null", "--set: period_us: must be a number, is null" },
        { "plant_step_us=300",
          "--set: plant_step_us: must divide period_us, which is 1000" },
        { "name=../../etc", "--set: name: must be of letters, digits" },
        { "name=", "--set: name: must not be empty" },
        { "vehicles=[]", "--set: vehicles: must have at least 1 entries, has 0" },
        { "vehicles.0.name=[7]", "--set: vehicles.0.name: must be a string" },
        { "vehicles.0.fc.codec=smoke",
          "--set: vehicles.0.fc.codec: no codec is called \"smoke\"" },
        { "vehicles.0.fc.link=rope:1", "--set: vehicles.0.fc.link: " },
        { "vehicles.0.fc.link=[\"pty\", \"rope:1\"]", "--set: vehicles.0.fc.link.1: " },
        { "vehicles.0.fc.link=[]",
          "--set: vehicles.0.fc.link: must have at least 1 entries" },
        { "vehicles.0.fc.reference=null",
          "vehicles.0.fc.reference: is required, and missing, with \"spawn\": true" },
        { "vehicles.0.fc.motor_order=[0, 1, 2]",
          "--set: vehicles.0.fc.motor_order: must have 4 entries, one for each rotor, "
          "has 3" },
        { "vehicles.0.fc.motor_order=[0, 1, 2, 2]",
          "--set: vehicles.0.fc.motor_order: must hold each of 0 to 3 once" },
        { "vehicles.0.fc.motor_order=[0, 1, 2, 4]", "must hold each of 0 to 3 once" },
        { "vehicles.0.start.at_m.down=-1", "start.at_m.down: means nothing beside up" },
        { "vehicles.0.start.at_m={\"down\": 0.5}",
          "--set: vehicles.0.start.at_m.down: must be at most -0.12, where its lowest "
          "point is on the ground, is 0.5" },
        { "vehicles.0.start.at_m={\"down\": -0.12}", "" }, /* on it */
        { "world.ground.down_m=-10", "" }, /* up counts from the ground */
        { "world.ground.down_m=10000",
          "vehicles.0.start: must be from -5000 to 20000 m above sea level, where the "
          "standard atmosphere is known, is at -" },
        { "vehicles.0.start.height_m=1", "--set: vehicles.0.start.height_m: is \"at_m\" "
                                         "now, an object with north, east, "
                                         "up, down" },
        { "vehicles.0.vehicle.sensors.imu.lever_arm_m=[0, 0, 0]",
          "--set: vehicles.0.vehicle.sensors.imu.lever_arm_m: is \"at_m\" now, an object "
          "with forward, right, down" },
        { "vehicles.0.vehicle.sensors.imu.at_m=[0, 0, 0]",
          "--set: vehicles.0.vehicle.sensors.imu.at_m: must be an object with forward, "
          "right, down, is an array of 3" },
        { "world.regions=[{\"name\": \"a\", \"at_m\": {\"north\": 1, \"down\": -2}, "
          "\"size_m\": [1, 1, 1]}]",
          "--set: world.regions.0.at_m.down: is \"up\" now: m above the ground" },
        { "vehicles.0.vehicle.sensors.imu.phase_us=1000",
          "phase_us: must be less than the period, which is 1000" },
        { "vehicles.0.vehicle.sensors.imu.rate_hz=20000",
          "" }, /* 50 us: no delay, no phase, allowed: see below */
        { "vehicles.0.vehicle.sensors.gps.rate_hz=1000",
          "md4_200.json: sensors.gps.delay_us: must be less than 64 periods, which are "
          "64000" },
        { "vehicles.0.vehicle.sensors.sonar.axis=[0, 0, 0]", "must have a direction" },
        { "vehicles.0.vehicle.sensors.sonar.reported_min_m=4",
          "must be less than reported_max_m, which is 4" },
        { "vehicles.0.vehicle.sensors.baro.reported_min_pa=150000",
          "must be less than reported_max_pa, which is 120000" },
        { "vehicles.0.vehicle.sensors.imu.accel.scale=[1, 1]",
          "must be an array of 3 numbers, is an array of 2" },
        { "vehicles.0.vehicle.sensors.imu.accel.scale=[1, 1, \"x\"]",
          "accel.scale.2: must be a number, is \"x\"" },
        { "vehicles.0.vehicle.gear_m=[{}, {\"forward\": 1}]",
          "gear_m: must have at least 3 entries, has 2" },
        { "vehicles.0.vehicle.rotors.list=[{\"at_m\": { \"forward\": 0 }, \"spin\": "
          "\"cw\"}]",
          "rotors.list: means nothing with \"layout\": \"plus\"" },
        { "vehicles.0.vehicle.rotors.arm_m=null",
          "rotors.arm_m: is required, and missing, with \"layout\": \"plus\"" },
        { "vehicles.0.vehicle.inertia_kgm2={\"xx\": 1, \"yy\": 1, \"zz\": 1}",
          "inertia_kgm2: means nothing beside parts" },
        { "vehicles.0.vehicle.parts=null",
          "inertia_kgm2: is required, and missing, without parts" },
        { "vehicles.0.vehicle.parts.0.at_m={\"forward\": 0.1}",
          "parts: must have their centre of mass at the origin, have it 77.69 mm "
          "forward" },
        { "vehicles.0.vehicle.mass_kg=0.5",
          "mass_kg: must be within 5 % of the sum of parts, which is 1.004, is 0.5" },
        { "vehicles.0.vehicle.parts.3.length_m=1",
          "parts.3.length_m: means nothing with \"shape\": \"propeller\"" },
        { "vehicles.0.vehicle.parts.0.radius_m=null",
          "radius_m: is required, and missing, with \"shape\": \"cylinder\"" },
        { "vehicles.0.vehicle.battery.cutoff_v=17",
          "battery.cutoff_v: must be less than the voltage at the start, which is "
          "16.41" },
        { "vehicles.0.vehicle.battery.cells=null",
          "battery.cells: is required, and missing, without curve" },
        { "vehicles.0.vehicle.battery.curve=[{\"charge_percent\": 0, \"voltage_v\": 12}, "
          "{\"charge_percent\": 100, \"voltage_v\": 16}]",
          "battery.curve: means nothing beside cells" },
        { "vehicles.0.vehicle.rotors.thrust_n_per_radps2=null",
          "rotors.thrust_n_per_radps2: is required, and missing, without blades" },
        { "vehicles.0.vehicle.rotors.blades={\"count\": 2, \"chord_m\": 0.03, "
          "\"pitch_deg\": 20}",
          "rotors.thrust_n_per_radps2: means nothing beside blades" },
        { "vehicles.0.vehicle.hull=[{\"at_m\": { \"forward\": 0 }, \"radius_m\": 0}]",
          "radius_m: must be greater than 0, is 0" },
        { "vehicles.0.fc.reference.airframe.motor_tau_wanted_s=0.2",
          "must be at most motor_tau_s, which is 0.165" },
        { "world=17", "--set: world: must be an object or the name of a file, is 17" },
        { "world=nowhere.json", "--set: world: nowhere.json: no such file" },
        { "realtime.missed_max_percent=101", "must be at most 100, is 101" },
        /* Paths that lead nowhere. */
        { "perod_us=1", "--set: perod_us: unknown key, did you mean \"period_us\"?" },
        { "world.origin.latitude_rad=1", "--set: world.origin.latitude_rad: unknown key, "
                                         "did you mean "
                                         "\"latitude_deg\"? The unit here is degrees" },
        { "wrld.name=x", "--set: wrld: unknown key, did you mean \"world\"?" },
        { "vehicles.1.name=x", "vehicles.1: is not there, the array has 1 entries" },
        { "vehicles.first.name=x",
          "vehicles.first: is not there, the array has 1 entries" },
        { "name.x=1", "--set: name.x: is not there" },
        { "name", "--set name: must be KEY=VALUE" },
        { "=1", "--set =1: must be KEY=VALUE" },
};

TEST_EACH(a_wrong_setting_is_told_what_and_where, COUNT(wrong_sets))
{
        if (wrong_sets[_i][1][0])
                expect_refused(DEFAULT, wrong_sets[_i][0], wrong_sets[_i][1]);
        else
                expect_read(DEFAULT, wrong_sets[_i][0]);
}

TEST(a_dialect_whose_firmware_cannot_wait_is_refused_in_lockstep)
{
        const char *px4 = "rig_configs/rigs/px4_sitl.json";
        struct config_overrides o = {
                .sets = 2,
                .set = { "vehicles.0.fc.dialect=board", "pace=realtime" },
        };

        expect_refused(px4, "vehicles.0.fc.dialect=board",
                       "pace: must be \"realtime\" with the codec \"px4\", dialect "
                       "\"board\", of quad_x_1kg: its firmware cannot wait for the rig, "
                       "is \"lockstep\"");
        expect_read(px4, "vehicles.0.fc.dialect=sitl_fast");
        config_free(&rig);
        ck_assert_msg(config_read(&rig, px4, &o, NULL, &why), "%s", why.text);
}

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

static const char *const good[] = {
        DEFAULT,
        "rig_configs/rigs/lockstep.json",
        "rig_configs/rigs/bench_strict.json",
        "rig_configs/rigs/finken3.json",
        "rig_configs/rigs/md4_200_thesis.json",
        "tests/configs/good_wind.json",
        "tests/configs/good_other_world.json",
        "tests/configs/good_hexa.json",
};

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

/* Every number of the resolved rig is changed a little, one at a time. Where that is allowed, it
 * must come through resolving to the bit. */
TEST(any_number_survives_resolving)
{
        char *text = resolve(&rig, DEFAULT, NULL, 0), path[160], set[240];
        struct json_error parse_why;
        struct json *root = json_parse(text, strlen(text), "x", &parse_why);
        struct config_overrides o = { .sets = 1, .set = { set } };
        struct rng rng;
        int tried = 0;

        config_free(&rig);
        rng_init(&rng, 7, 0, 0, 0);
        for (struct json *n = root; n; n = next_value(n)) {
                char number[40];

                if (n->type != JSON_NUMBER)
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
        ck_assert_int_gt(tried, 100);
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

TEST(units_are_converted_once)
{
        const struct vehicle_params *p;
        const struct world *w = &rig.world;

        expect_read(DEFAULT, "vehicles.0.start.yaw_deg=180");
        p = &rig.vehicle[0].params;
        ck_assert_double_eq_tol(rig.vehicle[0].start_yaw_rad, M_PI, 1e-15);
        ck_assert_double_eq_tol(p->motor[0].speed_full_radps, 1.08 * 4250 * 2 * M_PI / 60,
                                1e-9);
        ck_assert_double_eq_tol(w->origin.lat_rad, 47.0707 * M_PI / 180, 1e-15);
        ck_assert_double_eq(w->atmosphere.sea_level_pressure_pa, 101325.0);
        ck_assert_double_eq(w->atmosphere.sea_level_temperature_k, 288.15);
        ck_assert_int_eq(p->sensors.imu.schedule.period_ns, 1000000);
        ck_assert_int_eq(p->sensors.gps.schedule.delay_ns, 200000000);
        ck_assert_int_eq(rig.log.truth_period_ns, 4000000);
        ck_assert_double_eq(rig.realtime.missed_max_ratio, 0.1);
        ck_assert_double_eq_tol(rig.vehicle[0].fc.reference.idle_duty, 0.08, 1e-15);
}

TEST(a_given_magnetic_field_is_of_its_strength_and_angles)
{
        const struct vec3 *field = &rig.world.magnetic_field_ned_t;

        expect_read(DEFAULT,
                    "world.magnetic_field={\"model\": \"given\", \"strength_ut\": 50, "
                    "\"inclination_deg\": 60, \"declination_deg\": -30}");
        ck_assert_double_eq_tol(vec3_norm(*field), 50e-6, 1e-18);
        ck_assert_double_eq_tol(field->z, 50e-6 * sin(M_PI / 3), 1e-18);
        ck_assert_double_eq_tol(atan2(field->y, field->x), -M_PI / 6, 1e-14);
        expect_read(DEFAULT, "world.magnetic_field={}");
        ck_assert_double_eq_tol(vec3_norm(*field), 48.6e-6, 1e-18);
        ck_assert_double_eq_tol(atan2(field->z, hypot(field->x, field->y)),
                                63.6 * M_PI / 180, 1e-14);
        ck_assert_double_eq_tol(atan2(field->y, field->x), 4.6 * M_PI / 180, 1e-14);
}

/* The shipped world's date is noon of 2026-07-27, day 208 of the year. The field of early
 * 2025 differs by tens of nT. */
TEST(a_modelled_magnetic_field_is_that_of_the_origin_and_the_time)
{
        const struct world *w = &rig.world;
        struct vec3 wanted;

        expect_read(DEFAULT, NULL);
        wanted = geomagnetism_field_ned_t((struct earth_position){ w->origin.lat_rad,
                                                                   w->origin.lon_rad,
                                                                   w->origin.height_m },
                                          2026.0 + 207.5 / 365.0);
        ck_assert_double_eq_tol(vec3_norm(vec3_sub(w->magnetic_field_ned_t, wanted)), 0.0,
                                1e-12);
        ck_assert_double_eq_tol(vec3_norm(wanted), 48.8e-6, 0.2e-6);
        expect_read(DEFAULT, "world.time_utc=2025-01-01T00:00:00Z");
        ck_assert_double_gt(vec3_norm(vec3_sub(w->magnetic_field_ned_t, wanted)), 1e-8);
        expect_read(DEFAULT, "world.origin.latitude_deg=-47.0707");
        ck_assert_double_lt(w->magnetic_field_ned_t.z, 0.0);
        expect_refused(DEFAULT, "world.time_utc=2031-01-01T00:00:00Z",
                       "time_utc: must be from 2025 to 2029 with magnetic_field.model");
}

/* Nano units a count, exactly. */
static void check_whole_lsb(const struct error_params *e)
{
        double nano = round(e->lsb * 1e9);

        ck_assert(nano >= 1.0 && nano <= 4294967295.0);
        ck_assert_double_eq(nano / 1e9, e->lsb);
        ck_assert_double_eq_tol(e->min / e->lsb, round(e->min / e->lsb), 1e-6);
        ck_assert_double_eq_tol(e->max / e->lsb, round(e->max / e->lsb), 1e-6);
        ck_assert(fabs(e->min / e->lsb) <= 2147483648.0 &&
                  e->max / e->lsb <= 2147483647.0);
}

TEST(an_lsb_is_a_whole_number_of_nano_units)
{
        for (int i = 0; i < COUNT(good); i++) {
                expect_read(good[i], NULL);
                for (int v = 0; v < rig.vehicles; v++) {
                        const struct sensors_params *s = &rig.vehicle[v].params.sensors;

                        check_whole_lsb(&s->imu.accel);
                        check_whole_lsb(&s->imu.gyro);
                        check_whole_lsb(&s->baro.pressure);
                        check_whole_lsb(&s->baro.temperature);
                        check_whole_lsb(&s->mag.field);
                        for (int k = 0; k < s->sonar.count; k++)
                                check_whole_lsb(&s->sonar.unit[k].range);
                }
        }
}

TEST(a_power_of_two_of_lsbs_ends_as_a_register_does)
{
        const struct sensors_params *s;

        expect_read(DEFAULT, NULL);
        s = &rig.vehicle[0].params.sensors;
        ck_assert_double_eq_tol(s->imu.gyro.max / s->imu.gyro.lsb, 32767.0, 1e-9);
        ck_assert_double_eq_tol(s->imu.gyro.min / s->imu.gyro.lsb, -32768.0, 1e-9);
        ck_assert_double_eq_tol(s->mag.field.max / s->mag.field.lsb, 2047.0, 1e-9);
        ck_assert_double_eq_tol(s->mag.field.min / s->mag.field.lsb, -2048.0, 1e-9);
        expect_read(DEFAULT, "vehicles.0.vehicle.sensors.mag.range_ut=1196");
        s = &rig.vehicle[0].params.sensors;
        ck_assert_double_eq_tol(s->mag.field.max / s->mag.field.lsb, 13000.0, 1e-9);
        ck_assert_double_eq_tol(s->mag.field.min / s->mag.field.lsb, -13000.0, 1e-9);
        expect_read(DEFAULT, "vehicles.0.vehicle.sensors.imu.part.gyro.range_dps=null");
        s = &rig.vehicle[0].params.sensors;
        ck_assert_double_eq_tol(s->imu.gyro.max / s->imu.gyro.lsb, 2147483647.0, 1e-6);
}

TEST(default_lsbs_are_a_millionth_of_the_unit)
{
        const struct sensors_params *s;

        expect_read(DEFAULT, "vehicles.0.vehicle.sensors.imu={\"rate_hz\": 1000}");
        s = &rig.vehicle[0].params.sensors;
        ck_assert_double_eq(s->imu.accel.lsb, 1e-6);
        ck_assert_double_eq(s->imu.gyro.lsb, 1e-6);
        ck_assert_double_eq(s->imu.q_body_to_sensor.w, 1.0);
        ck_assert_double_eq(s->imu.accel.scale[1][1], 1.0);
        ck_assert_double_eq(s->imu.accel.scale[1][0], 0.0);
}

TEST(mounting_turns_body_vectors_into_the_sensors_axes)
{
        struct vec3 forward;

        /* Turned to the right by 90 degrees, what is forward is on the sensor's left. */
        expect_read(DEFAULT, "vehicles.0.vehicle.sensors.imu.mounting_deg={\"yaw\": 90}");
        forward = quat_rotate(rig.vehicle[0].params.sensors.imu.q_body_to_sensor,
                              (struct vec3){ 1.0, 0.0, 0.0 });
        ck_assert_double_eq_tol(forward.x, 0.0, 1e-15);
        ck_assert_double_eq_tol(forward.y, -1.0, 1e-15);
}

/* Gruber 3.9: yaw torque of front and back is negative about down, of right and left positive. */
TEST(plus_layout_has_grubers_signs)
{
        static const double x[4] = { 1, 0, -1, 0 }, y[4] = { 0, 1, 0, -1 };
        const struct vehicle_params *p;

        expect_read(DEFAULT, NULL);
        p = &rig.vehicle[0].params;
        for (int i = 0; i < 4; i++) {
                /* Drag acts against the spin. */
                ck_assert_double_eq(p->rotor[i].spin, i % 2 == 0 ? 1.0 : -1.0);
                ck_assert_double_eq(p->rotor[i].pos_body_m.x, 0.26 * x[i]);
                ck_assert_double_eq(p->rotor[i].pos_body_m.y, 0.26 * y[i]);
        }
}

TEST(x_layout_goes_clockwise_from_front_right)
{
        static const double spin[4] = { -1, 1, -1, 1 };
        const struct vehicle_params *p;

        expect_read("rig_configs/rigs/finken3.json",
                    "vehicles.0.vehicle.rotors.first_spin=null");
        p = &rig.vehicle[0].params;
        for (int i = 0; i < 4; i++) {
                double angle = M_PI / 4 + i * M_PI / 2;

                ck_assert_double_eq_tol(p->rotor[i].pos_body_m.x, 0.11 * cos(angle),
                                        1e-15);
                ck_assert_double_eq_tol(p->rotor[i].pos_body_m.y, 0.11 * sin(angle),
                                        1e-15);
                ck_assert_double_eq(p->rotor[i].spin, spin[i]);
        }
        expect_read("rig_configs/rigs/finken3.json", NULL);
        p = &rig.vehicle[0].params;
        ck_assert_double_eq(p->rotor[0].spin, 1.0);
        ck_assert_double_eq(p->rotor[1].spin, -1.0);
}

TEST(a_vehicle_starts_on_its_gear)
{
        double lowest_m;

        expect_read(DEFAULT, "world.ground={\"down_m\": 2}");
        lowest_m = rig.vehicle[0].params.contact.point_body_m[0].z;
        ck_assert_double_eq_tol(rig.vehicle[0].start_ned_m.z + lowest_m, 2.0, 1e-15);
}

/* How far down its lowest point is when the unit vector `down_body` points down. */
static double reach_m(const struct contact_params *gear, struct vec3 down_body)
{
        double reach = -INFINITY;

        for (int i = 0; i < gear->points; i++)
                reach = fmax(reach, vec3_dot(gear->point_body_m[i], down_body));
        return reach;
}

/* Else a vehicle that has crashed lies with its centre of mass in the ground. */
TEST(shipped_vehicles_lie_above_the_ground_however_they_are_turned)
{
        static const char *const path[] = { DEFAULT, "rig_configs/rigs/finken3.json",
                                            "rig_configs/rigs/md4_200_thesis.json" };

        for (size_t n = 0; n < sizeof path / sizeof path[0]; n++) {
                expect_read(path[n], NULL);
                for (int i = 0; i < 36 * 18; i++) {
                        double around = i % 36 * M_PI / 18.0;
                        int row = i / 36 - 9;
                        double below = row * M_PI / 18.0;
                        struct vec3 down = { cos(around) * cos(below),
                                             sin(around) * cos(below), sin(below) };

                        ck_assert_double_gt(reach_m(&rig.vehicle[0].params.contact, down),
                                            0.005);
                }
        }
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

TEST(a_codec_says_how_many_links_it_takes_and_how_fast_it_must_be_fed)
{
        expect_refused(DEFAULT, "vehicles.0.fc.link=[\"pty\", \"pty\"]",
                       "--set: vehicles.0.fc.link: must name 1 link with the codec "
                       "\"hilp\", one a channel, names 2");
        expect_refused("rig_configs/rigs/px4_sitl.json",
                       "vehicles.0.fc.link=[\"pty\", \"udp:127.0.0.1:1\", "
                       "\"udp:127.0.0.1:2\"]",
                       "--set: vehicles.0.fc.link: must name 1 to 2 links with the codec "
                       "\"px4\", one a channel, names 3");
        expect_refused("rig_configs/rigs/inav_sitl.json", "period_us=6000",
                       "--set: period_us: must be at most 5000 with the codec \"inav\" "
                       "of quad, is 6000");
        expect_refused("rig_configs/rigs/inav_sitl.json", "pace=lockstep",
                       "--set: pace: must be \"realtime\" with the codec \"inav\" of "
                       "quad: its firmware cannot wait for the rig, is \"lockstep\"");
        expect_refused("rig_configs/rigs/inav_sitl.json",
                       "scenario={\"name\": \"s\", \"duration_s\": 9, \"steps\": "
                       "[{\"at_s\": 1, \"stimulus\": {\"input\": \"rc_8_us\", "
                       "\"shape\": \"step\", \"amplitude\": 9, \"for_s\": 1}}]}",
                       "--set: scenario.steps.0.stimulus.input: must be of the first 8 "
                       "channels, which reach the firmware of quad");
        expect_refused("rig_configs/rigs/inav_sitl.json",
                       "scenario={\"name\": \"s\", \"duration_s\": 9, \"steps\": "
                       "[{\"at_s\": 1, \"rc_us\": [1500, 0, 0, 0, 0, 0, 0, 0, 1900]}]}",
                       "--set: scenario.steps.0.rc_us: must be of the first 8 channels");
        expect_refused("rig_configs/rigs/px4_sitl.json", "vehicles.0.fc.dialect=nuttx",
                       "--set: vehicles.0.fc.dialect: the codec \"px4\" has no "
                       "\"nuttx\"; known: \"sitl\", \"sitl_fast\", \"board\"");
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

TEST(control_characters_do_not_reach_the_terminal)
{
        static const char text[] = "{\"\\u001b[2J\": 1, \"world\": \"a\\nb\"}";
        int ends = 0;

        ck_assert(
                !config_read_text(&rig, "a.json", text, strlen(text), NULL, NULL, &why));
        for (const char *c = why.text; *c; c++) {
                ends += *c == '\n';
                ck_assert(*c == '\n' || (unsigned char)*c >= 0x20);
        }
        ck_assert_int_eq(ends, why.count - 1);
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

/* The thesis's own check of the shipped numbers. */
TEST(the_thesis_vehicle_answers_in_yaw_as_identified)
{
        const struct vehicle_params *p;

        expect_read("rig_configs/rigs/md4_200_thesis.json", NULL);
        p = &rig.vehicle[0].params;
        /* Gruber 4.3.2: 5.4143e-5 / (1 + 0.774194 s) */
        ck_assert_double_eq_tol(p->rotor[0].torque_nm_per_radps2 /
                                        p->airframe.angular_nm_per_radps.z,
                                5.4143e-5, 5e-9);
        ck_assert_double_eq_tol(p->body.inertia_kgm2[2][2] /
                                        p->airframe.angular_nm_per_radps.z,
                                0.774194, 1e-4);
}

/* Lift at the speed limit against weight, as a rough check of a vehicle file. */
TEST(every_shipped_vehicle_can_hover)
{
        for (int i = 0; i < COUNT(good); i++) {
                const struct vehicle_params *p;
                double lift_n = 0.0;

                expect_read(good[i], NULL);
                p = &rig.vehicle[0].params;
                for (int r = 0; r < p->rotors; r++) {
                        double speed = fmin(p->motor[r].speed_limit_radps,
                                            p->motor[r].speed_full_radps);

                        lift_n += p->rotor[r].thrust_n_per_radps2 * speed * speed;
                }
                ck_assert_double_gt(lift_n,
                                    1.5 * p->body.mass_kg * rig.world.gravity_mps2);
        }
}
