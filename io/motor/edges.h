/* Captured samples -> edges. One byte per tick, bit i is pad i (i < 8). */
#pragma once

#include <stddef.h>

#include "io/motor/signal.h"

struct motor_edges {
        uint8_t mask; /* pads in use, 1 << pad */
        bool started; /* false: levels before the first sample are unknown, so no edges */
        uint8_t last;
        int64_t tick; /* of the next sample */
};

/* After a gap: the levels are unknown again, and counting continues at `tick`. */
void motor_edges_restart(struct motor_edges *e, int64_t tick);

/* Consumes samples until all are used or `out` could overflow: one sample may hold MOTOR_PADS_MAX
 * edges, and cap is at least that. *used is the number consumed. Edges are in order of time, then
 * of pad. Returns their number. */
size_t motor_edges_find(struct motor_edges *e, const uint8_t *samples, size_t count,
                        size_t *used, struct motor_edge *out, size_t cap);
