/* Waiting for an answer that is about to come: look again at once for a while before sleeping. A peer on another core
 * answers within it, and a sleep and a wake-up take a good part of the answer's time. It looks for four times what they cost
 * on this host, 150 us at the most; not where the peer needs this very core. When the last answers came later than that it sleeps,
 * and looks for an answer after a nap where that is faster (nap.h). */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "hil/time/clock.h"
#include "hil/time/nap.h"

#define BUSY_WAIT_MOST_NS (150 * NS_PER_US)
/* Shorter than a turn of the scheduler's, longer than what the recorder writes at a time. */
#define BUSY_WAIT_LONG_NS    NS_PER_MS
#define BUSY_WAIT_CROWDED_NS (10 * NS_PER_MS)
#define BUSY_WAIT_REST_NS    (50 * NS_PER_MS)
#define BUSY_WAIT_LEARNED    16 /* answers that are remembered, about */
/* Looks from one time of giving way to the next, where nobody else runs then. */
#define BUSY_WAIT_ALONE_MAX 8

struct busy_wait {
        int64_t most_ns; /* to look for at most; 0: never */
        int64_t rest_until_ns; /* the machine is busy: sleep at once */
        int64_t crowded_until_ns; /* another long turn of others before then, and it is */
        int late; /* of the last answers, which came too late to be looked for: 0 to BUSY_WAIT_LEARNED */
        int64_t least_ns; /* that giving way took */
        int alone; /* looks from one giving way to the next, less one */
        int looks; /* since the last */
        int tried; /* looks that found nothing, since the last answer */
        struct nap nap; /* for late answers */
        uint64_t looked, slept; /* answers that came while looking, and those slept for */
};

/* For how long an answer is worth looking for here: four times what a sleep and a wake-up cost between threads on two
 * processors, up to BUSY_WAIT_MOST_NS. Takes some hundred microseconds, 5 ms at the most. 0 with one processor, which the
 * peer needs. */
int64_t busy_wait_measure(void);

static inline bool busy_wait_pays(const struct busy_wait *s)
{
        return s->late <= BUSY_WAIT_LEARNED / 2;
}

/* Before each wait for an answer: how long to sleep before the first look, sleep_ns at most; 0: look at once. */
static inline int64_t busy_wait_begin(struct busy_wait *s, int64_t now_ns,
                                      int64_t sleep_ns)
{
        bool pays = busy_wait_pays(s), rests = now_ns < s->rest_until_ns;
        int64_t nap_ns;

        s->tried = 0;
        s->nap.now = false;
        if (pays || rests)
                nap_forget(&s->nap);
        if (pays || s->most_ns == 0 || sleep_ns == 0)
                return 0;
        nap_ns = rests ? 0 : nap_begin(&s->nap, s->most_ns);
        return nap_ns > 0 && nap_ns < sleep_ns ? nap_ns : sleep_ns;
}

/* Giving way took long. Who needs the processor all the time takes the next turn, too; the recorder's thread, or one of the
 * kernel's, is done for a while. */
static inline void busy_wait_note_long(struct busy_wait *s, int64_t now_ns)
{
        bool again = now_ns < s->crowded_until_ns;

        if (again)
                s->rest_until_ns = now_ns + BUSY_WAIT_REST_NS;
        s->crowded_until_ns = (again ? s->rest_until_ns : now_ns) + BUSY_WAIT_CROWDED_NS;
}

/* Gives way (the peer, or the kernel thread that carries a pseudo-terminal's bytes, may be waiting
 * for this very processor) and says whether to look again at once. Giving way costs as much as a look: it is done more
 * seldom while it lets nobody run. Not for a while after giving way took long twice: then others take the processor for whole
 * time slices, and a sleeper is woken sooner than it gets its turn. */
static inline bool busy_wait_again(struct busy_wait *s, int64_t begin_ns)
{
        int64_t now_ns = clock_now_ns(), then_ns;

        s->tried++;
        if ((!busy_wait_pays(s) && !s->nap.now) || now_ns - begin_ns > s->most_ns ||
            now_ns < s->rest_until_ns)
                return false;
        if (s->looks++ < s->alone)
                return true;
        sched_yield();
        then_ns = clock_now_ns();
        s->looks = 0;
        if (s->least_ns == 0 || then_ns - now_ns < s->least_ns)
                s->least_ns = then_ns - now_ns;
        if (then_ns - now_ns > 2 * s->least_ns)
                s->alone = 0;
        else if (s->alone < BUSY_WAIT_ALONE_MAX - 1)
                s->alone = 2 * s->alone + 1;
        if (then_ns - now_ns > BUSY_WAIT_LONG_NS)
                busy_wait_note_long(s, then_ns);
        return true;
}

/* The answer came; of one that was slept for the wake-up is no part of its time. */
static inline void busy_wait_learn(struct busy_wait *s, int64_t waited_ns, bool slept)
{
        bool naps = s->nap.now || (slept && !busy_wait_pays(s));
        bool late = slept ? 2 * waited_ns > 3 * s->most_ns : waited_ns > s->most_ns;

        if (late && s->late < BUSY_WAIT_LEARNED)
                s->late++;
        else if (!late && s->late > 0)
                s->late--;
        if (naps)
                nap_learn(&s->nap, waited_ns, s->tried == 0);
        s->looked += !slept;
        s->slept += slept;
}
