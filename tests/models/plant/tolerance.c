#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/plant/tolerance.h"

#include "tests/suites.h"

static void fill(struct motor_params *m, struct rotor_params *r)
{
        for (int i = 0; i < ROTORS_MAX; i++) {
                m[i] = (struct motor_params){ .tau_s = 0.165,
                                              .speed_full_radps = 480.7,
                                              .speed_limit_radps = 209.4 };
                r[i] = (struct rotor_params){ .spin = 1.0,
                                              .thrust_n_per_radps2 = 8.694e-5,
                                              .torque_nm_per_radps2 = 1.734e-6,
                                              .air_density_ref_kgpm3 = 1.2 };
        }
}

TEST(without_ratios_not_a_bit_changes)
{
        const struct tolerance_params none = { 0 };
        struct motor_params m[ROTORS_MAX], m0[ROTORS_MAX];
        struct rotor_params r[ROTORS_MAX], r0[ROTORS_MAX];

        fill(m, r);
        memcpy(m0, m, sizeof(m));
        memcpy(r0, r, sizeof(r));
        tolerance_apply(&none, m, r, ROTORS_MAX, 7, 3);
        ck_assert_mem_eq(m, m0, sizeof(m));
        ck_assert_mem_eq(r, r0, sizeof(r));
}

TEST(each_quantity_scatters_by_its_ratio_up_to_three_of_it)
{
        const struct tolerance_params p = { 0.01, 0.02, 0.03, 0.04 };
        double sum[4] = { 0 }, square[4] = { 0 };
        const int vehicles = 2000;

        for (int v = 0; v < vehicles; v++) {
                struct motor_params m[ROTORS_MAX];
                struct rotor_params r[ROTORS_MAX];

                fill(m, r);
                tolerance_apply(&p, m, r, 4, 1, (uint32_t)v);
                for (int i = 0; i < 4; i++) {
                        double z[4] = {
                                (m[i].speed_full_radps / 480.7 - 1.0) / 0.01,
                                (m[i].tau_s / 0.165 - 1.0) / 0.02,
                                (r[i].thrust_n_per_radps2 / 8.694e-5 - 1.0) / 0.03,
                                (r[i].torque_nm_per_radps2 / 1.734e-6 - 1.0) / 0.04
                        };

                        ck_assert_double_eq_tol(m[i].speed_limit_radps / 209.4,
                                                m[i].speed_full_radps / 480.7, 1e-12);
                        for (int k = 0; k < 4; k++) {
                                ck_assert_double_le(fabs(z[k]), 3.0 + 1e-9);
                                sum[k] += z[k];
                                square[k] += z[k] * z[k];
                        }
                }
                ck_assert_double_eq(m[4].tau_s, 0.165);
        }
        /* Five standard errors of 8000 draws. */
        for (int k = 0; k < 4; k++) {
                ck_assert_double_eq_tol(sum[k] / (4 * vehicles), 0.0, 0.056);
                ck_assert_double_eq_tol(square[k] / (4 * vehicles), 0.973, 0.08);
        }
}

TEST(the_seed_the_vehicle_and_the_rotor_decide)
{
        const struct tolerance_params p = { 0.01, 0.01, 0.01, 0.01 };
        struct motor_params a[ROTORS_MAX], b[ROTORS_MAX], c[ROTORS_MAX], d[ROTORS_MAX];
        struct rotor_params r[ROTORS_MAX];

        fill(a, r);
        tolerance_apply(&p, a, r, 4, 1, 0);
        fill(b, r);
        tolerance_apply(&p, b, r, 4, 1, 0);
        fill(c, r);
        tolerance_apply(&p, c, r, 4, 2, 0);
        fill(d, r);
        tolerance_apply(&p, d, r, 4, 1, 1);
        ck_assert_double_eq(a[0].tau_s, b[0].tau_s);
        ck_assert_double_ne(a[0].tau_s, a[1].tau_s);
        ck_assert_double_ne(a[0].tau_s, c[0].tau_s);
        ck_assert_double_ne(a[0].tau_s, d[0].tau_s);
}

TEST(one_ratio_does_not_move_another_quantity)
{
        const struct tolerance_params all = { 0.01, 0.01, 0.01, 0.01 };
        const struct tolerance_params thrust = { 0.0, 0.0, 0.01, 0.0 };
        struct motor_params m[ROTORS_MAX];
        struct rotor_params a[ROTORS_MAX], b[ROTORS_MAX];

        fill(m, a);
        tolerance_apply(&all, m, a, 4, 1, 0);
        fill(m, b);
        tolerance_apply(&thrust, m, b, 4, 1, 0);
        for (int i = 0; i < 4; i++) {
                ck_assert_double_eq(a[i].thrust_n_per_radps2, b[i].thrust_n_per_radps2);
                ck_assert_double_eq(b[i].torque_nm_per_radps2, 1.734e-6);
                ck_assert_double_eq(m[i].tau_s, 0.165);
        }
}

TEST(rotors_stand_at_angles_of_their_own)
{
        double sum = 0.0;

        for (int i = 0; i < 1000; i++) {
                double a = tolerance_angle_turns(1, (uint32_t)i, 0);

                ck_assert_double_gt(a, 0.0);
                ck_assert_double_lt(a, 1.0);
                ck_assert_double_ne(a, tolerance_angle_turns(1, (uint32_t)i, 1));
                ck_assert_double_eq(a, tolerance_angle_turns(1, (uint32_t)i, 0));
                sum += a;
        }
        ck_assert_double_eq_tol(sum / 1000, 0.5, 5.0 / sqrt(12.0 * 1000));
}
