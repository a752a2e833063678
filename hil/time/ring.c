/* Single producer, single consumer. Each side owns one position and publishes it with
 * release; the other reads it with acquire, and only when its own last knowledge is not
 * enough. */
#include "hil/time/ring.h"

#include <assert.h>

/* Every record is preceded by its length; this one says: nothing up to the end, go on at
 * 0. */
#define SKIP   UINT64_MAX
#define PREFIX sizeof(uint64_t)

static uint64_t *prefix_at(const struct ring *r, uint64_t position)
{
        return (uint64_t *)(void *)(r->bytes + (position & (r->size - 1)));
}

/* Bytes that a record takes, prefix and all: the next prefix is aligned again. */
static uint64_t extent(uint64_t len)
{
        return PREFIX + ((len + 7) & ~(uint64_t)7);
}

void ring_init(struct ring *r, void *memory, size_t size)
{
        assert(size >= 64 && (size & (size - 1)) == 0);
        assert(((uintptr_t)memory & 7) == 0);
        r->bytes = memory;
        r->size = size;
        atomic_init(&r->head, 0);
        atomic_init(&r->tail, 0);
        r->claimed = r->tail_seen = r->head_seen = 0;
}

bool ring_fits(const struct ring *r, size_t len)
{
        /* Half, so that it fits before or after the end wherever that falls. */
        return len < r->size && extent(len) <= r->size / 2;
}

void *ring_claim(struct ring *r, size_t len)
{
        uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
        uint64_t to_end = r->size - (head & (r->size - 1));
        uint64_t skip = extent(len) > to_end ? to_end : 0;

        if (!ring_fits(r, len))
                return NULL;
        r->claimed = head + skip + extent(len);
        if (r->claimed - r->tail_seen > r->size) {
                r->tail_seen = atomic_load_explicit(&r->tail, memory_order_acquire);
                if (r->claimed - r->tail_seen > r->size)
                        return NULL;
        }
        if (skip)
                *prefix_at(r, head) = SKIP;
        *prefix_at(r, head + skip) = len;
        return prefix_at(r, head + skip) + 1;
}

void ring_publish(struct ring *r)
{
        atomic_store_explicit(&r->head, r->claimed, memory_order_release);
}

const void *ring_front(struct ring *r, size_t *len)
{
        uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);

        if (tail == r->head_seen) {
                r->head_seen = atomic_load_explicit(&r->head, memory_order_acquire);
                if (tail == r->head_seen)
                        return NULL;
        }
        if (*prefix_at(r, tail) == SKIP) {
                tail += r->size - (tail & (r->size - 1));
                atomic_store_explicit(&r->tail, tail, memory_order_release);
        }
        *len = (size_t)*prefix_at(r, tail);
        return prefix_at(r, tail) + 1;
}

void ring_release(struct ring *r)
{
        uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);

        atomic_store_explicit(&r->tail, tail + extent(*prefix_at(r, tail)),
                              memory_order_release);
}

uint64_t ring_popped(const struct ring *r)
{
        return atomic_load_explicit(&r->tail, memory_order_relaxed);
}
