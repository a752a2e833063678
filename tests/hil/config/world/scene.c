/* Obstacles of a world file: where they come to stand, and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/config/world/scenery.h"
#include "tests/models/world/scene_stage.h"
#include "tests/suites.h"

static struct rig_config rig;
static struct config_error why;

/* The default rig with these obstacles. */
static bool read_with(const char *obstacles)
{
        static char set[4000];
        struct config_overrides o = {
                .sets = 2,
                .set = { "world.surfaces=[{\"name\":\"ice\",\"friction\":0.02}]", set },
        };

        snprintf(set, sizeof set, "world.obstacles=[%s]", obstacles);
        return config_read(&rig, "rig_configs/default.json", &o, NULL, &why);
}

static void place(const char *obstacles)
{
        ck_assert_msg(read_with(obstacles), "%s", why.text);
        ck_assert_ptr_eq(rig.world.scene, &rig.scenery->scene);
}

static void expect_refused(const char *obstacles, const char *expected)
{
        ck_assert(!read_with(obstacles));
        ck_assert_msg(strstr(why.text, expected) != NULL, "%s", why.text);
        ck_assert_ptr_null(rig.scenery);
}

static double range_m(struct vec3 pos, struct vec3 dir)
{
        return world_hit(&rig.world, pos, vec3_scale(1.0 / vec3_norm(dir), dir), 1e3)
                .range_m;
}

static void expect_range(struct vec3 pos, struct vec3 dir, double expected)
{
        ck_assert_double_eq_tol(range_m(pos, dir), expected, 1e-9);
}

TEST(a_box_stands_on_the_ground_where_it_is_said)
{
        place("{\"name\":\"crate\",\"shape\":\"box\",\"size_m\":[2,4,1],"
              "\"at_m\":{\"north\":10,\"east\":-5}}");
        expect_range(ned(0.0, -5.0, -0.5), ned(1.0, 0.0, 0.0), 9.0);
        expect_range(ned(10.0, 5.0, -0.5), ned(0.0, -1.0, 0.0), 8.0);
        expect_range(ned(10.0, -5.0, -6.0), ned(0.0, 0.0, 1.0), 5.0);
        ck_assert_str_eq(config_obstacle_name(&rig, 0), "crate");
        ck_assert_str_eq(config_obstacle_name(&rig, -1), "ground");
        config_free(&rig);
}

TEST(yaw_turns_clockwise_seen_from_above_and_pitch_raises_the_north_end)
{
        place("{\"name\":\"a\",\"shape\":\"box\",\"size_m\":[10,1,1],"
              "\"at_m\":{\"north\":50},\"yaw_deg\":90},"
              "{\"name\":\"b\",\"shape\":\"box\",\"size_m\":[10,1,1],"
              "\"at_m\":{\"north\":-50},\"pitch_deg\":30}");
        /* The long side lies east and west. */
        expect_range(ned(50.0, 20.0, -0.5), ned(0.0, -1.0, 0.0), 15.0);
        expect_range(ned(40.0, 0.0, -0.5), ned(1.0, 0.0, 0.0), 9.5);
        ck_assert_double_lt(world_height_m(&rig.world, ned(-46.0, 0.0, -9.0)), 6.0);
        ck_assert_double_eq_tol(world_height_m(&rig.world, ned(-54.0, 0.0, -9.0)), 9.0,
                                1e-9);
        config_free(&rig);
}

TEST(a_cylinder_stands_upright_and_a_sphere_is_at_its_centre)
{
        place("{\"name\":\"pole\",\"shape\":\"cylinder\",\"radius_m\":0.5,"
              "\"height_m\":3,\"at_m\":{\"north\":10}},"
              "{\"name\":\"ball\",\"shape\":\"sphere\",\"radius_m\":0.5,"
              "\"at_m\":{\"north\":20,\"up\":2},\"surface\":\"ice\"}");
        expect_range(ned(0.0, 0.0, -1.0), ned(1.0, 0.0, 0.0), 9.5);
        expect_range(ned(10.0, 0.0, -8.0), ned(0.0, 0.0, 1.0), 5.0);
        expect_range(ned(20.0, 0.0, -8.0), ned(0.0, 0.0, 1.0), 5.5);
        ck_assert_double_eq(
                world_hit(&rig.world, ned(20.0, 0.0, -8.0), ned(0.0, 0.0, 1.0), 99.0)
                        .surface->friction,
                0.02);
        ck_assert_double_eq(
                world_hit(&rig.world, ned(10.0, 0.0, -8.0), ned(0.0, 0.0, 1.0), 99.0)
                        .surface->friction,
                0.6);
        config_free(&rig);
}

TEST(stairs_rise_to_the_north)
{
        place("{\"name\":\"stairs\",\"shape\":\"stairs\",\"size_m\":[3,1,1.5],"
              "\"steps\":3,\"at_m\":{\"north\":10}}");
        for (int i = 0; i < 3; i++)
                ck_assert_double_eq_tol(
                        world_height_m(&rig.world, ned(9.0 + i, 0.0, -5.0)),
                        5.0 - 0.5 * (i + 1), 1e-9);
        config_free(&rig);
}

TEST(a_hallway_is_as_wide_as_it_says_and_its_walls_as_thick)
{
        place("{\"name\":\"hall\",\"shape\":\"hallway\",\"width_m\":3,\"height_m\":4,"
              "\"thickness_m\":0.5,\"path_m\":[{ \"north\": -5, \"east\": 0 },{ "
              "\"north\": 20, \"east\": 0 }]}");
        expect_range(ned(3.0, 0.0, -1.0), ned(0.0, 1.0, 0.0), 1.5);
        expect_range(ned(3.0, 0.0, -1.0), ned(0.0, -1.0, 0.0), 1.5);
        expect_range(ned(3.0, 9.0, -1.0), ned(0.0, -1.0, 0.0), 7.0);
        ck_assert(isinf(range_m(ned(3.0, 0.0, -1.0), ned(1.0, 0.0, 0.0))));
        ck_assert(isinf(range_m(ned(3.0, 0.0, -4.1), ned(0.0, 1.0, 0.0))));
        config_free(&rig);
}

TEST(a_hallway_that_turns_leaves_no_gap_and_no_wall_in_the_way)
{
        /* By all kinds of turns, to either side. */
        const double turn_deg[] = { 20.0, 45.0, 90.0, 120.0 };

        for (int i = 0; i < 8; i++) {
                double turn = (i % 2 ? -1.0 : 1.0) * turn_deg[i / 2] * M_PI / 180.0;
                char text[400];

                snprintf(text, sizeof text,
                         "{\"name\":\"hall\",\"shape\":\"hallway\",\"width_m\":2,"
                         "\"height_m\":4,\"at_m\":{\"north\":-20},"
                         "\"path_m\":[{ \"north\": 0, \"east\": 0 },{ \"north\": 40, "
                         "\"east\": 0 },{ \"north\": %.6f, \"east\": %.6f }]}",
                         40.0 + 40.0 * cos(turn), 40.0 * sin(turn));
                place(text);
                /* Along the middle both walls are a metre away. */
                expect_range(ned(0.0, 0.0, -1.0), ned(0.0, 1.0, 0.0), 1.0);
                expect_range(ned(0.0, 0.0, -1.0), ned(0.0, -1.0, 0.0), 1.0);
                for (double s = 4.0; s < 35.0; s += 1.0) {
                        struct vec3 on = ned(20.0 + s * cos(turn), s * sin(turn), -1.0);

                        ck_assert_double_eq_tol(world_free_m(&rig.world, on, 9.0), 1.0,
                                                1e-5);
                }
                ck_assert_double_gt(world_free_m(&rig.world, ned(20.0, 0.0, -1.0), 9.0),
                                    0.99);
                /* From the corner nothing is seen but walls, and the two ends. */
                for (double a = 0.0; a < 6.283; a += 0.001) {
                        double to_end = remainder(a - turn, 2.0 * M_PI);
                        double to_start = remainder(a - M_PI, 2.0 * M_PI);

                        if (fabs(to_end) > 0.06 && fabs(to_start) > 0.06)
                                ck_assert_double_lt(range_m(ned(20.0, 0.0, -1.0),
                                                            ned(cos(a), sin(a), 0.0)),
                                                    30.0);
                }
                config_free(&rig);
        }
}

TEST(a_mesh_is_scaled_turned_and_placed)
{
        place("{\"name\":\"hill\",\"shape\":\"mesh\",\"scale_m\":2,"
              "\"file\":\"rig_configs/worlds/hill.obj\","
              "\"at_m\":{\"north\":100,\"east\":30}}");
        ck_assert_int_eq(rig.scenery->triangles, 512);
        ck_assert_double_eq_tol(world_height_m(&rig.world, ned(100.0, 30.0, -10.0)),
                                10.0 - 2.0 * 2.98, 1e-6);
        config_free(&rig);
        /* y up: what was north in it is up now. */
        place("{\"name\":\"hill\",\"shape\":\"mesh\",\"up_axis\":\"y\","
              "\"file\":\"rig_configs/worlds/hill.obj\","
              "\"at_m\":{\"north\":100,\"up\":20}}");
        ck_assert_double_eq_tol(range_m(ned(50.0, 0.0, -20.0), ned(1.0, 0.0, 0.0)),
                                50.0 - 2.98, 1e-6);
        config_free(&rig);
}

TEST(the_resolved_file_gives_the_same_world_from_anywhere)
{
        struct config_overrides o = { .sets = 1,
                                      .set = { "world=rig_configs/worlds/hill.json" } };
        static struct rig_config again;
        char *resolved;

        ck_assert_msg(config_read(&rig, "rig_configs/default.json", &o, &resolved, &why),
                      "%s", why.text);
        ck_assert_msg(config_read_text(&again, "/nowhere/config.json", resolved,
                                       strlen(resolved), NULL, NULL, &why),
                      "%s", why.text);
        ck_assert_int_eq(rig.scenery->solids, again.scenery->solids);
        ck_assert_mem_eq(rig.scenery->solid, again.scenery->solid,
                         (size_t)rig.scenery->solids * sizeof(struct solid));
        free(resolved);
        config_free(&rig);
        config_free(&again);
}

TEST_EACH(every_shipped_world_can_be_flown_in, 7)
{
        static const char *const worlds[] = {
                "flat",      "hallway_straight",   "hallway_corner",
                "hallway_t", "hallways_micklisch", "obstacles",
                "hill",
        };
        struct config_overrides o = { .sets = 1 };
        char set[100];

        snprintf(set, sizeof set, "world=rig_configs/worlds/%s.json", worlds[_i]);
        o.set[0] = set;
        ck_assert_msg(config_read(&rig, "rig_configs/default.json", &o, NULL, &why), "%s",
                      why.text);
        config_free(&rig);
}

/* Micklisch 9.3: 7, 6 and 5 m wide, 2, 2 and 4 m long, centres at 3, 5 and 8 m. */
TEST(the_hallways_of_micklisch_have_the_papers_measures)
{
        const double middle[3] = { 3.0, 5.0, 8.0 }, width[3] = { 7.0, 6.0, 5.0 };
        const double length[3] = { 2.0, 2.0, 4.0 };
        struct config_overrides o = {
                .sets = 1, .set = { "world=rig_configs/worlds/hallways_micklisch.json" }
        };

        ck_assert(config_read(&rig, "rig_configs/default.json", &o, NULL, &why));
        for (int i = 0; i < 3; i++) {
                for (double s = -0.499; s < 0.5; s += 0.0998) {
                        struct vec3 at = ned(middle[i] + s * length[i], 0.0, -5.0);

                        expect_range(at, ned(0.0, 1.0, 0.0), 0.5 * width[i]);
                        expect_range(at, ned(0.0, -1.0, 0.0), 0.5 * width[i]);
                }
        }
        config_free(&rig);
}

TEST(what_makes_no_sense_is_refused_by_its_key)
{
        expect_refused(
                "{\"name\":\"a\",\"shape\":\"box\"}",
                "obstacles.0.size_m: is required, and missing, with \"shape\": \"box\"");
        expect_refused("{\"name\":\"a\",\"shape\":\"sphere\",\"radius_m\":1,"
                       "\"height_m\":2}",
                       "height_m: means nothing with \"shape\": \"sphere\"");
        expect_refused("{\"name\":\"a\",\"shape\":\"ball\",\"radius_m\":1}", "shape");
        expect_refused("{\"name\":\"a\",\"shape\":\"sphere\",\"radius_m\":1,"
                       "\"at_m\":{\"north\":9},\"surface\":\"lava\"}",
                       "surface: is none of the world's surfaces, is \"lava\"");
        expect_refused("{\"name\":\"a\",\"shape\":\"sphere\",\"radius_m\":-1}",
                       "radius_m");
        expect_refused("{\"name\":\"a\",\"shape\":\"wall\",\"height_m\":1,"
                       "\"path_m\":[{ \"north\": 0, \"east\": 0 },{ \"north\": 0, "
                       "\"east\": 0 }]}",
                       "path_m: two points in a row are in the same place");
        expect_refused("{\"name\":\"a\",\"shape\":\"wall\",\"height_m\":1,"
                       "\"path_m\":[{ \"north\": 0, \"east\": 5 },{ \"north\": 9, "
                       "\"east\": 5 },{ \"north\": 0, \"east\": 5.1 }]}",
                       "path_m: turns back too sharply");
        expect_refused("{\"name\":\"a\",\"shape\":\"hallway\",\"height_m\":1,"
                       "\"width_m\":8,\"path_m\":[{ \"north\": 0, \"east\": 0 },{ "
                       "\"north\": 3, \"east\": 0 },{ \"north\": 3, \"east\": 9 }]}",
                       "path_m: is too narrow for the width of its turns");
        expect_refused("{\"name\":\"a\",\"shape\":\"mesh\",\"file\":\"none.obj\"}",
                       "file: none.obj: no such file");
}

TEST(a_vehicle_that_starts_in_an_obstacle_is_refused_by_its_name)
{
        expect_refused("{\"name\":\"crate\",\"shape\":\"box\",\"size_m\":[3,3,1]}",
                       "vehicles.0.start: is inside the obstacle \"crate\"");
        /* Between the feet. */
        expect_refused("{\"name\":\"pole\",\"shape\":\"cylinder\",\"radius_m\":0.02,"
                       "\"height_m\":2,\"at_m\":{\"north\":0.05,\"east\":0.05}}",
                       "is inside the obstacle \"pole\"");
}
