/* One direction of a faulty wire: bytes come in, are cut into the frames that stand in them, pass the faults
 * in force, in the order in which these began, and queue until they are due. */
#pragma once

#include "io/codec/codec.h"
#include "io/wire/fault.h"

/* Longest piece; a frame that is longer comes in several, none of which is a frame. */
#define WIRE_UNIT_MAX 2048

/* What a wire loses, delays or damages as a whole: a frame of a stream, or a datagram with all its
 * frames. */
struct wire_unit {
        int64_t due_tick;
        uint32_t types; /* bit for each type of frame in it */
        int type; /* of the frame that asks or answers, or else the first; -1: none */
        bool asks, answers, unpaced;
        uint32_t number; /* the newest one's */
        uint16_t len;
        uint16_t passed; /* of the first bytes, which have gone on their way already */
        uint8_t bytes[WIRE_UNIT_MAX];
};

/* Zeroed to begin with. */
struct wire_split {
        size_t len, passed; /* the first `passed` bytes have gone on already */
        bool broken; /* what comes next is the rest of something too long */
        uint8_t bytes[2 * WIRE_UNIT_MAX];
};

static inline size_t wire_split_room(const struct wire_split *s)
{
        return sizeof s->bytes - s->len;
}

/* len: at most the room. */
void wire_split_add(struct wire_split *s, const uint8_t *bytes, size_t len);
/* Takes the first whole frame out, or WIRE_UNIT_MAX bytes that are none. False: it is not whole yet;
 * there is room for at least WIRE_UNIT_MAX bytes then. Its due_tick is left to the caller. */
bool wire_split_next(struct wire_split *s, const struct codec_ops *codec,
                     struct wire_unit *unit);

/* A datagram of at most WIRE_UNIT_MAX bytes as one unit, whose frames are not looked for without a codec (NULL). */
void wire_unit_datagram(struct wire_unit *unit, const struct codec_ops *codec,
                        const uint8_t *bytes, size_t len);

/* What is on its way: units in their order, each with the tick at which it arrives. */

/* Room for WIRE_FAULT_TICKS_MAX ticks of ordinary frames. */
#define WIRE_QUEUE_BYTES 262144U

/* Zeroed to begin with. */
struct wire_queue {
        size_t start, count; /* in `bytes` */
        size_t sent; /* bytes of the first unit that have arrived already */
        int64_t last_tick; /* at which the newest unit arrives */
        uint64_t lost; /* units that found no room */
        uint8_t bytes[WIRE_QUEUE_BYTES];
};

/* The first unit's bytes that have not arrived, if it is due; 0: nothing is. */
size_t wire_queue_first(const struct wire_queue *q, int64_t tick, uint8_t *bytes);
/* Whether wire_queue_first() would find something. */
bool wire_queue_due(const struct wire_queue *q, int64_t tick);
/* So many of these bytes have arrived; all of them end the unit. */
void wire_queue_advance(struct wire_queue *q, size_t len);

/* Zeroed before wire_lane_init(). */
struct wire_lane {
        struct wire_faults *faults;
        enum wire_direction direction;
        int channel;
        struct wire_split in; /* of a stream */
        struct wire_queue queue;
        bool holds[WIRE_IN_FORCE_MAX];
        struct wire_unit
                held[WIRE_IN_FORCE_MAX]; /* to be overtaken; by the fault's slot */
};

void wire_lane_init(struct wire_lane *l, struct wire_faults *faults,
                    enum wire_direction direction, int channel);
/* A fault may act on it. */
bool wire_lane_watched(const struct wire_lane *l);
/* A unit has come in whole. */
void wire_lane_come(struct wire_lane *l, struct wire_unit *u);
/* With no fault to look at it, half a frame need not wait for the other half. */
void wire_lane_pass_half(struct wire_lane *l);
/* Whether what is due is lost: silence takes what was on its way, too. */
bool wire_lane_silenced(struct wire_lane *l, size_t len);
/* What the fault at that place holds back goes on behind it. */
void wire_lane_let_go(struct wire_lane *l, int place);
void wire_lane_clear(struct wire_lane *l);
