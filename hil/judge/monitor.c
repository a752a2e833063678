/* A formula judged while its run goes on: one block that lives, and, where operators stand inside
 * others, a second one in which the rest of the run is played with the best and with the worst. */
#include "hil/judge/monitor_work.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct monitor {
        const struct formula *formula;
        int64_t period_ns;
        int64_t first; /* tick of the first observation */
        int64_t decided; /* tick, -1: not yet */
        struct monitor_plan plan;
        size_t bytes; /* of a block */
        struct monitor_block *live;
        struct monitor_block *trial; /* NULL: nothing is nested */
};

static struct monitor_block *block_create(const struct monitor *m)
{
        struct monitor_block *block = malloc(m->bytes);

        if (block == NULL)
                return NULL;
        /* Touched now, not in the loop. */
        memset(block, 0, m->bytes);
        for (int i = 0; i < m->plan.count; i++)
                block->state[i].u.at = block->state[i].m.at = -1;
        return block;
}

struct monitor *monitor_create(const struct formula *f, int64_t period_ns, int64_t end_ns)
{
        struct monitor *m = calloc(1, sizeof *m);

        if (m == NULL)
                return NULL;
        m->formula = f;
        m->period_ns = period_ns;
        m->first = m->decided = -1;
        if (monitor_plan_make(&m->plan, f, period_ns, end_ns)) {
                m->bytes = sizeof *m->live + m->plan.items * sizeof m->live->item[0];
                m->live = block_create(m);
                m->trial = m->plan.nested ? block_create(m) : NULL;
        }
        if (m->live != NULL && (m->trial != NULL || !m->plan.nested))
                return m;
        monitor_free(m);
        return NULL;
}

void monitor_free(struct monitor *m)
{
        if (m == NULL)
                return;
        free(m->live);
        free(m->trial);
        free(m);
}

static bool certain(struct bounds b)
{
        return robustness_holds(b.lo.v) || !robustness_holds(b.hi.v);
}

void monitor_observe(struct monitor *m, int64_t t_ns, const double *value)
{
        int64_t tick = (t_ns + m->period_ns / 2) / m->period_ns;

        if (m->first < 0)
                m->first = tick < m->plan.last ? tick : m->plan.last;
        /* What was before the first observation was as it. */
        do {
                if (m->live->fed > m->plan.last)
                        return;
                monitor_feed(&m->plan, m->formula, m->live, value);
        } while (m->live->fed <= m->first);
        if (m->decided < 0 && certain(monitor_bounds(&m->plan, m->live)))
                m->decided = m->live->fed - 1;
}

/* As if all that is unknown had this robustness. */
static struct judged play_on(const struct monitor *m, double unknown)
{
        const struct monitor_state *root = &m->trial->state[m->plan.count - 1];

        memcpy(m->trial, m->live, m->bytes);
        m->trial->unknown = unknown;
        while (m->trial->fed <= m->plan.last && root->count == 0)
                monitor_feed(&m->plan, m->formula, m->trial, NULL);
        if (root->count == 0)
                monitor_close(&m->plan, m->trial);
        assert(root->count == 1);
        return monitor_bounds(&m->plan, m->trial).lo;
}

static int64_t time_ns(const struct monitor *m, struct judged j)
{
        int64_t last = m->live->fed - 1, tick = j.at;

        /* Of the unknown: the last moment that was seen. */
        if (tick > last)
                tick = last;
        if (tick < m->first)
                tick = m->first;
        return tick < 0 ? 0 : tick * m->period_ns;
}

/* What is known of an operator inside others is not yet what they come to. */
static bool is_underway(const struct monitor *m)
{
        return m->plan.nested && m->live->state[m->plan.count - 1].count == 0;
}

bool monitor_so_far(const struct monitor *m, struct monitor_result *out)
{
        if (m->first < 0 || is_underway(m))
                return false;
        monitor_judge(m, out);
        return true;
}

void monitor_judge(const struct monitor *m, struct monitor_result *out)
{
        struct bounds b = monitor_bounds(&m->plan, m->live);
        struct judged stands;

        if (is_underway(m))
                b = (struct bounds){ play_on(m, -INFINITY), play_on(m, INFINITY) };
        out->decided = certain(b);
        out->open = !out->decided;
        out->holds = robustness_holds(b.lo.v);
        stands = out->holds || (out->open && isinf(b.hi.v)) ? b.lo : b.hi;
        /* Without the sign of a zero, which `holds` says. */
        out->robustness = stands.v + 0.0;
        out->lo = b.lo.v + 0.0;
        out->hi = b.hi.v + 0.0;
        out->at_ns = time_ns(m, stands);
        out->decided_ns = m->decided < 0 ? -1 : m->decided * m->period_ns;
}
