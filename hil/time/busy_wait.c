#include "hil/time/busy_wait.h"

#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hil/time/histogram.h"

/* Looking for so many times of what a sleep would add to an answer gains a fifth of the time and more. */
#define WORTH          4
#define ROUNDS         24
#define MEASURE_MAX_NS (5 * NS_PER_MS)

struct pair {
        int ask, answer; /* eventfds */
};

/* Until it is asked with more than 1. */
static void *answer_all(void *with)
{
        const struct pair *p = with;
        uint64_t asked = 0;

        while (asked <= 1 && read(p->ask, &asked, sizeof asked) == (ssize_t)sizeof asked)
                eventfd_write(p->answer, 1);
        return NULL;
}

/* By the median of some round trips: each has two sleeps and wake-ups, and hardly anything else. */
static int64_t worth_ns(const struct pair *p)
{
        struct histogram took = { 0 };
        int64_t until_ns = clock_now_ns() + MEASURE_MAX_NS, look_ns;
        eventfd_t answered;

        while (took.count < ROUNDS && clock_now_ns() < until_ns) {
                int64_t begin_ns = clock_now_ns();

                eventfd_write(p->ask, 1);
                if (eventfd_read(p->answer, &answered) != 0)
                        break;
                histogram_add(&took, clock_now_ns() - begin_ns);
        }
        look_ns = WORTH * histogram_quantile_ns(&took, 0.5) / 2;
        return look_ns < BUSY_WAIT_MOST_NS ? look_ns : BUSY_WAIT_MOST_NS;
}

/* Keeps the caller where it is, and finds another processor of those that it may use; false: there is no other. A caller
 * that is woken moves to the thread that wakes it, and would measure no wake-up of a processor. */
static bool part(const cpu_set_t *cpus, cpu_set_t *other)
{
        int here = sched_getcpu();
        cpu_set_t own;

        CPU_ZERO(&own);
        CPU_ZERO(other);
        CPU_SET((size_t)here, &own);
        for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(other) == 0; i++)
                if ((int)i != here && CPU_ISSET(i, cpus))
                        CPU_SET(i, other);
        return CPU_COUNT(other) > 0 && sched_setaffinity(0, sizeof own, &own) == 0;
}

static bool start_thread(pthread_t *thread, struct pair *p, const cpu_set_t *where)
{
        pthread_attr_t attr;
        bool ok;

        pthread_attr_init(&attr);
        pthread_attr_setaffinity_np(&attr, sizeof *where, where);
        ok = pthread_create(thread, &attr, answer_all, p) == 0;
        pthread_attr_destroy(&attr);
        return ok;
}

int64_t busy_wait_measure(void)
{
        struct pair p = { eventfd(0, EFD_CLOEXEC), eventfd(0, EFD_CLOEXEC) };
        int64_t look_ns = 0;
        pthread_t thread;
        cpu_set_t cpus, other;

        if (sched_getaffinity(0, sizeof cpus, &cpus) == 0 && part(&cpus, &other)) {
                if (p.ask >= 0 && p.answer >= 0 && start_thread(&thread, &p, &other)) {
                        look_ns = worth_ns(&p);
                        eventfd_write(p.ask, 2);
                        pthread_join(thread, NULL);
                }
                sched_setaffinity(0, sizeof cpus, &cpus);
        }
        close(p.ask);
        close(p.answer);
        return look_ns;
}
