#include "hil/time/nap.h"

#include <math.h>
#include <stddef.h>

#define STEP_NS 2000
/* Naps pay when they save this share of an answer's time. */
#define SAVES (1.0 / 16.0)

#define LEAST_NS 20000 /* a timer is not worth setting for less */

/* The mean of some eight, in which a host that stood still counts for little. */
static void follow(double *mean_ns, int64_t ns)
{
        if (*mean_ns == 0.0)
                *mean_ns = (double)ns;
        else
                *mean_ns += (fmin((double)ns, 2.0 * *mean_ns) - *mean_ns) / 8.0;
}

static bool pays(const struct nap *n)
{
        return n->napped_ns < (1.0 - SAVES) * n->slept_ns;
}

int64_t nap_begin(struct nap *n, int64_t look_ns)
{
        n->now = n->round >= NAP_SLEPT && (n->round < NAP_TRIED || pays(n));
        if (!n->now)
                return 0;
        if (n->length_ns == 0)
                n->length_ns = (int64_t)n->slept_ns - 2 * look_ns;
        if (n->length_ns < LEAST_NS)
                n->length_ns = LEAST_NS;
        n->taken++;
        return n->length_ns;
}

void nap_learn(struct nap *n, int64_t waited_ns, bool lay_there)
{
        if (n->now)
                n->length_ns += lay_there ? -STEP_NS / 2 : STEP_NS;
        follow(n->now ? &n->napped_ns : &n->slept_ns, waited_ns);
        n->round = (n->round + 1) % NAP_ROUND;
}

void nap_forget(struct nap *n)
{
        *n = (struct nap){ .taken = n->taken };
}
