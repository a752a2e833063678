#include <math.h>
#include <stdlib.h>

#include "models/plant/ground_effect.h"

#include "tests/suites.h"

#define RADIUS_M 0.18

/* Cheeseman and Bennett 1955: 1/(1 - (R/4z)^2). What is left of it at 4 R is taken off. */
TEST(it_is_cheeseman_and_bennetts_within_half_a_percent)
{
        for (double z = 0.5; z < 4.0; z += 0.1) {
                double x = 0.25 / z, must = 1.0 / (1.0 - x * x);

                ck_assert_double_eq_tol(ground_effect_ratio(RADIUS_M, z * RADIUS_M), must,
                                        0.0075);
                if (z > 1.0)
                        ck_assert_double_eq_tol(
                                ground_effect_ratio(RADIUS_M, z * RADIUS_M), must, 0.005);
        }
        /* One radius up, 1/(1 - 1/16 + 1/256). */
        ck_assert_double_eq_tol(ground_effect_ratio(RADIUS_M, RADIUS_M), 256.0 / 241.0,
                                1e-12);
}

TEST(it_ends_without_a_jump)
{
        double end_m = GROUND_EFFECT_RADII * RADIUS_M;

        ck_assert_double_eq(ground_effect_ratio(RADIUS_M, end_m), 1.0);
        ck_assert_double_eq_tol(ground_effect_ratio(RADIUS_M, end_m * (1.0 - 1e-12)), 1.0,
                                1e-12);
        for (double z = 1e-4; z < 1.0; z += 1e-4)
                ck_assert_double_eq_tol(ground_effect_ratio(RADIUS_M, z),
                                        ground_effect_ratio(RADIUS_M, z - 1e-4), 1e-3);
}

TEST(it_never_grows_with_the_height)
{
        for (double z = -0.5; z < 1.0; z += 1e-3)
                ck_assert_double_le(ground_effect_ratio(RADIUS_M, z + 1e-3),
                                    ground_effect_ratio(RADIUS_M, z));
}

TEST(nearer_than_half_a_radius_the_value_there_holds)
{
        double there = ground_effect_ratio(RADIUS_M, 0.5 * RADIUS_M);

        ck_assert_double_gt(there, 1.32);
        ck_assert_double_lt(there, 4.0 / 3.0);
        ck_assert_double_eq(ground_effect_ratio(RADIUS_M, 0.01), there);
        ck_assert_double_eq(ground_effect_ratio(RADIUS_M, 0.0), there);
        ck_assert_double_eq(ground_effect_ratio(RADIUS_M, -1.0), there);
}

TEST(without_a_ground_or_a_radius_there_is_none)
{
        ck_assert_double_eq(ground_effect_ratio(RADIUS_M, (double)INFINITY), 1.0);
        ck_assert_double_eq(ground_effect_ratio(RADIUS_M, (double)NAN), 1.0);
        ck_assert_double_eq(ground_effect_ratio(0.0, 0.1), 1.0);
        ck_assert_double_eq(ground_effect_ratio(0.0, -0.1), 1.0);
}

/* P = T k v with v as the root of T: thrust times ratio at k = ratio^-1.5 takes the same. */
TEST(the_inflow_ratio_keeps_the_power)
{
        for (double ratio = 1.0; ratio < 1.34; ratio += 0.01)
                ck_assert_double_eq_tol(ratio * ground_effect_inflow_ratio(ratio) *
                                                sqrt(ratio),
                                        1.0, 1e-12);
        ck_assert_double_eq(ground_effect_inflow_ratio(1.0), 1.0);
}

/* All of it while it is level, none once the jet goes along the ground or away from it, and no jump. */
TEST(it_fades_as_the_jet_turns_away_from_the_ground)
{
        const double level = ground_effect_ratio(RADIUS_M, RADIUS_M);
        double before = level;

        for (double tilt = 0.0; tilt <= M_PI; tilt += 1e-3) {
                double now = ground_effect_tilted_ratio(RADIUS_M, RADIUS_M, cos(tilt));

                ck_assert_double_le(now, before);
                ck_assert_double_eq_tol(now, before, 2e-3 * (level - 1.0));
                if (tilt < M_PI / 6.0)
                        ck_assert_double_eq(now, level);
                if (tilt > M_PI / 2.0)
                        ck_assert_double_eq(now, 1.0);
                before = now;
        }
        ck_assert_double_eq_tol(
                1.0 - 1.0 / ground_effect_tilted_ratio(RADIUS_M, RADIUS_M, 0.5),
                (1.0 - 1.0 / level) * 0.5 / cos(M_PI / 6.0), 1e-12);
        ck_assert_double_eq(ground_effect_tilted_ratio(RADIUS_M, INFINITY, 0.5), 1.0);
}
