/* The transmit buffer of a part with a UART: whole messages go in or are dropped, bytes leave no
 * faster than the speed allows, in simulated time. */
#pragma once

#include "io/codec/codec.h"

#define TRANSMIT_QUEUE_BYTES 4096

struct transmit_queue {
        uint8_t bytes[TRANSMIT_QUEUE_BYTES];
        size_t first, len;
        uint32_t baud; /* 8N1: ten bits a byte */
        int64_t now_ns; /* of the last tick */
        int64_t free_ns; /* the wire has carried everything that was given out */
        uint64_t dropped; /* messages for which there was no room */
};

/* False: it was dropped. */
bool transmit_queue_put(struct transmit_queue *q, const void *message, size_t len);
/* What stands in the queue leaves at the new speed. */
void transmit_queue_set_baud(struct transmit_queue *q, uint32_t baud);
/* The bytes that had time to leave by t_ns, on channel 0. */
void transmit_queue_send(struct transmit_queue *q, int64_t t_ns, struct packets *out);
