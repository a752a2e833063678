/* Finds frames and sentences at the front of a buffer, and resumes at the next sync byte whenever
 * it turns out that none began there. */
#include "io/device/ublox/ubx.h"

#include <stdbool.h>
#include <string.h>

#include "io/le.h"
#include "io/device/nmea.h"

#define SYNC_1 0xB5
#define SYNC_2 0x62

/* Two bytes, the first one low: 8-bit Fletcher sums (RFC 1145) from class to the payload's end. */
static uint16_t ubx_checksum(const uint8_t *bytes, size_t len)
{
        uint8_t a = 0, b = 0;

        for (size_t i = 0; i < len; i++) {
                a = (uint8_t)(a + bytes[i]);
                b = (uint8_t)(b + a);
        }
        return (uint16_t)(a | b << 8);
}

size_t ubx_frame(uint8_t *out, uint8_t cls, uint8_t id, const uint8_t *payload,
                 size_t len)
{
        if (len > 0)
                memmove(out + 6, payload, len);
        out[0] = SYNC_1;
        out[1] = SYNC_2;
        out[2] = cls;
        out[3] = id;
        le_put_u16(out + 4, (uint16_t)len);
        le_put_u16(out + 6 + len, ubx_checksum(out + 2, len + 4));
        return len + UBX_OVERHEAD;
}

/* What the buffer begins with. */
enum front { WHOLE, PARTIAL, NOTHING, BROKEN };

static enum front front_frame(const struct ubx_receiver *r, struct ubx_found *found)
{
        const uint8_t *b = r->buf;
        size_t len;

        if (r->len < 2)
                return PARTIAL;
        if (b[1] != SYNC_2)
                return NOTHING;
        if (r->len < 6)
                return PARTIAL;
        len = le_get_u16(b + 4);
        if (len > UBX_PAYLOAD_MAX)
                return BROKEN;
        if (r->len < len + UBX_OVERHEAD)
                return PARTIAL;
        if (ubx_checksum(b + 2, len + 4) != le_get_u16(b + 6 + len))
                return BROKEN;
        *found = (struct ubx_found){ UBX_FRAME, b[2], b[3], b + 6, len };
        return WHOLE;
}

static enum front front_sentence(const struct ubx_receiver *r, struct ubx_found *found)
{
        for (size_t i = 1; i < r->len; i++) {
                if (r->buf[i] == '\n') {
                        if (!nmea_is_sound((const char *)r->buf, i))
                                return BROKEN;
                        *found = (struct ubx_found){ UBX_SENTENCE, 0, 0, r->buf, i + 1 };
                        return WHOLE;
                }
                if (i >= UBX_SENTENCE_MAX || r->buf[i] == '$' ||
                    (r->buf[i] != '\r' && (r->buf[i] < ' ' || r->buf[i] > '~')))
                        return NOTHING;
        }
        return PARTIAL;
}

static enum front front_of(const struct ubx_receiver *r, struct ubx_found *found)
{
        if (r->len == 0)
                return PARTIAL;
        if (r->buf[0] == SYNC_1)
                return front_frame(r, found);
        return r->buf[0] == '$' ? front_sentence(r, found) : NOTHING;
}

static void drop(struct ubx_receiver *r, size_t n)
{
        memmove(r->buf, r->buf + n, r->len - n);
        r->len -= n;
}

/* Drops the front byte and those up to where something may begin. */
static void skip(struct ubx_receiver *r)
{
        size_t n = 1;

        while (n < r->len && r->buf[n] != SYNC_1 && r->buf[n] != '$')
                n++;
        r->skipped += n;
        drop(r, n);
}

size_t ubx_receive(struct ubx_receiver *r, const uint8_t *bytes, size_t len,
                   struct ubx_found *found)
{
        size_t used = 0;

        drop(r, r->taken);
        r->taken = 0;
        *found = (struct ubx_found){ .kind = UBX_NONE };
        for (;;) {
                switch (front_of(r, found)) {
                case WHOLE:
                        r->taken = found->len +
                                   (found->kind == UBX_FRAME ? UBX_OVERHEAD : 0);
                        return used;
                case PARTIAL:
                        /* There is room: an incomplete frame is shorter than the buffer. */
                        if (used == len)
                                return used;
                        r->buf[r->len++] = bytes[used++];
                        break;
                case BROKEN:
                        r->broken++;
                        skip(r);
                        break;
                case NOTHING:
                        skip(r);
                        break;
                }
        }
}

void ubx_give_up(struct ubx_receiver *r)
{
        drop(r, r->taken);
        r->taken = 0;
        if (r->len > 0) {
                r->broken++;
                skip(r);
        }
}
