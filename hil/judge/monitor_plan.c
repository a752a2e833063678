/* From a formula to the operators that judge it, with windows in ticks. */
#include "hil/judge/monitor_work.h"

struct planner {
        struct monitor_plan *plan;
        const struct formula *f;
        int64_t period_ns;
};

static int compile(struct planner *c, int formula_node, bool single);

static int add_plan_node(struct planner *c, struct monitor_node n)
{
        struct monitor_plan *plan = c->plan;
        int64_t a = n.a >= 0 ? plan->node[n.a].delay : 0;
        int64_t b = n.b >= 0 ? plan->node[n.b].delay : 0;
        int64_t own = n.unbounded || n.to > plan->last ? plan->last : n.to;

        n.delay = own + (a > b ? a : b);
        n.out_cap = 1;
        plan->node[plan->count] = n;
        return plan->count++;
}

static int add_leaf(struct planner *c, int formula_node, bool single)
{
        return add_plan_node(c, (struct monitor_node){ .kind = MONITOR_LEAF,
                                                       .formula_node = formula_node,
                                                       .a = -1,
                                                       .b = -1,
                                                       .single = single });
}

/* Both ends included. No tick in it: the next one. */
static void set_window(struct monitor_node *n, const struct formula_node *f,
                       int64_t period_ns)
{
        n->from = (f->from_ns + period_ns - 1) / period_ns;
        n->unbounded = f->to_ns == INT64_MAX;
        n->to = n->unbounded ? n->from : f->to_ns / period_ns;
        if (n->to < n->from)
                n->to = n->from;
}

/* a until[from, to] b is: always[0, from) a, and at from: a until[0, to - from] b. The negative of it
 * the other way round. */
static int add_delayed(struct planner *c, struct monitor_node n)
{
        bool until = n.kind == MONITOR_UNTIL;
        int64_t from = n.from;
        struct monitor_node before = {
                .kind = until ? MONITOR_ALWAYS : MONITOR_EVENTUALLY,
                .a = n.a,
                .b = -1,
                .to = from - 1,
        };
        struct monitor_node then = {
                .kind = MONITOR_EVENTUALLY, .b = -1, .from = from, .to = from
        };

        n.to -= from;
        n.from = 0;
        then.a = add_plan_node(c, n);
        return add_plan_node(
                c, (struct monitor_node){ .kind = until ? MONITOR_AND : MONITOR_OR,
                                          .a = add_plan_node(c, before),
                                          .b = add_plan_node(c, then) });
}

static int compile_temporal(struct planner *c, const struct formula_node *f, bool single)
{
        static const enum monitor_kind kind[] = {
                [FORMULA_ALWAYS] = MONITOR_ALWAYS,
                [FORMULA_EVENTUALLY] = MONITOR_EVENTUALLY,
                [FORMULA_UNTIL] = MONITOR_UNTIL,
                [FORMULA_RELEASE] = MONITOR_RELEASE,
        };
        struct monitor_node n = { .kind = kind[f->op], .single = single };

        set_window(&n, f, c->period_ns);
        n.a = compile(c, f->a, false);
        n.b = f->b >= 0 ? compile(c, f->b, false) : -1;
        if (!single)
                c->plan->nested = true;
        if (!single && n.b >= 0 && n.from > 0)
                return add_delayed(c, n);
        return add_plan_node(c, n);
}

static int compile(struct planner *c, int formula_node, bool single)
{
        const struct formula_node *f = &c->f->node[formula_node];
        int a, b;

        if (!formula_node_is_temporal(c->f, formula_node))
                return add_leaf(c, formula_node, single);
        if (formula_op_is_temporal(f->op))
                return compile_temporal(c, f, single);
        a = compile(c, f->a, single);
        b = compile(c, f->b, single);
        return add_plan_node(c, (struct monitor_node){ .kind = f->op == FORMULA_AND
                                                                       ? MONITOR_AND
                                                                       : MONITOR_OR,
                                                       .a = a,
                                                       .b = b,
                                                       .single = single });
}

static int64_t at_most(int64_t value, int64_t limit)
{
        return value < limit ? value : limit;
}

/* Of two that are read together, the earlier one's values wait for the later one's. */
static void let_wait(struct monitor_plan *plan, int early, int late)
{
        struct monitor_node *e = &plan->node[early];
        int64_t wait = plan->node[late].delay - e->delay;

        if (!e->single && wait >= 0 && at_most(wait, plan->last) + 2 > e->out_cap)
                e->out_cap = at_most(wait, plan->last) + 2;
}

/* What an operator inside another keeps of the values that it reads. */
static int64_t queue_cap(const struct monitor_plan *plan, const struct monitor_node *n)
{
        bool pairs = n->kind == MONITOR_UNTIL || n->kind == MONITOR_RELEASE;

        if (n->single || n->kind <= MONITOR_OR)
                return 0;
        if (n->unbounded)
                return (plan->last + 1) * (pairs ? 2 : 1);
        /* until: two stacks of pairs. */
        return (at_most(n->to - n->from, plan->last) + 2) * (pairs ? 4 : 1);
}

static bool place(struct monitor_plan *plan)
{
        int64_t items = 0;

        for (int i = 0; i < plan->count; i++) {
                struct monitor_node *n = &plan->node[i];

                if (n->b >= 0) {
                        let_wait(plan, n->a, n->b);
                        let_wait(plan, n->b, n->a);
                }
                n->queue_cap = queue_cap(plan, n);
        }
        for (int i = 0; i < plan->count; i++) {
                plan->node[i].out = (size_t)items;
                plan->node[i].queue = (size_t)(items + plan->node[i].out_cap);
                items += plan->node[i].out_cap + plan->node[i].queue_cap;
                if (items > MONITOR_VALUES_MAX)
                        return false;
        }
        plan->items = (size_t)items;
        return true;
}

bool monitor_plan_make(struct monitor_plan *plan, const struct formula *f,
                       int64_t period_ns, int64_t end_ns)
{
        struct planner c = { .plan = plan, .f = f, .period_ns = period_ns };

        plan->count = 0;
        plan->nested = false;
        /* The run goes on to the first tick that is not before its end. */
        plan->last = (end_ns + period_ns - 1) / period_ns;
        if (plan->last > INT32_MAX / 2)
                return false;
        compile(&c, f->root, true);
        return place(plan);
}
