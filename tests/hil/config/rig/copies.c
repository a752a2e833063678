/* One vehicle that says how many there are of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"

#include "tests/suites.h"

#define RIG "tests/rigs/copies.json"

static struct rig_config rig;
static char *resolved;
static struct config_error why;

static bool read_with(const char *a, const char *b)
{
        struct config_overrides o = { .sets = b ? 2 : a ? 1 : 0, .set = { a, b } };

        free(resolved);
        resolved = NULL;
        config_free(&rig);
        return config_read(&rig, RIG, &o, &resolved, &why);
}

static void end(void)
{
        free(resolved);
        resolved = NULL;
        config_free(&rig);
}

FIXTURE(NULL, end)

static double level_m(int a, int b)
{
        struct vec3 apart =
                vec3_sub(rig.vehicle[a].start_ned_m, rig.vehicle[b].start_ned_m);

        ck_assert_double_eq(apart.z, 0.0);
        return vec3_norm(apart);
}

TEST(strings_carry_the_number_of_the_copy)
{
        ck_assert_msg(read_with(NULL, NULL), "%s", why.text);
        ck_assert_int_eq(rig.vehicles, 6);
        ck_assert_str_eq(rig.vehicle[0].name, "alone");
        ck_assert_str_eq(rig.vehicle[1].name, "quad_0");
        ck_assert_str_eq(rig.vehicle[5].name, "quad_4");
        ck_assert_str_eq(rig.vehicle[1].fc.link_text[0], "udp-listen:127.0.0.1:9002");
        ck_assert_str_eq(rig.vehicle[5].fc.link_text[0], "udp-listen:127.0.0.1:9042");
        ck_assert_str_eq(rig.vehicle[5].port[0].link_text,
                         "pty-link:/tmp/gps4-7-{x}-{1+2+i}");
        /* The text that is kept has vehicles only, and means the same. */
        ck_assert_ptr_null(strstr(resolved, "\"copies\":"));
}

TEST(a_square_has_rows_a_line_has_one_and_a_ring_is_round)
{
        ck_assert(read_with("vehicles.1.copies.grid=square", NULL));
        ck_assert_double_eq(rig.vehicle[1].start_ned_m.x, 10.0);
        ck_assert_double_eq(rig.vehicle[3].start_ned_m.y, 6.0);
        ck_assert_double_eq(rig.vehicle[4].start_ned_m.x, 13.0);
        ck_assert_double_eq(rig.vehicle[4].start_ned_m.y, 0.0);
        ck_assert(read_with("vehicles.1.copies.grid=line", NULL));
        ck_assert_double_eq(rig.vehicle[5].start_ned_m.y, 12.0);
        ck_assert_double_eq(rig.vehicle[5].start_ned_m.x, 10.0);
        ck_assert(read_with("vehicles.1.copies.grid=ring", NULL));
        for (int i = 1; i < 6; i++)
                ck_assert_double_eq_tol(level_m(i, i % 5 + 1), 3.0, 1e-12);
}

TEST(each_copy_can_be_set_alone)
{
        ck_assert_msg(
                read_with("vehicles.3.start.yaw_deg=90", "vehicles.1.copies.count=3"),
                "%s", why.text);
        ck_assert_int_eq(rig.vehicles, 4);
        ck_assert_double_eq(rig.vehicle[2].start_yaw_rad, 0.0);
        ck_assert_double_gt(rig.vehicle[3].start_yaw_rad, 1.5);
        ck_assert(!read_with("vehicles.4.start.yaw_deg=90", "vehicles.1.copies.count=3"));
}

TEST(a_name_without_the_number_gets_it)
{
        const struct config_overrides o = {
                .sets = 1, .set = { "vehicles.0.copies={\"count\": 2}" }
        };

        ck_assert_msg(config_read(&rig, "rig_configs/default.json", &o, NULL, &why), "%s",
                      why.text);
        ck_assert_str_eq(rig.vehicle[0].name, "md4_200_0");
        ck_assert_str_eq(rig.vehicle[1].name, "md4_200_1");
}

static const char *const wrong[][2] = {
        { "vehicles.1.copies.count=0",
          "vehicles.1.copies.count: must be at least 1, is 0" },
        { "vehicles.1.copies.count=1000",
          "vehicles.1.copies.count: must be at most 256, is 1000" },
        { "vehicles.1.copies.count=256", "makes more vehicles than 256" },
        { "vehicles.1.copies.grid=heap", "vehicles.1.copies.grid: must be \"square\"" },
        { "vehicles.1.copies.spacing=3", "unknown key" },
        { "vehicles.1.copies=8", "vehicles.1.copies: must be an object" },
};

TEST_EACH(wrong_copies_are_told_once, sizeof wrong / sizeof wrong[0])
{
        ck_assert(!read_with(wrong[_i][0], NULL));
        ck_assert_msg(strstr(why.text, wrong[_i][1]) != NULL, "said: %s", why.text);
        ck_assert_int_eq(why.count, 1);
}
