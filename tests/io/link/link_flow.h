/* Bytes in pieces of random size through a link, checked one by one at the other end. */
#pragma once

#include "tests/io/link/link_ends.h"

/* A stream of bytes that both ends can produce, and sizes to cut it by. */
struct noise {
        uint64_t state;
};

static inline uint32_t noise_next(struct noise *n)
{
        n->state = n->state * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(n->state >> 33);
}

static inline uint8_t noise_byte(size_t position, uint8_t salt)
{
        return (uint8_t)((position * 2654435761u >> 13) ^ position ^ salt);
}

/* One direction: how far the writer and the reader have come. */
struct flow {
        struct link *from, *to;
        uint8_t salt;
        size_t written, read;
};

static inline void write_chunk(struct flow *f, struct noise *sizes, size_t total)
{
        uint8_t chunk[3000];
        size_t len = 1 + noise_next(sizes) % sizeof chunk;
        int n;

        if (len > total - f->written)
                len = total - f->written;
        for (size_t i = 0; i < len; i++)
                chunk[i] = noise_byte(f->written + i, f->salt);
        n = link_write(f->from, chunk, len);
        ck_assert_int_ge(n, 0);
        ck_assert_int_le(n, (int)len);
        f->written += (size_t)n;
}

/* Returns the bytes that came. */
static inline int read_chunk(struct flow *f, struct noise *sizes)
{
        uint8_t chunk[3000];
        size_t cap = 1 + noise_next(sizes) % sizeof chunk;
        int n = link_read(f->to, chunk, cap), same = 0;

        ck_assert_int_ge(n, 0);
        ck_assert_int_le(n, (int)cap);
        for (int i = 0; i < n; i++)
                same += chunk[i] == noise_byte(f->read + (size_t)i, f->salt);
        ck_assert_int_eq(same, n);
        f->read += (size_t)n;
        return n;
}

static inline void carry_both_ways(struct link *a, struct link *b, size_t total)
{
        struct flow down = { a, b, 0x5a, 0, 0 }, up = { b, a, 0xa5, 0, 0 };
        struct noise sizes = { 12345 };

        while (down.read < total || up.read < total) {
                size_t before = down.written + up.written + down.read + up.read;

                write_chunk(&down, &sizes, total);
                read_chunk(&up, &sizes);
                write_chunk(&up, &sizes, total);
                read_chunk(&down, &sizes);
                if (down.written + up.written + down.read + up.read == before)
                        wait_for(up.read < up.written ? a : b, POLLIN);
        }
        ck_assert_uint_eq(down.written, total);
        ck_assert_uint_eq(up.written, total);
}
