#include <math.h>

#include "hil/formula/figure.h"

#include "tests/suites.h"

#define PERIOD_NS INT64_C(1000000)
#define START_NS  INT64_C(2000000000)

/* The response of a system to a step from `from` to `to` at START_NS, after t_s. */
typedef double response(double t_s);

static double first_order(double t_s)
{
        return 1.0 - exp(-t_s / 0.5);
}

#define ZETA  0.3
#define OMEGA 6.0

static double second_order(double t_s)
{
        double damped = OMEGA * sqrt(1.0 - ZETA * ZETA);

        return 1.0 -
               exp(-ZETA * OMEGA * t_s) *
                       (cos(damped * t_s) + ZETA * OMEGA / damped * sin(damped * t_s));
}

static double line(double t_s)
{
        return t_s;
}

static struct figure figure_of(const struct figure_setup *p, response *y, double from,
                               double to)
{
        struct figure f = { 0 };

        for (int64_t t_ns = p->from_ns; t_ns <= p->to_ns; t_ns += PERIOD_NS)
                figure_add(&f, p, t_ns,
                           from + (to - from) * y((double)(t_ns - p->from_ns) * 1e-9));
        return f;
}

static double value_of(enum figure_kind kind, response *y, double from, double to,
                       double window_s)
{
        struct figure_setup p = { .kind = kind,
                                  .from_ns = START_NS,
                                  .to_ns = START_NS + (int64_t)(window_s * 1e9),
                                  .target = to,
                                  .from = NAN,
                                  .band = NAN };
        struct figure f = figure_of(&p, y, from, to);

        return figure_value(&f, &p);
}

TEST(a_first_order_lag_rises_and_settles_as_its_time_constant_says)
{
        /* ln 9 and ln 50 time constants; between ticks to their square. */
        ck_assert_double_eq_tol(value_of(FIGURE_RISE_TIME, first_order, 1, 4, 5),
                                0.5 * log(9.0), 1e-6);
        ck_assert_double_eq_tol(value_of(FIGURE_RISE_TIME, first_order, 4, -2, 5),
                                0.5 * log(9.0), 1e-6);
        ck_assert_double_eq_tol(value_of(FIGURE_SETTLING_TIME, first_order, 1, 4, 5),
                                0.5 * log(50.0), 1e-6);
        ck_assert_double_eq(value_of(FIGURE_OVERSHOOT, first_order, 1, 4, 5), 0.0);
}

TEST(a_second_order_lag_overshoots_as_its_damping_says)
{
        double percent = 100.0 * exp(-M_PI * ZETA / sqrt(1.0 - ZETA * ZETA));

        ck_assert_double_eq_tol(value_of(FIGURE_OVERSHOOT, second_order, 0, 3, 5),
                                percent, 1e-4);
        ck_assert_double_eq_tol(value_of(FIGURE_OVERSHOOT, second_order, 3, -1, 5),
                                percent, 1e-4);
        ck_assert_double_eq_tol(value_of(FIGURE_STEADY_ERROR, second_order, 0, 3, 60),
                                0.0, 1e-6);
}

/* Written another way: the last time at which the whole array is outside. */
TEST(settling_is_the_last_time_the_band_is_entered)
{
        struct figure_setup p = { .kind = FIGURE_SETTLING_TIME,
                                  .from_ns = START_NS,
                                  .to_ns = START_NS + 5 * START_NS / 2,
                                  .target = 3.0,
                                  .from = 0.0,
                                  .band = 0.5 };
        struct figure f = figure_of(&p, second_order, 0.0, 3.0);
        double settled_s = figure_value(&f, &p), last_outside_s = 0.0;

        for (int i = 0; i < 5000; i++)
                if (fabs(3.0 * second_order(i * 1e-3) - 3.0) > 0.5)
                        last_outside_s = i * 1e-3;
        ck_assert_double_ge(settled_s, last_outside_s);
        ck_assert_double_le(settled_s, last_outside_s + 1e-3);
        ck_assert_double_eq_tol(fabs(3.0 * second_order(settled_s) - 3.0), 0.5, 1e-5);
}

TEST(what_never_settles_or_rises_is_infinite)
{
        ck_assert_double_eq(value_of(FIGURE_SETTLING_TIME, first_order, 1, 4, 1),
                            INFINITY);
        ck_assert_double_eq(value_of(FIGURE_RISE_TIME, first_order, 1, 4, 1), INFINITY);
        ck_assert_double_nan(value_of(FIGURE_OVERSHOOT, first_order, 2, 2, 1));
}

TEST(sums_and_extremes_are_those_of_the_window)
{
        /* t from 0 to 3 s. */
        ck_assert_double_eq_tol(value_of(FIGURE_MEAN, line, 0, 1, 3), 1.5, 1e-12);
        /* 1/3 t^2 over n + 1 points: t^2 (2n + 1) / 6n. */
        ck_assert_double_eq_tol(value_of(FIGURE_RMS, line, 0, 1, 3),
                                sqrt(9.0 * 6001.0 / 18000.0), 1e-12);
        ck_assert_double_eq_tol(value_of(FIGURE_MAXIMUM, line, 0, 1, 3), 3.0, 1e-12);
        ck_assert_double_eq_tol(value_of(FIGURE_MINIMUM, line, 0, -1, 3), -3.0, 1e-12);
        ck_assert_double_eq_tol(value_of(FIGURE_PEAK, line, 1, -1, 3), 5.0, 1e-12);
        /* Over 2.4 s to 3 s it is 2.7 in the mean. */
        ck_assert_double_eq_tol(value_of(FIGURE_STEADY_ERROR, line, 0, 1, 3), 1.7, 1e-12);
}

TEST(a_nan_makes_every_figure_undefined)
{
        for (int kind = 0; kind < FIGURE_KINDS; kind++) {
                struct figure_setup p = { .kind = (enum figure_kind)kind,
                                          .to_ns = 10,
                                          .target = 1,
                                          .from = NAN,
                                          .band = NAN };
                struct figure f = { 0 };

                ck_assert_double_nan(figure_value(&f, &p));
                figure_add(&f, &p, 0, 0.0);
                figure_add(&f, &p, 1, NAN);
                figure_add(&f, &p, 2, 5.0);
                ck_assert_double_nan(figure_value(&f, &p));
                ck_assert(f.undefined);
                ck_assert_int_eq(f.at_ns, 1);
        }
}

TEST(bounds_hold_whatever_follows)
{
        for (int kind = 0; kind < FIGURE_KINDS; kind++) {
                struct figure_setup p = { .kind = (enum figure_kind)kind,
                                          .from_ns = 0,
                                          .to_ns = 5000000000,
                                          .target = 2,
                                          .from = NAN,
                                          .band = 0.1 };
                struct figure whole = figure_of(&p, second_order, 0, 2), f = { 0 };
                double value = figure_value(&whole, &p), least, most;

                for (int64_t t_ns = 0; t_ns <= p.to_ns; t_ns += PERIOD_NS) {
                        figure_add(&f, &p, t_ns, 2.0 * second_order((double)t_ns * 1e-9));
                        figure_bounds(&f, &p, &least, &most);
                        ck_assert(value >= least && value <= most);
                }
        }
}

TEST(a_condition_holds_since_it_became_true_for_good)
{
        /* True from the third second to the fifth, and from the seventh on. */
        static const int holds[] = { 0, 0, 0, 1, 1, 0, 0, 1, 1, 1 };
        struct figure_setup p = { .kind = FIGURE_HOLDS_SINCE,
                                  .from_ns = 2000000000,
                                  .to_ns = 11000000000,
                                  .from = NAN,
                                  .band = NAN };
        struct figure f = { 0 };
        double least, most;

        for (int i = 0; i < 6; i++)
                figure_add(&f, &p, p.from_ns + i * INT64_C(1000000000), holds[i]);
        ck_assert_double_infinite(figure_value(&f, &p));
        for (int i = 6; i < 10; i++)
                figure_add(&f, &p, p.from_ns + i * INT64_C(1000000000), holds[i]);
        ck_assert_double_eq(figure_value(&f, &p), 7.0);
        ck_assert_int_eq(f.at_ns, 9000000000);
        figure_bounds(&f, &p, &least, &most);
        ck_assert_double_eq(least, 6.0);
        ck_assert_double_infinite(most);

        f = (struct figure){ 0 };
        figure_add(&f, &p, p.from_ns, 1.0);
        ck_assert_double_eq(figure_value(&f, &p), 0.0);
}
