/* Position by the IMU alone, against motions whose integrals are known. */
#include <math.h>

#include "models/fc/estimate/dead_reckoning.h"

#include "tests/suites.h"

#define G 9.81

static const struct vec3 still = { 0.0, 0.0, 0.0 };
static const struct vec3 up_force = { 0.0, 0.0, -G };

/* What an IMU at attitude q feels of an acceleration. */
static struct vec3 feels(struct quat q, struct vec3 accel_ned)
{
        accel_ned.z -= G;
        return quat_rotate_inverse(q, accel_ned);
}

static struct dead_reckoning begun(struct quat q)
{
        struct dead_reckoning d;

        dead_reckoning_begin(&d, q, still, quat_rotate_inverse(q, up_force));
        return d;
}

TEST(at_rest_in_any_attitude_it_stays)
{
        for (int i = 0; i < 8; i++) {
                struct quat q = quat_from_euler(0.3 * i, 0.1 * i - 0.4, 0.7 * i);
                struct dead_reckoning d = begun(q);

                for (int k = 0; k < 10000; k++)
                        dead_reckoning_step(&d, still, feels(q, still), 0.001);
                ck_assert_double_eq_tol(vec3_norm(d.pos_ned_m), 0.0, 1e-9);
                ck_assert_double_eq_tol(vec3_norm(d.vel_ned_mps), 0.0, 1e-9);
        }
}

/* As printed, (45) would give x - v t + a/2 a step. */
TEST(a_constant_acceleration_gives_half_a_t_squared)
{
        struct quat q = quat_from_euler(0.2, -0.3, 2.0);
        struct vec3 a = { 1.0, -2.0, 0.5 };
        struct dead_reckoning d = begun(q);

        d.accel_ned_mps2 = a;
        for (int k = 0; k < 3000; k++)
                dead_reckoning_step(&d, still, feels(q, a), 0.001);
        ck_assert_double_eq_tol(d.vel_ned_mps.y, -6.0, 1e-9);
        ck_assert_double_eq_tol(d.pos_ned_m.x, 4.5, 1e-9);
        ck_assert_double_eq_tol(d.pos_ned_m.y, -9.0, 1e-9);
        ck_assert_double_eq_tol(d.pos_ned_m.z, 2.25, 1e-9);
}

/* Exact for what changes linearly from sample to sample: x = t^3/6 of a = t. */
TEST(an_acceleration_that_grows_evenly_is_integrated_exactly)
{
        struct quat level = { 1.0, 0.0, 0.0, 0.0 };
        struct dead_reckoning d = begun(level);

        for (int k = 1; k <= 20; k++)
                dead_reckoning_step(
                        &d, still, feels(level, (struct vec3){ 0.1 * k, 0.0, 0.0 }), 0.1);
        ck_assert_double_eq_tol(d.vel_ned_mps.x, 2.0, 1e-12);
        ck_assert_double_eq_tol(d.pos_ned_m.x, 8.0 / 6.0, 1e-12);
}

TEST(a_constant_rate_turns_exactly)
{
        struct quat level = { 1.0, 0.0, 0.0, 0.0 };
        struct vec3 rate = { 0.0, 0.0, M_PI / 4.0 };
        struct dead_reckoning d = begun(level);

        d.rate_body_radps = rate;
        for (int k = 0; k < 20; k++)
                dead_reckoning_step(&d, rate, up_force, 0.1);
        ck_assert_double_eq_tol(quat_to_euler(d.q_body_to_ned).z, M_PI / 2.0, 1e-12);
}

/* A circle with the nose along it, and a swing in roll: turned and integrated together. */
static double circle_error_m(double dt_s)
{
        struct dead_reckoning d = begun((struct quat){ 1.0, 0.0, 0.0, 0.0 });
        const double w = 0.8, r = 3.0;
        int steps = (int)(2.0 * M_PI / w / dt_s + 0.5);
        double dt = 2.0 * M_PI / w / steps;

        d.vel_ned_mps = (struct vec3){ w * r, 0.0, 0.0 };
        d.accel_ned_mps2 = (struct vec3){ 0.0, w * w * r, 0.0 };
        d.rate_body_radps = (struct vec3){ 0.5, 0.0, w };
        for (int k = 1; k <= steps; k++) {
                double t = k * dt, roll = 0.5 * sin(t), rolling = 0.5 * cos(t);
                struct quat q = quat_from_euler(roll, 0.0, w * t);
                struct vec3 a = { -w * w * r * sin(w * t), w * w * r * cos(w * t), 0.0 };
                /* Level nose: the turn about the vertical splits into y and z. */
                struct vec3 rate = { rolling, w * sin(roll), w * cos(roll) };

                dead_reckoning_step(&d, rate, feels(q, a), dt);
        }
        return vec3_norm(d.pos_ned_m);
}

TEST(a_circle_closes_better_by_the_square_of_the_step)
{
        double coarse = circle_error_m(0.02), fine = circle_error_m(0.01);

        ck_assert(circle_error_m(0.001) < 1e-4);
        ck_assert(coarse / fine > 3.5);
}

TEST(what_the_gyroscope_says_at_rest_is_no_rate)
{
        struct quat q = quat_from_euler(0.1, 0.2, 0.3);
        struct vec3 bias = { 0.02, -0.01, 0.03 };
        struct dead_reckoning d;

        dead_reckoning_begin(&d, q, bias, feels(q, still));
        for (int k = 0; k < 10000; k++)
                dead_reckoning_step(&d, bias, feels(q, still), 0.001);
        ck_assert_double_eq_tol(vec3_norm(d.pos_ned_m), 0.0, 1e-9);
}

/* What limits it: the header says so. */
TEST(a_constant_error_grows_with_the_square_or_the_cube_of_the_time)
{
        struct quat level = { 1.0, 0.0, 0.0, 0.0 };
        struct dead_reckoning accel = begun(level), gyro = begun(level);
        struct vec3 wrong = { 0.01, 0.0, -G }, rate = { 0.0, 1e-4, 0.0 };
        double at_10_s[2];

        for (int k = 1; k <= 20000; k++) {
                dead_reckoning_step(&accel, still, wrong, 0.001);
                dead_reckoning_step(&gyro, rate, up_force, 0.001);
                if (k == 10000) {
                        at_10_s[0] = vec3_norm(accel.pos_ned_m);
                        at_10_s[1] = vec3_norm(gyro.pos_ned_m);
                }
        }
        ck_assert_double_eq_tol(at_10_s[0], 0.5, 1e-3);
        ck_assert_double_eq_tol(vec3_norm(accel.pos_ned_m) / at_10_s[0], 4.0, 0.01);
        ck_assert_double_eq_tol(at_10_s[1], G * 1e-4 * 1000.0 / 6.0, 1e-3);
        ck_assert_double_eq_tol(vec3_norm(gyro.pos_ned_m) / at_10_s[1], 8.0, 0.01);
}
