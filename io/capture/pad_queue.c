/* Records from an interrupt to the main loop of a capture board. C99, no allocation, no lock. */
#include "io/capture/pad_queue.h"

int pad_queue_put(struct pad_queue *q, const struct pad_record *r)
{
        uint32_t written = q->written;

        if (written - q->read >= PAD_QUEUE_SIZE) {
                q->dropped++;
                return 0;
        }
        q->record[written % PAD_QUEUE_SIZE] = *r;
        q->written = written + 1;
        return 1;
}

void pad_queue_clear(struct pad_queue *q)
{
        q->read = q->written;
}

/* A record that an interrupt queued after until_tick was read waits for the next frame. */
static int is_before(const struct pad_batch *b, const struct pad_record *r)
{
        return (uint32_t)b->until_tick - r->tick < 0x80000000U;
}

/* Everything before until_tick must have been reported. */
static uint64_t first_waiting(const struct pad_queue *q, const struct pad_batch *b,
                              uint32_t read, uint32_t written)
{
        uint64_t first = b->until_tick;

        for (; read != written; read++) {
                struct pad_record r = q->record[read % PAD_QUEUE_SIZE];

                if (is_before(b, &r) && pad_tick(b, &r) < first)
                        first = pad_tick(b, &r);
        }
        return first;
}

size_t pad_queue_take(struct pad_queue *q, uint64_t until_tick, uint8_t *frame)
{
        struct pad_message m = { .type = PAD_BATCH };
        struct pad_batch *b = &m.u.batch;
        uint32_t written = q->written, read = q->read;
        uint8_t payload[PAD_PAYLOAD_MAX];
        uint64_t first;

        b->sequence = q->sequence++;
        b->dropped = q->dropped;
        b->until_tick = until_tick;
        while (read != written && b->count < PAD_RECORD_BATCH_MAX) {
                struct pad_record r = q->record[read % PAD_QUEUE_SIZE];

                if (!is_before(b, &r))
                        break;
                b->record[b->count++] = r;
                read++;
        }
        first = first_waiting(q, b, read, written);
        q->read = read;
        /* But not before the records of this frame: their ticks count back from until_tick. */
        for (uint8_t i = 0; i < b->count; i++)
                if (first < pad_tick(b, &b->record[i]))
                        first = pad_tick(b, &b->record[i]);
        b->until_tick = first;
        return hilp_frame_encode(payload, pad_encode(&m, payload), frame);
}
