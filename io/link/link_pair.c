/* Two ends in memory, for tests. A queue for each direction, and nothing else: no
 * descriptor, no thread, no clock. */
#include "io/link/link.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct queue {
        uint8_t *bytes;
        size_t capacity, start, count;
};

struct pair;

struct end {
        struct link link; /* first: a link is cast to its end */
        struct pair *pair;
        struct queue inbox;
        bool open;
};

struct pair {
        struct end end[2];
        uint8_t storage[];
};

static struct end *other(const struct end *e)
{
        return &e->pair->end[e == &e->pair->end[0]];
}

static int pair_write(struct link *l, const void *buf, size_t len)
{
        struct end *to = other((struct end *)l);
        struct queue *q = &to->inbox;
        const uint8_t *bytes = buf;
        size_t room = q->capacity - q->count;
        size_t n = len < room ? len : room;

        if (!to->open)
                return LINK_GONE;
        if (n > INT_MAX)
                n = INT_MAX;
        for (size_t i = 0; i < n; i++)
                q->bytes[(q->start + q->count++) % q->capacity] = bytes[i];
        return (int)n;
}

static int pair_read(struct link *l, void *buf, size_t cap)
{
        struct end *e = (struct end *)l;
        struct queue *q = &e->inbox;
        uint8_t *bytes = buf;
        size_t n = cap < q->count ? cap : q->count;

        if (q->count == 0)
                return other(e)->open || cap == 0 ? 0 : LINK_GONE;
        if (n > INT_MAX)
                n = INT_MAX;
        for (size_t i = 0; i < n; i++) {
                bytes[i] = q->bytes[q->start];
                q->start = (q->start + 1) % q->capacity;
        }
        q->count -= n;
        return (int)n;
}

static void pair_close(struct link *l)
{
        struct end *e = (struct end *)l;

        e->open = false;
        if (!other(e)->open)
                free(e->pair);
}

static const struct link_ops pair_ops = {
        .write = pair_write,
        .read = pair_read,
        .close = pair_close,
};

bool link_pair_open(struct link **a, struct link **b, size_t capacity)
{
        if (capacity == 0 || capacity > (SIZE_MAX - sizeof(struct pair)) / 2)
                return false;

        struct pair *pair = calloc(1, sizeof *pair + 2 * capacity);

        if (pair == NULL)
                return false;
        for (int i = 0; i < 2; i++) {
                struct end *e = &pair->end[i];

                e->link.ops = &pair_ops;
                e->link.fd = -1;
                snprintf(e->link.name, sizeof e->link.name, "pair %c", "ab"[i]);
                e->pair = pair;
                e->inbox.bytes = pair->storage + (size_t)i * capacity;
                e->inbox.capacity = capacity;
                e->open = true;
        }
        *a = &pair->end[0].link;
        *b = &pair->end[1].link;
        return true;
}
