/* Waiting for an answer that is about to come: look again at once for a while before sleeping. A
 * peer on another core answers within it, and a sleep and a wake-up cost more than the answer. */
#ifndef HIL_TIME_BUSY_WAIT_H
#define HIL_TIME_BUSY_WAIT_H

#include <sched.h>
#include <stdbool.h>

#include "hil/time/clock.h"

#define BUSY_WAIT_NS      (60 * NS_PER_US)
#define BUSY_WAIT_LONG_NS (500 * NS_PER_US)
#define BUSY_WAIT_REST_NS (50 * NS_PER_MS)

struct busy_wait {
        int64_t rest_until_ns; /* the machine is busy: sleep at once */
};

/* Gives way (the peer, or the kernel thread that carries a pseudo-terminal's bytes, may be waiting
 * for this very processor) and says whether to look again at once. Not for long after begin_ns; and
 * not for a while after giving way took long: then others take the processor for whole time slices,
 * and a sleeper is woken sooner than it gets its turn. */
static inline bool busy_wait_again(struct busy_wait *s, int64_t begin_ns)
{
        int64_t now_ns = clock_now_ns(), then_ns;

        if (now_ns - begin_ns > BUSY_WAIT_NS || now_ns < s->rest_until_ns)
                return false;
        sched_yield();
        then_ns = clock_now_ns();
        if (then_ns - now_ns > BUSY_WAIT_LONG_NS)
                s->rest_until_ns = then_ns + BUSY_WAIT_REST_NS;
        return true;
}

#endif
