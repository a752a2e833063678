#include "io/wire/wire_lane.h"

#include <string.h>

#include "io/wire/wire_damage.h"

void wire_lane_init(struct wire_lane *l, struct wire_faults *faults,
                    enum wire_direction direction, int channel)
{
        l->faults = faults;
        l->direction = direction;
        l->channel = channel;
}

bool wire_lane_watched(const struct wire_lane *l)
{
        return wire_faults_watch(l->faults, l->direction, l->channel);
}

static void enter(struct wire_lane *l, struct wire_unit *u, int place);

/* The unit that was overtaken goes on behind the fault at that place. */
static void let_go(struct wire_lane *l, int slot, int place)
{
        struct wire_unit u = l->held[slot];

        l->holds[slot] = false;
        enter(l, &u, place + 1);
}

static void insert_noise(struct wire_lane *l, struct wire_fault_entry *e,
                         const struct wire_unit *before, struct rng *rng, int place)
{
        struct wire_unit noise = { .due_tick = before->due_tick,
                                   .type = -1,
                                   .len = (uint16_t)e->fault.bytes };

        wire_noise(rng, noise.bytes, noise.len);
        wire_fault_acted(e, noise.len);
        enter(l, &noise, place + 1);
}

static void damage(struct wire_fault_entry *e, struct wire_unit *u, struct rng *rng)
{
        size_t len = u->len;
        int changed;

        u->len = (uint16_t)wire_damage(&e->fault, rng, u->bytes, len, sizeof u->bytes,
                                       &changed);
        if (changed)
                wire_fault_acted(e, len);
}

static void delay(struct wire_fault_entry *e, struct wire_unit *u, int ticks)
{
        u->due_tick += ticks;
        if (ticks > 0)
                wire_fault_acted(e, u->len);
}

/* False: the unit goes no further for now. */
static bool act(struct wire_lane *l, struct wire_fault_entry *e, struct wire_unit *u,
                struct rng *rng, int place)
{
        struct wire_unit twin;

        switch (e->fault.kind) {
        case WIRE_DROP:
        case WIRE_SILENCE:
                wire_fault_acted(e, u->len);
                return false;
        case WIRE_DUPLICATE:
                twin = *u;
                wire_fault_acted(e, u->len);
                enter(l, &twin, place + 1);
                return true;
        case WIRE_REORDER:
                wire_fault_acted(e, u->len);
                l->held[e->slot] = *u;
                l->holds[e->slot] = true;
                return false;
        case WIRE_DELAY:
                delay(e, u, e->fault.ticks);
                return true;
        case WIRE_JITTER:
                delay(e, u, (int)wire_pick(rng, (size_t)e->fault.ticks + 1));
                return true;
        case WIRE_GARBAGE:
                insert_noise(l, e, u, rng, place);
                return true;
        default:
                damage(e, u, rng);
                return true;
        }
}

/* Past the faults from that place on, in their order, and into the queue. */
static void enter(struct wire_lane *l, struct wire_unit *u, int place)
{
        struct wire_faults *all = l->faults;
        struct rng rng;

        for (; place < all->in_force; place++) {
                struct wire_fault_entry *e = &all->entry[all->order[place]];

                if (!wire_fault_watches(e, l->direction, l->channel) ||
                    wire_fault_overlooks(all, e, u))
                        continue;
                if (l->holds[e->slot]) {
                        enter(l, u, place + 1);
                        let_go(l, e->slot, place);
                        return;
                }
                if (wire_fault_acts(all, e, l->direction, l->channel, u, &rng) &&
                    !act(l, e, u, &rng, place))
                        return;
        }
        wire_queue_push(&l->queue, u->due_tick, u->bytes, u->len);
}

void wire_lane_come(struct wire_lane *l, struct wire_unit *u)
{
        u->due_tick = l->faults->tick;
        if (u->passed > 0 || l->faults->greeting)
                wire_queue_push(&l->queue, u->due_tick, u->bytes + u->passed,
                                (size_t)u->len - u->passed);
        else
                enter(l, u, 0);
}

void wire_lane_pass_half(struct wire_lane *l)
{
        struct wire_split *in = &l->in;

        if (wire_lane_watched(l))
                return;
        wire_queue_push(&l->queue, l->faults->tick, in->bytes + in->passed,
                        in->len - in->passed);
        in->passed = in->len;
}

bool wire_lane_silenced(struct wire_lane *l, size_t len)
{
        struct wire_faults *all = l->faults;

        for (int i = 0; i < all->in_force && !all->greeting; i++) {
                struct wire_fault_entry *e = &all->entry[all->order[i]];

                if (e->fault.kind == WIRE_SILENCE &&
                    wire_fault_watches(e, l->direction, l->channel)) {
                        wire_fault_acted(e, len);
                        return true;
                }
        }
        return false;
}

void wire_lane_let_go(struct wire_lane *l, int place)
{
        int slot = l->faults->entry[l->faults->order[place]].slot;

        if (l->holds[slot])
                let_go(l, slot, place);
}

void wire_lane_clear(struct wire_lane *l)
{
        wire_queue_clear(&l->queue);
        l->in.len = l->in.passed = 0;
        l->in.broken = false;
        memset(l->holds, 0, sizeof l->holds);
}
