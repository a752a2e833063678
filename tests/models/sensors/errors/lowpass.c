/* A sensor's bandwidth: gain, phase, noise, and that it starts settled. */
#include <math.h>

#include "models/rng.h"
#include "models/sensors/errors/lowpass.h"

#include "tests/suites.h"

static const double share[] = { 0.005, 0.042, 0.1, 0.188, 0.26, 0.3, 0.44 };
#define SHARES ((int)(sizeof share / sizeof share[0]))

#define RATE_HZ 1000.0

static struct lowpass_params at_share(double of_rate)
{
        struct lowpass_params p;

        lowpass_params_prepare(&p, of_rate * RATE_HZ, 1.0 / RATE_HZ);
        return p;
}

static double step(struct lowpass *l, const struct lowpass_params *p, double x)
{
        quad in = { x }, out;

        lowpass_step(true, l, p, &in, &out);
        return out[0];
}

/* Gain at a frequency given as share of the rate, by correlation over whole periods:
 * f is a multiple of 1/1000 of the rate. */
static double gain(const struct lowpass_params *p, double f)
{
        struct lowpass l = { { 0.0 }, { 0.0 } };
        double re = 0.0, im = 0.0;

        for (int n = 0; n < 6000; n++) {
                double phase = 2.0 * M_PI * f * n, y = step(&l, p, cos(phase));

                if (n >= 5000) {
                        re += y * cos(phase);
                        im += y * sin(phase);
                }
        }
        return sqrt(re * re + im * im) / 500.0;
}

TEST(gain_is_3_db_down_at_the_bandwidth)
{
        for (int i = 0; i < SHARES; i++) {
                struct lowpass_params p = at_share(share[i]);

                ck_assert_double_eq_tol(gain(&p, share[i]), M_SQRT1_2, 1e-9);
        }
}

/* Butterworth's, at the frequencies that the bilinear transform maps to. */
TEST(gain_is_that_of_the_second_order_butterworth)
{
        for (int i = 0; i < SHARES; i++) {
                struct lowpass_params p = at_share(share[i]);

                for (double f = 0.003; f < 0.499; f += 0.031) {
                        double w = tan(M_PI * f) / tan(M_PI * share[i]);

                        ck_assert_double_eq_tol(gain(&p, f),
                                                1.0 / sqrt(1.0 + w * w * w * w), 1e-9);
                }
        }
}

TEST(gain_at_rest_is_1)
{
        for (int i = 0; i < SHARES; i++) {
                struct lowpass_params p = at_share(share[i]);
                struct lowpass l = { { 0.0 }, { 0.0 } };
                double y = 0.0;

                for (int n = 0; n < 3000; n++)
                        y = step(&l, &p, 3.7);
                ck_assert_double_eq_tol(y, 3.7, 1e-12);
        }
}

TEST(a_ramp_comes_out_late_by_the_delay)
{
        for (int i = 0; i < SHARES; i++) {
                struct lowpass_params p = at_share(share[i]);
                struct lowpass l = { { 0.0 }, { 0.0 } };
                double late = 0.0;

                for (int n = 0; n < 3000; n++)
                        late = n - step(&l, &p, n);
                ck_assert_double_eq_tol(late / RATE_HZ, p.delay_s, 1e-9);
        }
}

/* sqrt(2)/(2 pi f_c) of the continuous filter. */
TEST(delay_is_the_filters_own_far_below_the_rate)
{
        struct lowpass_params p = at_share(0.005);

        ck_assert_double_eq_tol(p.delay_s, 0.22508 / 5.0, 1e-4 * 0.045);
}

TEST(settled_on_a_value_it_stays_there)
{
        const quad in = { -9.81, 0.0, 1e6 };

        for (int i = 0; i < SHARES; i++) {
                struct lowpass_params p = at_share(share[i]);
                struct lowpass l;
                quad out;

                lowpass_settle(&l, &p, &in);
                for (int n = 0; n < 1000; n++) {
                        lowpass_step(false, &l, &p, &in, &out);
                        for (int k = 0; k < 3; k++)
                                ck_assert_double_le(fabs(out[k] - in[k]),
                                                    1e-10 * fabs(in[k]));
                }
        }
}

TEST(bandwidth_near_half_the_rate_is_none)
{
        struct lowpass_params p;

        lowpass_params_prepare(&p, 449.9, 1e-3);
        ck_assert(p.on);
        lowpass_params_prepare(&p, 450.0, 1e-3);
        ck_assert(!p.on);
        lowpass_params_prepare(&p, 0.0, 1e-3);
        ck_assert(!p.on);
        lowpass_params_prepare(&p, NAN, 1e-3);
        ck_assert(!p.on);
}

/* Sum of the squared impulse response: what it leaves of white noise's variance. */
static double power(const struct lowpass_params *p)
{
        struct lowpass l = { { 0.0 }, { 0.0 } };
        double sum = 0.0;

        for (int n = 0; n < 5000; n++) {
                double y = step(&l, p, n == 0);

                sum += y * y;
        }
        return sum;
}

/* pi/(2 sqrt(2)) f_c = 1.1107 f_c, of the half of the rate that the noise fills. */
TEST(noise_bandwidth_is_1_11_times_the_bandwidth)
{
        struct lowpass_params p = at_share(0.005);

        ck_assert_double_eq_tol(power(&p) * 0.5, 1.1107 * 0.005, 1e-3 * 0.005);
        p = at_share(0.042);
        ck_assert_double_eq_tol(power(&p) * 0.5, 1.1107 * 0.042, 0.01 * 0.042);
}

/* Variance over 20000 filters, each settled on noise of its own: four standard errors. */
TEST(settled_on_noise_it_is_stationary_from_the_first_sample)
{
        enum { FILTERS = 20000 };
        struct lowpass_params p = at_share(0.1);
        double variance = power(&p), square[4] = { 0.0 };
        struct rng rng;

        rng_init(&rng, 3, 0, 0, 0);
        for (int i = 0; i < FILTERS; i++) {
                double normal[6] = { rng_normal(&rng), rng_normal(&rng) };
                struct lowpass l;

                lowpass_settle_noise(&l, &p, normal);
                for (int n = 0; n < 4; n++) {
                        double y = step(&l, &p, rng_normal(&rng));

                        square[n] += y * y;
                }
        }
        for (int n = 0; n < 4; n++)
                ck_assert_double_eq_tol(square[n] / FILTERS / variance, 1.0,
                                        4.0 * sqrt(2.0 / FILTERS));
}

TEST(axes_do_not_mix)
{
        struct lowpass_params p = at_share(0.1);
        struct lowpass l = { { 0.0 }, { 0.0 } };

        for (int n = 0; n < 100; n++) {
                quad in = { 0.0, 1.0 }, out;

                lowpass_step(false, &l, &p, &in, &out);
                ck_assert_double_eq(out[0], 0.0);
                ck_assert_double_eq(out[2], 0.0);
        }
}
