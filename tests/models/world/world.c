/* Ground and scene as one: rays, touches, room, heights. */
#include "models/world/world.h"

#include "tests/models/world/scene_stage.h"
#include "tests/suites.h"

static const struct world flat = { .origin = { 0.8, 0.2, 450.0 }, .ground_down_m = 1.5 };

static double range_m(const struct world *w, struct vec3 pos, struct vec3 dir)
{
        return world_hit(w, pos, dir, INFINITY).range_m;
}

TEST(range_straight_down_is_the_height)
{
        struct vec3 pos = { 7.0, -3.0, -10.0 };

        ck_assert_double_eq(range_m(&flat, pos, ned(0.0, 0.0, 1.0)), 11.5);
        ck_assert_double_eq(world_height_m(&flat, pos), 11.5);
        ck_assert_double_eq(world_free_m(&flat, pos, 100.0), 11.5);
        ck_assert_double_eq(world_free_m(&flat, pos, 3.0), 3.0);
}

TEST(range_grows_with_the_secant_of_the_angle)
{
        struct vec3 pos = { 0.0, 0.0, -10.0 };

        for (double angle = -1.5; angle <= 1.5; angle += 0.01) {
                struct vec3 dir = { 0.6 * sin(angle), 0.8 * sin(angle), cos(angle) };

                ck_assert_double_eq_tol(range_m(&flat, pos, dir), 11.5 / cos(angle),
                                        1e-9);
        }
}

TEST(ray_ends_on_the_surface)
{
        struct vec3 pos = { 4.0, 5.0, -20.0 }, dir = { 0.36, -0.48, 0.8 };
        struct world_hit hit = world_hit(&flat, pos, dir, 100.0);
        struct vec3 end = vec3_axpy(pos, hit.range_m, dir);

        ck_assert_double_eq_tol(end.z, flat.ground_down_m, 1e-12);
        ck_assert_double_lt(vec3_dot(hit.normal_ned, dir), 0.0);
        ck_assert_double_eq(vec3_norm(hit.normal_ned), 1.0);
        ck_assert_ptr_eq(hit.surface, &flat.ground);
}

TEST(nothing_is_met_above_the_horizon_or_beyond_the_limit)
{
        struct vec3 pos = { 0.0, 0.0, -10.0 };

        ck_assert(isinf(range_m(&flat, pos, ned(1.0, 0.0, 0.0))));
        ck_assert(isinf(range_m(&flat, pos, ned(0.6, 0.0, -0.8))));
        ck_assert(isinf(range_m(&flat, pos, ned(0.0, 0.0, -1.0))));
        ck_assert(isinf(world_hit(&flat, pos, ned(0.0, 0.0, 1.0), 11.4).range_m));
        ck_assert_ptr_null(world_hit(&flat, pos, ned(0.0, 0.0, 1.0), 11.4).surface);
}

TEST(range_is_zero_inside_the_ground)
{
        struct vec3 pos = { 0.0, 0.0, 1.6 };

        ck_assert_double_eq(range_m(&flat, pos, ned(0.0, 0.0, 1.0)), 0.0);
        ck_assert_double_eq(range_m(&flat, pos, ned(0.0, 0.0, -1.0)), 0.0);
        ck_assert(isinf(world_height_m(&flat, pos)));
        ck_assert_double_lt(world_free_m(&flat, pos, 9.0), 0.0);
}

/* A block 2 m high, its top a metre below the origin, beside a pole of another surface. */
static struct stage stage;

static struct world furnished(void)
{
        struct world w = flat;

        stage = (struct stage){ .surface = { { .friction = 0.3 }, { .friction = 0.9 } } };
        stage_box(&stage, ned(5.0, 0.0, 0.5), ned(1.0, 1.0, 1.0));
        stage_add(&stage, (struct solid){ .shape = SOLID_CYLINDER,
                                          .surface = 1,
                                          .pos_ned_m = { -5.0, 0.0, 0.0 },
                                          .axes_to_ned = upright,
                                          .size_m = { 0.1, 0.0, 1.5 } });
        w.scene = stage_build(&stage);
        return w;
}

TEST(the_nearer_of_ground_and_scene_is_met)
{
        struct world w = furnished();
        struct world_hit hit;

        hit = world_hit(&w, ned(0.0, 0.0, 0.5), ned(1.0, 0.0, 0.0), 100.0);
        ck_assert_double_eq_tol(hit.range_m, 4.0, 1e-12);
        ck_assert_double_eq(hit.surface->friction, 0.3);
        hit = world_hit(&w, ned(0.0, 0.0, 0.5), ned(-1.0, 0.0, 0.0), 100.0);
        ck_assert_double_eq_tol(hit.range_m, 4.9, 1e-12);
        ck_assert_double_eq(hit.surface->friction, 0.9);
        hit = world_hit(&w, ned(0.0, 0.0, 0.5), ned(0.6, 0.0, 0.8), 100.0);
        ck_assert_ptr_eq(hit.surface, &w.ground);
}

TEST(height_is_above_what_stands_on_the_ground)
{
        struct world w = furnished();

        ck_assert_double_eq_tol(world_height_m(&w, ned(5.0, 0.5, -3.0)), 2.5, 1e-12);
        ck_assert_double_eq_tol(world_height_m(&w, ned(3.9, 0.5, -3.0)), 4.5, 1e-12);
        ck_assert_double_eq(world_height_m(&w, ned(5.0, 0.5, 0.0)), 0.0);
        ck_assert_double_eq(world_height_m(&w, ned(0.0, 0.0, 1.5)), 0.0);
}

TEST(a_sphere_touches_ground_and_wall_deepest_first)
{
        struct world w = furnished();
        struct world_touch t[WORLD_TOUCHES_MAX];
        struct vec3 pos = { 3.8, 0.0, 1.25 };

        ck_assert_int_eq(world_touches(&w, pos, pos, 0.3, t), 2);
        ck_assert_int_eq(t[0].obstacle, 0);
        ck_assert_double_eq_tol(t[0].clearance_m, -0.1, 1e-12);
        ck_assert_double_eq_tol(t[0].normal_ned.x, -1.0, 1e-12);
        ck_assert_int_eq(t[1].obstacle, -1);
        ck_assert_double_eq_tol(t[1].clearance_m, -0.05, 1e-12);
        ck_assert_ptr_eq(t[1].surface, &w.ground);
        ck_assert_int_eq(world_touches(&w, pos, pos, 0.1, t), 0);
}

TEST(what_is_under_the_ground_is_not_touched)
{
        struct world w = furnished();
        struct world_touch t[WORLD_TOUCHES_MAX];
        struct vec3 pos = { 0.0, 0.0, 1.45 };

        stage_box(&stage, ned(0.0, 0.0, 2.5), ned(2.0, 2.0, 1.0 - 1e-12));
        stage_build(&stage);
        ck_assert_int_eq(world_touches(&w, pos, pos, 0.1, t), 1);
        ck_assert_int_eq(t[0].obstacle, -1);
}

TEST(a_point_has_a_skin_against_obstacles_and_none_on_the_ground)
{
        struct world w = furnished();
        struct world_touch t[WORLD_TOUCHES_MAX];
        struct vec3 pos = { 5.0, 0.0, -0.5 - 0.5 * WORLD_SKIN_M };
        struct vec3 low = { 0.0, 0.0, 1.5 - 0.5 * WORLD_SKIN_M };

        ck_assert_int_eq(world_touches(&w, pos, pos, 0.0, t), 1);
        ck_assert_double_eq_tol(t[0].clearance_m, -0.5 * WORLD_SKIN_M, 1e-12);
        ck_assert_int_eq(world_touches(&w, low, low, 0.0, t), 0);
}

TEST(altitude_counts_from_the_origin_up)
{
        ck_assert_double_eq(world_altitude_m(&flat, (struct vec3){ 9.0, 9.0, -20.0 }),
                            470.0);
}
