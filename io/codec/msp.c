#include "io/codec/msp.h"

#include <assert.h>
#include <string.h>

#include "io/le.h"

#define MARK        3 /* '$', 'M' or 'X', kind */
#define V1_HEADER   2 /* size, command */
#define V2_HEADER   5 /* flag, command, size */
#define V2_FRAME_ID 255 /* the version 1 command that carries version 2 */
#define JUMBO       255 /* this size says that a u16 with the size follows */
#define V2_AROUND   (V2_HEADER + 1) /* around the payload, with its checksum */

/* CRC-8/DVB-S2 (x^8 + x^7 + x^6 + x^4 + x^2 + 1, upper bit first) of each byte. A table, since line noise
 * can be a start mark with a long length every few bytes, each checked in the loop. */
static const uint8_t crc8_of[256] = {
        0x00, 0xd5, 0x7f, 0xaa, 0xfe, 0x2b, 0x81, 0x54, 0x29, 0xfc, 0x56, 0x83, 0xd7,
        0x02, 0xa8, 0x7d, 0x52, 0x87, 0x2d, 0xf8, 0xac, 0x79, 0xd3, 0x06, 0x7b, 0xae,
        0x04, 0xd1, 0x85, 0x50, 0xfa, 0x2f, 0xa4, 0x71, 0xdb, 0x0e, 0x5a, 0x8f, 0x25,
        0xf0, 0x8d, 0x58, 0xf2, 0x27, 0x73, 0xa6, 0x0c, 0xd9, 0xf6, 0x23, 0x89, 0x5c,
        0x08, 0xdd, 0x77, 0xa2, 0xdf, 0x0a, 0xa0, 0x75, 0x21, 0xf4, 0x5e, 0x8b, 0x9d,
        0x48, 0xe2, 0x37, 0x63, 0xb6, 0x1c, 0xc9, 0xb4, 0x61, 0xcb, 0x1e, 0x4a, 0x9f,
        0x35, 0xe0, 0xcf, 0x1a, 0xb0, 0x65, 0x31, 0xe4, 0x4e, 0x9b, 0xe6, 0x33, 0x99,
        0x4c, 0x18, 0xcd, 0x67, 0xb2, 0x39, 0xec, 0x46, 0x93, 0xc7, 0x12, 0xb8, 0x6d,
        0x10, 0xc5, 0x6f, 0xba, 0xee, 0x3b, 0x91, 0x44, 0x6b, 0xbe, 0x14, 0xc1, 0x95,
        0x40, 0xea, 0x3f, 0x42, 0x97, 0x3d, 0xe8, 0xbc, 0x69, 0xc3, 0x16, 0xef, 0x3a,
        0x90, 0x45, 0x11, 0xc4, 0x6e, 0xbb, 0xc6, 0x13, 0xb9, 0x6c, 0x38, 0xed, 0x47,
        0x92, 0xbd, 0x68, 0xc2, 0x17, 0x43, 0x96, 0x3c, 0xe9, 0x94, 0x41, 0xeb, 0x3e,
        0x6a, 0xbf, 0x15, 0xc0, 0x4b, 0x9e, 0x34, 0xe1, 0xb5, 0x60, 0xca, 0x1f, 0x62,
        0xb7, 0x1d, 0xc8, 0x9c, 0x49, 0xe3, 0x36, 0x19, 0xcc, 0x66, 0xb3, 0xe7, 0x32,
        0x98, 0x4d, 0x30, 0xe5, 0x4f, 0x9a, 0xce, 0x1b, 0xb1, 0x64, 0x72, 0xa7, 0x0d,
        0xd8, 0x8c, 0x59, 0xf3, 0x26, 0x5b, 0x8e, 0x24, 0xf1, 0xa5, 0x70, 0xda, 0x0f,
        0x20, 0xf5, 0x5f, 0x8a, 0xde, 0x0b, 0xa1, 0x74, 0x09, 0xdc, 0x76, 0xa3, 0xf7,
        0x22, 0x88, 0x5d, 0xd6, 0x03, 0xa9, 0x7c, 0x28, 0xfd, 0x57, 0x82, 0xff, 0x2a,
        0x80, 0x55, 0x01, 0xd4, 0x7e, 0xab, 0x84, 0x51, 0xfb, 0x2e, 0x7a, 0xaf, 0x05,
        0xd0, 0xad, 0x78, 0xd2, 0x07, 0x53, 0x86, 0x2c, 0xf9,
};

static uint8_t crc8_dvb_s2(const uint8_t *bytes, size_t len)
{
        uint8_t crc = 0;

        for (size_t i = 0; i < len; i++)
                crc = crc8_of[crc ^ bytes[i]];
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
