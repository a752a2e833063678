#include <math.h>
#include <stdlib.h>

#include "models/plant/motor.h"
#include "models/rng.h"

#include "tests/suites.h"

#define RADPS_PER_RPM (M_PI / 30.0)

/* Gruber 4.14: 1.08/(1 + 0.165 s), from 0..255 to a scale on which 255 is 4250 rpm. */
static const struct motor_params md4 = {
        .tau_s = 0.165,
        .speed_full_radps = 1.08 * 4250.0 * RADPS_PER_RPM,
        .speed_limit_radps = 2000.0 * RADPS_PER_RPM,
};

static struct motor_params without_limit(void)
{
        struct motor_params p = md4;

        p.speed_limit_radps = INFINITY;
        return p;
}

/* As a vehicle's step has it (models/vehicle/move.c), at the voltage of the parameters. */
static void step(struct motor *m, const struct motor_params *p, double duty, double reach)
{
        double target = motor_target_radps(p, duty, 1.0);

        target = motor_aim_radps(p, m->speed_radps, target);
        m->speed_radps = motor_speed_after(m->speed_radps, target, reach);
}

static double speed_after(const struct motor_params *p, double start_radps, double duty,
                          double dt_s, int steps)
{
        struct motor m = { start_radps };
        double reach = motor_reach(p, dt_s);

        for (int i = 0; i < steps; i++)
                step(&m, p, duty, reach);
        return m.speed_radps;
}

TEST(two_half_steps_give_the_speed_of_one)
{
        for (double dt_s = 1e-5; dt_s < 1.0; dt_s *= 3.0)
                ck_assert_double_eq_tol(speed_after(&md4, 50.0, 0.3, dt_s, 1),
                                        speed_after(&md4, 50.0, 0.3, 0.5 * dt_s, 2),
                                        1e-12);
}

TEST(a_second_does_not_depend_on_the_step_size)
{
        double exact = speed_after(&md4, 0.0, 0.3, 1.0, 1);

        ck_assert_double_eq_tol(speed_after(&md4, 0.0, 0.3, 1e-2, 100), exact, 1e-10);
        ck_assert_double_eq_tol(speed_after(&md4, 0.0, 0.3, 1e-4, 10000), exact, 1e-9);
}

TEST(after_one_time_constant_it_is_63_percent_there)
{
        double target = motor_target_radps(&md4, 0.2, 1.0);

        ck_assert_double_eq_tol(speed_after(&md4, 0.0, 0.2, 0.165, 1) / target,
                                1.0 - exp(-1.0), 1e-12);
        ck_assert_double_eq_tol(speed_after(&md4, 0.0, 0.2, 0.001, 165) / target, 0.632,
                                0.001);
}

/* On the thesis's own scale: a command of 60 settles at 1.08 * 60, of 255 = 4250 rpm. */
TEST(the_steady_gain_on_the_thesis_scale_is_1_08)
{
        const struct motor_params p = without_limit();
        const double radps_per_count = 4250.0 * RADPS_PER_RPM / 255.0;

        for (int count = 0; count <= 255; count += 15) {
                double settled = speed_after(&p, 0.0, count / 255.0, 0.01, 1000);

                ck_assert_double_eq_tol(settled / radps_per_count, 1.08 * count, 1e-9);
        }
}

/* The frequency response of a first-order lag: gain 1/sqrt 2 at 1/tau. */
TEST(at_the_corner_frequency_the_gain_is_down_by_root_two)
{
        const struct motor_params p = without_limit();
        const double omega = 1.0 / p.tau_s, dt_s = 1e-4, mean = 0.3, swing = 0.01;
        struct motor m = { mean * p.speed_full_radps };
        double reach = motor_reach(&p, dt_s), highest = 0.0;
        long steps = (long)(12.0 * M_PI / omega / dt_s);

        for (long i = 0; i < steps; i++) {
                step(&m, &p, mean + swing * sin(omega * (double)i * dt_s), reach);
                if (i > steps / 2)
                        highest = fmax(highest, m.speed_radps);
        }
        ck_assert_double_eq_tol((highest / p.speed_full_radps - mean) / swing, sqrt(0.5),
                                2e-3);
}

TEST(what_is_not_a_number_stops_it)
{
        ck_assert_double_eq(motor_target_radps(&md4, (double)NAN, 1.0), 0.0);
        ck_assert_double_lt(speed_after(&md4, 200.0, (double)NAN, 0.01, 1000), 1e-9);
}

TEST(negative_commands_stop_it)
{
        ck_assert_double_eq(motor_target_radps(&md4, -0.5, 1.0), 0.0);
        ck_assert_double_eq(motor_target_radps(&md4, (double)-INFINITY, 1.0), 0.0);
        ck_assert_double_eq(motor_target_radps(&md4, -0.0, 1.0), 0.0);
}

TEST(commands_beyond_full_ask_for_no_more_than_full)
{
        const struct motor_params p = without_limit();

        ck_assert_double_eq(motor_target_radps(&p, 1.0, 1.0), p.speed_full_radps);
        ck_assert_double_eq(motor_target_radps(&p, 1.5, 1.0), p.speed_full_radps);
        ck_assert_double_eq(motor_target_radps(&p, (double)INFINITY, 1.0),
                            p.speed_full_radps);
}

TEST(it_saturates_at_the_speed_limit)
{
        /* 2000 of 4590 rpm: from 43.6 % on. */
        ck_assert_double_lt(motor_target_radps(&md4, 0.43, 1.0), md4.speed_limit_radps);
        ck_assert_double_eq(motor_target_radps(&md4, 0.44, 1.0), md4.speed_limit_radps);
        ck_assert_double_le(speed_after(&md4, 0.0, 1.0, 0.001, 5000),
                            md4.speed_limit_radps);
        ck_assert_double_eq_tol(speed_after(&md4, 0.0, 1.0, 0.001, 5000),
                                md4.speed_limit_radps, 1e-9);
}

TEST(it_never_turns_backwards_or_overshoots)
{
        struct motor m = { 150.0 };
        double reach = motor_reach(&md4, 1.0);

        for (int i = 0; i < 100; i++) {
                double duty = i % 2 == 0 ? 1.0 : -1.0;

                step(&m, &md4, duty, reach);
                ck_assert_double_ge(m.speed_radps, 0.0);
                ck_assert_double_le(m.speed_radps, md4.speed_limit_radps);
        }
}

TEST(the_voltage_scales_what_it_asks_for_and_what_it_reaches)
{
        for (double ratio = 0.0; ratio < 1.3; ratio += 0.1) {
                ck_assert_double_eq_tol(motor_target_radps(&md4, 0.2, ratio),
                                        ratio * motor_target_radps(&md4, 0.2, 1.0),
                                        1e-12);
                ck_assert_double_eq_tol(motor_target_radps(&md4, 1.0, ratio),
                                        ratio * md4.speed_limit_radps, 1e-12);
        }
        ck_assert_double_eq(motor_target_radps(&md4, 1.0, 0.0), 0.0);
}

TEST(below_the_dead_band_it_stands)
{
        struct motor_params p = md4;

        p.dead_band = 0.05;
        ck_assert_double_eq(motor_target_radps(&p, 0.0499, 1.0), 0.0);
        ck_assert_double_eq(motor_target_radps(&p, 0.05, 1.0),
                            motor_target_radps(&md4, 0.05, 1.0));
        ck_assert_double_eq(motor_target_radps(&p, (double)NAN, 1.0), 0.0);
}

/* 0 and 1 are steps; a step lies no further away than half of one. */
TEST(commands_go_to_the_nearest_step)
{
        struct motor_params p = without_limit();
        const double full = p.speed_full_radps;
        int seen = 1;
        double before = 0.0;

        p.steps = 255.0;
        motor_params_prepare(&p, 0.001);
        for (double duty = 0.0; duty <= 1.0; duty += 1.0 / 4096.0) {
                double speed = motor_target_radps(&p, duty, 1.0);
                double step = speed / full * 255.0;

                ck_assert_double_eq_tol(step, round(step), 1e-9);
                ck_assert_double_le(fabs(speed / full - duty), 0.5 / 255.0 + 1e-12);
                seen += speed > before;
                before = speed;
        }
        ck_assert_int_eq(seen, 256);
        ck_assert_double_eq(motor_target_radps(&p, 1.0, 1.0), full);
}

/* Against the midpoint rule over the exact speed. */
TEST(turns_are_the_integral_of_the_speed)
{
        const double start = 40.0, target = 190.0;

        for (double dt_s = 1e-3; dt_s < 2.0; dt_s *= 2.0) {
                const int n = 20000;
                double sum = 0.0, reach = motor_reach(&md4, dt_s);

                for (int i = 0; i < n; i++)
                        sum += motor_speed_after(start, target,
                                                 motor_reach(&md4, (i + 0.5) * dt_s / n));
                ck_assert_double_eq_tol(
                        motor_turned_turns(start, target, reach, md4.tau_s, dt_s),
                        sum * dt_s / n / (2.0 * M_PI), 1e-7);
        }
}

TEST(turns_of_two_half_steps_are_those_of_one)
{
        const double start = 210.0, target = 30.0, dt_s = 0.05;
        double half = motor_reach(&md4, 0.5 * dt_s), full = motor_reach(&md4, dt_s);
        double middle = motor_speed_after(start, target, half);

        ck_assert_double_eq_tol(
                motor_turned_turns(start, target, half, md4.tau_s, 0.5 * dt_s) +
                        motor_turned_turns(middle, target, half, md4.tau_s, 0.5 * dt_s),
                motor_turned_turns(start, target, full, md4.tau_s, dt_s), 1e-13);
}

static struct motor_params slow_to_stop(double dt_s)
{
        struct motor_params p = md4;

        p.tau_down_s = 2.5 * p.tau_s;
        motor_params_prepare(&p, dt_s);
        return p;
}

/* Up by the one lag, down by the other, whatever the step. */
TEST(it_slows_down_by_a_lag_of_its_own)
{
        for (double dt_s = 1e-4; dt_s < 0.2; dt_s *= 3.0) {
                struct motor_params p = slow_to_stop(dt_s);
                double target = motor_target_radps(&p, 0.2, 1.0), t_s = 30 * dt_s;

                ck_assert_double_eq_tol(speed_after(&p, 0.0, 0.2, dt_s, 30),
                                        -target * expm1(-t_s / p.tau_s), 1e-10);
                ck_assert_double_eq_tol(
                        speed_after(&p, 200.0, 0.2, dt_s, 30),
                        target + (200.0 - target) * exp(-t_s / p.tau_down_s), 1e-10);
        }
}

/* ArduPilot's and PX4's curve: the thrust of a command, over the full one. */
TEST(the_thrust_follows_the_curve_that_firmware_undoes)
{
        const double expo[] = { -1.0, 0.0, 0.3, 0.65, 1.0, 1.2 };

        for (size_t k = 0; k < sizeof expo / sizeof expo[0]; k++) {
                struct motor_params p = without_limit();
                const double f = expo[k];

                p.thrust_linear = 1.0 - f;
                for (double u = 0.0; u <= 1.0; u += 1.0 / 64.0) {
                        double share =
                                motor_target_radps(&p, u, 1.0) / p.speed_full_radps;

                        ck_assert_double_eq_tol(share * share,
                                                fmax(0.0, f * u * u + (1.0 - f) * u),
                                                1e-12);
                }
                ck_assert_double_eq(motor_target_radps(&p, 1.0, 1.0), p.speed_full_radps);
        }
}

static struct motor_params any_motor(struct rng *rng)
{
        struct motor_params p = md4;

        p.tau_s *= 0.1 + rng_uniform(rng);
        p.speed_full_radps *= 0.5 + rng_uniform(rng);
        p.speed_limit_radps *= 0.5 + rng_uniform(rng);
        if (rng_uniform(rng) < 0.5)
                p.dead_band = 0.5 * rng_uniform(rng);
        if (rng_uniform(rng) < 0.5)
                p.steps = floor(1000.0 * rng_uniform(rng));
        motor_params_prepare(&p, 1e-3);
        return p;
}

static double any_duty(struct rng *rng)
{
        const double edge[] = { 0.0, -0.0, 1.0, -1.0, 2.0, (double)NAN, 1.0 / 255.0 };
        size_t i = (size_t)(20.0 * rng_uniform(rng));

        return i < sizeof edge / sizeof edge[0] ? edge[i] : rng_uniform(rng);
}

static void same_as_alone(bool wide, struct rng *rng)
{
        const double ratio = rng_uniform(rng) < 0.1 ? 0.0 : 1.1 * rng_uniform(rng);
        struct motor_params p[QUAD];
        struct motor_quad q = { .fits = true };
        struct motor_quad_turn t;
        double duty[QUAD], start[QUAD];

        for (int i = 0; i < QUAD; i++) {
                p[i] = any_motor(rng);
                duty[i] = any_duty(rng);
                start[i] = 300.0 * rng_uniform(rng);
                motor_quad_add(&q, i, &p[i], motor_reach(&p[i], 5e-4),
                               motor_reach(&p[i], 1e-3));
        }
        ck_assert(q.fits);
        motor_quad_turn(wide, &t, &q, duty, ratio, start, 1e-3);
        for (int i = 0; i < QUAD; i++) {
                double target = motor_target_radps(&p[i], duty[i], ratio);
                double reach = motor_reach(&p[i], 1e-3);

                ck_assert_double_eq(t.target_radps[i], target);
                ck_assert_double_eq(t.start_radps[i], start[i]);
                ck_assert_double_eq(
                        t.middle_radps[i],
                        motor_speed_after(start[i], target, motor_reach(&p[i], 5e-4)));
                ck_assert_double_eq(t.end_radps[i],
                                    motor_speed_after(start[i], target, reach));
                ck_assert_double_eq(
                        t.turns[i],
                        motor_turned_turns(start[i], target, reach, p[i].tau_s, 1e-3));
        }
}

TEST(four_at_once_turn_as_each_alone)
{
        struct rng rng;

        rng_init(&rng, 3, 0, 0, 0);
        for (int n = 0; n < 20000; n++)
                same_as_alone(n % 2 == 0, &rng);
}

TEST(motors_with_a_curve_or_a_lag_down_do_not_fit_in_four)
{
        struct motor_params p = md4;
        struct motor_quad q = { .fits = true };

        motor_params_prepare(&p, 1e-3);
        motor_quad_add(&q, 0, &p, 0.1, 0.2);
        ck_assert(q.fits);
        p.thrust_linear = 0.3;
        motor_quad_add(&q, 1, &p, 0.1, 0.2);
        ck_assert(!q.fits);
        q.fits = true;
        p = md4;
        p.tau_down_s = 2.0 * p.tau_s;
        motor_params_prepare(&p, 1e-3);
        motor_quad_add(&q, 1, &p, 0.1, 0.2);
        ck_assert(!q.fits);
}
