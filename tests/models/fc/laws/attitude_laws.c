/* What every attitude law must do, on a body that turns as the torque says: the right sign, symmetry,
 * a step without much overshoot, limits, no wind-up; and what each alone promises. */
#include <stdlib.h>

#include "models/fc/laws/dikmen.h"
#include "models/fc/law_option.h"
#include "tests/models/fc/fc_laws.h"
#include "tests/suites.h"

#define LAWS ATTITUDE_LAWS
#define AXES 3

/* Those with an integral in their torque. */
static bool integrates(enum attitude_law law)
{
        return law != ATTITUDE_KEMPER_PD && law != ATTITUDE_DIKMEN;
}

TEST_EACH(torque_has_the_sign_of_what_is_missing, LAWS *AXES)
{
        struct turning t;
        int axis = _i % AXES;

        turning_init(&t, (enum attitude_law)(_i / AXES));
        t.ask.wanted = turned_about(axis, 0.05);
        turning_step(&t);
        for (int i = 0; i < AXES; i++) {
                double torque = axis_of(t.torque_nm, i);

                if (i == axis)
                        ck_assert_double_gt(torque, 1e-3);
                else
                        ck_assert_double_eq_tol(torque, 0.0, 1e-12);
        }
}

TEST_EACH(level_and_at_rest_asks_for_no_torque, LAWS)
{
        struct turning t;

        turning_init(&t, (enum attitude_law)_i);
        turning_run(&t, 1.0);
        ck_assert_double_eq_tol(vec3_norm(t.torque_nm), 0.0, 1e-12);
}

TEST_EACH(left_is_right_mirrored, LAWS *AXES)
{
        struct turning a, b;
        int axis = _i % AXES;

        turning_init(&a, (enum attitude_law)(_i / AXES));
        turning_init(&b, (enum attitude_law)(_i / AXES));
        a.ask.wanted = turned_about(axis, 0.2);
        b.ask.wanted = turned_about(axis, -0.2);
        for (int k = 0; k < 500; k++) {
                turning_step(&a);
                turning_step(&b);
                ck_assert_double_eq_tol(axis_of(a.torque_nm, axis),
                                        -axis_of(b.torque_nm, axis), 1e-9);
        }
}

TEST_EACH(a_step_settles_without_much_overshoot, LAWS *AXES)
{
        struct turning t;
        enum attitude_law law = (enum attitude_law)(_i / AXES);
        int axis = _i % AXES;
        double most = 0.0;

        /* The printed gains of the FINken's yaw are another matter: below. */
        if (law == ATTITUDE_FINKEN && axis == 2)
                return;
        turning_init(&t, law);
        t.ask.wanted = turned_about(axis, 0.2);
        for (int k = 0; k < 6000; k++) {
                turning_step(&t);
                most = fmax(most, axis_of(quat_to_euler(t.ask.is), axis));
        }
        ck_assert_double_lt(turning_error_rad(&t), 0.004);
        ck_assert_double_lt(most, 0.2 * (integrates(law) ? 1.5 : 1.02));
}

TEST_EACH(no_torque_beyond_its_limit_whatever_is_asked, LAWS)
{
        struct turning t;

        turning_init(&t, (enum attitude_law)_i);
        t.ask.wanted = quat_from_euler(2.5, -1.2, 3.0);
        t.ask.rate_body_radps = (struct vec3){ 30.0, -40.0, 20.0 };
        for (int k = 0; k < 2000; k++) {
                turning_step(&t);
                ck_assert_double_le(fabs(t.torque_nm.x), t.p.torque_max_nm.x);
                ck_assert_double_le(fabs(t.torque_nm.y), t.p.torque_max_nm.y);
                ck_assert_double_le(fabs(t.torque_nm.z), t.p.torque_max_nm.z);
        }
}

TEST_EACH(recovers_from_a_tilt_of_two_radians, LAWS)
{
        struct turning t;

        turning_init(&t, (enum attitude_law)_i);
        t.ask.is = quat_from_euler(2.0, 0.0, 0.0);
        turning_run(&t, 8.0);
        ck_assert_double_lt(turning_error_rad(&t), 0.02);
}

/* A constant moment: an integral takes it all, a PD or a boundary layer leaves what their gain says. The
 * FINken's is lost whenever the error changes sign, so that it never settles. */
TEST_EACH(a_constant_moment_leaves_an_error_only_without_an_integral, LAWS)
{
        struct turning t;
        enum attitude_law law = (enum attitude_law)_i;
        double left_rad;

        turning_init(&t, law);
        t.disturbance_nm.x = 0.03;
        turning_run(&t, 10.0);
        left_rad = turning_error_rad(&t);
        if (law == ATTITUDE_KEMPER_PD)
                ck_assert_double_eq_tol(left_rad, 0.03 / t.p.kemper.p_nm_per_rad.x, 1e-4);
        else if (law == ATTITUDE_DIKMEN)
                /* J (k1 / width + k2) c e = moment */
                ck_assert_double_eq_tol(left_rad, 0.03 / (0.008 * (5.0 + 10.0) * 7.0),
                                        1e-4);
        else
                ck_assert_double_lt(left_rad, law == ATTITUDE_FINKEN ? 0.1 : 0.005);
}

/* Held for 10 s by a moment it cannot match, then let go: it must not pay back for long. */
TEST_EACH(an_integral_does_not_wind_up_while_the_torque_is_limited, LAWS)
{
        struct turning t;
        double back = 0.0;

        turning_init(&t, (enum attitude_law)_i);
        t.ask.wanted = turned_about(0, 0.3);
        for (int k = 0; k < 10000; k++) {
                t.ask.is = (struct quat){ 1.0, 0.0, 0.0, 0.0 };
                t.ask.rate_body_radps = (struct vec3){ 0.0, 0.0, 0.0 };
                t.torque_nm = attitude_law_torque(&t.law, &t.p, &t.ask);
        }
        for (int k = 0; k < 5000; k++) {
                turning_step(&t);
                back = fmax(back, quat_to_euler(t.ask.is).x);
        }
        /* The integral holds half of the torque at most. */
        ck_assert_double_lt(back, 0.8);
        ck_assert_double_lt(turning_error_rad(&t), 0.01);
}

TEST_EACH(on_the_ground_nothing_integrates, LAWS)
{
        struct turning t;

        turning_init(&t, (enum attitude_law)_i);
        t.ask.wanted = turned_about(0, 0.1);
        t.ask.hold = true;
        for (int k = 0; k < 3000; k++)
                attitude_law_torque(&t.law, &t.p, &t.ask);
        ck_assert_double_eq(vec3_norm(attitude_law_trim_nm(&t.law, &t.p)), 0.0);
}

TEST_EACH(an_axis_that_the_mixer_cut_integrates_no_further, 3)
{
        const enum attitude_law law[] = { ATTITUDE_CASCADE, ATTITUDE_KEMPER_PID,
                                          ATTITUDE_HOFFMANN };
        struct turning t;

        turning_init(&t, law[_i]);
        t.ask.wanted = turned_about(0, 0.05);
        t.ask.got.roll_pitch = 0.9;
        for (int k = 0; k < 1000; k++)
                attitude_law_torque(&t.law, &t.p, &t.ask);
        ck_assert_double_eq(attitude_law_trim_nm(&t.law, &t.p).x, 0.0);
}

TEST_EACH(the_trim_is_what_balances_a_constant_moment, LAWS)
{
        struct turning t;
        enum attitude_law law = (enum attitude_law)_i;

        if (law == ATTITUDE_FINKEN)
                return; /* its integral keeps nothing */
        turning_init(&t, law);
        t.disturbance_nm = (struct vec3){ 0.05, -0.03, 0.0 };
        turning_run(&t, 12.0);
        if (!integrates(law)) {
                ck_assert_double_eq(vec3_norm(attitude_law_trim_nm(&t.law, &t.p)), 0.0);
                return;
        }
        ck_assert_double_eq_tol(attitude_law_trim_nm(&t.law, &t.p).x, -0.05, 0.01);
        ck_assert_double_eq_tol(attitude_law_trim_nm(&t.law, &t.p).y, 0.03, 0.01);
}

TEST(a_law_without_gains_is_not_ready)
{
        struct fc_params p = law_params(ATTITUDE_CASCADE), bare;

        craft_gains(&bare, &quad_x_1kg);
        for (int law = 0; law < LAWS; law++) {
                ck_assert(attitude_law_ready(&p, (enum attitude_law)law));
                ck_assert(attitude_law_ready(&bare, (enum attitude_law)law) ==
                          (law == ATTITUDE_CASCADE));
        }
        ck_assert(!attitude_law_ready(&p, ATTITUDE_LAWS));
}

/* Kemper */

TEST(kemper_pd_is_kemper_pid_without_its_integral)
{
        struct turning pid, pd;

        turning_init(&pid, ATTITUDE_KEMPER_PID);
        turning_init(&pd, ATTITUDE_KEMPER_PD);
        pid.p.kemper.i_nm_per_rads = (struct vec3){ 0.0, 0.0, 0.0 };
        pid.ask.wanted = pd.ask.wanted = quat_from_euler(0.2, -0.1, 0.3);
        for (int k = 0; k < 1000; k++) {
                turning_step(&pid);
                turning_step(&pd);
                ck_assert_mem_eq(&pid.torque_nm, &pd.torque_nm, sizeof pd.torque_nm);
        }
}

/* The poles were placed at -2 and at a double one of 8 rad/s: the step response of that third-order
 * system, in closed form, is what the body does. */
TEST(kemper_pid_answers_with_the_poles_it_was_given)
{
        struct turning t;

        turning_init(&t, ATTITUDE_KEMPER_PID);
        t.ask.dt_s = 1e-4;
        t.ask.is = turned_about(0, -0.05); /* from an angle, at rest */
        for (int k = 1; k <= 10000; k++) {
                double s = k * t.ask.dt_s, expected;

                turning_step(&t);
                /* e = dq/dt, and q has the same poles; q and its second derivative start at 0. */
                expected = -8.0 / 9.0 * exp(-2.0 * s) +
                           (17.0 / 9.0 + 40.0 / 3.0 * s) * exp(-8.0 * s);
                if (k % 1000 == 0)
                        ck_assert_double_eq_tol(-quat_to_euler(t.ask.is).x / 0.05,
                                                expected, 2e-3);
        }
}

/* Hoffmann */

TEST(hoffmann_integrates_only_when_slow_and_blends_in_between)
{
        struct fc_params p = law_params(ATTITUDE_HOFFMANN);
        double before = 2.0;

        ck_assert_double_eq(hoffmann_share(&p.hoffmann, 0.0), 1.0);
        ck_assert_double_eq(hoffmann_share(&p.hoffmann, 1.0), 1.0);
        ck_assert_double_eq_tol(hoffmann_share(&p.hoffmann, 1.5), 0.5, 1e-12);
        ck_assert_double_eq(hoffmann_share(&p.hoffmann, 2.0), 0.0);
        ck_assert_double_eq(hoffmann_share(&p.hoffmann, 50.0), 0.0);
        for (double v = 0.0; v < 3.0; v += 0.01) {
                double share = hoffmann_share(&p.hoffmann, v);

                ck_assert_double_le(share, before);
                before = share;
        }
        p.hoffmann.pd_above_mps = p.hoffmann.pid_below_mps; /* a switch */
        ck_assert_double_eq(hoffmann_share(&p.hoffmann, 1.0), 1.0);
        ck_assert_double_eq(hoffmann_share(&p.hoffmann, 1.0001), 0.0);
}

TEST(hoffmann_flies_by_pd_when_fast)
{
        struct turning t;

        turning_init(&t, ATTITUDE_HOFFMANN);
        t.ask.speed_mps = 3.0;
        t.disturbance_nm.y = 0.05;
        turning_run(&t, 8.0);
        ck_assert_double_eq_tol(turning_error_rad(&t), 0.05 / t.p.hoffmann.p_nm_per_rad.y,
                                1e-4);
        t.ask.speed_mps = 0.5;
        turning_run(&t, 8.0);
        ck_assert_double_lt(turning_error_rad(&t), 1e-3);
}

/* Feedback of the acceleration acts as inertia: a knock turns it less. */
TEST(hoffmann_takes_a_knock_better_with_acceleration_fed_back)
{
        double most[2] = { 0.0, 0.0 };

        for (int with = 0; with < 2; with++) {
                struct turning t;

                turning_init(&t, ATTITUDE_HOFFMANN);
                if (!with)
                        t.p.hoffmann.a_kgm2 = (struct vec3){ 0.0, 0.0, 0.0 };
                t.disturbance_nm.x = 0.4;
                for (int k = 0; k < 1000; k++) {
                        if (k == 20)
                                t.disturbance_nm.x = 0.0;
                        turning_step(&t);
                        most[with] = fmax(most[with], fabs(t.ask.rate_body_radps.x));
                }
        }
        ck_assert_double_lt(most[1], 0.9 * most[0]);
}

/* Dikmen */

/* s ds/dt < 0 wherever the torque is not limited: the reaching condition. */
TEST_EACH(dikmen_moves_towards_its_surface_from_everywhere, 4)
{
        struct turning t;
        struct rng rng;

        rng_init(&rng, 7, 0, 0, (uint32_t)_i);
        turning_init(&t, ATTITUDE_DIKMEN);
        t.p.torque_max_nm = (struct vec3){ 1e3, 1e3, 1e3 };
        t.p.rate_damping_nm_per_radps = (struct vec3){ 0.0, 0.0, 0.0 };
        if (_i % 2)
                t.p.dikmen.width_radps = (struct vec3){ 0.0, 0.0, 0.0 };
        t.ask.dt_s = 1e-5;
        for (int k = 0; k < 200; k++) {
                struct vec3 before, after;
                int axis = k % AXES;
                double angle = 0.6 * rng_uniform(&rng) - 0.3;
                double rate = 4.0 * rng_uniform(&rng) - 2.0;

                t.ask.is = turned_about(axis, angle);
                t.ask.rate_body_radps =
                        (struct vec3){ axis == 0 ? rate : 0.0, axis == 1 ? rate : 0.0,
                                       axis == 2 ? rate : 0.0 };
                before = dikmen_surface(&t.p.dikmen, &t.ask);
                turning_step(&t);
                after = dikmen_surface(&t.p.dikmen, &t.ask);
                if (fabs(axis_of(before, axis)) > 0.05)
                        ck_assert_double_lt(
                                axis_of(before, axis) *
                                        (axis_of(after, axis) - axis_of(before, axis)),
                                0.0);
        }
}

/* With sgn(s) a constant moment smaller than J k1 changes nothing: what sliding mode is for. */
TEST(dikmen_without_a_boundary_layer_leaves_no_error_under_a_moment)
{
        struct turning t;

        turning_init(&t, ATTITUDE_DIKMEN);
        t.p.dikmen.width_radps = (struct vec3){ 0.0, 0.0, 0.0 };
        t.ask.dt_s = 1e-4;
        t.disturbance_nm.x = 0.5 * 0.008 * 200.0 * DEG;
        turning_run(&t, 4.0);
        ck_assert_double_lt(turning_error_rad(&t), 1e-4);
}

TEST(dikmen_switches_only_without_a_boundary_layer)
{
        int changes[2] = { 0, 0 };

        for (int wide = 0; wide < 2; wide++) {
                struct turning t;
                double before = 0.0;

                turning_init(&t, ATTITUDE_DIKMEN);
                if (!wide)
                        t.p.dikmen.width_radps = (struct vec3){ 0.0, 0.0, 0.0 };
                t.ask.wanted = turned_about(0, 0.2);
                turning_run(&t, 2.0);
                for (int k = 0; k < 1000; k++) {
                        turning_step(&t);
                        changes[wide] += t.torque_nm.x * before < 0.0;
                        before = t.torque_nm.x;
                }
        }
        ck_assert_int_gt(changes[0], 300);
        ck_assert_int_lt(changes[1], 10);
}

/* As options */

TEST(a_law_is_chosen_by_its_name_and_refused_without_gains)
{
        struct fc_params given = law_params(ATTITUDE_KEMPER_PD), p = given, bare;
        static struct fc fc;

        ck_assert(fc_option(&fc, &p, &given, "attitude_law", "dikmen"));
        ck_assert_int_eq(p.law.attitude, ATTITUDE_DIKMEN);
        ck_assert(!fc_option(&fc, &p, &given, "attitude_law", "Dikmen"));
        ck_assert_int_eq(p.law.attitude, ATTITUDE_DIKMEN);
        ck_assert(fc_option(&fc, &p, &given, "attitude_law", ""));
        ck_assert_int_eq(p.law.attitude, ATTITUDE_KEMPER_PD);
        craft_gains(&bare, &quad_x_1kg);
        p = bare;
        ck_assert(!fc_option(&fc, &p, &bare, "attitude_law", "hoffmann"));
        ck_assert_int_eq(p.law.attitude, ATTITUDE_CASCADE);
}

TEST(every_stage_has_its_names_and_takes_them_back)
{
        static const struct {
                const char *key;
                const char *const *names;
                int laws;
                size_t at;
        } stage[] = {
                { "attitude_law", attitude_law_names, ATTITUDE_LAWS,
                  offsetof(struct law_params, attitude) },
                { "position_law", position_law_names, POSITION_LAWS,
                  offsetof(struct law_params, position) },
                { "height_law", height_law_names, HEIGHT_LAWS,
                  offsetof(struct law_params, height) },
                { "takeoff_law", takeoff_law_names, TAKEOFF_LAWS,
                  offsetof(struct law_params, takeoff) },
                { "landing_law", landing_law_names, LANDING_LAWS,
                  offsetof(struct law_params, landing) },
                { "avoidance_law", avoidance_law_names, AVOIDANCE_LAWS,
                  offsetof(struct law_params, avoidance) },
                { "navigation_law", navigation_law_names, NAVIGATION_LAWS,
                  offsetof(struct law_params, navigation) },
                { "ground_law", ground_law_names, GROUND_LAWS,
                  offsetof(struct law_params, ground) },
        };
        struct fc_params given = law_params(ATTITUDE_CASCADE), p;
        static struct fc fc;

        given.sonar_ring.count = 12; /* without one, avoiding is refused */
        p = given;
        for (size_t i = 0; i < sizeof stage / sizeof stage[0]; i++) {
                const char *at = (const char *)&p.law + stage[i].at;

                for (int law = 0; law < stage[i].laws; law++) {
                        int now;

                        ck_assert(fc_option(&fc, &p, &given, stage[i].key,
                                            stage[i].names[law]));
                        memcpy(&now, at, sizeof now);
                        ck_assert_int_eq(now, law);
                }
                ck_assert_ptr_null(stage[i].names[stage[i].laws]);
                ck_assert(!fc_option(&fc, &p, &given, stage[i].key, "none"));
                ck_assert(fc_option(&fc, &p, &given, stage[i].key, ""));
        }
        ck_assert_mem_eq(&p.law, &given.law, sizeof p.law);
}
