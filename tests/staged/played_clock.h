/* A host clock that the test plays, for one program, which must include this once. From played_clock_begin() on the
 * calling thread, and those that it and they start, live by it: CLOCK_MONOTONIC goes on by 1 us with each look at it,
 * and, when all of them wait, to the end of the shortest wait. One of them runs at a time, until it waits; the next
 * is chosen by their order. So whatever they do together, at whatever pace, comes out the same in every run, and the
 * machine may stand still for as long as it likes.
 *
 * The program's own clock_gettime(), nanosleep(), clock_nanosleep(), poll(), ppoll(), pthread_create() and
 * pthread_join() stand before the libraries'. Threads that were there before know nothing of all this; waiting in
 * other ways (a condition variable, epoll_wait()) is not played, and must not last. */
#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PLAYED_THREADS 16
#define PLAYED_LOOK_NS 1000
#define PLAYED_FOREVER INT64_MAX

struct played_thread {
        bool there, over; /* over: its function has returned, and nobody has joined it */
        pthread_t id;
        void *(*run)(void *);
        void *arg;
        pthread_cond_t turn;
        /* What it waits for, while another one runs: one of these. */
        struct pollfd *fds;
        nfds_t count;
        int64_t until_ns;
        struct played_thread *end_of;
};

static struct {
        int64_t now_ns;
        struct played_thread thread[PLAYED_THREADS];
        struct played_thread *runs;
} played;

static pthread_mutex_t played_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct played_thread *played_self; /* NULL: lives by the kernel's clock */

static struct played_thread *played_add(void *(*run)(void *), void *arg)
{
        struct played_thread *t = played.thread;

        while (t->there)
                if (++t == played.thread + PLAYED_THREADS)
                        abort();
        *t = (struct played_thread){ .there = true, .run = run, .arg = arg };
        pthread_cond_init(&t->turn, NULL);
        return t;
}

static inline void played_clock_begin(int64_t now_ns)
{
        memset(&played, 0, sizeof played);
        played.now_ns = now_ns;
        played.runs = played_self = played_add(NULL, NULL);
}

/* The others have been joined. */
static inline void played_clock_end(void)
{
        played_self = NULL;
}

/* The kernel's: it writes what is left of the time. */
static int played_poll(struct pollfd *fds, nfds_t count, const struct timespec *wait,
                       const sigset_t *mask)
{
        struct timespec left = wait != NULL ? *wait : (struct timespec){ 0 };

        return (int)syscall(SYS_ppoll, fds, count, wait != NULL ? &left : NULL, mask,
                            _NSIG / 8);
}

static bool played_may_go_on(const struct played_thread *t)
{
        static const struct timespec now;

        if (t->end_of != NULL)
                return t->end_of->over;
        return played.now_ns >= t->until_ns ||
               (t->count > 0 && played_poll(t->fds, t->count, &now, NULL) > 0);
}

/* The next in order that may go on at this time. NULL: none. */
static struct played_thread *played_next(int64_t *earliest_ns)
{
        long last = played.runs - played.thread;

        *earliest_ns = PLAYED_FOREVER;
        for (long i = 1; i <= PLAYED_THREADS; i++) {
                struct played_thread *t = &played.thread[(last + i) % PLAYED_THREADS];

                if (!t->there || t->over)
                        continue;
                if (played_may_go_on(t))
                        return t;
                if (t->end_of == NULL && t->until_ns < *earliest_ns)
                        *earliest_ns = t->until_ns;
        }
        return NULL;
}

/* Whoever runs has said what it waits for. Holds played_lock. */
static void played_give_way(void)
{
        const struct timespec rest = { .tv_nsec = 1000000 };
        struct played_thread *next;
        int64_t earliest_ns;

        while ((next = played_next(&earliest_ns)) == NULL)
                if (earliest_ns != PLAYED_FOREVER)
                        played.now_ns = earliest_ns;
                else /* for something outside the program */
                        played_poll(NULL, 0, &rest, NULL);
        played.runs = next;
        pthread_cond_signal(&next->turn);
}

static void played_wait_for_turn(void)
{
        while (played.runs != played_self)
                pthread_cond_wait(&played_self->turn, &played_lock);
}

static int played_wait(struct pollfd *fds, nfds_t count, int64_t until_ns,
                       struct played_thread *end_of)
{
        static const struct timespec now;

        pthread_mutex_lock(&played_lock);
        played_self->fds = fds;
        played_self->count = count;
        played_self->until_ns = until_ns;
        played_self->end_of = end_of;
        played_give_way();
        played_wait_for_turn();
        pthread_mutex_unlock(&played_lock);
        return count > 0 ? played_poll(fds, count, &now, NULL) : 0;
}

static int64_t played_after(int64_t ns)
{
        return ns < PLAYED_FOREVER - played.now_ns ? played.now_ns + ns : PLAYED_FOREVER;
}

static int64_t played_ns(const struct timespec *t)
{
        return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

static void *played_run(void *arg)
{
        struct played_thread *t = arg;
        void *result;

        played_self = t;
        pthread_mutex_lock(&played_lock);
        played_wait_for_turn();
        pthread_mutex_unlock(&played_lock);
        result = t->run(t->arg);
        pthread_mutex_lock(&played_lock);
        t->over = true;
        played_give_way();
        pthread_mutex_unlock(&played_lock);
        return result;
}

int pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *),
                   void *arg)
{
        int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
        struct played_thread *t;
        int error;

        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
        if (played_self == NULL)
                return real(id, attr, run, arg);
        t = played_add(run, arg);
        error = real(&t->id, attr, played_run, t);
        t->there = error == 0;
        *id = t->id;
        return error;
}

int pthread_join(pthread_t id, void **result)
{
        int (*real)(pthread_t, void **);
        struct played_thread *t = NULL;

        *(void **)&real = dlsym(RTLD_NEXT, "pthread_join");
        for (int i = 0; played_self != NULL && i < PLAYED_THREADS; i++)
                if (played.thread[i].there && played.thread[i].run != NULL &&
                    pthread_equal(played.thread[i].id, id))
                        t = &played.thread[i];
        if (t != NULL)
                played_wait(NULL, 0, PLAYED_FOREVER, t);
        if (t != NULL)
                t->there = false;
        return real(id, result);
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
        static int (*real)(clockid_t, struct timespec *);

        if (real == NULL)
                *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
        if (played_self == NULL ||
            (clock != CLOCK_MONOTONIC && clock != CLOCK_MONOTONIC_RAW))
                return real(clock, t);
        played.now_ns += PLAYED_LOOK_NS;
        t->tv_sec = played.now_ns / 1000000000;
        t->tv_nsec = played.now_ns % 1000000000;
        return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                    struct timespec *left)
{
        if (played_self == NULL || clock != CLOCK_MONOTONIC)
                return syscall(SYS_clock_nanosleep, clock, flags, wanted, left) == 0
                               ? 0
                               : errno;
        return played_wait(NULL, 0,
                           (flags & TIMER_ABSTIME) != 0 ? played_ns(wanted)
                                                        : played_after(played_ns(wanted)),
                           NULL);
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
        if (played_self == NULL)
                return (int)syscall(SYS_nanosleep, wanted, left);
        return played_wait(NULL, 0, played_after(played_ns(wanted)), NULL);
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *wait,
          const sigset_t *mask)
{
        if (played_self == NULL || (wait != NULL && played_ns(wait) == 0))
                return played_poll(fds, count, wait, mask);
        return played_wait(fds, count,
                           wait != NULL ? played_after(played_ns(wait)) : PLAYED_FOREVER,
                           NULL);
}

int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
        const struct timespec wait = { .tv_sec = timeout_ms / 1000,
                                       .tv_nsec = timeout_ms % 1000 * 1000000 };

        return ppoll(fds, count, timeout_ms < 0 ? NULL : &wait, NULL);
}
