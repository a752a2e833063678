/* The tick of a monitor: leaves take what was observed, and every operator reads what those below it
 * have come to, until nothing moves any more. */
#include "hil/judge/monitor_work.h"

#include <math.h>

static bool step_both(struct work *w)
{
        struct judged a, b;

        if (!readable(w, w->n->a) || !readable(w, w->n->b))
                return false;
        a = value_of(w, w->n->a);
        b = value_of(w, w->n->b);
        give(w, w->n->kind == MONITOR_AND ? least(a, b) : most(a, b));
        w->s->read++;
        return true;
}

/* always and eventually at tick 0: the worst or best so far. */
static bool step_single(struct work *w)
{
        struct monitor_state *s = w->s;
        bool always = w->n->kind == MONITOR_ALWAYS, read = false;

        while (!window_full(w, 0) && readable(w, w->n->a)) {
                struct judged j = value_of(w, w->n->a);

                if (s->read >= w->n->from)
                        s->u = always ? least(s->u, j) : most(s->u, j);
                s->read++;
                read = true;
        }
        if (!window_full(w, 0) || (window_beyond_end(w, 0) && !w->block->closing))
                return read;
        if (window_beyond_end(w, 0))
                s->u = always ? least(s->u, unknown(w)) : most(s->u, unknown(w));
        give(w, s->u);
        return true;
}

/* until at tick 0: u, the best so far; m, the worst that stood before it. */
static bool step_single_until(struct work *w)
{
        struct monitor_state *s = w->s;
        bool read = false;

        while (!window_full(w, 0) && readable(w, w->n->a) && readable(w, w->n->b)) {
                struct judged a = signed_by(w, value_of(w, w->n->a));
                struct judged b = signed_by(w, value_of(w, w->n->b));

                if (s->read >= w->n->from)
                        s->u = most(s->u, least(s->m, b));
                s->m = least(s->m, a);
                s->read++;
                read = true;
        }
        if (!window_full(w, 0) || (window_beyond_end(w, 0) && !w->block->closing))
                return read;
        if (window_beyond_end(w, 0))
                s->u = most(s->u, least(s->m, signed_by(w, unknown(w))));
        give(w, signed_by(w, s->u));
        return true;
}

static bool step(struct work *w)
{
        bool until = w->n->kind >= MONITOR_UNTIL;

        if (w->n->kind == MONITOR_LEAF ||
            w->s->count > (w->n->single ? 0 : w->plan->last))
                return false;
        if (w->n->kind <= MONITOR_OR)
                return step_both(w);
        if (w->n->single)
                return until ? step_single_until(w) : step_single(w);
        if (w->n->unbounded)
                return step_unbounded(w);
        return until ? step_until(w) : step_window(w);
}

/* A pass gives one value of each operator at most, so that none has to keep more than the operators'
 * delays differ by. */
static bool pass(const struct monitor_plan *plan, struct monitor_block *block)
{
        bool moved = false;

        for (int i = 0; i < plan->count; i++) {
                struct work w = { plan, block, &plan->node[i], &block->state[i] };

                moved |= step(&w);
        }
        return moved;
}

static void settle(const struct monitor_plan *plan, struct monitor_block *block)
{
        bool moved = true;

        while (moved)
                moved = pass(plan, block);
}

void monitor_feed(const struct monitor_plan *plan, const struct formula *f,
                  struct monitor_block *block, const double *value)
{
        for (int i = 0; i < plan->count; i++) {
                struct work w = { plan, block, &plan->node[i], &block->state[i] };
                struct judged j = { block->unknown, (int32_t)block->fed, 0 };

                if (w.n->kind != MONITOR_LEAF || (w.n->single && w.s->count > 0))
                        continue;
                if (value != NULL)
                        j.v = formula_node_value(f, w.n->formula_node, value);
                give(&w, j);
        }
        block->fed++;
        settle(plan, block);
}

void monitor_close(const struct monitor_plan *plan, struct monitor_block *block)
{
        block->closing = true;
        settle(plan, block);
}

/* The range of release is that of until, turned round. */
static struct bounds turned(struct bounds b)
{
        struct bounds t = { b.hi, b.lo };

        t.lo.v = -t.lo.v;
        t.hi.v = -t.hi.v;
        return t;
}

static struct bounds open_bounds(const struct monitor_node *n,
                                 const struct monitor_state *s)
{
        const struct judged worst = { -INFINITY, INT32_MAX, 0 };
        const struct judged best = { INFINITY, INT32_MAX, 0 };
        struct bounds b = { worst, best };

        if (n->kind == MONITOR_ALWAYS)
                b.hi = least(s->u, best);
        if (n->kind == MONITOR_EVENTUALLY)
                b.lo = most(s->u, worst);
        if (n->kind >= MONITOR_UNTIL) {
                b.lo = most(s->u, worst);
                b.hi = most(s->u, least(s->m, best));
        }
        return n->kind == MONITOR_RELEASE ? turned(b) : b;
}

static struct bounds bounds_of(const struct monitor_plan *plan,
                               const struct monitor_block *block, int i)
{
        const struct monitor_node *n = &plan->node[i];
        const struct judged *out = &block->item[n->out];
        struct bounds a, b;

        if (block->state[i].count > 0)
                return (struct bounds){ *out, *out };
        if (n->kind != MONITOR_AND && n->kind != MONITOR_OR)
                return open_bounds(n, &block->state[i]);
        a = bounds_of(plan, block, n->a);
        b = bounds_of(plan, block, n->b);
        if (n->kind == MONITOR_AND)
                return (struct bounds){ least(a.lo, b.lo), least(a.hi, b.hi) };
        return (struct bounds){ most(a.lo, b.lo), most(a.hi, b.hi) };
}

struct bounds monitor_bounds(const struct monitor_plan *plan,
                             const struct monitor_block *block)
{
        return bounds_of(plan, block, plan->count - 1);
}
