#include "io/msp.h"

#include <assert.h>
#include <string.h>

#include "io/le.h"

#define MARK        3 /* '$', 'M' or 'X', kind */
#define V1_HEADER   2 /* size, command */
#define V2_HEADER   5 /* flag, command, size */
#define V2_FRAME_ID 255 /* the version 1 command that carries version 2 */
#define JUMBO       255 /* this size says that a u16 with the size follows */
#define V2_AROUND   (V2_HEADER + 1) /* around the payload, with its checksum */

static uint8_t crc8_dvb_s2(const uint8_t *bytes, size_t len)
{
        uint8_t crc = 0;

        for (size_t i = 0; i < len; i++) {
                crc ^= bytes[i];
                for (int bit = 0; bit < 8; bit++)
                        crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ 0xD5 : crc << 1);
        }
        return crc;
}

static uint8_t xor8(const uint8_t *bytes, size_t len)
{
        uint8_t sum = 0;

        for (size_t i = 0; i < len; i++)
                sum ^= bytes[i];
        return sum;
}

static bool is_kind(uint8_t c)
{
        return c == MSP_REQUEST || c == MSP_REPLY || c == MSP_ERROR;
}

/* Version 2 from its flag to its checksum. The length of it; 0: not whole yet. */
static size_t find_v2_body(const uint8_t *at, size_t len, struct msp_frame *frame,
                           enum msp_found *found)
{
        size_t payload;

        if (len < V2_HEADER)
                return 0;
        payload = le_get_u16(at + 3);
        *found = MSP_BAD_CRC;
        if (payload > MSP_PAYLOAD_MAX)
                return 1;
        if (len < V2_HEADER + payload + 1) {
                *found = MSP_INCOMPLETE;
                return 0;
        }
        if (crc8_dvb_s2(at, V2_HEADER + payload) != at[V2_HEADER + payload])
                return 1;
        *found = MSP_FRAME;
        frame->flag = at[0];
        frame->command = le_get_u16(at + 1);
        frame->len = (uint16_t)payload;
        memcpy(frame->payload, at + V2_HEADER, payload);
        return V2_HEADER + payload + 1;
}

/* Version 2 inside of so many bytes of version 1. */
static size_t find_v2_inside(const uint8_t *at, size_t size, struct msp_frame *frame,
                             enum msp_found *found)
{
        if (size < V2_AROUND || (size_t)le_get_u16(at + 3) + V2_AROUND != size ||
            find_v2_body(at, size, frame, found) != size) {
                *found = MSP_BAD_CRC;
                return 1;
        }
        frame->version = MSP_V2_OVER_V1;
        return size;
}

/* Version 1 from its size to its checksum. */
static size_t find_v1_body(const uint8_t *at, size_t len, struct msp_frame *frame,
                           enum msp_found *found)
{
        size_t size, header = V1_HEADER;
        bool inside;

        if (len < V1_HEADER || (at[0] == JUMBO && len < V1_HEADER + 2))
                return 0;
        size = at[0];
        inside = at[1] == V2_FRAME_ID;
        if (at[0] == JUMBO) {
                size = le_get_u16(at + V1_HEADER);
                header += 2;
        }
        *found = MSP_BAD_CRC;
        if (size > MSP_PAYLOAD_MAX + (inside ? V2_AROUND : 0))
                return 1;
        if (len < header + size + 1) {
                *found = MSP_INCOMPLETE;
                return 0;
        }
        if (xor8(at, header + size) != at[header + size])
                return 1;
        if (inside)
                return find_v2_inside(at + header, size, frame, found) + header + 1;
        *found = MSP_FRAME;
        frame->version = MSP_V1;
        frame->flag = 0;
        frame->command = at[1];
        frame->len = (uint16_t)size;
        memcpy(frame->payload, at + header, size);
        return header + size + 1;
}

/* Bytes that begin no frame. */
static size_t noise(const uint8_t *bytes, size_t len)
{
        size_t n = 0;

        for (; n < len; n++) {
                if (bytes[n] != '$')
                        continue;
                if (n + 1 < len && bytes[n + 1] != 'M' && bytes[n + 1] != 'X')
                        continue;
                if (n + 2 < len && !is_kind(bytes[n + 2]))
                        continue;
                break;
        }
        return n;
}

size_t msp_find(const uint8_t *bytes, size_t len, struct msp_frame *frame,
                enum msp_found *found)
{
        size_t n = noise(bytes, len), body;

        *found = MSP_INCOMPLETE;
        if (n > 0) {
                *found = MSP_NOISE;
                return n;
        }
        if (len < MARK)
                return 0;
        if (bytes[1] == 'X') {
                body = find_v2_body(bytes + MARK, len - MARK, frame, found);
                if (*found == MSP_FRAME)
                        frame->version = MSP_V2;
        } else {
                body = find_v1_body(bytes + MARK, len - MARK, frame, found);
        }
        if (*found == MSP_FRAME)
                frame->kind = (enum msp_kind)bytes[2];
        if (*found == MSP_INCOMPLETE)
                return 0;
        return *found == MSP_FRAME ? MARK + body : MARK;
}

static size_t put_v2_body(const struct msp_frame *frame, uint8_t *at)
{
        at[0] = frame->flag;
        le_put_u16(at + 1, frame->command);
        le_put_u16(at + 3, frame->len);
        memcpy(at + V2_HEADER, frame->payload, frame->len);
        at[V2_HEADER + frame->len] = crc8_dvb_s2(at, V2_HEADER + (size_t)frame->len);
        return V2_HEADER + (size_t)frame->len + 1;
}

static size_t put_v1_body(const struct msp_frame *frame, uint8_t *at)
{
        bool inside = frame->version == MSP_V2_OVER_V1;
        size_t size = frame->len + (inside ? (size_t)V2_AROUND : 0);
        size_t header = V1_HEADER;

        at[0] = (uint8_t)(size < JUMBO ? size : JUMBO);
        at[1] = (uint8_t)(inside ? V2_FRAME_ID : frame->command);
        if (size >= JUMBO) {
                le_put_u16(at + V1_HEADER, (uint16_t)size);
                header += 2;
        }
        if (inside)
                put_v2_body(frame, at + header);
        else
                memcpy(at + header, frame->payload, frame->len);
        at[header + size] = xor8(at, header + size);
        return header + size + 1;
}

size_t msp_encode(const struct msp_frame *frame, uint8_t *out)
{
        if (frame->len > MSP_PAYLOAD_MAX || !is_kind((uint8_t)frame->kind))
                return 0;
        if (frame->version == MSP_V1 && frame->command >= V2_FRAME_ID)
                return 0;
        out[0] = '$';
        out[1] = frame->version == MSP_V2 ? 'X' : 'M';
        out[2] = (uint8_t)frame->kind;
        return MARK + (frame->version == MSP_V2 ? put_v2_body(frame, out + MARK)
                                                : put_v1_body(frame, out + MARK));
}

size_t msp_request(uint16_t command, const void *payload, size_t len, uint8_t *out)
{
        struct msp_frame frame = { .version = MSP_V2,
                                   .kind = MSP_REQUEST,
                                   .command = command,
                                   .len = (uint16_t)len };

        assert(len <= MSP_PAYLOAD_MAX);
        if (len > 0)
                memcpy(frame.payload, payload, len);
        return msp_encode(&frame, out);
}

/* True: a frame was found, and taken. False: what was collected is the beginning of one. */
static bool take_collected(struct msp_stream *s, struct msp_frame *frame)
{
        enum msp_found found = MSP_NOISE;

        while (s->len > 0 && found != MSP_FRAME) {
                size_t n = msp_find(s->bytes, s->len, frame, &found);

                if (found == MSP_INCOMPLETE)
                        break;
                s->bad_crc += found == MSP_BAD_CRC;
                s->noise_bytes += found == MSP_NOISE ? n : 0;
                s->len -= n;
                memmove(s->bytes, s->bytes + n, s->len);
        }
        return found == MSP_FRAME;
}

size_t msp_stream_take(struct msp_stream *s, const uint8_t *bytes, size_t len,
                       struct msp_frame *frame, bool *got)
{
        size_t used = 0;

        /* Byte by byte, so that what follows a frame stays with the caller. */
        for (*got = false; !*got && used < len;) {
                assert(s->len < sizeof s->bytes);
                s->bytes[s->len++] = bytes[used++];
                *got = take_collected(s, frame);
        }
        return used;
}
