/* Captured samples -> edges. One byte a tick, bit i is pad i (i < 8). */
#ifndef IO_MOTOR_EDGES_H
#define IO_MOTOR_EDGES_H

#include <stddef.h>

#include "io/motor/signal.h"

struct motor_edges {
        uint8_t mask; /* pads that are looked at, 1 << pad */
        bool started; /* the levels before the first sample are not known: no edges */
        uint8_t last;
        int64_t tick; /* of the next sample */
};

/* After a gap: the levels are unknown again, and counting goes on at `tick`. */
void motor_edges_restart(struct motor_edges *e, int64_t tick);

/* Takes samples until all are used or `out` could overflow: one may hold MOTOR_PADS_MAX edges, and
 * cap is at least that. *used says how many. Edges come in order of time, then of pad. Returns their
 * number. */
size_t motor_edges_find(struct motor_edges *e, const uint8_t *samples, size_t count,
                        size_t *used, struct motor_edge *out, size_t cap);

#endif
