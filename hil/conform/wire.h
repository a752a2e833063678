/* The way to a board, and the clock beside it, as the conformance test sees them: a link and the host's
 * clock, or in the tests a board in the same program and a clock that they move. */
#pragma once

#include "io/link/link.h"

struct conform_wire;

struct conform_wire_ops {
        /* ns; never goes back */
        int64_t (*now)(struct conform_wire *w);
        /* All of it on its way. False: the board is gone. */
        bool (*write)(struct conform_wire *w, const uint8_t *bytes, size_t len);
        /* Bytes that have come, 1 to cap; waits for them until until_ns at most. 0: none came until
         * then, or the board is gone. */
        size_t (*read)(struct conform_wire *w, uint8_t *bytes, size_t cap,
                       int64_t until_ns);
        /* So long, ever, somebody on the board's host has waited for a processor, where that is this host. NULL, or
         * always 0: not known. */
        int64_t (*starved)(struct conform_wire *w);
};

struct conform_wire {
        const struct conform_wire_ops *ops;
        bool gone;
        bool stopped; /* by the user, which ends a conversation as if the board were gone */
        struct link *link; /* of conform_wire_link() */
        int stop_fd; /* the same; readable: the user has stopped it; -1: nobody will */
};

/* Over a link that the caller opened and closes, and a descriptor of hil/time/stop_signals.h, or -1. */
void conform_wire_link(struct conform_wire *w, struct link *link, int stop_fd);
/* After a stop: the last words reach the board all the same. */
void conform_wire_resume(struct conform_wire *w);

static inline int64_t conform_wire_starved(struct conform_wire *w)
{
        return w->ops->starved != NULL ? w->ops->starved(w) : 0;
}

static inline int64_t conform_wire_now(struct conform_wire *w)
{
        return w->ops->now(w);
}
