#include <math.h>
#include <stdlib.h>

#include "models/plant/vibration.h"

#include "tests/suites.h"

#define SPEED_RADPS 168.93
#define HZ          (SPEED_RADPS / (2.0 * M_PI))

static struct body_params md4(void)
{
        struct body_params p = { .mass_kg = 0.964,
                                 .inertia_kgm2 = { { 8.173e-3, 0.0, 0.0 },
                                                   { 0.0, 8.173e-3, 0.0 },
                                                   { 0.0, 0.0, 14.882e-3 } } };

        body_params_prepare(&p);
        return p;
}

/* Mass times eccentricity, kg m. */
static struct vibration_params unbalance(double m_e)
{
        return (struct vibration_params){ 1, { { 1.0, { m_e, m_e, 0.0 }, 0.0 } } };
}

static void add(struct vibration *v, const struct vibration_params *p,
                const struct body_params *of, struct vec3 hub, double spin, double speed,
                double turns)
{
        const double speeds[ROTORS_MAX] = { speed }, all_turns[ROTORS_MAX] = { turns };
        struct vibration_gain gain = { 0 };
        struct vibration one;

        vibration_gain_add(&gain, p, of, 0, hub, spin);
        vibration_find(&one, p, &gain, 1, speeds, all_turns);
        v->accel_body_mps2 = vec3_add(v->accel_body_mps2, one.accel_body_mps2);
        v->rate_body_radps = vec3_add(v->rate_body_radps, one.rate_body_radps);
        v->rate_dot_body_radps2 =
                vec3_add(v->rate_dot_body_radps2, one.rate_dot_body_radps2);
}

static struct vibration shaken(const struct vibration_params *p, struct vec3 hub,
                               double spin, double speed, double turns)
{
        const struct body_params body = md4();
        struct vibration v = { 0 };

        add(&v, p, &body, hub, spin, speed, turns);
        return v;
}

static const struct vec3 arm = { 0.26, 0.0, -0.02 };

TEST(an_unbalance_pulls_with_m_e_w2_along_the_blade)
{
        struct vibration_params p = unbalance(1e-6);
        double must = 1e-6 * SPEED_RADPS * SPEED_RADPS / 0.964;

        for (double turns = -3.0; turns < 3.0; turns += 0.0371) {
                for (int spin = -1; spin <= 1; spin += 2) {
                        struct vibration v = shaken(&p, arm, spin, SPEED_RADPS, turns);

                        ck_assert_double_eq_tol(v.accel_body_mps2.x,
                                                must * cos(2.0 * M_PI * turns),
                                                1e-7 * must);
                        ck_assert_double_eq_tol(v.accel_body_mps2.y,
                                                spin * must * sin(2.0 * M_PI * turns),
                                                1e-7 * must);
                        ck_assert_double_eq_tol(vec3_norm(v.accel_body_mps2), must,
                                                1e-7 * must);
                        ck_assert_double_eq(v.accel_body_mps2.z, 0.0);
                }
        }
}

/* An oscillation's RMS is its amplitude over the root of 2. */
TEST(the_rms_is_that_of_an_oscillation)
{
        struct vibration_params p = { 1, { { 2.0, { 0.0, 0.0, 3e-5 }, 0.4 } } };
        double sum = 0.0;
        const int n = 1000;

        for (int i = 0; i < n; i++) {
                double z = shaken(&p, arm, 1.0, SPEED_RADPS, i / (double)n)
                                   .accel_body_mps2.z;

                sum += z * z;
        }
        ck_assert_double_eq_tol(sqrt(sum / n),
                                3e-5 * SPEED_RADPS * SPEED_RADPS / 0.964 / sqrt(2.0),
                                1e-7);
}

/* Goertzel's sum: amplitude of x at f over whole periods. */
static double line(const double *x, int n, double hz, double rate_hz)
{
        double re = 0.0, im = 0.0;

        for (int i = 0; i < n; i++) {
                re += x[i] * cos(2.0 * M_PI * hz / rate_hz * i);
                im += x[i] * sin(2.0 * M_PI * hz / rate_hz * i);
        }
        return 2.0 / n * sqrt(re * re + im * im);
}

TEST(the_spectrum_has_one_line_for_each_order)
{
        struct vibration_params p = {
                2, { { 1.0, { 1e-6, 1e-6, 0.0 }, 0.0 }, { 2.0, { 3e-6, 0.0, 0.0 }, 1.0 } }
        };
        const double square = SPEED_RADPS * SPEED_RADPS / 0.964;
        static double x[4000];

        for (int i = 0; i < 4000; i++)
                x[i] = shaken(&p, arm, 1.0, SPEED_RADPS, i / 40.0).accel_body_mps2.x;
        ck_assert_double_eq_tol(line(x, 4000, HZ, 40.0 * HZ), 1e-6 * square, 1e-8);
        ck_assert_double_eq_tol(line(x, 4000, 2.0 * HZ, 40.0 * HZ), 3e-6 * square, 1e-8);
        for (double order = 0.5; order < 19.0; order += 0.5)
                if (order != 1.0 && order != 2.0)
                        ck_assert_double_lt(line(x, 4000, order * HZ, 40.0 * HZ), 1e-7);
}

/* Half a turn apart, both on the same spot. */
TEST(opposite_unbalances_cancel)
{
        const struct body_params body = md4();
        struct vibration_params p = unbalance(1e-6);

        for (double turns = 0.0; turns < 2.0; turns += 0.07) {
                struct vibration v = { 0 };

                add(&v, &p, &body, arm, 1.0, SPEED_RADPS, turns);
                add(&v, &p, &body, arm, 1.0, SPEED_RADPS, turns + 0.5);
                ck_assert_double_lt(vec3_norm(v.accel_body_mps2), 1e-9);
                ck_assert_double_lt(vec3_norm(v.rate_body_radps), 1e-9);
                ck_assert_double_lt(vec3_norm(v.rate_dot_body_radps2), 1e-8);
        }
}

/* On opposite arms, in phase: the forces add up, the moments of the vertical ones cancel. */
TEST(opposite_rotors_in_phase_do_not_tilt)
{
        const struct body_params body = md4();
        struct vibration_params p = { 1, { { 2.0, { 0.0, 0.0, 1e-6 }, 0.0 } } };
        struct vibration v = { 0 };

        add(&v, &p, &body, (struct vec3){ 0.26, 0, 0 }, 1.0, SPEED_RADPS, 0.1);
        add(&v, &p, &body, (struct vec3){ -0.26, 0, 0 }, 1.0, SPEED_RADPS, 0.1);
        ck_assert_double_lt(vec3_norm(v.rate_dot_body_radps2), 1e-15);
        ck_assert_double_gt(vec3_norm(v.accel_body_mps2), 1e-3);
}

TEST(moments_turn_the_body_by_its_inertia)
{
        struct body_params crooked = md4();
        struct vibration_params p = { 1, { { 1.0, { 2e-6, 0.0, 5e-6 }, 0.3 } } };
        struct vibration v = { 0 };
        struct vec3 force, torque;

        crooked.inertia_kgm2[0][1] = crooked.inertia_kgm2[1][0] = 1e-3;
        crooked.inertia_kgm2[0][2] = crooked.inertia_kgm2[2][0] = -5e-4;
        body_params_prepare(&crooked);
        add(&v, &p, &crooked, arm, 1.0, SPEED_RADPS, 0.2);
        force = vec3_scale(0.964, v.accel_body_mps2);
        torque = body_matrix_times(crooked.inertia_kgm2, v.rate_dot_body_radps2);
        ck_assert_double_lt(vec3_norm(vec3_sub(torque, vec3_cross(arm, force))), 1e-12);
}

/* Simpson's rule over the angular acceleration. */
TEST(the_gyroscope_sees_the_integral)
{
        struct vibration_params p = { 2,
                                      { { 1.0, { 1e-6, 1e-6, 0.0 }, 0.2 },
                                        { 2.0, { 0.0, 1e-6, 4e-6 }, 1.0 } } };
        const double dt_s = 1e-5;
        struct vec3 sum = { 0 },
                    first = shaken(&p, arm, -1.0, SPEED_RADPS, 0.0).rate_body_radps;

        for (int i = 0; i < 4000; i++) {
                double t[3] = { i * dt_s, (i + 0.5) * dt_s, (i + 1) * dt_s };
                const double weight[3] = { 1.0, 4.0, 1.0 };
                struct vibration v;

                for (int k = 0; k < 3; k++) {
                        v = shaken(&p, arm, -1.0, SPEED_RADPS, HZ * t[k]);
                        sum = vec3_axpy(sum, weight[k] * dt_s / 6.0,
                                        v.rate_dot_body_radps2);
                }
                ck_assert_double_lt(
                        vec3_norm(vec3_sub(sum, vec3_sub(v.rate_body_radps, first))),
                        1e-8);
        }
        ck_assert_double_gt(vec3_norm(first), 1e-4);
}

TEST(what_stands_still_does_not_shake)
{
        struct vibration_params p = unbalance(1e-3), none = { 0 };

        for (int i = 0; i < 2; i++) {
                struct vibration v =
                        shaken(i ? &none : &p, arm, 1.0, i ? SPEED_RADPS : 0.0, 0.3);

                ck_assert_double_eq(vec3_norm(v.accel_body_mps2), 0.0);
                ck_assert_double_eq(vec3_norm(v.rate_body_radps), 0.0);
                ck_assert_double_eq(vec3_norm(v.rate_dot_body_radps2), 0.0);
        }
}

/* After hours of turning the angle has lost digits, not its meaning. */
TEST(any_angle_is_taken)
{
        struct vibration_params p = unbalance(1e-6);
        double must = vec3_norm(shaken(&p, arm, 1.0, SPEED_RADPS, 0.0).accel_body_mps2);
        const double angle[] = { 1e6 + 0.3, -1e6 - 0.3, 1e9 + 0.125,
                                 1e300,     -1e18,      (double)INFINITY };

        for (int i = 0; i < 6; i++) {
                struct vec3 a =
                        shaken(&p, arm, 1.0, SPEED_RADPS, angle[i]).accel_body_mps2;

                ck_assert_double_eq_tol(vec3_norm(a), must, 1e-6 * must);
                if (i < 3)
                        ck_assert_double_eq_tol(
                                a.x, must * cos(2.0 * M_PI * fmod(angle[i], 1.0)),
                                1e-6 * must);
        }
}

/* Two rotors of a common ripple; the second's propeller is chipped. */
static void shake_two(struct vibration *v, double chipped_kgm, double turns)
{
        const struct vibration_params ripple = { 1,
                                                 { { 2.0, { 2e-6, 1e-6, 3e-6 }, 0.4 } } };
        const struct body_params body = md4();
        const double speeds[ROTORS_MAX] = { 1.3 * SPEED_RADPS, SPEED_RADPS };
        const double all_turns[ROTORS_MAX] = { 1.3 * turns, turns };
        struct vibration_gain gain = { 0 };

        for (int i = 0; i < 2; i++) {
                struct vec3 hub = { i == 0 ? 0.26 : -0.26, 0.0, -0.02 };

                vibration_gain_add(&gain, &ripple, &body, i, hub, i == 0 ? 1.0 : -1.0);
                vibration_gain_unbalance(&gain, &body, i, hub, i == 0 ? 1.0 : -1.0,
                                         i == 0 ? 0.0 : chipped_kgm);
        }
        vibration_find(v, &ripple, &gain, 2, speeds, all_turns);
}

TEST(one_rotors_unbalance_adds_its_own_line_alone)
{
        const double must = 1e-6 * SPEED_RADPS * SPEED_RADPS / 0.964;
        static double x[4000], y[4000];

        for (int i = 0; i < 4000; i++) {
                struct vibration whole, chipped;

                shake_two(&whole, 0.0, i / 40.0);
                shake_two(&chipped, 1e-6, i / 40.0);
                x[i] = chipped.accel_body_mps2.x - whole.accel_body_mps2.x;
                y[i] = chipped.accel_body_mps2.y - whole.accel_body_mps2.y;
                ck_assert_double_eq_tol(sqrt(x[i] * x[i] + y[i] * y[i]), must,
                                        1e-6 * must);
                ck_assert_double_eq_tol(chipped.accel_body_mps2.z,
                                        whole.accel_body_mps2.z, 1e-12);
        }
        ck_assert_double_eq_tol(line(x, 4000, HZ, 40.0 * HZ), must, 1e-6 * must);
        ck_assert_double_eq_tol(line(y, 4000, HZ, 40.0 * HZ), must, 1e-6 * must);
        ck_assert_double_lt(line(x, 4000, 1.3 * HZ, 40.0 * HZ), 1e-6 * must);
        ck_assert_double_lt(line(x, 4000, 2.0 * HZ, 40.0 * HZ), 1e-6 * must);
}

TEST(an_unbalance_of_its_own_is_one_of_order_one)
{
        const struct body_params body = md4();
        const struct vibration_params common = unbalance(3e-6), none = { 0 };
        const double speeds[ROTORS_MAX] = { SPEED_RADPS }, turns[ROTORS_MAX] = { 0.37 };
        struct vibration_gain of_all = { 0 }, of_one = { 0 };
        struct vibration a, b;

        vibration_gain_add(&of_all, &common, &body, 0, arm, -1.0);
        vibration_gain_unbalance(&of_one, &body, 0, arm, -1.0, 3e-6);
        vibration_find(&a, &common, &of_all, 1, speeds, turns);
        vibration_find(&b, &none, &of_one, 1, speeds, turns);
        ck_assert_mem_eq(&a, &b, sizeof a);
}
