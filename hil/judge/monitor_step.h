/* The operators of a monitor at work on one block of its values. */
#ifndef HIL_JUDGE_MONITOR_STEP_H
#define HIL_JUDGE_MONITOR_STEP_H

#include "hil/judge/monitor_plan.h"

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

#endif
