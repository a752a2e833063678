/* Straight lines whose answer is published, or known; what the data cannot tell. */
#include <math.h>
#include <stdio.h>

#include "hil/sysid/least.h"

#include "tests/suites.h"

#define ROWS 2000

struct line {
        double x[ROWS], y[ROWS];
};

static void residuals(const void *of, const double *parameters, double *out)
{
        const struct line *l = of;

        for (int i = 0; i < ROWS; i++)
                out[i] = l->y[i] - parameters[0] - parameters[1] * l->x[i];
}

static const double start[] = { 0.0, 0.0 }, scale[] = { 1e3, 1e3 };
static const double low[] = { -1e6, -1e6 }, high[] = { 1e6, 1e6 };

static struct least_result fit_holding(const struct line *l, const bool *held)
{
        static int stretch[ROWS];
        const struct least_problem p = { 2,     1,     0,     ROWS, stretch,
                                         start, scale, low,   high, residuals,
                                         l,     NULL,  false, held };
        struct least_result r;
        char why[100];

        for (int i = 0; i < ROWS; i++)
                stretch[i] = i / 10;

        ck_assert_msg(least_squares(&p, &r, why, sizeof why), "%s", why);
        return r;
}

static struct least_result fit(const struct line *l)
{
        return fit_holding(l, NULL);
}

/* Anscombe (1973), The American Statistician 27: his third set is a line and one outlier. Of the line alone the rest of
 * the points say 4.0056 and 0.3454; ordinary least squares says 3.00 and 0.50. */
TEST(an_outlier_hardly_moves_anscombes_line)
{
        static const double x[] = { 10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5 };
        static const double y[] = { 7.46, 6.77, 12.74, 7.11, 7.81, 8.84,
                                    6.08, 5.39, 8.15,  6.42, 5.73 };
        struct line l;
        struct least_result r;

        for (int i = 0; i < ROWS; i++) {
                l.x[i] = i < 11 ? x[i] : 0.0;
                l.y[i] = i < 11 ? y[i] : (double)NAN;
        }
        r = fit(&l);
        ck_assert_double_eq_tol(r.value[0], 4.0056, 0.05);
        ck_assert_double_eq_tol(r.value[1], 0.3454, 0.01);
}

/* Gaussian noise by the sum of twelve; `kept` of the one before stays. */
static void make_line(struct line *l, uint64_t seed, double kept)
{
        double noise = 0.0;
        uint64_t state = seed * 2654435761U + 1;

        for (int i = 0; i < ROWS; i++) {
                double sum = -6.0;

                for (int k = 0; k < 12; k++) {
                        state = state * 6364136223846793005U + 1442695040888963407U;
                        sum += (double)(state >> 33) / 2147483648.0;
                }
                noise = kept * noise + sum;
                l->x[i] = sin(0.02 * i);
                l->y[i] = 2.0 + 3.0 * l->x[i] + noise;
        }
}

/* Of 200 lines 95 % is 190; fewer than 178 has a chance below 1e-4. */
static void cover(double kept, int least)
{
        struct line l;
        int inside[2] = { 0 };

        for (uint64_t seed = 1; seed <= 200; seed++) {
                struct least_result r;

                make_line(&l, seed, kept);
                r = fit(&l);
                inside[0] += fabs(r.value[0] - 2.0) <= r.half[0];
                inside[1] += fabs(r.value[1] - 3.0) <= r.half[1];
        }
        ck_assert_int_ge(inside[0], least);
        ck_assert_int_ge(inside[1], least);
        ck_assert_int_lt(inside[0] + inside[1], 400);
}

TEST(intervals_hold_the_truth_of_white_noise)
{
        cover(0.0, 178);
}

TEST(intervals_hold_the_truth_of_noise_that_lasts)
{
        cover(0.7, 174);
}

/* Only the last stretch says anything of the slope, and an error that it has as a whole goes all into it: which its residuals do
 * not show, and leaving it out does. */
TEST(what_one_stretch_alone_says_is_not_told)
{
        struct line l;
        struct least_result r;

        make_line(&l, 1, 0.0);
        for (int i = 0; i < ROWS; i++) {
                l.y[i] -= 3.0 * l.x[i];
                l.x[i] = i >= ROWS - 10 ? 1.0 : 0.0;
                l.y[i] += 5.0 * l.x[i];
        }
        r = fit(&l);
        ck_assert_double_eq_tol(r.value[1], 5.0, 2.0);
        ck_assert_double_ge(r.half[1], 5.0);
}

TEST(what_the_data_do_not_tell_keeps_its_wide_interval)
{
        struct line l;
        struct least_result r;

        make_line(&l, 1, 0.0);
        for (int i = 0; i < ROWS; i++) {
                l.y[i] -= 3.0 * l.x[i];
                l.x[i] = 0.0;
        }
        r = fit(&l);
        ck_assert_double_lt(r.half[0], 0.2);
        ck_assert_double_ge(r.half[1], 1.9 * scale[1]);
        ck_assert_double_eq_tol(r.value[1], start[1], 1e-6);
}

TEST(what_is_held_stays_and_the_rest_is_found_beside_it)
{
        static const bool held[] = { true, false };
        struct line l;
        struct least_result r;

        make_line(&l, 1, 0.0);
        for (int i = 0; i < ROWS; i++)
                l.y[i] -= 2.0;
        r = fit_holding(&l, held);
        ck_assert_double_eq(r.value[0], start[0]);
        ck_assert_double_eq_tol(r.value[1], 3.0, 0.3);
        ck_assert_double_ne(fit(&l).value[0], start[0]);
}
