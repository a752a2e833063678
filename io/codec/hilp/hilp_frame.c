/* HILP framing: CRC-16, COBS stuffing, and a receiver that resynchronises at every zero
 * byte. It knows nothing of what a payload means. C99 and memcpy alone, so that any
 * firmware can take it. */
#include "io/codec/hilp/hilp_frame.h"

#include <string.h>

/* A payload and its CRC; shorter than 254 bytes, so that COBS adds exactly one byte and
 * its code 0xFF never occurs. */
#define BODY_MAX (HILP_PAYLOAD_MAX + 2)

uint16_t hilp_crc16(const uint8_t *bytes, size_t len)
{
        uint32_t crc = 0xFFFF;

        /* One byte at a time without a table: x is what the polynomial 0x1021 folds back.
         */
        for (size_t i = 0; i < len; i++) {
                uint32_t x = (crc >> 8) ^ bytes[i];

                x ^= x >> 4;
                crc = ((crc << 8) ^ (x << 12) ^ (x << 5) ^ x) & 0xFFFF;
        }
        return (uint16_t)crc;
}

/* COBS: each zero becomes the distance to the next one; the first byte points at the
 * first. */
static size_t stuff(const uint8_t *body, size_t len, uint8_t *out)
{
        size_t code_at = 0, n = 1;

        for (size_t i = 0; i < len; i++) {
                if (body[i] != 0) {
                        out[n++] = body[i];
                        continue;
                }
                out[code_at] = (uint8_t)(n - code_at);
                code_at = n++;
        }
        out[code_at] = (uint8_t)(n - code_at);
        return n;
}

/* The inverse, for bytes without a zero among them. Returns the body's length, 0 if a
 * distance points past the end. */
static size_t unstuff(const uint8_t *bytes, size_t len, uint8_t *body)
{
        size_t at = 0, n = 0;

        while (at < len) {
                size_t run = (size_t)bytes[at] - 1;

                if (run >= len - at)
                        return 0;
                memcpy(body + n, bytes + at + 1, run);
                n += run;
                at += run + 1;
                if (at < len)
                        body[n++] = 0;
        }
        return n;
}

size_t hilp_frame_encode(const uint8_t *payload, size_t len, uint8_t *out)
{
        uint8_t body[BODY_MAX];
        uint16_t crc;
        size_t n;

        if (len == 0 || len > HILP_PAYLOAD_MAX)
                return 0;
        crc = hilp_crc16(payload, len);
        memcpy(body, payload, len);
        body[len] = (uint8_t)(crc & 0xFF);
        body[len + 1] = (uint8_t)(crc >> 8);

        n = stuff(body, len + 2, out);
        out[n++] = 0;
        return n;
}

/* What stands in the receiver's buffer, at the zero that ends it. Returns the payload's
 * length, 0 for what was no frame. */
static size_t finish_frame(const struct hilp_receiver *r, uint8_t *payload)
{
        uint8_t body[HILP_FRAME_MAX];
        size_t len = unstuff(r->buf, r->len, body);

        /* The shortest frame has one byte of payload. */
        if (len < 3 || len > BODY_MAX)
                return 0;
        len -= 2;
        if (hilp_crc16(body, len) != (uint16_t)(body[len] | body[len + 1] << 8))
                return 0;
        memcpy(payload, body, len);
        return len;
}

static void keep(struct hilp_receiver *r, uint8_t byte)
{
        if (r->overlong) {
                r->skipped++;
        } else if (r->len < HILP_FRAME_MAX - 1) {
                r->buf[r->len++] = byte;
        } else {
                r->overlong = 1;
                r->skipped += r->len + 1U;
                r->len = 0;
        }
}

/* The zero: the end of a frame, of a broken one, or padding. */
static size_t delimit(struct hilp_receiver *r, uint8_t *payload)
{
        size_t len = 0;

        if (r->overlong) {
                r->crc_errors++;
                r->skipped++;
        } else if (r->len > 0) {
                len = finish_frame(r, payload);
                if (len == 0) {
                        r->crc_errors++;
                        r->skipped += r->len + 1U;
                }
        }
        r->len = 0;
        r->overlong = 0;
        return len;
}

size_t hilp_receive(struct hilp_receiver *r, const uint8_t *bytes, size_t len,
                    uint8_t *payload, size_t *payload_len)
{
        *payload_len = 0;
        for (size_t i = 0; i < len; i++) {
                if (bytes[i] != 0) {
                        keep(r, bytes[i]);
                        continue;
                }
                *payload_len = delimit(r, payload);
                if (*payload_len > 0)
                        return i + 1;
        }
        return len;
}
