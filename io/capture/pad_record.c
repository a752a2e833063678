/* A capture board's messages <-> bytes, little-endian. Knows no link and no timer. Only C99 and
 * memcpy, so that any firmware can use it. */
#include "io/capture/pad_record.h"

#include <string.h>

#define HELLO_HEAD  11
#define BATCH_HEAD  15
#define RECORD_HEAD 5

static uint8_t *put(uint8_t *p, uint64_t value, size_t bytes)
{
        for (size_t i = 0; i < bytes; i++)
                *p++ = (uint8_t)(value >> (8 * i) & 0xFF);
        return p;
}

static uint64_t get(const uint8_t *p, size_t bytes)
{
        uint64_t value = 0;

        for (size_t i = 0; i < bytes; i++)
                value |= (uint64_t)p[i] << (8 * i);
        return value;
}

static size_t record_size(uint8_t kind)
{
        return RECORD_HEAD + (kind == PAD_EDGE ? 0U : kind == PAD_PULSE ? 4U : 6U);
}

/* Bits 0 and 1 of a record's first byte: kind; 2 to 4: pad; 5 to 7: level, low or protocol. */
static int is_valid(const struct pad_record *r)
{
        if (r->kind > PAD_DSHOT_INVERTED || r->pad >= PAD_RECORD_PADS_MAX)
                return 0;
        if (r->kind == PAD_EDGE)
                return r->level <= 1;
        if (r->kind == PAD_PULSE)
                return r->low <= 1;
        return r->protocol >= 1 && r->protocol <= 4;
}

static uint8_t *put_record(uint8_t *p, const struct pad_record *r)
{
        uint8_t what = r->kind == PAD_EDGE    ? r->level
                       : r->kind == PAD_PULSE ? r->low
                                              : r->protocol;

        *p++ = (uint8_t)(r->kind | r->pad << 2 | what << 5);
        p = put(p, r->tick, 4);
        if (r->kind == PAD_EDGE)
                return p;
        p = put(p, r->width, 4);
        return r->kind == PAD_PULSE ? p : put(p, r->raw, 2);
}

static size_t encode_hello(const struct pad_hello *h, uint8_t *payload)
{
        const char *end = memchr(h->name, 0, sizeof h->name);
        size_t len = end != NULL ? (size_t)(end - h->name) : PAD_NAME_MAX;
        uint8_t *p = payload;

        if (h->pads < 1 || h->pads > PAD_RECORD_PADS_MAX || h->tick_hz == 0)
                return 0;
        p = put(p, PAD_HELLO, 1);
        p = put(p, h->version, 1);
        p = put(p, h->pads, 1);
        p = put(p, h->tick_hz, 4);
        p = put(p, h->unique, 4);
        memcpy(p, h->name, len);
        return (size_t)(p - payload) + len;
}

static size_t encode_batch(const struct pad_batch *b, uint8_t *payload)
{
        uint8_t *p = payload;

        if (b->count > PAD_RECORD_BATCH_MAX || b->until_tick >= PAD_TICK_LIMIT)
                return 0;
        p = put(p, PAD_BATCH, 1);
        p = put(p, b->sequence, 1);
        p = put(p, b->dropped, 4);
        p = put(p, b->until_tick, 8);
        p = put(p, b->count, 1);
        for (uint8_t i = 0; i < b->count; i++) {
                if (!is_valid(&b->record[i]))
                        return 0;
                p = put_record(p, &b->record[i]);
        }
        return (size_t)(p - payload);
}

size_t pad_encode(const struct pad_message *m, uint8_t *payload)
{
        switch (m->type) {
        case PAD_HELLO:
                return encode_hello(&m->u.hello, payload);
        case PAD_BATCH:
                return encode_batch(&m->u.batch, payload);
        case PAD_ASK:
                payload[0] = PAD_ASK;
                return 1;
        default:
                return 0;
        }
}

static int decode_hello(struct pad_hello *h, const uint8_t *p, size_t len)
{
        size_t name;

        if (len < HELLO_HEAD || len > HELLO_HEAD + PAD_NAME_MAX)
                return 0;
        name = len - HELLO_HEAD;
        h->version = p[1];
        h->pads = p[2];
        h->tick_hz = (uint32_t)get(p + 3, 4);
        h->unique = (uint32_t)get(p + 7, 4);
        memcpy(h->name, p + HELLO_HEAD, name);
        h->name[name] = '\0';
        return h->pads >= 1 && h->pads <= PAD_RECORD_PADS_MAX && h->tick_hz > 0 &&
               memchr(h->name, 0, name) == NULL;
}

/* Length of the record at p, of at most `len` bytes; 0: not a record. */
static size_t decode_record(struct pad_record *r, const uint8_t *p, size_t len)
{
        uint8_t what;
        size_t size;

        if (len < RECORD_HEAD)
                return 0;
        r->kind = p[0] & 3;
        r->pad = p[0] >> 2 & 7;
        what = p[0] >> 5;
        size = record_size(r->kind);
        if (len < size)
                return 0;
        r->level = r->kind == PAD_EDGE ? what : 0;
        r->low = r->kind == PAD_PULSE ? what : 0;
        r->protocol = r->kind >= PAD_DSHOT ? what : 0;
        r->tick = (uint32_t)get(p + 1, 4);
        r->width = r->kind != PAD_EDGE ? (uint32_t)get(p + 5, 4) : 0;
        r->raw = r->kind >= PAD_DSHOT ? (uint16_t)get(p + 9, 2) : 0;
        return is_valid(r) ? size : 0;
}

static int decode_batch(struct pad_batch *b, const uint8_t *p, size_t len)
{
        size_t at = BATCH_HEAD;

        if (len < BATCH_HEAD)
                return 0;
        b->sequence = p[1];
        b->dropped = (uint32_t)get(p + 2, 4);
        b->until_tick = get(p + 6, 8);
        b->count = p[14];
        if (b->count > PAD_RECORD_BATCH_MAX || b->until_tick >= PAD_TICK_LIMIT)
                return 0;
        for (uint8_t i = 0; i < b->count; i++) {
                size_t size = decode_record(&b->record[i], p + at, len - at);

                if (size == 0)
                        return 0;
                at += size;
        }
        return at == len;
}

int pad_decode(struct pad_message *m, const uint8_t *payload, size_t len)
{
        if (len == 0)
                return 0;
        m->type = payload[0];
        switch (m->type) {
        case PAD_HELLO:
                return decode_hello(&m->u.hello, payload, len);
        case PAD_BATCH:
                return decode_batch(&m->u.batch, payload, len);
        default:
                return m->type == PAD_ASK && len == 1;
        }
}

uint64_t pad_tick(const struct pad_batch *b, const struct pad_record *r)
{
        uint32_t before = (uint32_t)b->until_tick - r->tick;

        return b->until_tick >= before ? b->until_tick - before : 0;
}
