/* What kept a process of this machine from running while it was silent: it was stopped, or waited for a
 * processor or a disk. By what the kernel says of its threads; allocates nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define STANDSTILL_THREADS_MAX 64

/* What the kernel says of one thread. */
struct standstill_thread {
        pid_t tid;
        char state; /* 'R', 'S', 'D', 'T', ... */
        uint64_t ran_ns,
                waited_ns; /* on a processor; for one, as of when it last got it */
};

struct standstill {
        int64_t looked_ns; /* host time of the last look of this silence; 0: none yet */
        int threads;
        struct standstill_thread thread[STANDSTILL_THREADS_MAX];
        int64_t stopped_ns, starved_ns; /* of the silence so far */
};

/* It is not silent, or a new silence begins. */
void standstill_begin(struct standstill *s);
/* Looks at the process, at host time now_ns. */
void standstill_look(struct standstill *s, pid_t pid, int64_t now_ns);
/* The same by a look that was taken already. */
void standstill_take(struct standstill *s, const struct standstill_thread *thread,
                     int threads, int64_t now_ns);

static inline int64_t standstill_ns(const struct standstill *s)
{
        return s->stopped_ns + s->starved_ns;
}

/* "was stopped for 1.2 s", or "waited 0.9 s for a processor or a disk". */
void standstill_describe(const struct standstill *s, char *text, size_t cap);
