/* The GPS receiver: where its antenna is and how it moves, on either earth, with noise in metres. */
#include <check.h>

#include "models/sensors/gps.h"

static struct gps_params params;
static struct gps gps;
static const struct world world = { .origin = { 0.84, 0.25, 430.0 } };
static const struct body_state level_at_rest = { .q_body_to_ned = { 1.0, 0.0, 0.0,
                                                                    0.0 } };

static void set_up(void)
{
        params = (struct gps_params){ .satellites = 9 };
        error_params_ideal(&params.position);
        error_params_ideal(&params.velocity);
        gps_init(&gps, 1, 0);
}

static struct gps_sample measure(const struct body_state *truth)
{
        struct gps_sample sample;

        gps_step(&gps, &params, &world, truth, &sample);
        return sample;
}

static struct vec3 ned_of(const struct gps_sample *s)
{
        struct earth_position p = { s->lat_rad, s->lon_rad, s->height_m };

        return params.flat_earth ? earth_to_ned_flat(&world.origin, p)
                                 : earth_to_ned(&world.origin, p);
}

static void assert_near(struct vec3 a, struct vec3 b, double tol)
{
        ck_assert_double_eq_tol(a.x, b.x, tol);
        ck_assert_double_eq_tol(a.y, b.y, tol);
        ck_assert_double_eq_tol(a.z, b.z, tol);
}

START_TEST(vehicle_at_the_origin_is_at_the_origin)
{
        struct gps_sample s = measure(&level_at_rest);

        ck_assert_double_eq_tol(s.lat_rad, world.origin.lat_rad, 1e-15);
        ck_assert_double_eq_tol(s.lon_rad, world.origin.lon_rad, 1e-15);
        ck_assert_double_eq_tol(s.height_m, 430.0, 1e-8);
        ck_assert_int_eq(s.fix, GPS_FIX_3D);
        ck_assert_int_eq(s.satellites, 9);
}
END_TEST

START_TEST(position_and_velocity_are_the_true_ones)
{
        struct body_state s = level_at_rest;
        struct gps_sample sample;

        s.pos_ned_m = (struct vec3){ 120.0, -80.0, -30.0 };
        s.vel_ned_mps = (struct vec3){ 3.0, -4.0, 0.5 };
        s.q_body_to_ned = quat_from_euler(0.2, 0.3, 0.4);
        sample = measure(&s);
        assert_near(ned_of(&sample), s.pos_ned_m, 1e-7);
        assert_near(sample.vel_ned_mps, s.vel_ned_mps, 1e-15);
}
END_TEST

/* Gruber 5.2.7.2: 111200 m and 71670 m to the degree. */
START_TEST(flat_earth_is_used_where_asked_for)
{
        struct body_state s = level_at_rest;
        struct gps_sample sample;

        params.flat_earth = true;
        s.pos_ned_m = (struct vec3){ 111.2, 716.7, -30.0 };
        sample = measure(&s);
        ck_assert_double_eq_tol((sample.lat_rad - world.origin.lat_rad) * 180.0 / M_PI,
                                0.001, 1e-13);
        ck_assert_double_eq_tol((sample.lon_rad - world.origin.lon_rad) * 180.0 / M_PI,
                                0.01, 1e-13);
        ck_assert_double_eq_tol(sample.height_m, 460.0, 1e-12);
}
END_TEST

START_TEST(antenna_is_where_the_attitude_puts_it)
{
        struct body_state s = level_at_rest;
        struct gps_sample sample;

        params.lever_arm_body_m = (struct vec3){ 0.1, 0.0, -0.2 };
        s.q_body_to_ned = quat_from_euler(0.0, 0.0, M_PI / 2.0); /* nose to the east */
        sample = measure(&s);
        assert_near(ned_of(&sample), (struct vec3){ 0.0, 0.1, -0.2 }, 1e-7);
        s.q_body_to_ned = quat_from_euler(M_PI, 0.0, 0.0);
        sample = measure(&s);
        assert_near(ned_of(&sample), (struct vec3){ 0.1, 0.0, 0.2 }, 1e-7);
}
END_TEST

/* Velocity by the other route: the antenna's path, differentiated. */
START_TEST(antenna_swings_with_the_body)
{
        const double h = 1e-5, yaw = 0.6, rate = 2.5;
        struct body_state before = level_at_rest, now = level_at_rest,
                          after = level_at_rest;
        struct gps_sample s0, s1, s;

        params.lever_arm_body_m = (struct vec3){ 0.3, -0.1, -0.2 };
        before.q_body_to_ned = quat_from_euler(0.0, 0.0, yaw - rate * h);
        now.q_body_to_ned = quat_from_euler(0.0, 0.0, yaw);
        after.q_body_to_ned = quat_from_euler(0.0, 0.0, yaw + rate * h);
        now.rate_body_radps.z = rate;
        params.flat_earth = true; /* the more exact subtraction */
        s0 = measure(&before);
        s1 = measure(&after);
        s = measure(&now);
        assert_near(vec3_scale(0.5 / h, vec3_sub(ned_of(&s1), ned_of(&s0))),
                    s.vel_ned_mps, 2e-4);
        ck_assert_double_eq_tol(vec3_norm(s.vel_ned_mps), rate * sqrt(0.1), 1e-12);
}
END_TEST

START_TEST(fewer_than_four_satellites_are_no_fix)
{
        for (int n = 0; n < 12; n++) {
                struct gps_sample s;

                params.satellites = n;
                s = measure(&level_at_rest);
                ck_assert_int_eq(s.satellites, n);
                ck_assert_int_eq(s.fix, n < 4 ? GPS_NO_FIX : GPS_FIX_3D);
        }
}
END_TEST

START_TEST(accuracy_is_that_of_the_noise)
{
        const double pos[3] = { 3.0, 4.0, 7.0 }, vel[3] = { 0.2, 0.3, 0.6 };
        struct gps_sample s;

        for (int i = 0; i < 3; i++) {
                params.position.sigma[i] = pos[i];
                params.velocity.sigma[i] = vel[i];
        }
        s = measure(&level_at_rest);
        ck_assert_double_eq_tol(s.h_acc_m, 5.0, 1e-12);
        ck_assert_double_eq_tol(s.v_acc_m, 7.0, 1e-12);
        ck_assert_double_eq_tol(s.s_acc_mps, 0.7, 1e-12);
}
END_TEST

/* Four standard errors, after the way through latitude and longitude. */
START_TEST(noise_has_its_sigma_in_metres)
{
        const double sigma[6] = { 1.5, 0.5, 3.0, 0.1, 0.2, 0.3 };
        const int n = 50000;
        double sum[6] = { 0.0 }, square[6] = { 0.0 };

        for (int i = 0; i < 3; i++) {
                params.position.sigma[i] = sigma[i];
                params.velocity.sigma[i] = sigma[3 + i];
        }
        for (int k = 0; k < n; k++) {
                struct gps_sample s = measure(&level_at_rest);
                struct vec3 pos = ned_of(&s), vel = s.vel_ned_mps;
                double x[6] = { pos.x, pos.y, pos.z, vel.x, vel.y, vel.z };

                for (int i = 0; i < 6; i++) {
                        sum[i] += x[i];
                        square[i] += x[i] * x[i];
                }
        }
        for (int i = 0; i < 6; i++) {
                ck_assert_double_lt(fabs(sum[i] / n), 4.0 * sigma[i] / sqrt(n));
                ck_assert_double_eq_tol(square[i] / n / (sigma[i] * sigma[i]), 1.0,
                                        4.0 * sqrt(2.0 / n));
        }
}
END_TEST

START_TEST(losing_the_fix_does_not_shift_the_noise)
{
        struct gps other = gps;
        struct gps_params deaf;
        struct gps_sample a, b;

        params.position.sigma[0] = 1.0;
        deaf = params;
        deaf.satellites = 0;
        for (int i = 0; i < 10; i++)
                gps_step(&other, &deaf, &world, &level_at_rest, &b);
        for (int i = 0; i < 10; i++)
                a = measure(&level_at_rest);
        ck_assert_double_eq(a.lat_rad, b.lat_rad);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("gps");
        TCase *tc = tcase_create("gps");
        SRunner *sr = srunner_create(suite);
        int failures;

        tcase_add_checked_fixture(tc, set_up, NULL);
        tcase_add_test(tc, vehicle_at_the_origin_is_at_the_origin);
        tcase_add_test(tc, position_and_velocity_are_the_true_ones);
        tcase_add_test(tc, flat_earth_is_used_where_asked_for);
        tcase_add_test(tc, antenna_is_where_the_attitude_puts_it);
        tcase_add_test(tc, antenna_swings_with_the_body);
        tcase_add_test(tc, fewer_than_four_satellites_are_no_fix);
        tcase_add_test(tc, accuracy_is_that_of_the_noise);
        tcase_add_test(tc, noise_has_its_sigma_in_metres);
        tcase_add_test(tc, losing_the_fix_does_not_shift_the_noise);
        suite_add_tcase(suite, tc);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
