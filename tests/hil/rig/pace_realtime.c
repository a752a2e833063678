/* Which periods are missed, in virtual time. */
#include <stdlib.h>

#include "hil/rig/loop.h"

#include "tests/suites.h"

#define PERIOD 1000

TEST(a_wake_up_within_its_period_misses_nothing)
{
        for (int64_t late = 0; late < PERIOD; late++)
                ck_assert_int_eq(pace_missed(PERIOD + late, PERIOD, 0, 100), 0);
        for (int64_t tick = 0; tick < 100; tick++)
                ck_assert_int_eq(pace_missed((tick + 1) * PERIOD, PERIOD, tick, 100), 0);
}

TEST(a_deadline_that_passed_by_a_period_is_missed)
{
        ck_assert_int_eq(pace_missed(2 * PERIOD - 1, PERIOD, 0, 100), 0);
        ck_assert_int_eq(pace_missed(2 * PERIOD, PERIOD, 0, 100), 1);
        ck_assert_int_eq(pace_missed(2 * PERIOD, PERIOD, 1, 100), 0);
        ck_assert_int_eq(pace_missed(57 * PERIOD + 999, PERIOD, 10, 100), 46);
}

TEST(waking_too_early_misses_nothing)
{
        ck_assert_int_eq(pace_missed(0, PERIOD, 0, 100), 0);
        ck_assert_int_eq(pace_missed(3 * PERIOD, PERIOD, 10, 100), 0);
}

TEST(no_more_periods_are_missed_than_there_are)
{
        ck_assert_int_eq(pace_missed(INT64_MAX, PERIOD, 90, 100), 10);
        ck_assert_int_eq(pace_missed(100 * PERIOD + PERIOD, PERIOD, 99, 100), 1);
        ck_assert_int_eq(pace_missed(INT64_MAX, PERIOD, 100, 100), 0);
}

/* Wakes at the next deadline or up to five periods later, as the loop does, and keeps its books:
 * every period is either in time or missed, and missed exactly when it was a period late. */
TEST(every_period_is_in_time_or_missed_whatever_the_host_does)
{
        const int64_t ticks = 20000;
        int64_t tick = 0, now = 0, missed_sum = 0, in_time = 0;

        srand(7);
        while (tick < ticks) {
                int64_t deadline = (tick + 1) * PERIOD, missed;

                if (now < deadline)
                        now = deadline;
                if (rand() % 4 == 0)
                        now += rand() % (5 * PERIOD);
                missed = pace_missed(now, PERIOD, tick, ticks);
                for (int64_t i = 1; i <= missed; i++)
                        ck_assert_int_ge(now, (tick + i + 1) * PERIOD);
                tick += missed;
                missed_sum += missed;
                if (tick == ticks)
                        break;
                ck_assert_int_ge(now, (tick + 1) * PERIOD);
                ck_assert_int_lt(now, (tick + 2) * PERIOD);
                tick++;
                in_time++;
        }
        ck_assert_int_eq(missed_sum + in_time, ticks);
        ck_assert_int_gt(missed_sum, 0);
}
