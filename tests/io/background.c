/* A thread beside the loop's has no real-time class, and else its starter's. */
#include <sched.h>
#include <stdio.h>

#include "io/background.h"

#include "tests/suites.h"

static void *tell_class(void *of)
{
        *(int *)of = sched_getscheduler(0);
        return NULL;
}

static int class_beside(void)
{
        pthread_t thread;
        int class = -1;

        ck_assert_int_eq(background_start(&thread, 64 * 1024, tell_class, &class), 0);
        ck_assert_int_eq(pthread_join(thread, NULL), 0);
        return class;
}

/* A process may not leave SCHED_IDLE without a privilege. */
TEST(classes_without_a_priority_are_kept)
{
        static const int classes[] = { SCHED_BATCH, SCHED_OTHER };
        struct sched_param lowest = { 0 };

        for (int i = 0; i < 2; i++) {
                ck_assert_int_eq(sched_setscheduler(0, classes[i], &lowest), 0);
                ck_assert_int_eq(class_beside(), classes[i]);
        }
}

TEST(real_time_is_the_loops_alone)
{
        struct sched_param first = { .sched_priority = 1 }, lowest = { 0 };

        if (sched_setscheduler(0, SCHED_FIFO, &first) != 0) {
                puts("not judged: SCHED_FIFO takes a privilege");
                return;
        }
        ck_assert_int_eq(class_beside(), SCHED_OTHER);
        ck_assert_int_eq(sched_setscheduler(0, SCHED_OTHER, &lowest), 0);
}
