#include "hil/reference/fc_inside.h"

#include <stdio.h>
#include <stdlib.h>

#include "hil/reference/fc_board.h"
#include "hil/text/version.h"
#include "hil/time/clock.h"

/* Answers to some frames that nobody took yet. */
#define OUT_MAX (16 * FC_BOARD_OUT_MAX)

struct fc_inside {
        struct link link;
        struct fc_board board;
        size_t len, taken; /* of what it has said */
        uint8_t out[OUT_MAX];
};

static struct fc_inside *inside_of(struct link *l)
{
        return (struct fc_inside *)(void *)l;
}

/* What is not taken in for want of room to answer is offered again, as by a full queue. */
static int inside_write(struct link *l, const void *buf, size_t len)
{
        struct fc_inside *f = inside_of(l);
        const uint8_t *bytes = buf;
        size_t at = 0, said;

        while (at < len && f->len + FC_BOARD_OUT_MAX <= OUT_MAX) {
                at += fc_board_receive(&f->board, bytes + at, len - at, clock_now_ns(),
                                       f->out + f->len, &said);
                f->len += said;
        }
        return (int)at;
}

static int inside_read(struct link *l, void *buf, size_t cap)
{
        struct fc_inside *f = inside_of(l);
        size_t n = f->len - f->taken < cap ? f->len - f->taken : cap;

        if (n == 0)
                return 0;
        memcpy(buf, f->out + f->taken, n);
        f->taken += n;
        if (f->taken == f->len)
                f->taken = f->len = 0;
        return (int)n;
}

static void inside_close(struct link *l)
{
        free(inside_of(l));
}

static const struct link_ops inside_ops = {
        .write = inside_write,
        .read = inside_read,
        .close = inside_close,
};

struct link *fc_inside_open(const struct fc_params *p, struct link_error *why)
{
        struct fc_inside *f = calloc(1, sizeof *f);
        char name[40];

        if (f == NULL)
                return link_refuse(why, "inside: out of memory");
        snprintf(name, sizeof name, "hilrig-fc %s", hilrig_version());
        fc_board_init(&f->board, p, name, (uint32_t)(clock_now_ns() / NS_PER_US));
        f->link = (struct link){ .ops = &inside_ops, .fd = -1 };
        snprintf(f->link.name, sizeof f->link.name, "inside");
        return &f->link;
}
