/* MAVLink frames. Layouts and the checksum (CRC-16/MCRF4XX over all but the start mark, then the
 * message's CRC_EXTRA): the MAVLink developer guide, "Packet Serialization". */
#include <string.h>

#include "io/le.h"
#include "io/codec/mavlink_messages.h"

enum {
        START_V1 = 0xfe,
        START_V2 = 0xfd,
        HEADER_V1 = 6, /* with the start mark */
        HEADER_V2 = 10,
        CHECKSUM = 2,
        SIGNATURE = 13,
        SIGNED = 0x01 /* the one incompatibility flag that there is */
};

static uint16_t crc_add(uint16_t crc, uint8_t byte)
{
        uint8_t x = (uint8_t)(byte ^ crc);

        x = (uint8_t)(x ^ x << 4);
        return (uint16_t)(crc >> 8 ^ x << 8 ^ x << 3 ^ x >> 4);
}

uint16_t mavlink_crc(uint16_t crc, const void *bytes, size_t len)
{
        const uint8_t *p = bytes;

        for (size_t i = 0; i < len; i++)
                crc = crc_add(crc, p[i]);
        return crc;
}

/* Of 65,536 checksums only 256 are some CRC_EXTRA's: enough to tell most damage from a message that
 * we do not know. Every extra gives crc_add() another x, and the upper byte of what that adds, x ^ x >> 5,
 * tells which. */
static bool fits_some_extra(uint16_t crc, uint16_t checksum)
{
        uint16_t step = checksum ^ crc >> 8;
        uint8_t upper = (uint8_t)(step >> 8), x = (uint8_t)(upper ^ upper >> 5);

        return step == (uint16_t)(x << 8 ^ x << 3 ^ x >> 4);
}

static size_t noise(const uint8_t *bytes, size_t len)
{
        size_t n = 0;

        while (n < len && bytes[n] != START_V1 && bytes[n] != START_V2)
                n++;
        return n;
}

static void read_header(const uint8_t *b, struct mavlink_frame *f)
{
        bool v2 = b[0] == START_V2;
        const uint8_t *from = v2 ? b + 4 : b + 2;

        f->version = v2 ? 2 : 1;
        f->len = b[1];
        f->sequence = from[0];
        f->system = from[1];
        f->component = from[2];
        f->id = v2 ? from[3] | (uint32_t)le_get_u16(from + 4) << 8 : from[3];
}

/* A version 1 frame is never shortened, and never longer than the message is today. */
static bool possible(const struct mavlink_frame *f, const struct mavlink_message *message)
{
        return f->version == 2 || message == NULL ||
               (f->len >= message->len_v1 && f->len <= message->len);
}

static size_t reject(enum mavlink_found *found)
{
        *found = MAVLINK_BAD_CRC;
        return 1;
}

static size_t incomplete(enum mavlink_found *found)
{
        *found = MAVLINK_INCOMPLETE;
        return 0;
}

size_t mavlink_find(const uint8_t *bytes, size_t len, struct mavlink_frame *frame,
                    enum mavlink_found *found)
{
        const struct mavlink_message *message;
        struct mavlink_frame f;
        size_t skip = noise(bytes, len), header, end;
        uint16_t crc, checksum;

        if (skip > 0) {
                *found = MAVLINK_NOISE;
                return skip;
        }
        if (len < 3)
                return incomplete(found);
        header = bytes[0] == START_V2 ? HEADER_V2 : HEADER_V1;
        end = header + bytes[1] + CHECKSUM;
        if (bytes[0] == START_V2) {
                if ((bytes[2] & ~SIGNED) != 0)
                        return reject(found);
                if (bytes[2] & SIGNED)
                        end += SIGNATURE;
        }
        if (len < header)
                return incomplete(found);
        read_header(bytes, &f);
        message = mavlink_message_find(f.id);
        if (!possible(&f, message))
                return reject(found);
        if (len < end)
                return incomplete(found);

        crc = mavlink_crc(MAVLINK_CRC_START, bytes + 1, header - 1 + f.len);
        checksum = le_get_u16(bytes + header + f.len);
        if (message ? crc_add(crc, message->crc_extra) != checksum
                    : !fits_some_extra(crc, checksum))
                return reject(found);
        memset(f.payload, 0, sizeof f.payload);
        memcpy(f.payload, bytes + header, f.len);
        *frame = f;
        *found = message ? MAVLINK_FRAME : MAVLINK_UNKNOWN;
        return end;
}

static size_t write_v1(const struct mavlink_frame *f, const struct mavlink_message *m,
                       uint8_t *out)
{
        if (f->id > UINT8_MAX)
                return 0;
        out[0] = START_V1;
        out[1] = m->len_v1;
        out[2] = f->sequence;
        out[3] = f->system;
        out[4] = f->component;
        out[5] = (uint8_t)f->id;
        memcpy(out + HEADER_V1, f->payload, m->len_v1);
        return (size_t)HEADER_V1 + m->len_v1;
}

static size_t write_v2(const struct mavlink_frame *f, uint8_t *out)
{
        uint8_t len = f->len;

        while (len > 1 && f->payload[len - 1] == 0)
                len--;
        out[0] = START_V2;
        out[1] = len;
        out[2] = 0; /* flags: neither signed nor anything else */
        out[3] = 0;
        out[4] = f->sequence;
        out[5] = f->system;
        out[6] = f->component;
        out[7] = (uint8_t)f->id;
        le_put_u16(out + 8, (uint16_t)(f->id >> 8));
        memcpy(out + HEADER_V2, f->payload, len);
        return (size_t)HEADER_V2 + len;
}

size_t mavlink_encode(const struct mavlink_frame *frame, uint8_t *out)
{
        const struct mavlink_message *message = mavlink_message_find(frame->id);
        size_t len;

        if (message == NULL)
                return 0;
        len = frame->version == 1 ? write_v1(frame, message, out) : write_v2(frame, out);
        if (len == 0)
                return 0;
        le_put_u16(out + len, crc_add(mavlink_crc(MAVLINK_CRC_START, out + 1, len - 1),
                                      message->crc_extra));
        return len + CHECKSUM;
}

/* The first known frame of what is collected, and where it ends; without one all that can be judged
 * is passed over. */
static size_t scan(struct mavlink_stream *s, struct mavlink_frame *frame, bool *got)
{
        size_t at = 0;

        *got = false;
        while (at < s->len && !*got) {
                enum mavlink_found found;
                size_t n = mavlink_find(s->bytes + at, s->len - at, frame, &found);

                switch (found) {
                case MAVLINK_INCOMPLETE:
                        return at;
                case MAVLINK_FRAME:
                        *got = true;
                        break;
                case MAVLINK_UNKNOWN:
                        s->unknown++;
                        break;
                case MAVLINK_BAD_CRC:
                        s->bad_crc++;
                        s->noise_bytes += n;
                        break;
                case MAVLINK_NOISE:
                        s->noise_bytes += n;
                        break;
                }
                at += n;
        }
        return at;
}

static void drop(struct mavlink_stream *s, size_t n)
{
        s->len -= n;
        memmove(s->bytes, s->bytes + n, s->len);
}

size_t mavlink_stream_take(struct mavlink_stream *s, const uint8_t *bytes, size_t len,
                           struct mavlink_frame *frame, bool *got)
{
        size_t taken = 0;

        *got = false;
        while (taken < len && !*got) {
                size_t had = s->len, room = sizeof s->bytes - had;
                size_t more = len - taken < room ? len - taken : room, end;

                memcpy(s->bytes + had, bytes + taken, more);
                s->len += more;
                end = scan(s, frame, got);
                if (*got) {
                        /* What stands behind the frame stays the caller's, as far as it was. */
                        more = end > had ? end - had : 0;
                        s->len = had + more;
                }
                taken += more;
                drop(s, end);
        }
        return taken;
}
