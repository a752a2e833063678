/* What measures other vehicles: whom, how far, in which direction, and what it does not see. */
#include <math.h>
#include <stdlib.h>

#include "models/sensors/relative.h"

#include "tests/suites.h"

static struct relative_params params;
static struct relative sensor;
static struct body_state body;
static struct world world;
static struct neighbours others;

static void set_up(void)
{
        params = (struct relative_params){ .reach_m = 50.0,
                                           .ranging = true,
                                           .sighting = true,
                                           .axis_body = { 1.0, 0.0, 0.0 },
                                           .opening_rad = 2.0 * M_PI };
        error_params_ideal(&params.range);
        error_params_ideal(&params.bearing);
        body = (struct body_state){ .pos_ned_m = { 10.0, 20.0, -5.0 },
                                    .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        world = (struct world){ .ground_down_m = 0.0 };
        others.count = 0;
        relative_init(&sensor, &params, 1, 0);
}

FIXTURE(set_up, NULL)

static void put(int index, double north_m, double east_m, double down_m)
{
        others.at[others.count++] =
                (struct neighbour){ vec3_add(body.pos_ned_m,
                                             (struct vec3){ north_m, east_m, down_m }),
                                    0.3, index, NULL };
}

static struct relative_sample measure(void)
{
        struct exposure e = { .world = &world, .others = &others, .body = &body };
        struct relative_sample s = { .t_ns = 7 };

        relative_step(&sensor, &params, &e, &s);
        ck_assert_int_eq(s.t_ns, 7);
        return s;
}

TEST(distance_and_direction_are_those_in_body_axes)
{
        struct relative_sample s;

        put(4, 3.0, 4.0, -2.0);
        s = measure();
        ck_assert_int_eq(s.peer, 4);
        ck_assert(s.has_range && s.has_bearing);
        ck_assert_double_eq_tol(s.range_m, sqrt(29.0), 1e-12);
        ck_assert_double_eq_tol(s.azimuth_rad, atan2(4.0, 3.0), 1e-12);
        ck_assert_double_eq_tol(s.elevation_rad, atan2(2.0, 5.0), 1e-12);
        /* Nose to the east: what was ahead to the right by 53 degrees is to the left by 37. */
        body.q_body_to_ned = quat_from_euler(0.0, 0.0, M_PI_2);
        s = measure();
        ck_assert_double_eq_tol(s.azimuth_rad, atan2(4.0, 3.0) - M_PI_2, 1e-12);
        ck_assert_double_eq_tol(s.range_m, sqrt(29.0), 1e-12);
        /* The direction is the other's place again, in any attitude. */
        body.q_body_to_ned = quat_from_euler(0.4, -0.3, 1.9);
        s = measure();
        {
                double level = s.range_m * cos(s.elevation_rad);
                struct vec3 way =
                        quat_rotate(body.q_body_to_ned,
                                    (struct vec3){ level * cos(s.azimuth_rad),
                                                   level * sin(s.azimuth_rad),
                                                   -s.range_m * sin(s.elevation_rad) });

                ck_assert_double_eq_tol(way.x, 3.0, 1e-12);
                ck_assert_double_eq_tol(way.y, 4.0, 1e-12);
                ck_assert_double_eq_tol(way.z, -2.0, 1e-12);
        }
}

TEST(a_bearing_goes_on_behind_the_tail)
{
        params.bearing.bias[0] = 0.2;
        put(1, -10.0, 0.5, 0.0);
        ck_assert_double_eq_tol(measure().azimuth_rad,
                                atan2(0.5, -10.0) + 0.2 - 2.0 * M_PI, 1e-12);
}

TEST(both_of_a_pair_measure_the_same_distance)
{
        struct vec3 there;
        double one_m;

        put(1, 7.0, -1.0, 0.5);
        there = others.at[0].pos_ned_m;
        one_m = measure().range_m;
        others.at[0].pos_ned_m = body.pos_ned_m;
        body.pos_ned_m = there;
        ck_assert_double_eq_tol(measure().range_m, one_m, 1e-12);
}

TEST(the_others_take_turns_and_who_is_too_far_has_none)
{
        int seen[6];

        put(1, 5.0, 0.0, 0.0);
        put(3, 0.0, 60.0, 0.0);
        put(5, 0.0, -5.0, 0.0);
        put(9, 0.0, 8.0, 0.0);
        for (int i = 0; i < 6; i++)
                seen[i] = measure().peer;
        for (int i = 0; i < 3; i++)
                ck_assert_int_eq(seen[i + 3], seen[i]);
        ck_assert_int_eq(seen[0], 1);
        ck_assert_int_eq(seen[1], 5);
        ck_assert_int_eq(seen[2], 9);
        others.count = 0;
        ck_assert_int_eq(measure().peer, -1);
        {
                struct relative_sample s = measure();

                ck_assert(!s.has_range && !s.has_bearing);
                ck_assert_double_eq(s.range_m, 0.0);
                ck_assert_double_eq(s.azimuth_rad, 0.0);
        }
}

/* A box between, and the ground for one who is below a rise; what is behind is no obstacle. */
TEST(no_direction_through_an_obstacle_and_a_longer_way)
{
        struct surface surface = { .friction = 0.5 };
        struct solid box = { .shape = SOLID_BOX,
                             .pos_ned_m = { 15.0, 20.0, -5.0 },
                             .axes_to_ned =
                                     quat_to_mat3((struct quat){ 1.0, 0.0, 0.0, 0.0 }),
                             .size_m = { 0.5, 2.0, 2.0 } };
        struct scene_node node[SCENE_NODES(1)];
        struct scene scene;
        struct relative_sample s;

        ck_assert(scene_build(&scene, &box, 1, node, &surface, 1));
        world.scene = &scene;
        put(1, 10.0, 0.0, 0.0);
        s = measure();
        ck_assert(!s.has_bearing && !s.has_range);
        ck_assert_int_eq(s.peer, 1);
        params.wall_m = 0.25;
        s = measure();
        ck_assert(!s.has_bearing && s.has_range);
        ck_assert_double_eq_tol(s.range_m, 10.25, 1e-12);
        others.at[0].pos_ned_m.x = body.pos_ned_m.x + 4.0;
        s = measure();
        ck_assert(s.has_bearing);
        ck_assert_double_eq_tol(s.range_m, 4.0, 1e-12);
}

TEST(what_is_outside_of_the_cone_is_not_seen_but_ranged)
{
        params.opening_rad = M_PI / 3.0;
        put(1, 10.0, 10.0 * tan(M_PI / 6.0) - 0.01, 0.0);
        ck_assert(measure().has_bearing);
        others.at[0].pos_ned_m.y += 0.02;
        ck_assert(!measure().has_bearing);
        ck_assert(measure().has_range);
}

/* Counts: their standard deviation is sqrt(n p (1 - p)), 46 of 10,000 at most. */
TEST(drop_outs_and_longer_ways_are_as_many_and_as_long_as_said)
{
        double sum_m = 0.0;
        int heard = 0, longer = 0;

        params.loss_ratio = 0.3;
        params.multipath_ratio = 0.2;
        params.multipath_m = 0.5;
        put(1, 10.0, 0.0, 0.0);
        for (int i = 0; i < 10000; i++) {
                struct relative_sample s = measure();

                heard += s.has_range;
                longer += s.has_range && s.range_m > 10.0 + 1e-9;
                sum_m += s.has_range ? s.range_m - 10.0 : 0.0;
        }
        ck_assert_int_eq(abs(heard - 7000) < 5 * 46, 1);
        ck_assert_int_eq(abs(longer - 1400) < 5 * 35, 1);
        /* Exponential: the mean of n is off by its own size over sqrt(n). */
        ck_assert_double_eq_tol(sum_m / longer, 0.5, 5.0 * 0.5 / sqrt(1400.0));
}

/* Sample n has noise n, whatever was in reach before. */
TEST(noise_does_not_depend_on_what_was_seen)
{
        double with[2];

        params.range.sigma[0] = 0.05;
        for (int far = 0; far < 2; far++) {
                relative_init(&sensor, &params, 1, 0);
                others.count = 0;
                put(1, far ? 100.0 : 10.0, 0.0, 0.0);
                for (int i = 0; i < 5; i++)
                        measure();
                others.at[0].pos_ned_m.x = body.pos_ned_m.x + 10.0;
                with[far] = measure().range_m;
        }
        ck_assert_double_eq(with[0], with[1]);
        ck_assert_double_ne(with[0], 10.0);
}
