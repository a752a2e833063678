#include "io/wire/link_faulty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/wire/lane.h"

#define PULLS_MAX 8 /* reads of the inner link in one of this one */
#define TAP_BYTES 8192

struct link_faulty {
        struct link link; /* first: a link is cast to it */
        struct link *inner; /* NULL: unplugged */
        const struct codec_ops *codec;
        struct wire_faults *faults;
        struct wire_lane lane[2]; /* by direction */
        struct wire_split heard; /* what the FC has got, as it finds frames in it */
        bool tapped;
        bool beside; /* an optional channel */
        size_t tap_len;
        uint8_t tap[TAP_BYTES];
};

static struct link_faulty *self(struct link *l)
{
        return (struct link_faulty *)l;
}

static const struct link_faulty *self_const(const struct link *l)
{
        return (const struct link_faulty *)l;
}

/* What comes at once is one unit. */
static bool is_whole(const struct link_faulty *f)
{
        return f->link.packets || f->codec == NULL;
}

/* What the FC has got: its receiver finds the same frames in it. */
static void hear_frames(struct link_faulty *f, const uint8_t *bytes, size_t len)
{
        struct wire_talk *talk = &f->faults->talk;
        struct wire_unit u;

        while (len > 0 && f->codec != NULL) {
                size_t room = wire_split_room(&f->heard), n = len < room ? len : room;

                wire_split_add(&f->heard, bytes, n);
                bytes += n;
                len -= n;
                while (wire_split_next(&f->heard, f->codec, &u)) {
                        bool again =
                                talk->asked && (int32_t)(u.number - talk->newest) <= 0;

                        /* Where nothing is numbered all are 0, and each asks anew. */
                        if (!u.asks || (again && u.number != 0))
                                continue;
                        talk->asked = true;
                        talk->newest = u.number;
                        talk->awaiting = true;
                }
        }
}

/* As link_write(). */
static int hand_on(struct link_faulty *f, const uint8_t *bytes, size_t len)
{
        int n;

        if (f->tapped && len > sizeof f->tap - f->tap_len) {
                if (f->link.packets)
                        return 0;
                len = sizeof f->tap - f->tap_len;
        }
        n = link_write(f->inner, bytes, len);
        f->link.fd = f->inner->fd;
        if (n <= 0)
                return n;
        hear_frames(f, bytes, (size_t)n);
        if (f->tapped) {
                memcpy(f->tap + f->tap_len, bytes, (size_t)n);
                f->tap_len += (size_t)n;
        }
        return n;
}

bool link_faulty_push(struct link *l)
{
        struct link_faulty *f = self(l);
        struct wire_queue *q = &f->lane[WIRE_TO_FC].queue;
        uint8_t bytes[WIRE_UNIT_MAX];
        size_t len;

        if (f->inner == NULL)
                return false;
        while ((len = wire_queue_first(q, f->faults->tick, bytes)) > 0) {
                int n = (int)len;

                if (q->sent > 0 || !wire_lane_silenced(&f->lane[WIRE_TO_FC], len))
                        n = hand_on(f, bytes, len);
                if (n <= 0)
                        return n != LINK_GONE;
                wire_queue_advance(q, (size_t)n);
        }
        return true;
}

/* As they are; the frame they end in is known when a fault begins in the middle of it. */
static int write_through(struct link_faulty *f, const uint8_t *bytes, size_t len)
{
        struct wire_split *in = &f->lane[WIRE_TO_FC].in;
        size_t room = wire_split_room(in);
        struct wire_unit u;
        int n = hand_on(f, bytes, is_whole(f) || len < room ? len : room);

        if (n <= 0 || is_whole(f))
                return n;
        wire_split_add(in, bytes, (size_t)n);
        in->passed = in->len;
        while (wire_split_next(in, f->codec, &u))
                ;
        return n;
}

static int faulty_write(struct link *l, const void *buf, size_t len)
{
        struct link_faulty *f = self(l);
        struct wire_lane *lane = &f->lane[WIRE_TO_FC];
        struct wire_unit u;

        if (!link_faulty_push(l))
                return LINK_GONE;
        if (!link_faulty_pushed(l))
                return 0;
        if (lane->queue.count == 0 && lane->in.passed == lane->in.len &&
            !wire_lane_watched(lane))
                return write_through(f, buf, len);
        if (is_whole(f)) {
                len = len < WIRE_UNIT_MAX ? len : WIRE_UNIT_MAX;
                wire_unit_datagram(&u, f->codec, buf, len);
                wire_lane_come(lane, &u);
        } else {
                len = len < wire_split_room(&lane->in) ? len : wire_split_room(&lane->in);
                wire_split_add(&lane->in, buf, len);
                while (wire_split_next(&lane->in, f->codec, &u))
                        wire_lane_come(lane, &u);
                wire_lane_pass_half(lane);
        }
        return link_faulty_push(l) ? (int)len : LINK_GONE;
}

static bool may_take(const struct link_faulty *f)
{
        /* What comes beside the answers is no part of the talk. */
        return !f->faults->lockstep || f->faults->greeting || f->faults->talk.awaiting ||
               f->beside;
}

static void come_back(struct link_faulty *f, struct wire_unit *u)
{
        struct wire_talk *talk = &f->faults->talk;

        if (u->answers) {
                talk->answers++;
                if (talk->awaiting && (int32_t)(u->number - talk->newest) >= 0)
                        talk->awaiting = false;
        }
        wire_lane_come(&f->lane[WIRE_FROM_FC], u);
}

static void split_stream(struct link_faulty *f)
{
        struct wire_unit u;

        while (may_take(f) && wire_split_next(&f->lane[WIRE_FROM_FC].in, f->codec, &u))
                come_back(f, &u);
}

/* As link_read(), into the queue. */
static int pull_bytes(struct link_faulty *f)
{
        uint8_t bytes[WIRE_UNIT_MAX];
        struct wire_unit u;
        int n;

        if (f->inner == NULL)
                return LINK_GONE;
        if (f->codec != NULL)
                split_stream(f);
        if (!may_take(f))
                return 0;
        link_at(f->inner, f->link.now_ns);
        n = link_read(f->inner, bytes, sizeof bytes);
        f->link.fd = f->inner->fd;
        link_strangers_take(&f->link.strangers, f->inner);
        if (n <= 0)
                return n;
        if (is_whole(f)) {
                wire_unit_datagram(&u, f->codec, bytes, (size_t)n);
                come_back(f, &u);
                return n;
        }
        wire_split_add(&f->lane[WIRE_FROM_FC].in, bytes, (size_t)n);
        split_stream(f);
        if (may_take(f))
                wire_lane_pass_half(&f->lane[WIRE_FROM_FC]);
        return n;
}

/* What is due, a datagram at most. */
static int deliver_due(struct link_faulty *f, uint8_t *buf, size_t cap)
{
        struct wire_queue *q = &f->lane[WIRE_FROM_FC].queue;
        uint8_t bytes[WIRE_UNIT_MAX];
        size_t len, given = 0;

        while ((len = wire_queue_first(q, f->faults->tick, bytes)) > 0) {
                size_t n = len < cap - given ? len : cap - given;

                if (q->sent == 0 && wire_lane_silenced(&f->lane[WIRE_FROM_FC], len)) {
                        wire_queue_advance(q, len);
                        continue;
                }
                memcpy(buf + given, bytes, n);
                given += n;
                wire_queue_advance(q, f->link.packets ? len : n);
                if (f->link.packets || given == cap)
                        break;
        }
        return (int)given;
}

static int faulty_read(struct link *l, void *buf, size_t cap)
{
        struct link_faulty *f = self(l);
        int given = 0, n = 1;

        if (cap == 0)
                return 0;
        if (cap > WIRE_QUEUE_BYTES)
                cap = WIRE_QUEUE_BYTES;
        given = deliver_due(f, buf, cap);
        for (int i = 0; given == 0 && n > 0 && i < PULLS_MAX; i++) {
                n = pull_bytes(f);
                given = deliver_due(f, buf, cap);
        }
        return given > 0 ? given : n == LINK_GONE ? LINK_GONE : 0;
}

static void faulty_close(struct link *l)
{
        struct link_faulty *f = self(l);

        if (f->inner != NULL)
                link_close(f->inner);
        free(f);
}

static void faulty_confirm(struct link *l)
{
        struct link_faulty *f = self(l);

        if (f->inner != NULL)
                link_confirm(f->inner);
}

static uint32_t faulty_speed(struct link *l, uint32_t own)
{
        struct link_faulty *f = self(l);

        return f->inner != NULL && f->inner->ops->speed != NULL
                       ? f->inner->ops->speed(f->inner, own)
                       : 0;
}

static const struct link_ops faulty_ops = {
        .write = faulty_write,
        .read = faulty_read,
        .confirm = faulty_confirm,
        .speed = faulty_speed,
        .close = faulty_close,
};

static void wrap_inner(struct link_faulty *f, struct link *inner)
{
        f->inner = inner;
        f->link.fd = inner->fd;
        f->link.packets = inner->packets;
        memcpy(f->link.name, inner->name, sizeof f->link.name);
        memcpy(f->link.note, inner->note, sizeof f->link.note);
}

struct link *link_faulty_open(struct link *inner, const struct codec_ops *codec,
                              struct wire_faults *faults, int channel)
{
        struct link_faulty *f = calloc(1, sizeof *f);

        if (f == NULL)
                return NULL;
        f->link.ops = &faulty_ops;
        f->codec = codec;
        f->faults = faults;
        f->beside = codec != NULL && codec->channel[channel].optional;
        for (int d = 0; d < 2; d++)
                wire_lane_init(&f->lane[d], faults, (enum wire_direction)d, channel);
        if (inner != NULL)
                wrap_inner(f, inner);
        else
                f->link.fd = -1;
        return &f->link;
}

bool link_faulty_pushed(const struct link *l)
{
        const struct link_faulty *f = self_const(l);

        return !wire_queue_due(&f->lane[WIRE_TO_FC].queue, f->faults->tick);
}

bool link_faulty_readable(const struct link *l)
{
        const struct link_faulty *f = self_const(l);

        return wire_queue_due(&f->lane[WIRE_FROM_FC].queue, f->faults->tick);
}

void link_faulty_let_go(struct link *l, int place)
{
        struct link_faulty *f = self(l);

        for (int d = 0; d < 2; d++)
                wire_lane_let_go(&f->lane[d], place);
}

void link_faulty_clear(struct link *l)
{
        struct link_faulty *f = self(l);

        for (int d = 0; d < 2; d++)
                wire_lane_clear(&f->lane[d]);
}

void link_faulty_plug(struct link *l, struct link *inner)
{
        struct link_faulty *f = self(l);

        if (f->inner != NULL)
                link_close(f->inner);
        f->inner = NULL;
        f->link.fd = -1;
        link_faulty_clear(l);
        f->heard.len = 0;
        f->heard.broken = false;
        if (inner != NULL)
                wrap_inner(f, inner);
}

uint64_t link_faulty_lost(const struct link *l)
{
        const struct link_faulty *f = self_const(l);

        return f->lane[0].queue.lost + f->lane[1].queue.lost;
}

void link_faulty_tap(struct link *l, bool on)
{
        self(l)->tapped = on;
        self(l)->tap_len = 0;
}

size_t link_faulty_tapped(struct link *l, uint8_t *bytes, size_t cap)
{
        struct link_faulty *f = self(l);
        size_t n = f->tap_len < cap ? f->tap_len : cap;

        if (n > 0)
                memcpy(bytes, f->tap, n);
        f->tap_len -= n;
        memmove(f->tap, f->tap + n, f->tap_len);
        return n;
}
