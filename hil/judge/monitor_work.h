/* One operator at work: what it reads, what it gives, how far its window has come. */
#ifndef HIL_JUDGE_MONITOR_WORK_H
#define HIL_JUDGE_MONITOR_WORK_H

#include <assert.h>

#include "hil/judge/monitor_step.h"

struct work {
        const struct monitor_plan *plan;
        struct monitor_block *block;
        const struct monitor_node *n;
        struct monitor_state *s;
};

/* There is none: the at of a value that gives way to every other. */
#define JUDGED_NOTHING ((struct judged){ 0.0, -1, 0 })

/* The earlier one of equals stays; a value that is none gives way. */
static inline struct judged least(struct judged a, struct judged b)
{
        if (a.at < 0)
                return b;
        return b.at >= 0 && robustness_less(b.v, a.v) ? b : a;
}

static inline struct judged most(struct judged a, struct judged b)
{
        if (a.at < 0)
                return b;
        return b.at >= 0 && robustness_less(a.v, b.v) ? b : a;
}

/* What a node read so far leaves to be read. */
static inline bool readable(const struct work *w, int child)
{
        const struct monitor_state *c = &w->block->state[child];

        assert(c->count - w->s->read <= w->plan->node[child].out_cap);
        return c->count > w->s->read;
}

static inline struct judged value_of(const struct work *w, int child)
{
        const struct monitor_node *n = &w->plan->node[child];

        return w->block->item[n->out + (size_t)(w->s->read % n->out_cap)];
}

static inline void give(struct work *w, struct judged j)
{
        w->block->item[w->n->out + (size_t)(w->s->count % w->n->out_cap)] = j;
        w->s->count++;
}

static inline struct judged unknown(const struct work *w)
{
        /* The tick after the last one: nobody saw it. */
        return (struct judged){ w->block->unknown, (int32_t)w->plan->last + 1, 0 };
}

/* Whether everything that the window of the tick k is to hold has been read. */
static inline bool window_full(const struct work *w, int64_t k)
{
        int64_t to = w->n->unbounded ? w->plan->last : k + w->n->to;

        return w->s->read > (to < w->plan->last ? to : w->plan->last);
}

static inline bool window_beyond_end(const struct work *w, int64_t k)
{
        return k + (w->n->unbounded ? w->n->from : w->n->to) > w->plan->last;
}

/* The sign under which release is until. */
static inline struct judged signed_by(const struct work *w, struct judged j)
{
        if (w->n->kind == MONITOR_RELEASE)
                j.v = -j.v;
        return j;
}

/* Operators inside others. True: something was read or given. */
bool step_window(struct work *w); /* always and eventually */
bool step_until(struct work *w); /* and release */
bool step_unbounded(struct work *w); /* each of them without an end */

#endif
