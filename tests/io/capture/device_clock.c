/* A device's ticks on the host's time line: drift found, delays left out, in virtual time. */
#include <math.h>
#include <stdlib.h>

#include "io/capture/device_clock.h"
#include "models/rng.h"

#include "tests/suites.h"

#define HZ       24e6
#define TRANSFER 4096 /* ticks */
#define START_NS INT64_C(777000000000)

struct device {
        struct device_clock clock;
        struct rng rng;
        double ppm; /* faster than HZ */
        int64_t tick;
        int64_t start_ns; /* of tick 0 */
};

static struct device device_with(double ppm)
{
        struct device d = { .rng = { .key = { 5 } }, .ppm = ppm, .start_ns = START_NS };

        device_clock_init(&d.clock, HZ);
        return d;
}

static int64_t truth_ns(const struct device *d, int64_t tick)
{
        return d->start_ns + llrint((double)tick * 1e9 / (HZ * (1.0 + d->ppm * 1e-6)));
}

/* Transfers for so long, each with a delay of fixed_ns, and of mean_ns more, exponential. */
static void run(struct device *d, double seconds, double fixed_ns, double mean_ns)
{
        int64_t end = d->tick + llrint(seconds * HZ), arrived = 0;

        while (d->tick < end) {
                double u = rng_uniform(&d->rng);
                int64_t now;

                d->tick += TRANSFER;
                now = truth_ns(d, d->tick) + llrint(fixed_ns - mean_ns * log1p(-u));
                /* Transfers arrive in order. */
                arrived = now > arrived ? now : arrived;
                device_clock_arrival(&d->clock, d->tick, arrived);
        }
}

static double error_ns(const struct device *d)
{
        return (double)(device_clock_host_ns(&d->clock, d->tick) - truth_ns(d, d->tick));
}

TEST(nothing_is_known_before_the_first_arrival)
{
        struct device d = device_with(0);

        ck_assert(!device_clock_known(&d.clock));
        ck_assert_int_eq(device_clock_host_ns(&d.clock, 5), 0);
        ck_assert_double_eq(device_clock_ppm(&d.clock), 0.0);
        device_clock_arrival(&d.clock, 24000, START_NS);
        ck_assert(device_clock_known(&d.clock));
        ck_assert_int_eq(device_clock_host_ns(&d.clock, 24000), START_NS);
        ck_assert_int_eq(device_clock_host_ns(&d.clock, 0), START_NS - 1000000);
}

TEST(an_exact_device_is_exact)
{
        struct device d = device_with(0);

        run(&d, 3.0, 0, 0);
        ck_assert_double_eq_tol(error_ns(&d), 0.0, 1.0);
        ck_assert_double_eq_tol(device_clock_ppm(&d.clock), 0.0, 0.01);
}

static const double drifts_ppm[] = { -100, -20, 0, 35, 100 };

TEST_EACH(drift_is_found_through_delays_of_50_us,
          sizeof drifts_ppm / sizeof drifts_ppm[0])
{
        struct device d = device_with(drifts_ppm[_i]);

        run(&d, 7.0, 0, 50e3);
        ck_assert_double_eq_tol(device_clock_ppm(&d.clock), d.ppm, 0.1);
        ck_assert_double_eq_tol(error_ns(&d), 0.0, 1000.0);
        ck_assert_double_lt(d.clock.residual_ns, 1000.0);
}

TEST(drift_is_found_within_two_seconds)
{
        struct device d = device_with(100);

        run(&d, 2.0, 0, 50e3);
        ck_assert_double_eq_tol(device_clock_ppm(&d.clock), 100, 1.0);
        ck_assert_double_eq_tol(error_ns(&d), 0.0, 2000.0);
}

TEST(rate_is_nominal_until_a_second_is_known)
{
        struct device d = device_with(100);

        run(&d, 0.9, 0, 50e3);
        ck_assert_double_eq(device_clock_ppm(&d.clock), 0.0);
        /* 100 ppm of 0.9 s, and the delays. */
        ck_assert_double_lt(fabs(error_ns(&d)), 100e3);
}

TEST(the_least_delay_there_is_remains)
{
        struct device d = device_with(50);

        run(&d, 7.0, 125e3, 20e3);
        ck_assert_double_eq_tol(error_ns(&d), 125e3, 1000.0);
}

TEST(a_host_that_stands_still_for_a_second_changes_nothing)
{
        struct device d = device_with(100);
        int64_t late;

        run(&d, 7.0, 0, 20e3);
        /* What the device said meanwhile comes at once. */
        late = truth_ns(&d, d.tick) + 1000000000;
        for (int i = 0; i < 5859; i++) {
                d.tick += TRANSFER;
                device_clock_arrival(&d.clock, d.tick, late);
        }
        ck_assert_double_eq_tol(error_ns(&d), 0.0, 2000.0);
        run(&d, 0.5, 0, 20e3);
        ck_assert_double_eq_tol(error_ns(&d), 0.0, 2000.0);
        ck_assert_double_eq_tol(device_clock_ppm(&d.clock), 100, 0.5);
}

TEST(a_tick_is_never_later_than_its_arrival)
{
        struct device d = device_with(-80);

        for (int i = 0; i < 20000; i++) {
                int64_t now;

                d.tick += TRANSFER;
                now = truth_ns(&d, d.tick) + (int64_t)(rng_uniform(&d.rng) * 3e5);
                device_clock_arrival(&d.clock, d.tick, now);
                ck_assert_int_le(device_clock_host_ns(&d.clock, d.tick), now + 1);
        }
}

TEST(a_gap_of_unknown_length_keeps_the_rate)
{
        struct device d = device_with(100);

        run(&d, 7.0, 0, 20e3);
        device_clock_restart(&d.clock);
        ck_assert(!device_clock_known(&d.clock));
        ck_assert_double_eq_tol(device_clock_ppm(&d.clock), 100, 0.1);

        d.start_ns += 123456789;
        run(&d, 0.5, 0, 20e3);
        ck_assert_double_eq_tol(error_ns(&d), 0.0, 1000.0);
}

TEST(a_rate_that_changes_is_followed)
{
        struct device d = device_with(20);
        int64_t at;

        run(&d, 10.0, 0, 20e3);
        at = truth_ns(&d, d.tick);
        d.ppm = 22;
        d.start_ns += at - truth_ns(&d, d.tick);
        run(&d, 7.0, 0, 20e3);
        ck_assert_double_eq_tol(device_clock_ppm(&d.clock), 22, 0.1);
        ck_assert_double_eq_tol(error_ns(&d), 0.0, 1000.0);
}

TEST(days_of_ticks_lose_no_precision)
{
        struct device d = device_with(0);

        d.tick = INT64_C(24000000) * 86400 * 30;
        run(&d, 7.0, 0, 20e3);
        ck_assert_double_eq_tol(error_ns(&d), 0.0, 2000.0);
        ck_assert_double_eq_tol(device_clock_ppm(&d.clock), 0.0, 0.1);
}

TEST(nonsense_makes_no_rate)
{
        struct device d = device_with(0);

        /* Ticks that stand still, go back, and run at twice the rate. */
        for (int i = 0; i < 30; i++)
                device_clock_arrival(&d.clock, 1000, START_NS + i * 100000000LL);
        for (int i = 0; i < 30; i++)
                device_clock_arrival(&d.clock, 1000 - i,
                                     START_NS + (30 + i) * 100000000LL);
        ck_assert_double_eq(device_clock_ppm(&d.clock), 0.0);
        device_clock_restart(&d.clock);
        for (int i = 0; i < 30; i++)
                device_clock_arrival(&d.clock, i * 4800000LL,
                                     START_NS + (60 + i) * 100000000LL);
        ck_assert_double_eq(device_clock_ppm(&d.clock), 0.0);
        device_clock_arrival(&d.clock, INT64_C(1) << 62, START_NS + 90 * 100000000LL);
        device_clock_host_ns(&d.clock, 0);
}
