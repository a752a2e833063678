/* The power module: voltage, current, and the charge it believes has gone. */
#include <math.h>

#include "models/sensors/power.h"

#include "tests/suites.h"

#define MS INT64_C(1000000)

static struct power_params params;
static struct power power;
static struct exposure exposure;

static void set_up(void)
{
        params = (struct power_params){ .schedule.period_ns = 100 * MS };
        error_params_ideal(&params.voltage);
        error_params_ideal(&params.current);
        exposure = (struct exposure){ .voltage_v = 14.8, .current_a = 10.0 };
        power_init(&power, &params, 1, 0);
}

FIXTURE(set_up, NULL)

static struct power_sample measure(int64_t t_ns)
{
        struct power_sample sample;

        exposure.t_ns = t_ns;
        power_step(&power, &params, &exposure, &sample);
        return sample;
}

TEST(without_errors_it_reads_the_battery)
{
        struct power_sample s = measure(0);

        ck_assert_double_eq(s.voltage_v, 14.8);
        ck_assert_double_eq(s.current_a, 10.0);
        ck_assert_double_eq(s.charge_used_c, 0.0);
}

TEST(charge_is_current_times_time_at_every_rate)
{
        static const int64_t period_ns[] = { 1 * MS, 20 * MS, 100 * MS, 1000 * MS };

        for (int i = 0; i < 4; i++) {
                struct power_sample s = { 0 };

                power_init(&power, &params, 1, 0);
                for (int64_t t = 7 * MS; t <= 10007 * MS; t += period_ns[i])
                        s = measure(t);
                ck_assert_double_eq_tol(s.charge_used_c, 100.0, 1e-9);
        }
}

/* The integral of 10 + 5 sin t over 20 s. A sum of rectangles is off by no more than half
 * a period times the swing of the current. */
TEST(charge_follows_a_changing_current)
{
        struct power_sample s = { 0 };

        for (int64_t t_ns = 0; t_ns <= 20000 * MS; t_ns += 100 * MS) {
                exposure.current_a = 10.0 + 5.0 * sin(1e-9 * (double)t_ns);
                s = measure(t_ns);
        }
        ck_assert_double_eq_tol(s.charge_used_c, 200.0 + 5.0 * (1.0 - cos(20.0)),
                                0.05 * 10.0);
}

/* What it counts is what it measured: a gain of 5 % is 5 % of the charge too. */
TEST(charge_has_the_errors_of_the_current)
{
        double counted_c = 0.0;

        params.current.scale[0][0] = 1.05;
        params.current.bias[0] = -0.2;
        params.current.sigma[0] = 0.3;
        params.current.lsb = 0.0137;
        for (int i = 0; i <= 1000; i++) {
                struct power_sample s = measure(i * 100 * MS);

                if (i > 0)
                        counted_c += 0.1 * s.current_a;
                ck_assert_double_eq_tol(s.charge_used_c, counted_c, 1e-9);
        }
        /* 10 A are read as 10.3: 1030 C, give or take the noise of 1000 samples. */
        ck_assert_double_eq_tol(counted_c, 1030.0, 4.0 * 0.3 * 0.1 * sqrt(1000.0));
}

TEST(readings_end_at_their_range)
{
        params.current.min = 0.0;
        params.current.max = 60.0;
        params.voltage.max = 18.0;
        exposure.current_a = 90.0;
        exposure.voltage_v = 25.2;
        ck_assert_double_eq(measure(0).current_a, 60.0);
        ck_assert_double_eq(measure(100 * MS).voltage_v, 18.0);
        ck_assert_double_eq_tol(measure(200 * MS).charge_used_c, 12.0, 1e-12);
        exposure.current_a = -1.0;
        ck_assert_double_eq(measure(300 * MS).current_a, 0.0);
}

TEST(noises_are_independent_and_have_their_sigma)
{
        const int n = 100000;
        double vv = 0.0, ii = 0.0, vi = 0.0;

        params.voltage.sigma[0] = 0.02;
        params.current.sigma[0] = 0.1;
        for (int k = 0; k < n; k++) {
                struct power_sample s = measure(k * 100 * MS);
                double v = (s.voltage_v - 14.8) / 0.02, i = (s.current_a - 10.0) / 0.1;

                vv += v * v;
                ii += i * i;
                vi += v * i;
        }
        ck_assert_double_eq_tol(vv / n, 1.0, 4.0 * sqrt(2.0 / n));
        ck_assert_double_eq_tol(ii / n, 1.0, 4.0 * sqrt(2.0 / n));
        ck_assert_double_lt(fabs(vi / n), 4.0 / sqrt(n));
}

TEST(a_copy_replays)
{
        struct power copy;

        params.current.sigma[0] = 0.1;
        measure(0);
        copy = power;
        for (int k = 1; k < 20; k++) {
                struct power_sample a = measure(k * 100 * MS), b;

                power_step(&copy, &params, &exposure, &b);
                ck_assert(a.current_a == b.current_a);
                ck_assert(a.charge_used_c == b.charge_used_c);
        }
}
