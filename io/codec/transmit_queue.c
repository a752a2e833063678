/* A ring of bytes and the time at which the wire is free for the next one. */
#include "io/codec/transmit_queue.h"

#include <assert.h>
#include <string.h>

bool transmit_queue_put(struct transmit_queue *q, const void *message, size_t len)
{
        const uint8_t *from = message;

        if (len > TRANSMIT_QUEUE_BYTES - q->len) {
                q->dropped++;
                return false;
        }
        /* An idle wire does not save up time. */
        if (q->len == 0 && q->free_ns < q->now_ns)
                q->free_ns = q->now_ns;
        for (size_t i = 0; i < len; i++)
                q->bytes[(q->first + q->len + i) % TRANSMIT_QUEUE_BYTES] = from[i];
        q->len += len;
        return true;
}

void transmit_queue_set_baud(struct transmit_queue *q, uint32_t baud)
{
        assert(baud > 0);
        /* The byte that was under way at the old speed is sent anew. */
        if (q->baud != baud && q->free_ns < q->now_ns)
                q->free_ns = q->now_ns;
        q->baud = baud;
}

static struct packet *packet_with_room(struct packets *out)
{
        struct packet *p = out->count > 0 ? &out->packet[out->count - 1] : NULL;

        if (p != NULL && p->channel == 0 && p->len < PACKET_MAX)
                return p;
        if (out->count == CODEC_PACKETS_MAX)
                return NULL;
        p = &out->packet[out->count++];
        p->channel = 0;
        p->len = 0;
        return p;
}

void transmit_queue_send(struct transmit_queue *q, int64_t t_ns, struct packets *out)
{
        int64_t byte_ns = (10000000000LL + q->baud - 1) / q->baud;

        q->now_ns = t_ns;
        while (q->len > 0 && q->free_ns + byte_ns <= t_ns) {
                struct packet *p = packet_with_room(out);

                if (p == NULL)
                        return;
                p->bytes[p->len++] = q->bytes[q->first];
                q->first = (q->first + 1) % TRANSMIT_QUEUE_BYTES;
                q->len--;
                q->free_ns += byte_ns;
        }
}
