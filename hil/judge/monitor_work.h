/* What a monitor is made of, between its files. The plan says which operator reads which and never
 * changes; everything that does is in one block of memory, so that a copy of the block is a monitor
 * that can be carried on to see what a run would have come to. */
#pragma once

#include <assert.h>
#include <stddef.h>

#include "hil/formula/tree.h"
#include "hil/judge/monitor.h"

/* A robustness, and the tick that decides it. at < 0: there is none. */
struct judged {
        double v;
        int32_t at;
        int32_t index; /* of a queue: the tick it was judged at */
};

enum monitor_kind {
        MONITOR_LEAF, /* has no temporal operator in it */
        MONITOR_AND,
        MONITOR_OR,
        MONITOR_ALWAYS,
        MONITOR_EVENTUALLY,
        MONITOR_UNTIL,
        MONITOR_RELEASE
};

struct monitor_node {
        enum monitor_kind kind;
        int formula_node; /* of a leaf */
        int a, b; /* what it reads, -1: nothing; both stand before it */
        bool single; /* judged at tick 0 alone: keeps one value */
        bool unbounded; /* to the end of the run */
        int64_t from, to; /* ticks; of an inner until from is 0 */
        int64_t delay; /* ticks until its first value is known */
        int64_t out_cap; /* values that may wait for who reads them */
        int64_t queue_cap;
        size_t out, queue; /* where they are in the block */
};

/* Two for each node of the formula, and three more for each until. */
#define MONITOR_NODES_MAX (FORMULA_TEXT_MAX * 2)

struct monitor_plan {
        int count; /* the last is the root */
        bool nested; /* an operator stands inside another */
        int64_t last; /* tick of the run */
        size_t items; /* of the block */
        struct monitor_node node[MONITOR_NODES_MAX];
};

/* False: the windows are too long. */
bool monitor_plan_make(struct monitor_plan *plan, const struct formula *f,
                       int64_t period_ns, int64_t end_ns);

/* Of one operator. */
struct monitor_state {
        int64_t count; /* values given out; of a single one: 1 when it is certain */
        int64_t read; /* of each that it reads */
        int64_t head, len; /* of its queue; of until: of the two stacks */
        bool scanned; /* unbounded: the queue holds results */
        struct judged u, m; /* single: so far. until: what the back stack comes to */
};

struct monitor_block {
        int64_t fed; /* ticks */
        bool closing; /* nothing will follow the run's last tick */
        double unknown; /* robustness of what lies beyond it */
        struct monitor_state state[MONITOR_NODES_MAX];
        struct judged item[];
};

struct bounds {
        struct judged lo, hi;
};

/* One tick: value[] of all quantities, or NULL for one of which nothing is known but that it is as
 * good or bad as block->unknown. */
void monitor_feed(const struct monitor_plan *plan, const struct formula *f,
                  struct monitor_block *block, const double *value);
/* The run is over: everything is judged by what there is and by block->unknown. */
void monitor_close(const struct monitor_plan *plan, struct monitor_block *block);
/* Between which the root's robustness will lie, whatever comes. */
struct bounds monitor_bounds(const struct monitor_plan *plan,
                             const struct monitor_block *block);

/* One operator at work: what it reads, what it gives, how far its window has come. */
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
