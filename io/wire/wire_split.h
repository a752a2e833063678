/* A stream of bytes into the frames that stand in it. */
#ifndef IO_WIRE_WIRE_SPLIT_H
#define IO_WIRE_WIRE_SPLIT_H

#include "io/codec/codec.h"

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

/* A datagram of at most WIRE_UNIT_MAX bytes as one unit. */
void wire_unit_datagram(struct wire_unit *unit, const struct codec_ops *codec,
                        const uint8_t *bytes, size_t len);

#endif
