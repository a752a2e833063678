/* A flight that is made up beside itself: later, stronger, drifting away. */
#include <math.h>
#include <stdlib.h>

#include "hil/retrace/retrace.h"

#include "tests/suites.h"

#define COUNT  4000
#define STEP_S 0.004

/* Both are the same motion at first: several frequencies, so that there is one best lag. */
static double motion(double t_s)
{
        return 10.0 * sin(3.0 * t_s) + 5.0 * sin(11.0 * t_s + 1.0) +
               2.0 * sin(29.0 * t_s);
}

static void make(struct retrace_series *s, double late_s, double gain)
{
        *s = (struct retrace_series){ .count = COUNT, .step_s = STEP_S };
        s->begins = calloc(COUNT, sizeof *s->begins);
        s->flies = calloc(COUNT, sizeof *s->flies);
        for (int q = 0; q < RETRACE_QUANTITIES; q++) {
                s->log[q] = calloc(COUNT, sizeof(double));
                s->sim[q] = calloc(COUNT, sizeof(double));
                for (int i = 0; i < COUNT; i++) {
                        s->sim[q][i] = motion(i * STEP_S);
                        s->log[q][i] = gain * motion(i * STEP_S - late_s);
                }
        }
        for (int i = 0; i < COUNT; i++)
                s->flies[i] = true;
}

static struct retrace_result compare(const struct retrace_series *s)
{
        struct retrace_result r = { .motors_every_s = 0.001,
                                    .rates_every_s = 0.001,
                                    .forces_every_s = 0.001 };

        retrace_compare(s, &r);
        retrace_find_apart(s, &r);
        retrace_explain(s, &r);
        return r;
}

TEST(lag_is_found_between_samples)
{
        static const double late_s[] = { -0.05, 0.0, 0.0123, 0.121 };

        for (size_t i = 0; i < sizeof late_s / sizeof late_s[0]; i++) {
                struct retrace_series s;
                struct retrace_result r;

                make(&s, late_s[i], 1.0);
                r = compare(&s);
                for (int q = RETRACE_P; q <= RETRACE_YAW; q++) {
                        ck_assert(r.of[q].lag_known);
                        ck_assert_double_eq_tol(r.of[q].lag_s, late_s[i], 0.0005);
                        ck_assert_double_gt(r.of[q].correlation, 0.999);
                }
                retrace_series_free(&s);
        }
}

TEST(gain_and_delay_are_explained_with_small_errors)
{
        struct retrace_series s;
        struct retrace_result r;

        make(&s, 0.003, 1.1);
        r = compare(&s);
        for (int i = 0; i < RETRACE_CAUSES; i++) {
                ck_assert(r.cause[i].known);
                ck_assert_double_eq_tol(r.cause[i].gain, 1.1, 0.005);
                ck_assert_double_eq_tol(r.cause[i].delay_s, 0.003, 0.0003);
                ck_assert_double_lt(r.cause[i].gain_error, 0.005);
        }
        retrace_series_free(&s);
}

/* Rotors that are not the same turn it all the time. */
TEST(turning_all_the_time_is_no_gain)
{
        struct retrace_series s;
        struct retrace_result r;

        make(&s, 0.0, 1.1);
        for (int i = 0; i < COUNT; i++)
                s.log[RETRACE_P][i] += 200.0 * i * STEP_S;
        r = compare(&s);
        ck_assert_double_eq_tol(r.cause[CAUSE_ROLL].gain, 1.1, 0.005);
        ck_assert_double_eq_tol(r.cause[CAUSE_ROLL].offset, 200.0, 0.5);
        ck_assert_double_eq_tol(r.cause[CAUSE_PITCH].offset, 0.0, 0.5);
        retrace_series_free(&s);
}

/* A log of something else. */
TEST(what_explains_little_is_not_judged)
{
        struct retrace_series s;
        struct retrace_result r;

        make(&s, 0.0, 1.0);
        for (int i = 0; i < COUNT; i++)
                s.log[RETRACE_P][i] = 10.0 * sin(17.0 * i * STEP_S);
        r = compare(&s);
        ck_assert(!r.cause[CAUSE_ROLL].known && !r.cause[CAUSE_ROLL].sparse);
        ck_assert_double_lt(r.cause[CAUSE_ROLL].explained, 0.9);
        ck_assert(r.cause[CAUSE_PITCH].known);
        retrace_series_free(&s);
}

/* The error says so when there is noise. */
TEST(noise_widens_the_error_which_holds_the_truth)
{
        struct retrace_series s;
        struct retrace_result r;
        uint32_t state = 1;

        make(&s, 0.0, 1.1);
        for (int i = 0; i < COUNT; i++) {
                state = state * 1664525U + 1013904223U;
                s.log[RETRACE_AZ][i] += 8.0 * ((double)state / 4294967296.0 - 0.5);
        }
        r = compare(&s);
        ck_assert_double_gt(r.cause[CAUSE_THRUST].gain_error, 0.001);
        ck_assert_double_lt(fabs(r.cause[CAUSE_THRUST].gain - 1.1),
                            4.0 * r.cause[CAUSE_THRUST].gain_error);
        retrace_series_free(&s);
}

TEST(the_same_flight_fits_whole_and_is_never_apart)
{
        struct retrace_series s;
        struct retrace_result r;

        make(&s, 0.0, 1.0);
        r = compare(&s);
        for (int q = 0; q < RETRACE_QUANTITIES; q++) {
                ck_assert_double_eq(r.of[q].rms, 0.0);
                ck_assert_double_eq(r.of[q].fit_percent, 100.0);
        }
        ck_assert(r.metre.judged && !r.metre.happened);
        ck_assert(r.ten_degrees.judged && !r.ten_degrees.happened);
        retrace_series_free(&s);
}

TEST(first_metre_and_ten_degrees_apart_have_their_time)
{
        struct retrace_series s;
        struct retrace_result r;

        make(&s, 0.0, 1.0);
        for (int i = 0; i < COUNT; i++) {
                s.sim[RETRACE_EAST][i] += 0.5 * i * STEP_S;
                s.sim[RETRACE_YAW][i] += 3.0 * i * STEP_S;
        }
        r = compare(&s);
        ck_assert_double_eq_tol(r.metre.after_s, 2.0, 2 * STEP_S);
        ck_assert_double_eq_tol(r.ten_degrees.after_s, 10.0 / 3.0, 2 * STEP_S);
        retrace_series_free(&s);
}

TEST(what_the_log_lacks_or_has_too_seldom_is_not_judged)
{
        struct retrace_series s;
        struct retrace_result r = { .motors_every_s = 0.1, .rates_every_s = 0.001 };

        make(&s, 0.0, 1.0);
        for (int i = 0; i < COUNT; i++)
                s.log[RETRACE_NORTH][i] = s.log[RETRACE_AZ][i] = (double)NAN;
        retrace_compare(&s, &r);
        retrace_find_apart(&s, &r);
        retrace_explain(&s, &r);
        ck_assert_uint_eq(r.of[RETRACE_NORTH].count, 0);
        ck_assert(!r.metre.judged);
        ck_assert(!r.of[RETRACE_P].lag_known); /* motors every 0.1 s */
        ck_assert(!r.cause[CAUSE_ROLL].known && r.cause[CAUSE_ROLL].sparse);
        ck_assert(!r.cause[CAUSE_THRUST].known);
        retrace_series_free(&s);
}

/* A turn past south is none of 360 degrees. */
TEST(angles_go_on_past_half_a_turn)
{
        struct retrace_series s;
        struct retrace_result r;

        make(&s, 0.0, 1.0);
        for (int i = 0; i < COUNT; i++) {
                double yaw = 20.0 * i * STEP_S;

                s.log[RETRACE_YAW][i] = remainder(yaw + 1.0, 360.0);
                s.sim[RETRACE_YAW][i] = remainder(yaw, 360.0);
        }
        r = compare(&s);
        ck_assert_double_eq_tol(r.of[RETRACE_YAW].max, 1.0, 1e-9);
        retrace_series_free(&s);
}
