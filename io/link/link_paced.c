#include "io/link/link_paced.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITS_PER_BYTE 10
#define NS_PER_S      1000000000

struct paced {
        struct link link; /* first: a link is cast to it */
        struct link *under;
        uint32_t baud;
        int64_t now_ns;
        int64_t spent; /* bit times times baud, in ns: what is left over from the last byte */
        size_t capacity, count;
        uint8_t bytes[];
};

static int paced_write(struct link *l, const void *buf, size_t len)
{
        struct paced *p = (struct paced *)l;
        size_t room = p->capacity - p->count;
        size_t n = len < room ? len : room;

        memcpy(p->bytes + p->count, buf, n);
        p->count += n;
        return n < INT_MAX ? (int)n : INT_MAX;
}

static int paced_read(struct link *l, void *buf, size_t cap)
{
        return link_read(((struct paced *)l)->under, buf, cap);
}

static void paced_close(struct link *l)
{
        link_close(((struct paced *)l)->under);
        free(l);
}

static const struct link_ops paced_ops = {
        .write = paced_write,
        .read = paced_read,
        .close = paced_close,
};

struct link *link_paced_open(struct link *under, uint32_t baud, size_t queue)
{
        struct paced *p = calloc(1, sizeof *p + queue);

        if (p == NULL)
                return NULL;
        p->link.ops = &paced_ops;
        p->link.fd = under->fd;
        snprintf(p->link.name, sizeof p->link.name, "%.100s at %u baud", under->name,
                 baud);
        p->under = under;
        p->baud = baud;
        p->capacity = queue;
        return &p->link;
}

/* How many bytes the elapsed time allows; an idle line does not accumulate time. */
static size_t due(struct paced *p, int64_t t_ns)
{
        const int64_t byte = (int64_t)BITS_PER_BYTE * NS_PER_S;
        int64_t gained = (t_ns - p->now_ns) * p->baud + p->spent;
        size_t n = (size_t)(gained / byte);

        p->now_ns = t_ns;
        if (n >= p->count) {
                p->spent = 0;
                return p->count;
        }
        p->spent = gained % byte;
        return n;
}

bool link_paced_pass(struct link *l, int64_t t_ns)
{
        struct paced *p = (struct paced *)l;
        size_t n = due(p, t_ns), at = 0;

        while (at < n) {
                int written = link_write(p->under, p->bytes + at, n - at);

                if (written == LINK_GONE)
                        return false;
                if (written == 0)
                        break;
                at += (size_t)written;
        }
        p->count -= at;
        memmove(p->bytes, p->bytes + at, p->count);
        return true;
}

size_t link_paced_waiting(const struct link *l)
{
        return ((const struct paced *)l)->count;
}
