/* HILP framing: CRC-16, COBS stuffing, and a receiver that resynchronises at every zero
 * byte. It knows nothing of what a payload means. C99, memcpy and memchr alone, so that any
 * firmware can take it. */
#include "io/codec/hilp/hilp_frame.h"

#include <string.h>

/* A payload and its CRC; shorter than 254 bytes, so that COBS adds exactly one byte and
 * its code 0xFF never occurs. */
#define BODY_MAX (HILP_PAYLOAD_MAX + 2)

/* What 16 bits before 16 zero bits leave when they are divided by x^16 + x^12 + x^5 + 1: the quotient is v (1 + x^-4 + x^-8 +
 * x^-11 + x^-12), what the series 1/(1 + x^-4 + x^-11 + x^-16) has down to x^-15. No table, and two bytes at a time. */
static uint32_t crc_remainder(uint32_t v)
{
        uint32_t t = v ^ v >> 8, quotient = t ^ t >> 4 ^ v >> 11;

        return (quotient << 12 ^ quotient << 5 ^ quotient) & 0xFFFF;
}

uint16_t hilp_crc16(const uint8_t *bytes, size_t len)
{
        uint32_t crc = 0xFFFF;
        size_t i = 0;

        for (; i + 2 <= len; i += 2)
                crc = crc_remainder(crc ^ ((uint32_t)bytes[i] << 8 | bytes[i + 1]));
        /* Of one byte the quotient is its eight upper bits. */
        if (i < len)
                crc = (crc << 8 & 0xFFFF) ^ crc_remainder(crc >> 8 ^ bytes[i]);
        return (uint16_t)crc;
}

/* COBS: each zero becomes the distance to the next one; the first byte points at the
 * first. Where zeros are cannot be foreseen, so the distance is written at every byte, instead of a branch. */
static size_t stuff(const uint8_t *body, size_t len, uint8_t *out)
{
        size_t code_at = 0, n = 1;

        for (size_t i = 0; i < len; i++, n++) {
                out[n] = body[i];
                out[code_at] = (uint8_t)(n - code_at);
                code_at = body[i] == 0 ? n : code_at;
        }
        out[code_at] = (uint8_t)(n - code_at);
        return n;
}

/* The inverse, in place, for bytes without a zero among them: the body is what stands after the first. False if a distance
 * points past the end. */
static int unstuff(uint8_t *bytes, size_t len)
{
        size_t at = 0;

        while (at < len) {
                size_t distance = bytes[at];

                if (distance > len - at)
                        return 0;
                bytes[at] = 0;
                at += distance;
        }
        return 1;
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
static size_t finish_frame(struct hilp_receiver *r, uint8_t *payload)
{
        const uint8_t *body = r->buf + 1;
        size_t len = r->len - 1U;

        /* The shortest frame has one byte of payload. */
        if (len < 3 || len > BODY_MAX || !unstuff(r->buf, r->len))
                return 0;
        len -= 2;
        if (hilp_crc16(body, len) != (uint16_t)(body[len] | body[len + 1] << 8))
                return 0;
        memcpy(payload, body, len);
        return len;
}

/* Bytes without a zero among them. */
static void keep(struct hilp_receiver *r, const uint8_t *bytes, size_t len)
{
        if (r->overlong) {
                r->skipped += (uint32_t)len;
        } else if (len <= HILP_FRAME_MAX - 1U - r->len) {
                memcpy(r->buf + r->len, bytes, len);
                r->len = (uint16_t)(r->len + len);
        } else {
                r->overlong = 1;
                r->skipped += (uint32_t)(r->len + len);
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
        size_t at = 0;

        *payload_len = 0;
        while (at < len) {
                const uint8_t *zero = memchr(bytes + at, 0, len - at);
                size_t run = zero != NULL ? (size_t)(zero - (bytes + at)) : len - at;

                keep(r, bytes + at, run);
                at += run;
                if (zero == NULL)
                        break;
                at++;
                *payload_len = delimit(r, payload);
                if (*payload_len > 0)
                        break;
        }
        return at;
}
