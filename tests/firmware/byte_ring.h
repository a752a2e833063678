/* Bytes between an interrupt and the main loop: one side pushes, the other pops, and neither waits. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BYTE_RING_SIZE 1024 /* a power of two */

struct byte_ring {
        volatile uint32_t pushed, popped; /* counts, that wrap */
        uint8_t byte[BYTE_RING_SIZE];
};

static inline uint32_t byte_ring_used(const struct byte_ring *r)
{
        return r->pushed - r->popped;
}

static inline uint32_t byte_ring_room(const struct byte_ring *r)
{
        return BYTE_RING_SIZE - byte_ring_used(r);
}

/* False: full, and the byte is lost. */
static inline bool byte_ring_push(struct byte_ring *r, uint8_t byte)
{
        if (byte_ring_room(r) == 0)
                return false;
        r->byte[r->pushed % BYTE_RING_SIZE] = byte;
        /* One core: the interrupt sees the compiler's order. */
        __asm__ volatile("" ::: "memory");
        r->pushed++;
        return true;
}

/* False: empty. */
static inline bool byte_ring_pop(struct byte_ring *r, uint8_t *byte)
{
        if (byte_ring_used(r) == 0)
                return false;
        *byte = r->byte[r->popped % BYTE_RING_SIZE];
        __asm__ volatile("" ::: "memory");
        r->popped++;
        return true;
}

static inline size_t byte_ring_read(struct byte_ring *r, uint8_t *bytes, size_t cap)
{
        size_t n = 0;

        while (n < cap && byte_ring_pop(r, bytes + n))
                n++;
        return n;
}

/* All of it, or nothing where it does not fit. */
static inline bool byte_ring_write(struct byte_ring *r, const uint8_t *bytes, size_t len)
{
        if (byte_ring_room(r) < len)
                return false;
        for (size_t i = 0; i < len; i++)
                byte_ring_push(r, bytes[i]);
        return true;
}
