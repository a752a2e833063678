/* The GPS receiver: where its antenna is and how it moves, on either earth, and in each of its forms the
 * errors that it promises, found in long series. */
#include "tests/models/sensors/gps_receiver.h"
#include "tests/suites.h"

FIXTURE(set_up, NULL)

TEST(vehicle_at_the_origin_is_at_the_origin)
{
        struct gps_sample s;

        body.pos_ned_m.z = 0.0;
        s = measure();
        ck_assert_double_eq_tol(s.lat_rad, world.origin.lat_rad, 1e-15);
        ck_assert_double_eq_tol(s.lon_rad, world.origin.lon_rad, 1e-15);
        ck_assert_double_eq_tol(s.height_m, 430.0, 1e-8);
        ck_assert_int_eq(s.fix, GPS_FIX_3D);
        ck_assert_int_eq(s.satellites, 9);
}

TEST(without_errors_every_form_says_the_truth)
{
        body.pos_ned_m = (struct vec3){ 120.0, -80.0, -30.0 };
        body.vel_ned_mps = (struct vec3){ 3.0, -4.0, 0.5 };
        body.q_body_to_ned = quat_from_euler(0.2, 0.3, 0.4);
        for (int model = GPS_WHITE; model <= GPS_SATELLITES; model++) {
                struct gps_sample s;

                use((enum gps_model)model);
                s = measure();
                ck_assert_int_eq(s.fix, GPS_FIX_3D);
                assert_near(ned_of(&s), body.pos_ned_m, 1e-7);
                assert_near(s.vel_ned_mps, body.vel_ned_mps, 1e-15);
        }
}

/* Gruber 5.2.7.2: 111200 m and 71670 m to the degree. */
TEST(flat_earth_is_used_where_asked_for)
{
        struct gps_sample s;

        params.flat_earth = true;
        body.pos_ned_m = (struct vec3){ 111.2, 716.7, -30.0 };
        for (int model = GPS_WHITE; model <= GPS_SATELLITES; model++) {
                use((enum gps_model)model);
                s = measure();
                ck_assert_double_eq_tol((s.lat_rad - world.origin.lat_rad) * 180.0 / M_PI,
                                        0.001, 1e-13);
                ck_assert_double_eq_tol((s.lon_rad - world.origin.lon_rad) * 180.0 / M_PI,
                                        0.01, 1e-13);
                ck_assert_double_eq_tol(s.height_m, 460.0, 1e-12);
        }
}

TEST(antenna_is_where_the_attitude_puts_it)
{
        struct gps_sample s;

        params.lever_arm_body_m = (struct vec3){ 0.1, 0.0, -0.2 };
        body.q_body_to_ned = quat_from_euler(0.0, 0.0, M_PI / 2.0); /* nose to the east */
        s = measure();
        assert_near(error_of(&s), (struct vec3){ 0.0, 0.1, -0.2 }, 1e-7);
        body.q_body_to_ned = quat_from_euler(M_PI, 0.0, 0.0);
        s = measure();
        assert_near(error_of(&s), (struct vec3){ 0.1, 0.0, 0.2 }, 1e-7);
}

/* Velocity by the other route: the antenna's path, differentiated. */
TEST(antenna_swings_with_the_body)
{
        const double h = 1e-5, yaw = 0.6, rate = 2.5;
        struct gps_sample s0, s1, s;

        params.lever_arm_body_m = (struct vec3){ 0.3, -0.1, -0.2 };
        params.flat_earth = true; /* the more exact subtraction */
        body.q_body_to_ned = quat_from_euler(0.0, 0.0, yaw - rate * h);
        s0 = measure();
        body.q_body_to_ned = quat_from_euler(0.0, 0.0, yaw + rate * h);
        s1 = measure();
        body.q_body_to_ned = quat_from_euler(0.0, 0.0, yaw);
        body.rate_body_radps.z = rate;
        s = measure();
        assert_near(vec3_scale(0.5 / h, vec3_sub(ned_of(&s1), ned_of(&s0))),
                    s.vel_ned_mps, 2e-4);
        ck_assert_double_eq_tol(vec3_norm(s.vel_ned_mps), rate * sqrt(0.1), 1e-12);
}

TEST(white_fewer_than_four_satellites_are_no_fix)
{
        for (int n = 0; n < 12; n++) {
                struct gps_sample s;

                params.satellites = n;
                s = measure();
                ck_assert_int_eq(s.satellites, n);
                ck_assert_int_eq(s.fix, n < 4 ? GPS_NO_FIX : GPS_FIX_3D);
        }
}

TEST(white_accuracy_is_that_of_the_noise)
{
        const double pos[3] = { 3.0, 4.0, 7.0 }, vel[3] = { 0.2, 0.3, 0.6 };
        struct gps_sample s;

        for (int i = 0; i < 3; i++) {
                params.position.sigma[i] = pos[i];
                params.velocity.sigma[i] = vel[i];
        }
        s = measure();
        ck_assert_double_eq_tol(s.h_acc_m, 5.0, 1e-12);
        ck_assert_double_eq_tol(s.v_acc_m, 7.0, 1e-12);
        ck_assert_double_eq_tol(s.s_acc_mps, 0.7, 1e-12);
}

/* Sum of squares over n, of north, east, down and the velocities; means are held below four
 * standard errors. */
static void mean_squares(int n, double out[6])
{
        double sum[6] = { 0.0 };

        for (int i = 0; i < 6; i++)
                out[i] = 0.0;
        for (int k = 0; k < n; k++) {
                struct gps_sample s = measure();
                struct vec3 pos = error_of(&s), vel = s.vel_ned_mps;
                const double x[6] = { pos.x, pos.y, pos.z, vel.x, vel.y, vel.z };

                for (int i = 0; i < 6; i++) {
                        sum[i] += x[i];
                        out[i] += x[i] * x[i] / n;
                }
        }
        for (int i = 0; i < 6; i++)
                ck_assert_double_le(fabs(sum[i] / n), 4.0 * sqrt(out[i] / n) + 1e-9);
}

TEST(white_noise_has_its_sigma_in_metres)
{
        const double sigma[6] = { 1.5, 0.5, 3.0, 0.1, 0.2, 0.3 };
        const int n = 50000;
        double square[6];

        for (int i = 0; i < 3; i++) {
                params.position.sigma[i] = sigma[i];
                params.velocity.sigma[i] = sigma[3 + i];
        }
        mean_squares(n, square);
        for (int i = 0; i < 6; i++)
                ck_assert_double_eq_tol(square[i] / (sigma[i] * sigma[i]), 1.0,
                                        4.0 * sqrt(2.0 / n));
}

/* Listing 5.3: three sigmas are 5 m with 4 and 1 m with 12, so 1.667, 1.0 and 0.333 m. */
TEST(gruber_noise_is_linear_in_the_satellites)
{
        const int n = 20000, satellites[3] = { 4, 8, 12 };
        const double sigma[3] = { 5.0 / 3.0, 1.0, 1.0 / 3.0 };
        double square[6];

        params.sigma_four_m = 5.0 / 3.0;
        params.sigma_twelve_m = 1.0 / 3.0;
        /* Somewhere in the day twelve stand above 5 degrees. */
        for (int k = 0; k < 3; k++) {
                leave(SATELLITES_MAX);
                use(GPS_GRUBER);
                for (int t = 0; satellites[k] == 12 && measure().satellites < 12; t++) {
                        ck_assert_int_lt(t, 288);
                        world.gps_time_s += 300.0;
                        gps_init(&gps, &params, 1, 0);
                }
                leave(satellites[k]);
                ck_assert_int_eq(measure().satellites, satellites[k]);
                mean_squares(n, square);
                for (int i = 0; i < 3; i++)
                        ck_assert_double_eq_tol(square[i] / (sigma[k] * sigma[k]), 1.0,
                                                4.0 * sqrt(2.0 / n));
                ck_assert_double_eq_tol(measure().v_acc_m, sigma[k], 1e-12);
        }
}

TEST(gruber_fewer_than_four_satellites_keep_the_last_fix)
{
        struct gps_sample before, s;

        params.sigma_four_m = params.sigma_twelve_m = 1.0;
        use(GPS_GRUBER);
        before = measure();
        leave(3);
        s = measure();
        ck_assert_int_eq(s.fix, GPS_NO_FIX);
        ck_assert_int_eq(s.satellites, 3);
        ck_assert_double_eq(s.lat_rad, before.lat_rad);
        ck_assert_double_ge(s.h_acc_m, 1000.0);
}
