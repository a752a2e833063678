/* Levels along releases: a step is placed, scatter is not taken for one, one bad release is two changes. */
#include <math.h>

#include "hil/history/changes.h"
#include "hil/history/history.h"
#include "models/rng.h"
#include "tests/suites.h"

#define RELEASES 24

static void scatter(double *level, int n, double deviation, uint64_t seed)
{
        struct rng rng;

        rng_init(&rng, seed, 1, 1, 0);
        for (int i = 0; i < n; i++)
                level[i] = 10.0 + deviation * rng_normal(&rng);
}

TEST(a_step_is_placed)
{
        for (int at = 1; at < RELEASES; at++) {
                double level[RELEASES];
                struct history_changes c;

                scatter(level, RELEASES, 0.1, (uint64_t)at);
                for (int i = at; i < RELEASES; i++)
                        level[i] += 1.0;
                ck_assert(history_find_changes(&c, level, RELEASES, 0.01, 0.05));
                ck_assert_int_eq(c.count, 1);
                ck_assert_int_eq(c.of[0].at, at);
                ck_assert_int_le(c.of[0].first, at);
                ck_assert_int_ge(c.of[0].last, at);
                ck_assert_double_eq_tol(c.of[0].to - c.of[0].from, 1.0, 0.3);
                ck_assert_double_eq_tol(c.spread, 0.1, 0.05);
        }
}

/* Of any length, and however little the least spread is: the spread is learned. */
TEST(scatter_is_no_change)
{
        for (int n = 2; n <= RELEASES; n += n < 6 ? 1 : 6) {
                int alarms = 0;

                for (int seed = 0; seed < 2000; seed++) {
                        double level[RELEASES];
                        struct history_changes c;

                        scatter(level, n, 0.1, (uint64_t)seed);
                        ck_assert(history_find_changes(&c, level, n, 1e-3, 0.05));
                        alarms += c.count > 0;
                }
                ck_assert_int_le(alarms, 100);
        }
}

TEST(one_bad_release_is_two_changes)
{
        double level[RELEASES];
        struct history_changes c;

        scatter(level, RELEASES, 0.1, 1);
        level[7] -= 2.0;
        ck_assert(history_find_changes(&c, level, RELEASES, 0.01, 0.05));
        ck_assert_int_eq(c.count, 2);
        ck_assert_int_eq(c.of[0].at, 7);
        ck_assert_int_eq(c.of[1].at, 8);
        ck_assert_double_eq(c.of[0].to, c.of[1].from);
}

TEST(what_was_not_flown_leaves_the_place_open)
{
        static const double level[] = { 1.0, 1.0, 1.0, NAN, NAN, 2.0, 2.0, 2.0, NAN };
        struct history_changes c;

        ck_assert(history_find_changes(&c, level, 9, 0.001, 0.05));
        ck_assert_int_eq(c.count, 1);
        ck_assert_int_eq(c.of[0].at, 5);
        ck_assert_double_eq(c.of[0].from, 1.0);
        ck_assert_double_eq(c.of[0].to, 2.0);
}

/* Where the step is no larger than the scatter, the range has the place, and is longer. */
TEST(an_uncertain_place_is_a_range)
{
        int within = 0, found = 0, longer = 0;

        for (int seed = 0; seed < 500; seed++) {
                double level[2 * RELEASES];
                struct history_changes c;

                scatter(level, 2 * RELEASES, 0.5, (uint64_t)seed);
                for (int i = RELEASES; i < 2 * RELEASES; i++)
                        level[i] += 1.0;
                ck_assert(history_find_changes(&c, level, 2 * RELEASES, 0.01, 0.05));
                if (c.count != 1)
                        continue;
                found++;
                within += c.of[0].first <= RELEASES && RELEASES <= c.of[0].last;
                longer += c.of[0].first < c.of[0].last;
        }
        ck_assert_int_gt(found, 400);
        ck_assert_int_ge(100 * within, 93 * found);
        ck_assert_int_gt(2 * longer, found);
}

TEST(nothing_known_is_no_change)
{
        static const double level[] = { NAN, 1.0, NAN }, none[] = { NAN, NAN };
        struct history_changes c;

        ck_assert(history_find_changes(&c, level, 3, 0.1, 0.05));
        ck_assert_int_eq(c.count, 0);
        ck_assert(history_find_changes(&c, none, 2, 0.1, 0.05));
        ck_assert_int_eq(c.count, 0);
}

/* semver.org, 11, and what stands in folders. */
TEST(releases_stand_by_version)
{
        static const char *const order[] = { "1.0.0-alpha", "1.0.0-rc.1", "1.0.0-rc.11",
                                             "1.0.0",       "1.9.0",      "1.10.0",
                                             "b2",          "b10" };

        for (int i = 0; i < 8; i++)
                for (int k = 0; k < 8; k++) {
                        int is = history_order(order[i], order[k]);

                        ck_assert_int_eq((is > 0) - (is < 0), (i > k) - (i < k));
                }
}
