/* Rays against the ground, and the height of a place. */
#include <check.h>

#include "models/world.h"

static const struct world flat = { .origin = { 0.8, 0.2, 450.0 }, .ground_down_m = 1.5 };

START_TEST(range_straight_down_is_the_clearance)
{
        struct vec3 pos = { 7.0, -3.0, -10.0 };

        ck_assert_double_eq(world_range_m(&flat, pos, (struct vec3){ 0.0, 0.0, 1.0 }),
                            11.5);
        ck_assert_double_eq(world_ground(&flat, pos).clearance_m, 11.5);
}
END_TEST

START_TEST(range_grows_with_the_secant_of_the_angle)
{
        struct vec3 pos = { 0.0, 0.0, -10.0 };

        for (double angle = -1.5; angle <= 1.5; angle += 0.01) {
                struct vec3 dir = { 0.6 * sin(angle), 0.8 * sin(angle), cos(angle) };

                ck_assert_double_eq_tol(world_range_m(&flat, pos, dir), 11.5 / cos(angle),
                                        1e-9);
        }
}
END_TEST

START_TEST(ray_ends_on_the_surface)
{
        struct vec3 pos = { 4.0, 5.0, -20.0 }, dir = { 0.36, -0.48, 0.8 };
        struct world_hit hit = world_hit(&flat, pos, dir);
        struct vec3 end = vec3_axpy(pos, hit.range_m, dir);

        ck_assert_double_eq_tol(end.z, flat.ground_down_m, 1e-12);
        ck_assert_double_eq_tol(world_ground(&flat, end).clearance_m, 0.0, 1e-12);
        ck_assert_double_lt(vec3_dot(hit.normal_ned, dir), 0.0);
        ck_assert_double_eq(vec3_norm(hit.normal_ned), 1.0);
}
END_TEST

START_TEST(nothing_is_met_above_the_horizon)
{
        struct vec3 pos = { 0.0, 0.0, -10.0 };

        ck_assert(isinf(world_range_m(&flat, pos, (struct vec3){ 1.0, 0.0, 0.0 })));
        ck_assert(isinf(world_range_m(&flat, pos, (struct vec3){ 0.6, 0.0, -0.8 })));
        ck_assert(isinf(world_range_m(&flat, pos, (struct vec3){ 0.0, 0.0, -1.0 })));
}
END_TEST

START_TEST(range_is_zero_inside_the_ground)
{
        struct vec3 pos = { 0.0, 0.0, 1.6 };

        ck_assert_double_eq(world_range_m(&flat, pos, (struct vec3){ 0.0, 0.0, 1.0 }),
                            0.0);
        ck_assert_double_eq(world_range_m(&flat, pos, (struct vec3){ 0.0, 0.0, -1.0 }),
                            0.0);
}
END_TEST

START_TEST(altitude_counts_from_the_origin_up)
{
        ck_assert_double_eq(world_altitude_m(&flat, (struct vec3){ 9.0, 9.0, -20.0 }),
                            470.0);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("world");
        TCase *tc = tcase_create("world");
        SRunner *sr = srunner_create(suite);
        int failures;

        tcase_add_test(tc, range_straight_down_is_the_clearance);
        tcase_add_test(tc, range_grows_with_the_secant_of_the_angle);
        tcase_add_test(tc, ray_ends_on_the_surface);
        tcase_add_test(tc, nothing_is_met_above_the_horizon);
        tcase_add_test(tc, range_is_zero_inside_the_ground);
        tcase_add_test(tc, altitude_counts_from_the_origin_up);
        suite_add_tcase(suite, tc);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
