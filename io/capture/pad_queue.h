/* The board's side of the record format: records wait here between the interrupt that made them and
 * the main loop that sends them. One writer, one reader, on one core, no lock; a full queue drops
 * and counts. C99, integers only, no allocation. */
#pragma once

#include "io/capture/pad_record.h"

#define PAD_QUEUE_SIZE 128 /* a power of two */

struct pad_queue {
        volatile struct pad_record record[PAD_QUEUE_SIZE];
        volatile uint32_t written, read; /* since the start */
        volatile uint32_t dropped;
        uint8_t sequence; /* of the next batch */
};

/* Called from the interrupt. 0: no room, counted. */
int pad_queue_put(struct pad_queue *q, const struct pad_record *r);
/* Called from the main loop: one frame for the wire, HILP_FRAME_MAX bytes at most, with up to 16
 * records. until_tick: the timer's 64 bits, read before this call, but no later than the start of
 * the oldest pulse or frame that has begun and is not queued yet. No record may wait for 2^31
 * ticks. While more records wait than fit into the frame, it carries the time of the first waiting
 * one instead. Returns its length. */
size_t pad_queue_take(struct pad_queue *q, uint64_t until_tick, uint8_t *frame);
/* On PAD_ASK: discards the queue. */
void pad_queue_clear(struct pad_queue *q);
