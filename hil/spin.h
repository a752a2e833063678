/* Waiting for an answer that is about to come: look again at once for a while before sleeping. A
 * peer on another core answers within it, and a sleep and a wake-up cost more than the answer. */
#ifndef HIL_SPIN_H
#define HIL_SPIN_H

#include <sched.h>

#include "hil/clock.h"

#define SPIN_NS (60 * NS_PER_US)

/* Between two looks: the peer, or the kernel thread that carries a pseudo-terminal's bytes, may be
 * waiting for this very processor. */
static inline void spin_pause(void)
{
        sched_yield();
}

#endif
