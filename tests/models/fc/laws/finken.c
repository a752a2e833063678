/* The FINken's PID, attitude, throttle curve, height and target laws. */
#include <stdlib.h>

#include "models/fc/laws/finken_attitude.h"
#include "models/fc/laws/finken_height.h"
#include "models/fc/laws/finken_target.h"
#include "tests/models/fc/fc_laws.h"
#include "tests/suites.h"

#define STEP_S 0.05 /* of the thesis's simulation */

/* Its program's PID in its own unit of time, as a second route to the same number. */
static double in_steps(double p, double i, double d, const double *error, int n)
{
        double sum = 0.0, out = 0.0;

        for (int k = 0; k < n; k++) {
                double before = k > 0 ? error[k - 1] : error[0];

                if (k > 0 && (error[k] < 0.0) != (before < 0.0))
                        sum = 0.0;
                else
                        sum += error[k];
                out = p * error[k] + i * sum + d * (error[k] - before);
        }
        return out;
}

TEST(pid_in_seconds_is_the_printed_one_in_steps)
{
        const struct finken_gains gains = { 0.2, 0.1 / STEP_S, 1.5 * STEP_S };
        struct finken_pid pid = { .started = false };
        double error[40];
        struct rng rng;

        rng_init(&rng, 3, 0, 0, 0);
        for (int k = 0; k < 40; k++) {
                double out;

                error[k] = 0.5 - 0.02 * k + 0.05 * rng_uniform(&rng);
                out = finken_pid_step(&pid, &gains, 0.0, error[k], STEP_S, false);
                ck_assert_double_eq_tol(out, in_steps(0.2, 0.1, 1.5, error, k + 1),
                                        1e-12);
        }
}

TEST(integral_is_reset_when_the_error_changes_sign)
{
        const struct finken_gains gains = { 0.0, 1.0, 0.0 };
        struct finken_pid pid = { .started = false };

        for (int k = 0; k < 100; k++)
                finken_pid_step(&pid, &gains, 0.0, 0.3, 0.01, false);
        ck_assert_double_eq_tol(pid.integral_s, 0.3, 1e-9);
        ck_assert_double_eq(finken_pid_step(&pid, &gains, 0.0, -1e-6, 0.01, false), 0.0);
        ck_assert_double_lt(finken_pid_step(&pid, &gains, 0.0, -1e-6, 0.01, false), 0.0);
}

TEST(derivative_is_smoothed_and_starts_without_a_kick)
{
        const struct finken_gains gains = { 0.0, 0.0, 1.0 };
        struct finken_pid pid = { .started = false };
        double out = 0.0;

        ck_assert_double_eq(finken_pid_step(&pid, &gains, 0.02, 5.0, 0.001, false), 0.0);
        for (int k = 1; k <= 20; k++)
                out = finken_pid_step(&pid, &gains, 0.02, 5.0 + 0.002 * k, 0.001, false);
        ck_assert_double_eq_tol(out, 2.0 * (1.0 - exp(-1.0)), 1e-9);
}

TEST(a_step_of_no_time_changes_nothing_but_the_error)
{
        const struct finken_gains gains = { 1.0, 1.0, 1.0 };
        struct finken_pid pid = { .started = false };

        finken_pid_step(&pid, &gains, 0.0, 1.0, 0.01, false);
        ck_assert_double_eq_tol(finken_pid_step(&pid, &gains, 0.0, 1.0, 0.0, false), 1.01,
                                1e-12);
}

/* Attitude */

/* Streams v (1 + c) make forces that go with the square: for a small c their moments, added up rotor by
 * rotor (2.2), are what the authority says. */
TEST(authority_is_what_the_streams_of_the_rotors_make)
{
        struct fc_params p = law_params(ATTITUDE_FINKEN);
        const double c = 1e-4, thrust_n = 8.0;
        struct vec3 authority = finken_authority_nm(&p, thrust_n);

        for (int axis = 0; axis < 3; axis++) {
                double moment = 0.0,
                       per_thrust = p.torque_nm_per_radps2 / p.thrust_n_per_radps2;

                for (int i = 0; i < p.rotors; i++) {
                        struct vec3 at = p.rotor_pos_body_m[i];
                        /* Moment of a newton of rotor i about each axis. */
                        double arm = axis == 0   ? -at.y
                                     : axis == 1 ? at.x
                                                 : -p.rotor_spin[i] * per_thrust;
                        double share = arm > 0.0 ? 1.0 + c : 1.0 - c;

                        moment += arm * 0.25 * thrust_n * share * share;
                }
                ck_assert_double_eq_tol(moment, c * axis_of(authority, axis), 1e-9);
        }
}

TEST(yaw_goes_the_short_way_across_south)
{
        struct fc_params p = law_params(ATTITUDE_FINKEN);
        struct finken_attitude c = { .roll.started = false };
        struct attitude_ask ask = law_ask();

        ask.is = turned_about(2, 170.0 * DEG);
        ask.wanted = turned_about(2, -170.0 * DEG);
        ck_assert_double_gt(finken_attitude_torque(&c, &p, &ask).z, 0.0);
        ck_assert_double_eq_tol(c.yaw.error, 20.0 * DEG, 1e-9);
}

TEST(roll_and_pitch_errors_are_those_of_the_rotation_matrix)
{
        struct fc_params p = law_params(ATTITUDE_FINKEN);
        struct finken_attitude c = { .roll.started = false };
        struct attitude_ask ask = law_ask();

        ask.wanted = quat_from_euler(0.3, -0.2, 0.0);
        finken_attitude_torque(&c, &p, &ask);
        ck_assert_double_eq_tol(c.roll.error, sin(0.3) * cos(0.2), 1e-12);
        ck_assert_double_eq_tol(c.pitch.error, sin(-0.2), 1e-12);
}

/* A step of 0.15 rad about one axis of the FINken; the last second's and the whole time's largest errors. */
static void turn_finken(struct turning *t, int axis, double *last_rad, double *most_rad)
{
        const struct vec3 j = finken3.inertia_kgm2;

        *last_rad = *most_rad = 0.0;
        t->ask.wanted = turned_about(axis, 0.15);
        for (int k = 0; k < 20000; k++) {
                struct vec3 torque = attitude_law_torque(&t->law, &t->p, &t->ask);
                struct vec3 w = vec3_axpy(
                        t->ask.rate_body_radps, t->ask.dt_s,
                        (struct vec3){ torque.x / j.x, torque.y / j.y, torque.z / j.z });

                t->ask.rate_body_radps = w;
                t->ask.is = quat_normalise(
                        quat_axpy(t->ask.is, t->ask.dt_s, quat_rate(t->ask.is, w)));
                *most_rad = fmax(*most_rad, axis_of(quat_to_euler(t->ask.is), axis));
                if (k >= 19000)
                        *last_rad = fmax(*last_rad, turning_error_rad(t));
        }
}

static void finken_init(struct turning *t)
{
        turning_init(t, ATTITUDE_FINKEN);
        craft_gains(&t->p, &finken3);
        t->p.finken = law_params(ATTITUDE_FINKEN).finken;
        t->p.law.attitude = ATTITUDE_FINKEN;
        t->ask.thrust_n = finken3.mass_kg * 9.80665;
}

/* Table 3.5. */
TEST_EACH(printed_gains_turn_a_finken_about_roll_and_pitch, 2)
{
        struct turning t;
        double last_rad, most_rad;

        finken_init(&t);
        turn_finken(&t, _i, &last_rad, &most_rad);
        ck_assert_double_lt(last_rad, 0.001);
        ck_assert_double_lt(most_rad, 0.15 * 1.35);
}

/* Table 3.6 prints the same for yaw, where a stream moves much less torque: too much integral for it. The
 * program's own 0.4, 0.001 and 1.91 a step come to rest. */
TEST(printed_gains_swing_about_yaw_and_the_programs_do_not)
{
        struct turning t;
        double last_rad, most_rad;

        finken_init(&t);
        turn_finken(&t, 2, &last_rad, &most_rad);
        ck_assert_double_gt(last_rad, 0.05);
        ck_assert_double_lt(last_rad, 1.0);
        finken_init(&t);
        t.p.finken.yaw = (struct finken_gains){ 0.4, 0.001 / STEP_S, 1.91 * STEP_S };
        turn_finken(&t, 2, &last_rad, &most_rad);
        ck_assert_double_lt(last_rad, 0.001);
        ck_assert_double_lt(most_rad, 0.15 * 1.35);
}

/* Throttle and height */

TEST_EACH(throttle_curve_keeps_its_ends_and_its_middle_and_rises, 4)
{
        struct finken_params p = law_params(ATTITUDE_FINKEN).finken;
        const double a[] = { 1.0, 20.0, 1e4, 0.0 };
        double before = -1.0;

        p.curve_below = a[_i];
        p.curve_above = a[(_i + 1) % 3];
        ck_assert_double_eq_tol(finken_throttle(&p, 0.0), 0.0, 1e-9);
        ck_assert_double_eq_tol(finken_throttle(&p, 50.0), 50.0, 1e-9);
        ck_assert_double_eq_tol(finken_throttle(&p, 100.0), 100.0, 1e-9);
        ck_assert_double_eq_tol(finken_throttle(&p, -20.0), 0.0, 1e-9);
        ck_assert_double_eq_tol(finken_throttle(&p, 130.0), 100.0, 1e-9);
        for (double x = 0.0; x <= 100.0; x += 0.25) {
                ck_assert_double_gt(finken_throttle(&p, x), before);
                before = finken_throttle(&p, x);
        }
}

TEST(throttle_curve_is_flat_in_the_middle_and_odd_about_it)
{
        struct finken_params p = law_params(ATTITUDE_FINKEN).finken;
        double slope;

        slope = (finken_throttle(&p, 50.001) - finken_throttle(&p, 49.999)) / 0.002;
        ck_assert_double_eq_tol(slope, 1.0 / 51.0, 1e-4);
        slope = (finken_throttle(&p, 100.0) - finken_throttle(&p, 99.999)) / 0.001;
        ck_assert_double_eq_tol(slope, 51.0, 0.1);
        for (double d = 0.0; d <= 50.0; d += 1.0)
                ck_assert_double_eq_tol(finken_throttle(&p, 50.0 + d) - 50.0,
                                        50.0 - finken_throttle(&p, 50.0 - d), 1e-9);
}

/* (3.1) and (3.5) agree on what hovers; (2.13) says what a stream lifts. */
TEST(half_throttle_is_the_stream_of_hover)
{
        struct fc_params p = law_params(ATTITUDE_FINKEN);
        double stream = finken_stream_mps(&p.finken, 50.0, 0.0, 0.0);
        double area_m2 = 0.25 * M_PI * 0.1274 * 0.1274;

        ck_assert_double_eq_tol(stream, 11.0875, 1e-9);
        p.mass_kg = 4.0 * 0.096;
        /* 2 rho A v_rotor^2 for each of four rotors, v_rotor half the stream; 9.81 there. */
        ck_assert_double_eq_tol(finken_thrust_n(&p, stream),
                                4.0 * 2.0 * 1.2041 * area_m2 * 0.25 * stream * stream,
                                0.002 * p.mass_kg * 9.81);
}

TEST(height_hold_comes_to_rest_at_its_height)
{
        struct fc_params p = law_params(ATTITUDE_FINKEN);
        struct finken_height c = { .known = false };
        double up_m = 0.0, climb_mps = 0.0, most = 0.0;

        for (int k = 0; k < 8000; k++) {
                double missing_m = finken_height_missing_m(&c, -up_m, -1.0);
                double thrust_n = finken_thrust_n(
                        &p, finken_stream_mps(&p.finken, 50.0, missing_m, climb_mps));

                climb_mps += (thrust_n / p.mass_kg - 9.80665) * 0.001;
                up_m += climb_mps * 0.001;
                most = fmax(most, up_m);
        }
        /* Half throttle is 0.09 % of stream above hover; there is no integral to take it. */
        ck_assert_double_eq_tol(up_m, 1.0 + (11.0875 - 11.0774) / 2.0, 1e-4);
        ck_assert_double_lt(most, 1.1);
        ck_assert_double_eq_tol(climb_mps, 0.0, 1e-4);
}

TEST(along_a_climb_the_height_moves_and_goes_on_from_the_target)
{
        struct finken_height c = { .known = false };

        ck_assert_double_eq_tol(finken_height_missing_m(&c, -4.7, -5.0), 0.3, 1e-12);
        for (int k = 0; k < 1000; k++)
                finken_height_along_m(&c, -4.7, -0.5, 0.001);
        ck_assert_double_eq_tol(c.down_m, -4.5, 1e-9);
        c = (struct finken_height){ .known = false };
        ck_assert_double_eq_tol(finken_height_along_m(&c, -2.0, -0.5, 0.01), -0.005,
                                1e-12);
}

TEST(stream_and_thrust_are_never_negative)
{
        struct fc_params p = law_params(ATTITUDE_FINKEN);

        ck_assert_double_eq(finken_stream_mps(&p.finken, 0.0, -50.0, 10.0), 0.0);
        ck_assert_double_eq(finken_thrust_n(&p, 0.0), 0.0);
}

/* Target */

TEST(target_ahead_is_nose_down_and_to_the_right_is_right_side_down)
{
        struct fc_params p = law_params(ATTITUDE_FINKEN);
        struct finken_target c = { .up.started = false };
        struct finken_guide g;

        g = finken_target_step(&c, &p, (struct vec3){ 2.0, 0.0, 0.0 }, 0.0, 0.4, false,
                               0.001, false);
        ck_assert_double_eq_tol(g.pitch_rad, -8.0 * DEG, 1e-9);
        ck_assert_double_eq_tol(g.roll_rad, 0.0, 1e-12);
        c = (struct finken_target){ .up.started = false };
        g = finken_target_step(&c, &p, (struct vec3){ 0.0, 2.0, -1.0 }, 0.0, 0.4, false,
                               0.001, false);
        ck_assert_double_eq_tol(g.roll_rad, 8.0 * DEG, 1e-9);
        ck_assert_double_eq_tol(g.throttle_percent, 56.0, 1e-9);
        /* Facing east, what lies north is to the left. */
        c = (struct finken_target){ .up.started = false };
        g = finken_target_step(&c, &p, (struct vec3){ 2.0, 0.0, 0.0 }, 90.0 * DEG, 0.4,
                               false, 0.001, false);
        ck_assert_double_eq_tol(g.roll_rad, -8.0 * DEG, 1e-9);
        ck_assert_double_eq_tol(g.pitch_rad, 0.0, 1e-9);
}

TEST(target_far_away_keeps_its_direction_within_the_tilt)
{
        struct fc_params p = law_params(ATTITUDE_FINKEN);
        struct finken_target c = { .up.started = false };
        struct finken_guide g =
                finken_target_step(&c, &p, (struct vec3){ 300.0, 400.0, 0.0 }, 0.0, 0.4,
                                   false, 0.001, false);

        ck_assert_double_eq_tol(hypot(g.roll_rad, g.pitch_rad), 0.4, 1e-9);
        ck_assert_double_eq_tol(g.roll_rad / -g.pitch_rad, 4.0 / 3.0, 1e-9);
        g = finken_target_step(&c, &p, (struct vec3){ 300.0, 400.0, 0.0 }, 0.0, 0.4, true,
                               0.001, false);
        ck_assert_double_eq(g.roll_rad, 0.0);
        ck_assert_double_eq(g.pitch_rad, 0.0);
        ck_assert(!c.north.started);
}
