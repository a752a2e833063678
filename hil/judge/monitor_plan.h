/* What a monitor is made of. The plan says which operator reads which and never changes; everything
 * that does is in one block of memory, so that a copy of the block is a monitor that can be carried
 * on to see what a run would have come to. */
#ifndef HIL_JUDGE_MONITOR_PLAN_H
#define HIL_JUDGE_MONITOR_PLAN_H

#include <stddef.h>

#include "hil/formula/tree.h"

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

#endif
