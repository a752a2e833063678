/* What the loop's thread takes of the host, it gives back. */
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>

#include "hil/rig/realtime.h"

#include "tests/suites.h"

static const struct realtime_config nothing = { .cpu = -1 };

TEST(nothing_asked_for_nothing_missing)
{
        struct realtime rt;

        realtime_enter(&rt, &nothing);
        ck_assert_str_eq(rt.missing, "");
        ck_assert_int_eq(sched_getscheduler(0), SCHED_OTHER);
        realtime_leave(&rt);
}

TEST(the_processors_are_given_back)
{
        struct realtime_config config = nothing;
        cpu_set_t before, during, after;
        struct realtime rt;

        ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
        config.cpu = sched_getcpu();
        realtime_enter(&rt, &config);
        ck_assert_str_eq(rt.missing, "");
        sched_getaffinity(0, sizeof during, &during);
        ck_assert_int_eq(CPU_COUNT(&during), 1);
        realtime_leave(&rt);
        sched_getaffinity(0, sizeof after, &after);
        ck_assert(CPU_EQUAL(&before, &after));
}

TEST(what_could_not_be_had_is_said)
{
        struct realtime_config config = nothing;
        struct realtime rt;

        config.cpu = CPU_SETSIZE - 1; /* no such machine */
        realtime_enter(&rt, &config);
        ck_assert(strstr(rt.missing, "CPU 1023 not had") != NULL);
        realtime_leave(&rt);
}

TEST(the_class_of_before_is_kept)
{
        struct sched_param lowest = { 0 };
        struct realtime rt;

        ck_assert_int_eq(sched_setscheduler(0, SCHED_BATCH, &lowest), 0);
        for (int priority = 0; priority < 2; priority++) {
                struct realtime_config config = { .cpu = -1, .priority = priority };

                realtime_enter(&rt, &config); /* FIFO, where it may */
                realtime_leave(&rt);
                ck_assert_int_eq(sched_getscheduler(0), SCHED_BATCH);
        }
        ck_assert_int_eq(sched_setscheduler(0, SCHED_OTHER, &lowest), 0);
}

TEST(sleeps_are_not_rounded_up_meanwhile)
{
        int before = prctl(PR_GET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL);
        struct realtime rt;

        realtime_enter(&rt, &nothing);
        ck_assert_int_eq(prctl(PR_GET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL), 1);
        realtime_leave(&rt);
        ck_assert_int_eq(prctl(PR_GET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL), before);
}
