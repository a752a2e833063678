/* Operators inside others, judged at every tick: a sliding minimum or maximum by a queue in which every
 * value is beaten by none that came after it (Lemire, Streaming maximum-minimum filter, 2006); until by
 * two stacks of joined pairs; and what has no end by a sweep back from it. */
#include "hil/judge/monitor_work.h"

static struct judged *queue(struct work *w, int64_t at)
{
        return &w->block->item[w->n->queue + (size_t)at];
}

/* Of the window's queue: head is a position in it, and it goes round. */
static struct judged *queued(struct work *w, int64_t i)
{
        return queue(w, (w->s->head + i) % w->n->queue_cap);
}

static void push(struct work *w, struct judged j)
{
        struct monitor_state *s = w->s;
        bool always = w->n->kind == MONITOR_ALWAYS;

        j.index = (int32_t)s->read;
        while (s->len > 0) {
                struct judged back = *queued(w, s->len - 1);

                if (always ? !robustness_less(j.v, back.v)
                           : !robustness_less(back.v, j.v))
                        break;
                s->len--;
        }
        assert(s->len < w->n->queue_cap);
        *queued(w, s->len++) = j;
}

static void drop(struct work *w, int64_t before)
{
        while (w->s->len > 0 && queued(w, 0)->index < before) {
                w->s->head = (w->s->head + 1) % w->n->queue_cap;
                w->s->len--;
        }
}

bool step_window(struct work *w)
{
        struct monitor_state *s = w->s;
        int64_t k = s->count;
        struct judged j = JUDGED_NOTHING;
        bool read = false, always = w->n->kind == MONITOR_ALWAYS;

        while (!window_full(w, k) && readable(w, w->n->a)) {
                if (s->read >= w->n->from)
                        push(w, value_of(w, w->n->a));
                s->read++;
                read = true;
        }
        if (!window_full(w, k) || (window_beyond_end(w, k) && !w->block->closing))
                return read;
        drop(w, k + w->n->from);
        if (s->len > 0)
                j = *queued(w, 0);
        if (window_beyond_end(w, k))
                j = always ? least(j, unknown(w)) : most(j, unknown(w));
        give(w, j);
        return true;
}

/* What ticks in a row come to: u, of until within them; m, the least of its left side. */
struct pair {
        struct judged u, m;
};

static struct pair join(struct pair first, struct pair then)
{
        return (struct pair){ most(first.u, least(first.m, then.u)),
                              least(first.m, then.m) };
}

static struct pair read_pair(struct work *w)
{
        struct pair p = { .u = signed_by(w, value_of(w, w->n->b)),
                          .m = signed_by(w, value_of(w, w->n->a)) };

        w->s->read++;
        return p;
}

static bool pair_readable(const struct work *w)
{
        return readable(w, w->n->a) && readable(w, w->n->b);
}

/* Two stacks in one queue of items, a pair in two of them. The back one holds pairs as they came and
 * what they come to; the front one holds at each place what that pair and all below it come to. */
static struct pair *stack(struct work *w, bool front, int64_t i)
{
        int64_t half = w->n->queue_cap / 2;

        return (struct pair *)queue(w, (front ? half : 0) + 2 * i);
}

static void push_pair(struct work *w, struct pair p)
{
        struct monitor_state *s = w->s;
        struct pair back = { s->u, s->m };

        back = s->len > 0 ? join(back, p) : p;
        s->u = back.u;
        s->m = back.m;
        *stack(w, false, s->len++) = p;
}

static void turn_over(struct work *w)
{
        struct monitor_state *s = w->s;

        while (s->len > 0) {
                struct pair p = *stack(w, false, --s->len);

                if (s->head > 0)
                        p = join(p, *stack(w, true, s->head - 1));
                *stack(w, true, s->head++) = p;
        }
}

/* Takes the window's pairs together, and its oldest one out. */
static struct pair pop_total(struct work *w)
{
        struct monitor_state *s = w->s;
        struct pair p;

        if (s->head == 0)
                turn_over(w);
        p = *stack(w, true, --s->head);
        return s->len > 0 ? join(p, (struct pair){ s->u, s->m }) : p;
}

bool step_until(struct work *w)
{
        int64_t k = w->s->count;
        struct pair p;
        bool read = false;

        while (!window_full(w, k) && pair_readable(w)) {
                push_pair(w, read_pair(w));
                read = true;
        }
        if (!window_full(w, k) || (window_beyond_end(w, k) && !w->block->closing))
                return read;
        p = pop_total(w);
        if (window_beyond_end(w, k))
                p.u = most(p.u, least(p.m, signed_by(w, unknown(w))));
        give(w, signed_by(w, p.u));
        return true;
}

static void sweep(struct work *w)
{
        bool always = w->n->kind == MONITOR_ALWAYS;

        for (int64_t k = w->plan->last - 1; k >= 0; k--) {
                struct judged *j = queue(w, k), next = *queue(w, k + 1);

                *j = always ? least(*j, next) : most(*j, next);
        }
}

static void sweep_pairs(struct work *w)
{
        for (int64_t k = w->plan->last - 1; k >= 0; k--) {
                struct pair *p = (struct pair *)queue(w, 2 * k);

                *p = join(*p, *(struct pair *)queue(w, 2 * k + 2));
        }
}

static void give_swept(struct work *w, bool until)
{
        int64_t k = w->s->count;

        if (window_beyond_end(w, k))
                give(w, unknown(w));
        else if (until)
                give(w, signed_by(w, *queue(w, 2 * k)));
        else
                give(w, *queue(w, k + w->n->from));
}

bool step_unbounded(struct work *w)
{
        struct monitor_state *s = w->s;
        bool until = w->n->kind >= MONITOR_UNTIL, read = false;

        while (s->read <= w->plan->last &&
               (until ? pair_readable(w) : readable(w, w->n->a))) {
                int64_t k = s->read;

                if (until)
                        *(struct pair *)queue(w, 2 * k) = read_pair(w);
                else
                        *queue(w, s->read++) = value_of(w, w->n->a);
                read = true;
        }
        if (s->read <= w->plan->last || !w->block->closing)
                return read;
        if (!s->scanned && until)
                sweep_pairs(w);
        else if (!s->scanned)
                sweep(w);
        s->scanned = true;
        give_swept(w, until);
        return true;
}
