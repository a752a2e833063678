/* The error pipeline: its order, proven by cases that every other order answers
 * differently, its rounding, its limits and its noise. */
#include <math.h>
#include <string.h>

#include "models/sensors/errors/error_model.h"

#include "tests/suites.h"

#define DRAWS 1000000

static struct error_params params;
static struct rng rng[3];

static void set_up(void)
{
        error_params_ideal(&params);
        for (uint32_t i = 0; i < 3; i++)
                rng_init(&rng[i], 11, 0, 0, i);
}

FIXTURE(set_up, NULL)

static double apply(double x)
{
        error_apply(&params, rng, 1, &x);
        return x;
}

TEST(ideal_sensor_changes_nothing)
{
        double value[3] = { 1.0 / 3.0, -1e9, 1e-300 };

        error_apply(&params, rng, 3, value);
        ck_assert_double_eq(value[0], 1.0 / 3.0);
        ck_assert_double_eq(value[1], -1e9);
        ck_assert_double_eq(value[2], 1e-300);
}

TEST(scale_comes_before_bias)
{
        params.scale[0][0] = 2.0;
        params.bias[0] = 1.0;
        ck_assert_double_eq(apply(3.0), 7.0);
}

TEST(scale_comes_before_noise)
{
        struct rng same = rng[0];

        params.scale[0][0] = 100.0;
        params.sigma[0] = 0.5;
        ck_assert_double_eq(apply(3.0), 300.0 + 0.5 * rng_normal(&same));
}

TEST(scale_comes_before_rounding)
{
        params.scale[0][0] = 10.0;
        params.lsb = 1.0;
        ck_assert_double_eq(apply(0.31), 3.0);
}

TEST(bias_comes_before_rounding)
{
        params.bias[0] = 0.4;
        params.lsb = 1.0;
        ck_assert_double_eq(apply(0.3), 1.0);
}

TEST(noise_comes_before_rounding)
{
        params.sigma[0] = 1.0;
        params.lsb = 0.25;
        for (int i = 0; i < 1000; i++) {
                double counts = apply(0.1) / 0.25;

                ck_assert_double_eq(counts, rint(counts));
        }
}

TEST(rounding_comes_before_clamping)
{
        params.lsb = 1.0;
        params.max = 2.6;
        ck_assert_double_eq(apply(2.55), 2.6);
        params.min = -2.6;
        ck_assert_double_eq(apply(-2.55), -2.6);
}

TEST(scale_and_bias_come_before_clamping)
{
        params.max = 2.0;
        params.scale[0][0] = 10.0;
        ck_assert_double_eq(apply(1.0), 2.0);
        params.scale[0][0] = 0.5;
        ck_assert_double_eq(apply(4.0), 2.0);
        params.bias[0] = -1.0;
        ck_assert_double_eq(apply(4.0), 1.0);
}

TEST(noise_comes_before_clamping)
{
        int at_limit = 0;

        params.sigma[0] = 10.0;
        params.min = -1.0;
        params.max = 1.0;
        for (int i = 0; i < 1000; i++) {
                double x = apply(0.0);

                ck_assert_double_ge(x, -1.0);
                ck_assert_double_le(x, 1.0);
                at_limit += fabs(x) == 1.0;
        }
        /* 92 % of a normal lies more than a tenth of its sigma away from 0. */
        ck_assert_int_gt(at_limit, 880);
        ck_assert_int_lt(at_limit, 960);
}

TEST(misalignment_mixes_the_axes)
{
        double value[3] = { 1.0, 10.0, 100.0 };

        params.scale[0][1] = 0.5;
        params.scale[1][2] = -0.25;
        params.scale[2][0] = 4.0;
        error_apply(&params, rng, 3, value);
        ck_assert_double_eq(value[0], 1.0 + 5.0);
        ck_assert_double_eq(value[1], 10.0 - 25.0);
        ck_assert_double_eq(value[2], 100.0 + 4.0);
}

TEST(scalar_sensor_uses_axis_0_alone)
{
        double value[2] = { 1.0, 5.0 };

        params.scale[0][1] = 1.0;
        error_apply(&params, rng, 1, value);
        ck_assert_double_eq(value[0], 1.0);
        ck_assert_double_eq(value[1], 5.0);
}

/* Against the C library's rint(), in its default mode of ties to even. */
TEST(output_is_the_nearest_multiple_of_the_lsb)
{
        const double lsb[] = { 1.0, 0.01, 9.80665 / 2048.0, 1e-7, 3.0 };
        struct rng where;

        rng_init(&where, 12, 0, 0, 0);
        for (unsigned k = 0; k < sizeof lsb / sizeof lsb[0]; k++) {
                params.lsb = lsb[k];
                for (int i = 0; i < 20000; i++) {
                        double x = 4000.0 * (rng_uniform(&where) - 0.5);
                        double y = apply(x);

                        ck_assert_double_eq(y, lsb[k] * rint(x / lsb[k]));
                        ck_assert_double_le(fabs(y - x), 0.5 * lsb[k] * (1.0 + 1e-9));
                }
        }
}

TEST(ties_go_to_the_even_multiple)
{
        params.lsb = 1.0;
        ck_assert_double_eq(apply(0.5), 0.0);
        ck_assert_double_eq(apply(1.5), 2.0);
        ck_assert_double_eq(apply(2.5), 2.0);
        ck_assert_double_eq(apply(-0.5), 0.0);
        ck_assert_double_eq(apply(-1.5), -2.0);
        ck_assert_double_eq(apply(-2.5), -2.0);
}

TEST(rounding_never_gives_minus_zero)
{
        params.lsb = 1.0;
        ck_assert(!signbit(apply(-0.25)));
        ck_assert(!signbit(apply(-0.0)));
}

TEST(rounding_leaves_what_has_no_fraction)
{
        params.lsb = 1.0;
        ck_assert_double_eq(apply(0x1p51 - 0.5), 0x1p51);
        ck_assert_double_eq(apply(0x1p51 + 1.0), 0x1p51 + 1.0);
        ck_assert_double_eq(apply(-0x1p52 - 1.0), -0x1p52 - 1.0);
        ck_assert_double_eq(apply(1e300), 1e300);
}

/* Rounding adds an error that is uniform over one LSB: variance LSB^2/12. */
TEST(rounding_error_is_uniform)
{
        double sum = 0.0, square = 0.0;
        int n = 0;

        params.lsb = 0.5;
        for (double x = -100.0; x < 100.0; x += 0.00137, n++) {
                double error = apply(x) - x;

                sum += error;
                square += error * error;
        }
        ck_assert_double_lt(fabs(sum / n), 1e-4);
        ck_assert_double_eq_tol(square / n, 0.25 / 12.0, 1e-4);
}

TEST(limits_are_exact)
{
        params.min = -156.9;
        params.max = 156.8;
        ck_assert_double_eq(apply(156.8), 156.8);
        ck_assert_double_eq(apply(nextafter(156.8, 1e9)), 156.8);
        ck_assert_double_eq(apply(nextafter(156.8, 0.0)), nextafter(156.8, 0.0));
        ck_assert_double_eq(apply(-1e9), -156.9);
        ck_assert_double_eq(apply(INFINITY), 156.8);
        ck_assert_double_eq(apply(-INFINITY), -156.9);
}

TEST(nan_stays_nan)
{
        params.lsb = 0.1;
        params.sigma[0] = 1.0;
        params.min = -1.0;
        params.max = 1.0;
        ck_assert(isnan(apply(NAN)));
}

TEST(an_axis_without_noise_draws_nothing)
{
        struct rng before[3];
        double value[3] = { 0.0, 0.0, 0.0 };

        memcpy(before, rng, sizeof rng);
        params.sigma[1] = 1.0;
        error_apply(&params, rng, 3, value);
        ck_assert_uint_eq(rng[0].counter, before[0].counter);
        ck_assert_uint_eq(rng[1].counter, before[1].counter + 1);
        ck_assert_uint_eq(rng[2].counter, before[2].counter);
        ck_assert_double_eq(value[0], 0.0);
        ck_assert_double_ne(value[1], 0.0);
}

/* Four standard errors, on each axis and between the axes. */
TEST(noise_has_the_mean_and_sigma_of_each_axis)
{
        const double sigma[3] = { 0.5, 2.0, 30.0 }, bias[3] = { 1.0, -2.0, 0.0 };
        double sum[3] = { 0.0 }, product[3][3] = { { 0.0 } };

        memcpy(params.sigma, sigma, sizeof sigma);
        memcpy(params.bias, bias, sizeof bias);
        for (int n = 0; n < DRAWS; n++) {
                double value[3] = { 0.0, 0.0, 0.0 };

                error_apply(&params, rng, 3, value);
                for (int i = 0; i < 3; i++) {
                        sum[i] += value[i];
                        for (int j = 0; j < 3; j++)
                                product[i][j] += (value[i] - bias[i]) / sigma[i] *
                                                 (value[j] - bias[j]) / sigma[j];
                }
        }
        for (int i = 0; i < 3; i++) {
                ck_assert_double_lt(fabs(sum[i] / DRAWS - bias[i]),
                                    4.0 * sigma[i] / sqrt(DRAWS));
                for (int j = 0; j < 3; j++)
                        ck_assert_double_lt(fabs(product[i][j] / DRAWS - (i == j)),
                                            4.0 * sqrt((1.0 + (i == j)) / DRAWS));
        }
}

TEST(noise_of_one_axis_does_not_depend_on_the_others)
{
        struct error_params quiet = params;
        struct rng alone[3];

        memcpy(alone, rng, sizeof rng);
        params.sigma[0] = params.sigma[1] = params.sigma[2] = 1.0;
        quiet.sigma[2] = 1.0;
        for (int n = 0; n < 100; n++) {
                double a[3] = { 0.0, 0.0, 0.0 }, b[3] = { 0.0, 0.0, 0.0 };

                error_apply(&params, rng, 3, a);
                error_apply(&quiet, alone, 3, b);
                ck_assert_double_eq(a[2], b[2]);
        }
}
