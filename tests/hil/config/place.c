/* Places: the same names for the same axes, wherever one is written. */
#include <stdio.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/config/place.h"
#include "hil/config/rig/rig.h"

#include "tests/suites.h"

PROCESS_EACH

#define DEFAULT "rig_configs/default.json"

static struct rig_config rig;
static struct config_error why;

static void read_with(const char *set)
{
        const struct config_overrides o = { .sets = 1, .set = { set } };

        config_free(&rig);
        ck_assert_msg(config_read(&rig, DEFAULT, &o, NULL, &why), "%s", why.text);
}

TEST(a_region_is_as_high_above_the_ground_as_an_obstacle)
{
        read_with("world={\"name\": \"a\", \"origin\": {\"latitude_deg\": 47, "
                  "\"longitude_deg\": 15, \"height_m\": 0}, \"ground\": {\"down_m\": 2}, "
                  "\"regions\": [{\"name\": \"r\", \"size_m\": [1, 1, 1], \"at_m\": "
                  "{\"north\": 4, \"up\": 3}}], \"obstacles\": [{\"name\": \"o\", "
                  "\"shape\": \"sphere\", \"radius_m\": 1, \"at_m\": {\"north\": 4, "
                  "\"up\": 3}}]}");
        ck_assert_double_eq(rig.world.region[0].centre_ned_m.x, 4.0);
        ck_assert_double_eq(rig.world.region[0].centre_ned_m.y, 0.0);
        ck_assert_double_eq(rig.world.region[0].centre_ned_m.z, -1.0);
        ck_assert_double_eq(world_height_m(&rig.world, (struct vec3){ 4.0, 0.0, -3.0 }),
                            1.0);
}

/* Objects are merged key by key: of a place, one axis may be changed. */
TEST(an_axis_that_is_left_out_stays_as_it_is)
{
        const struct vec3 *at;

        read_with("vehicles.0.vehicle.sensors.imu.at_m.right=0.5");
        at = &rig.vehicle[0].params.sensors.imu.lever_arm_body_m;
        ck_assert_double_eq(at->x, 0.02);
        ck_assert_double_eq(at->y, 0.5);
        ck_assert_double_eq(at->z, 0.01);
}

/* No vector of numbers is a place: whoever reads one must know the order of its axes. */
static void check_table(const struct config_table *t, int *places)
{
        for (const struct config_field *f = t->field; f->key; f++) {
                bool is_place = strcmp(f->key, "at_m") == 0 ||
                                strcmp(f->key, "gear_m") == 0 ||
                                strcmp(f->key, "path_m") == 0;

                *places += is_place;
                ck_assert_msg(!is_place || f->type == CONFIG_OBJECT ||
                                      f->type == CONFIG_OBJECTS,
                              "%s.%s", t->name, f->key);
                ck_assert_msg(f->type != CONFIG_VECTOR ||
                                      (!strstr(f->about, "centre of mass") &&
                                       !strstr(f->about, "Centre")),
                              "%s.%s is a place", t->name, f->key);
                if (f->table)
                        check_table(f->table, places);
        }
}

TEST(every_place_names_its_axes)
{
        int places = 0;

        check_table(&config_rig_table, &places);
        /* IMU, barometer, GPS, flow, two kinds of sonar, rotor twice, part, hull, box, gear, payload, added
         * mass, obstacle, path, region and start. */
        ck_assert_int_ge(places, 18);
}

static const char *const renamed[][2] = {
        { "vehicles.0.vehicle.sensors.gps.lever_arm_m=[0, 0, 0]",
          "forward, right, down" },
        { "vehicles.0.vehicle.sensors.baro.lever_arm_m=[0, 0, 0]",
          "forward, right, down" },
        { "vehicles.0.vehicle.sensors.sonar.lever_arm_m=[0, 0, 0]",
          "forward, right, down" },
        { "vehicles.0.vehicle.box={\"centre_m\": [0, 0, 0], \"size_m\": [1, 1, 1]}",
          "forward, right, down" },
        { "vehicles.0.start.north_m=1", "north, east, up, down" },
};

TEST_EACH(an_older_key_is_refused_by_the_newer_one, sizeof renamed / sizeof renamed[0])
{
        const struct config_overrides o = { .sets = 1, .set = { renamed[_i][0] } };
        char said[100];

        ck_assert(!config_read(&rig, DEFAULT, &o, NULL, &why));
        snprintf(said, sizeof said, "is \"at_m\" now, an object with %s", renamed[_i][1]);
        ck_assert_msg(strstr(why.text, said) != NULL, "%s", why.text);
        ck_assert_int_eq(why.count, 1);
}

TEST(a_rotor_of_an_older_file_is_refused_by_the_newer_key)
{
        const struct config_overrides o = {
                .sets = 1,
                .set = { "vehicles.0.vehicle.rotors.list=[{\"position_m\": [0, 0, 0], "
                         "\"spin\": \"cw\"}]" },
        };

        ck_assert(!config_read(&rig, DEFAULT, &o, NULL, &why));
        ck_assert_str_eq(
                why.text,
                "--set: vehicles.0.vehicle.rotors.list.0.position_m: is \"at_m\" "
                "now, an object with forward, right, down");
}
