/* A queue of records between one thread that pushes and one that pops: no lock, no
 * allocation, no system call. A record lies in one piece, aligned to 8 bytes, and is
 * written and read in place. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_LINE                                                                        \
        64 /* bytes of a cache line: the two threads' variables are kept apart */

struct ring {
        uint8_t *bytes;
        size_t size; /* a power of two */

        /* The pushing thread's. Positions count bytes from the start and never wrap. */
        _Alignas(RING_LINE) _Atomic uint64_t head;
        uint64_t claimed; /* head once the claimed record is published */
        uint64_t tail_seen; /* newest tail known to this side */

        /* The popping thread's. */
        _Alignas(RING_LINE) _Atomic uint64_t tail;
        uint64_t head_seen;
};

/* memory: 8-aligned, kept until the ring is done with; size: a power of two, 64 or more.
 */
void ring_init(struct ring *r, void *memory, size_t size);

/* Whether a record of this length can ever be pushed: up to half the ring's size, less 8.
 */
bool ring_fits(const struct ring *r, size_t len);

/* Pushing thread: room for a record, or NULL: full. Claiming again before publishing
 * gives up the earlier claim. */
void *ring_claim(struct ring *r, size_t len);
void ring_publish(struct ring *r);

/* Popping thread: the oldest record, or NULL: empty. It stays until it is released. */
const void *ring_front(struct ring *r, size_t *len);
void ring_release(struct ring *r);
/* Popping thread: so many bytes of the ring so far, and what they stood between. */
uint64_t ring_popped(const struct ring *r);
