/* Gruber's way-point controller: A.8.3 to A.8.5. */
#include <math.h>

#include "models/fc/laws/position_thesis.h"

#include "tests/suites.h"

#define DEG (M_PI / 180.0)

static const struct position_thesis_params gains = {
        .gain_per_s = 0.7,
        .speed_max_mps = 1.0,
        .tolerance_m = 0.3,
        .yaw_gain_per_s = 1.0,
        .yaw_rate_max_radps = 40.0 * DEG,
        .yaw_tolerance_rad = 5.0 * DEG,
};

TEST(the_difference_of_angles_is_between_minus_pi_and_pi)
{
        for (int a = -720; a <= 720; a += 15)
                for (int b = -720; b <= 720; b += 15) {
                        double d = position_thesis_angle_rad(a * DEG, b * DEG);

                        ck_assert(d >= -M_PI - 1e-12 && d <= M_PI + 1e-12);
                        ck_assert_double_eq_tol(cos(d), cos((a - b) * DEG), 1e-12);
                        ck_assert_double_eq_tol(sin(d), sin((a - b) * DEG), 1e-12);
                }
}

TEST(a_vector_turned_into_the_body_and_back_is_itself)
{
        struct vec3 ned = { 1.0, -2.0, 3.0 };

        for (int deg = -180; deg < 180; deg += 7) {
                struct vec3 xyz = position_thesis_to_xy(ned, deg * DEG);
                struct vec3 back = position_thesis_to_ned(xyz, deg * DEG);

                ck_assert_double_eq_tol(vec3_norm(xyz), vec3_norm(ned), 1e-12);
                ck_assert_double_eq_tol(vec3_norm(vec3_sub(back, ned)), 0.0, 1e-12);
        }
        /* Looking east, north is on the left. */
        ck_assert_double_eq_tol(
                position_thesis_to_xy((struct vec3){ 1.0, 0.0, 0.0 }, 90.0 * DEG).y, -1.0,
                1e-12);
}

TEST(far_away_it_flies_to_the_place_and_does_not_turn)
{
        for (int deg = 0; deg < 360; deg += 10) {
                struct position_thesis s = { 0 };
                struct vec3 target = { 5.0 * cos(deg * DEG), 5.0 * sin(deg * DEG), -4.0 };
                struct thesis_velocity u = position_thesis_step(
                        &s, &gains, target, 2.0, (struct vec3){ 0.0, 0.0, -5.0 }, 0.3);
                struct vec3 v = position_thesis_to_ned(u.xyz_mps, 0.3);

                ck_assert_double_eq_tol(v.x, cos(deg * DEG), 1e-12);
                ck_assert_double_eq_tol(v.y, sin(deg * DEG), 1e-12);
                ck_assert_double_eq_tol(v.z, 0.7, 1e-12);
                ck_assert_double_eq(u.yaw_radps, 0.0);
        }
}

TEST(after_one_position_within_the_tolerance_it_turns_and_does_nothing_else)
{
        struct position_thesis s = { 0 };
        struct vec3 target = { 5.0, 0.0, -5.0 };
        struct thesis_velocity u;

        position_thesis_step(&s, &gains, target, 1.0, (struct vec3){ 4.8, 0.0, -5.0 },
                             0.0);
        u = position_thesis_step(&s, &gains, target, 1.0, (struct vec3){ 4.5, 0.0, -5.0 },
                                 0.0);
        ck_assert_double_eq(vec3_norm(u.xyz_mps), 0.0);
        ck_assert_double_eq_tol(u.yaw_radps, gains.yaw_rate_max_radps, 1e-12);
        u = position_thesis_step(&s, &gains, target, 1.0, (struct vec3){ 4.5, 0.0, -5.0 },
                                 1.1);
        ck_assert_double_eq_tol(u.yaw_radps, -0.1, 1e-12);
}

TEST(with_both_reached_it_holds_both_until_there_is_another_target)
{
        struct position_thesis s = { 0 };
        struct vec3 target = { 5.0, 0.0, -5.0 }, near = { 4.9, 0.0, -5.0 };
        struct thesis_velocity u =
                position_thesis_step(&s, &gains, target, 1.0, near, 0.99);

        ck_assert_int_eq(s.stage, THESIS_HOLD);
        ck_assert_double_eq_tol(position_thesis_to_ned(u.xyz_mps, 0.99).x, 0.07, 1e-12);
        ck_assert_double_eq_tol(u.yaw_radps, 0.01, 1e-12);
        target.y = 3.0;
        position_thesis_step(&s, &gains, target, 1.0, near, 0.99);
        ck_assert_int_eq(s.stage, THESIS_POSITION);
}

TEST(it_turns_the_short_way)
{
        struct position_thesis s = { 0 };
        struct vec3 here = { 0.0, 0.0, 0.0 };
        struct thesis_velocity u =
                position_thesis_step(&s, &gains, here, -170.0 * DEG, here, 170.0 * DEG);

        ck_assert_double_eq_tol(u.yaw_radps, 20.0 * DEG, 1e-12);
}

/* The plant that it was made for: velocities are followed at once. */
TEST(a_vehicle_that_follows_gets_there_from_anywhere)
{
        for (int i = 0; i < 36; i++) {
                struct position_thesis s = { 0 };
                struct vec3 pos = { 10.0 * cos(i * 10.0 * DEG),
                                    10.0 * sin(i * 10.0 * DEG), 0.2 * i };
                double yaw = 10.0 * i * DEG;

                for (int k = 0; k < 3000; k++) {
                        struct thesis_velocity u = position_thesis_step(
                                &s, &gains, (struct vec3){ 1.0, 2.0, -3.0 }, -1.0, pos,
                                yaw);

                        pos = vec3_axpy(pos, 0.01,
                                        position_thesis_to_ned(u.xyz_mps, yaw));
                        yaw += 0.01 * u.yaw_radps;
                }
                ck_assert_double_eq_tol(pos.x, 1.0, 1e-3);
                ck_assert_double_eq_tol(pos.y, 2.0, 1e-3);
                ck_assert_double_eq_tol(pos.z, -3.0, 1e-3);
                ck_assert_double_eq_tol(position_thesis_angle_rad(-1.0, yaw), 0.0, 1e-3);
        }
}
