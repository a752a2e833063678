#include "io/wire/wire_queue.h"

#include <string.h>

struct head {
        int64_t due_tick;
        size_t len;
};

/* Around the end of the ring in two pieces. */
static void put(struct wire_queue *q, const void *bytes, size_t len)
{
        size_t at = (q->start + q->count) % sizeof q->bytes;
        size_t first = len < sizeof q->bytes - at ? len : sizeof q->bytes - at;

        memcpy(q->bytes + at, bytes, first);
        memcpy(q->bytes, (const uint8_t *)bytes + first, len - first);
        q->count += len;
}

static void peek(const struct wire_queue *q, size_t skip, void *bytes, size_t len)
{
        size_t at = (q->start + skip) % sizeof q->bytes;
        size_t first = len < sizeof q->bytes - at ? len : sizeof q->bytes - at;

        memcpy(bytes, q->bytes + at, first);
        memcpy((uint8_t *)bytes + first, q->bytes, len - first);
}

void wire_queue_push(struct wire_queue *q, int64_t due_tick, const uint8_t *bytes,
                     size_t len)
{
        struct head h = { .due_tick = due_tick, .len = len };

        if (len == 0)
                return;
        if (sizeof h + len > sizeof q->bytes - q->count) {
                q->lost++;
                return;
        }
        if (q->count > 0 && h.due_tick < q->last_tick)
                h.due_tick = q->last_tick;
        q->last_tick = h.due_tick;
        put(q, &h, sizeof h);
        put(q, bytes, len);
}

bool wire_queue_due(const struct wire_queue *q, int64_t tick)
{
        struct head h;

        if (q->count == 0)
                return false;
        peek(q, 0, &h, sizeof h);
        return h.due_tick <= tick;
}

size_t wire_queue_first(const struct wire_queue *q, int64_t tick, uint8_t *bytes)
{
        struct head h;

        if (!wire_queue_due(q, tick))
                return 0;
        peek(q, 0, &h, sizeof h);
        peek(q, sizeof h + q->sent, bytes, h.len - q->sent);
        return h.len - q->sent;
}

void wire_queue_advance(struct wire_queue *q, size_t len)
{
        struct head h;

        peek(q, 0, &h, sizeof h);
        q->sent += len;
        if (q->sent < h.len)
                return;
        q->start = (q->start + sizeof h + h.len) % sizeof q->bytes;
        q->count -= sizeof h + h.len;
        q->sent = 0;
}

void wire_queue_clear(struct wire_queue *q)
{
        q->start = q->count = q->sent = 0;
}
