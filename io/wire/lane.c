#include "io/wire/lane.h"

#include <assert.h>
#include <string.h>

#include "io/wire/damage.h"

void wire_split_add(struct wire_split *s, const uint8_t *bytes, size_t len)
{
        assert(len <= wire_split_room(s));
        if (len > 0)
                memcpy(s->bytes + s->len, bytes, len);
        s->len += len;
}

static void clear_unit(struct wire_unit *unit)
{
        unit->types = 0;
        unit->type = -1;
        unit->asks = unit->answers = false;
        unit->unpaced = false;
        unit->number = 0;
        unit->passed = 0;
}

static void note_frame(struct wire_unit *unit, const struct codec_frame *f)
{
        bool leads = f->asks || f->answers;

        if (f->type < 0)
                return;
        unit->unpaced = (unit->types == 0 || unit->unpaced) && f->unpaced;
        unit->types |= UINT32_C(1) << f->type;
        if (unit->type < 0 || leads)
                unit->type = f->type;
        if (leads)
                unit->number = f->number;
        unit->asks |= f->asks;
        unit->answers |= f->answers;
}

static void cut_unit(struct wire_split *s, struct wire_unit *unit, size_t len)
{
        size_t passed = s->passed < len ? s->passed : len;

        unit->len = (uint16_t)len;
        unit->passed = (uint16_t)passed;
        memcpy(unit->bytes, s->bytes, len);
        s->len -= len;
        s->passed -= passed;
        memmove(s->bytes, s->bytes + len, s->len);
}

bool wire_split_next(struct wire_split *s, const struct codec_ops *codec,
                     struct wire_unit *unit)
{
        struct codec_frame f;
        size_t len = codec->frame_find(s->bytes, s->len, &f);

        clear_unit(unit);
        if (len == 0 && s->len <= WIRE_UNIT_MAX)
                return false;
        if (len == 0 || len > WIRE_UNIT_MAX) {
                s->broken = true;
                cut_unit(s, unit, WIRE_UNIT_MAX);
                return true;
        }
        if (!s->broken)
                note_frame(unit, &f);
        s->broken = false;
        cut_unit(s, unit, len);
        return true;
}

void wire_unit_datagram(struct wire_unit *unit, const struct codec_ops *codec,
                        const uint8_t *bytes, size_t len)
{
        struct codec_frame f;
        size_t n;

        assert(len <= WIRE_UNIT_MAX);
        clear_unit(unit);
        unit->len = (uint16_t)len;
        memcpy(unit->bytes, bytes, len);
        for (size_t at = 0; at < len && codec != NULL; at += n) {
                n = codec->frame_find(bytes + at, len - at, &f);
                if (n == 0)
                        return;
                note_frame(unit, &f);
        }
}

struct queue_head {
        int64_t due_tick;
        size_t len;
};

/* Around the end of the ring in two pieces. */
static void put_bytes(struct wire_queue *q, const void *bytes, size_t len)
{
        size_t at = (q->start + q->count) % sizeof q->bytes;
        size_t first = len < sizeof q->bytes - at ? len : sizeof q->bytes - at;

        memcpy(q->bytes + at, bytes, first);
        memcpy(q->bytes, (const uint8_t *)bytes + first, len - first);
        q->count += len;
}

static void peek_bytes(const struct wire_queue *q, size_t skip, void *bytes, size_t len)
{
        size_t at = (q->start + skip) % sizeof q->bytes;
        size_t first = len < sizeof q->bytes - at ? len : sizeof q->bytes - at;

        memcpy(bytes, q->bytes + at, first);
        memcpy((uint8_t *)bytes + first, q->bytes, len - first);
}

/* At the end. It does not arrive before what is in front of it. */
static void wire_queue_push(struct wire_queue *q, int64_t due_tick, const uint8_t *bytes,
                            size_t len)
{
        struct queue_head h = { .due_tick = due_tick, .len = len };

        if (len == 0)
                return;
        if (sizeof h + len > sizeof q->bytes - q->count) {
                q->lost++;
                return;
        }
        if (q->count > 0 && h.due_tick < q->last_tick)
                h.due_tick = q->last_tick;
        q->last_tick = h.due_tick;
        put_bytes(q, &h, sizeof h);
        put_bytes(q, bytes, len);
}

bool wire_queue_due(const struct wire_queue *q, int64_t tick)
{
        struct queue_head h;

        if (q->count == 0)
                return false;
        peek_bytes(q, 0, &h, sizeof h);
        return h.due_tick <= tick;
}

size_t wire_queue_first(const struct wire_queue *q, int64_t tick, uint8_t *bytes)
{
        struct queue_head h;

        if (!wire_queue_due(q, tick))
                return 0;
        peek_bytes(q, 0, &h, sizeof h);
        peek_bytes(q, sizeof h + q->sent, bytes, h.len - q->sent);
        return h.len - q->sent;
}

void wire_queue_advance(struct wire_queue *q, size_t len)
{
        struct queue_head h;

        peek_bytes(q, 0, &h, sizeof h);
        q->sent += len;
        if (q->sent < h.len)
                return;
        q->start = (q->start + sizeof h + h.len) % sizeof q->bytes;
        q->count -= sizeof h + h.len;
        q->sent = 0;
}

static void wire_queue_clear(struct wire_queue *q)
{
        q->start = q->count = q->sent = 0;
}

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

static void pass_faults(struct wire_lane *l, struct wire_unit *u, int place);

/* The unit that was overtaken goes on behind the fault at that place. */
static void let_held_go(struct wire_lane *l, int slot, int place)
{
        struct wire_unit u = l->held[slot];

        l->holds[slot] = false;
        pass_faults(l, &u, place + 1);
}

static void insert_noise(struct wire_lane *l, struct wire_fault_entry *e,
                         const struct wire_unit *before, struct rng *rng, int place)
{
        struct wire_unit noise = { .due_tick = before->due_tick,
                                   .type = -1,
                                   .len = (uint16_t)e->fault.bytes };

        wire_noise(rng, noise.bytes, noise.len);
        wire_fault_acted(e, noise.len);
        pass_faults(l, &noise, place + 1);
}

static void damage_unit(struct wire_fault_entry *e, struct wire_unit *u, struct rng *rng)
{
        size_t len = u->len;
        int changed;

        u->len = (uint16_t)wire_damage(&e->fault, rng, u->bytes, len, sizeof u->bytes,
                                       &changed);
        if (changed)
                wire_fault_acted(e, len);
}

static void delay_unit(struct wire_fault_entry *e, struct wire_unit *u, int ticks)
{
        u->due_tick += ticks;
        if (ticks > 0)
                wire_fault_acted(e, u->len);
}

/* False: the unit goes no further for now. */
static bool fault_unit(struct wire_lane *l, struct wire_fault_entry *e,
                       struct wire_unit *u, struct rng *rng, int place)
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
                pass_faults(l, &twin, place + 1);
                return true;
        case WIRE_REORDER:
                wire_fault_acted(e, u->len);
                l->held[e->slot] = *u;
                l->holds[e->slot] = true;
                return false;
        case WIRE_DELAY:
                delay_unit(e, u, e->fault.ticks);
                return true;
        case WIRE_JITTER:
                delay_unit(e, u, (int)wire_pick(rng, (size_t)e->fault.ticks + 1));
                return true;
        case WIRE_GARBAGE:
                insert_noise(l, e, u, rng, place);
                return true;
        default:
                damage_unit(e, u, rng);
                return true;
        }
}

/* Past the faults from that place on, in their order, and into the queue. */
static void pass_faults(struct wire_lane *l, struct wire_unit *u, int place)
{
        struct wire_faults *all = l->faults;
        struct rng rng;

        for (; place < all->in_force; place++) {
                struct wire_fault_entry *e = &all->entry[all->order[place]];

                if (!wire_fault_watches(e, l->direction, l->channel) ||
                    wire_fault_overlooks(all, e, u))
                        continue;
                if (l->holds[e->slot]) {
                        pass_faults(l, u, place + 1);
                        let_held_go(l, e->slot, place);
                        return;
                }
                if (wire_fault_acts(all, e, l->direction, l->channel, u, &rng) &&
                    !fault_unit(l, e, u, &rng, place))
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
                pass_faults(l, u, 0);
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
                let_held_go(l, slot, place);
}

void wire_lane_clear(struct wire_lane *l)
{
        wire_queue_clear(&l->queue);
        l->in.len = l->in.passed = 0;
        l->in.broken = false;
        memset(l->holds, 0, sizeof l->holds);
}
