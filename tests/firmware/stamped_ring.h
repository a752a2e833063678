/* Received bytes between an interrupt and the main loop, with the time at which each zero came in: it closes a
 * message. A place for a stamp beside each byte, so that stamps cannot run over where bytes do not. */
#pragma once

#include "tests/firmware/byte_ring.h"

struct stamped_ring {
        struct byte_ring bytes;
        volatile uint32_t stamp[BYTE_RING_SIZE]; /* of a zero in the same place */
};

/* stamp: of a zero; else nothing. False: full, and the byte is lost. */
static inline bool stamped_ring_push(struct stamped_ring *r, uint8_t byte, uint32_t stamp)
{
        /* A full ring's next place is that of the oldest byte. */
        if (byte == 0 && byte_ring_room(&r->bytes) > 0)
                r->stamp[r->bytes.pushed % BYTE_RING_SIZE] = stamp;
        return byte_ring_push(&r->bytes, byte);
}

/* Up to and including the first zero, whose stamp is *stamp then; it stays what it was where the last byte
 * is none. */
static inline size_t stamped_ring_read(struct stamped_ring *r, uint8_t *bytes, size_t cap,
                                       uint32_t *stamp)
{
        size_t n = 0;

        while (n < cap) {
                uint32_t place = r->bytes.popped % BYTE_RING_SIZE;
                uint32_t came = r->stamp[place]; /* its place is the interrupt's then */

                if (!byte_ring_pop(&r->bytes, bytes + n))
                        break;
                if (bytes[n++] != 0)
                        continue;
                *stamp = came;
                break;
        }
        return n;
}
