/* Whether a silent process could have run, by what the kernel says of its threads, at times of the test's own. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/process/standstill.h"

#include "tests/suites.h"

#define MS INT64_C(1000000)

static struct standstill s;
static char text[80];

static void begin(void)
{
        memset(&s, 0, sizeof s);
}

FIXTURE(begin, NULL)

/* A look every 20 ms, for 1 s, at one thread that runs and waits so much in that time. */
static void look_for_a_second(char state, uint64_t ran_ns, uint64_t waited_ns)
{
        struct standstill_thread t = { .tid = 7, .state = state };

        for (int i = 0; i <= 50; i++) {
                standstill_take(&s, &t, 1, (100 + 20 * i) * MS);
                t.ran_ns += ran_ns / 50;
                t.waited_ns += waited_ns / 50;
        }
}

TEST(a_process_that_sleeps_or_is_busy_was_kept_by_nobody)
{
        look_for_a_second('S', 0, 0);
        ck_assert_int_eq(standstill_ns(&s), 0);
        standstill_begin(&s);
        look_for_a_second('R', 1000 * (uint64_t)MS, 0);
        ck_assert_int_eq(standstill_ns(&s), 0);
}

TEST(a_stopped_process_was_stopped_for_as_long)
{
        look_for_a_second('T', 0, 0);
        ck_assert_int_eq(s.stopped_ns, 1000 * MS);
        ck_assert_int_eq(s.starved_ns, 0);
        standstill_describe(&s, text, sizeof text);
        ck_assert_str_eq(text, "was stopped for 1.000 s");
        standstill_begin(&s);
        look_for_a_second('t', 0, 0); /* in a debugger */
        ck_assert_int_eq(s.stopped_ns, 1000 * MS);
}

TEST(waiting_for_a_processor_counts_whether_it_got_one_or_not)
{
        look_for_a_second('R', 400 * (uint64_t)MS, 600 * (uint64_t)MS);
        ck_assert_int_eq(s.starved_ns, 600 * MS);
        standstill_describe(&s, text, sizeof text);
        ck_assert_str_eq(text, "waited 0.600 s for a processor or a disk");
        /* The kernel books the wait when it is over. */
        standstill_begin(&s);
        look_for_a_second('R', 0, 0);
        ck_assert_int_eq(s.starved_ns, 1000 * MS);
        /* A disk that does not answer is the host's, too; one that sleeps waits for what the rig sends. */
        standstill_begin(&s);
        look_for_a_second('D', 0, 0);
        ck_assert_int_eq(s.starved_ns, 1000 * MS);
        standstill_begin(&s);
        look_for_a_second('S', 0, 0);
        ck_assert_int_eq(s.starved_ns, 0);
}

TEST(of_several_threads_the_one_that_waited_longest_counts)
{
        struct standstill_thread t[3] = { { .tid = 1, .state = 'S' },
                                          { .tid = 2, .state = 'S' },
                                          { .tid = 3, .state = 'S' } };

        standstill_take(&s, t, 3, 100 * MS);
        t[0].waited_ns = 5 * (uint64_t)MS;
        t[2].waited_ns = 15 * (uint64_t)MS;
        standstill_take(&s, t, 3, 120 * MS);
        ck_assert_int_eq(s.starved_ns, 15 * MS);
        /* One that is new has waited for nothing yet. */
        t[1] = (struct standstill_thread){ .tid = 9,
                                           .state = 'S',
                                           .waited_ns = 1u << 30 };
        standstill_take(&s, t, 3, 140 * MS);
        ck_assert_int_eq(s.starved_ns, 15 * MS);
}

TEST(a_new_silence_forgets_the_one_before)
{
        look_for_a_second('T', 0, 0);
        standstill_begin(&s);
        ck_assert_int_eq(standstill_ns(&s), 0);
        look_for_a_second('S', 0, 0);
        ck_assert_int_eq(standstill_ns(&s), 0);
}

TEST(the_kernel_tells_of_a_process_that_is_stopped)
{
        pid_t pid = fork();

        if (pid == 0)
                for (;;)
                        pause();
        kill(pid, SIGSTOP);
        waitpid(pid, NULL, WUNTRACED);
        standstill_look(&s, pid, 100 * MS);
        ck_assert_int_eq(s.threads, 1);
        ck_assert_int_eq(s.thread[0].tid, pid);
        standstill_look(&s, pid, 400 * MS);
        ck_assert_int_eq(s.stopped_ns, 300 * MS);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        standstill_look(&s, pid, 500 * MS);
        ck_assert_int_eq(s.stopped_ns, 300 * MS);
}
