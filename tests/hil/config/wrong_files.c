/* Rig files and settings that are wrong, and what is said of them. */
#include <stdio.h>

#include "tests/hil/config/rig_file.h"

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
        expect_refused("rig_configs/rigs/betaflight_sitl.json", "period_us=4000",
                       "--set: period_us: must be at most 2000 with the codec "
                       "\"betaflight\" of quad, is 4000");
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
