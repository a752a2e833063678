/* What is on its way over a wire: units in their order, each with the tick at which it arrives. */
#ifndef IO_WIRE_WIRE_QUEUE_H
#define IO_WIRE_WIRE_QUEUE_H

#include "io/wire/wire_split.h"

/* Room for WIRE_FAULT_TICKS_MAX ticks of ordinary frames. */
#define WIRE_QUEUE_BYTES 262144U

/* Zeroed to begin with. */
struct wire_queue {
        size_t start, count; /* in `bytes` */
        size_t sent; /* bytes of the first unit that have arrived already */
        int64_t last_tick; /* at which the newest unit arrives */
        uint64_t lost; /* units that found no room */
        uint8_t bytes[WIRE_QUEUE_BYTES];
};

/* At the end. It does not arrive before what is in front of it. */
void wire_queue_push(struct wire_queue *q, int64_t due_tick, const uint8_t *bytes,
                     size_t len);
/* The first unit's bytes that have not arrived, if it is due; 0: nothing is. */
size_t wire_queue_first(const struct wire_queue *q, int64_t tick, uint8_t *bytes);
/* Whether wire_queue_first() would find something. */
bool wire_queue_due(const struct wire_queue *q, int64_t tick);
/* So many of these bytes have arrived; all of them end the unit. */
void wire_queue_advance(struct wire_queue *q, size_t len);
void wire_queue_clear(struct wire_queue *q);

#endif
