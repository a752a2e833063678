#include <math.h>
#include <stdlib.h>

#include "models/plant/airframe.h"
#include "models/rng.h"

#include "tests/suites.h"

#define MASS_KG 2.0
#define RHO     1.2

static const struct airframe_params lopsided = {
        .linear_n_per_mps = { 0.5, 0.7, 0.9 },
        .quadratic_area_m2 = { 0.02, 0.03, 0.05 },
        .angular_nm_per_radps = { 0.01, 0.02, 0.03 },
        .angular_quadratic_nm_per_radps2 = { 0.001, 0.002, 0.003 },
};

static struct vec3 force_n(const struct airframe_params *p, struct vec3 v, double rho)
{
        struct airframe_gain g = airframe_gain(p, 1.0 / MASS_KG);

        return vec3_scale(MASS_KG, airframe_felt(&g, v, rho));
}

static struct vec3 torque_nm(const struct airframe_params *p, struct vec3 w)
{
        struct airframe_gain g = airframe_gain(p, 1.0 / MASS_KG);

        return airframe_torque(&g, w);
}

static void expect_same(struct vec3 a, struct vec3 b)
{
        ck_assert_double_eq_tol(a.x, b.x, 1e-12);
        ck_assert_double_eq_tol(a.y, b.y, 1e-12);
        ck_assert_double_eq_tol(a.z, b.z, 1e-12);
}

/* Gruber 3.21: -b v; 3.17: -1/2 rho c_D A v |v|. */
TEST(force_is_linear_plus_quadratic_against_the_motion)
{
        struct vec3 v = { 4.0, -5.0, 6.0 };

        expect_same(force_n(&lopsided, v, RHO),
                    (struct vec3){ -0.5 * 4.0 - 0.5 * RHO * 0.02 * 16.0,
                                   0.7 * 5.0 + 0.5 * RHO * 0.03 * 25.0,
                                   -0.9 * 6.0 - 0.5 * RHO * 0.05 * 36.0 });
}

TEST(torque_is_linear_plus_quadratic_against_the_rotation)
{
        struct vec3 w = { 4.0, -5.0, 6.0 };

        expect_same(torque_nm(&lopsided, w),
                    (struct vec3){ -0.01 * 4.0 - 0.001 * 16.0, 0.02 * 5.0 + 0.002 * 25.0,
                                   -0.03 * 6.0 - 0.003 * 36.0 });
}

TEST(drag_only_ever_takes_energy)
{
        struct rng rng;

        rng_init(&rng, 1, 0, 0, 0);
        for (int i = 0; i < 1000; i++) {
                struct vec3 v;

                v.x = rng_normal(&rng);
                v.y = rng_normal(&rng);
                v.z = rng_normal(&rng);
                ck_assert_double_lt(vec3_dot(force_n(&lopsided, v, RHO), v), 0.0);
                ck_assert_double_lt(vec3_dot(torque_nm(&lopsided, v), v), 0.0);
        }
}

TEST(drag_turns_round_with_the_motion)
{
        struct vec3 v = { 3.0, -2.0, 1.0 }, back = vec3_scale(-1.0, v);

        expect_same(force_n(&lopsided, back, RHO),
                    vec3_scale(-1.0, force_n(&lopsided, v, RHO)));
        expect_same(torque_nm(&lopsided, back),
                    vec3_scale(-1.0, torque_nm(&lopsided, v)));
}

TEST(in_a_vacuum_only_the_linear_part_is_left)
{
        struct vec3 v = { 3.0, -2.0, 1.0 };

        expect_same(force_n(&lopsided, v, 0.0), (struct vec3){ -1.5, 1.4, -0.9 });
}

TEST(at_rest_in_the_air_there_is_no_drag)
{
        struct vec3 none = { 0.0, 0.0, 0.0 };

        expect_same(force_n(&lopsided, none, RHO), none);
        expect_same(torque_nm(&lopsided, none), none);
}
