/* MAVLink frames, version 1 and 2: bytes to messages and back. Knows no message's content but what it
 * needs for the checksum (mavlink_messages.h). Signatures are skipped, not checked. Source: the MAVLink
 * developer guide, "Packet Serialization". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAVLINK_PAYLOAD_MAX 255
#define MAVLINK_FRAME_MAX   280 /* version 2 with a signature */

struct mavlink_frame {
        int version; /* 1 or 2 */
        uint8_t sequence;
        uint8_t system, component;
        uint32_t id;
        uint8_t len; /* as it came; what a version 2 sender cut off is 0 in payload */
        uint8_t payload[MAVLINK_PAYLOAD_MAX];
};

enum mavlink_found {
        MAVLINK_INCOMPLETE, /* more bytes are needed */
        MAVLINK_FRAME, /* a known message, checksum right */
        MAVLINK_UNKNOWN, /* whole, of a message that we do not know; 1 checksum in 256 fits */
        MAVLINK_BAD_CRC, /* or a length that is none of the message's, or flags that nobody knows */
        MAVLINK_NOISE /* bytes before the next start mark */
};

#define MAVLINK_CRC_START 0xffff

/* CRC-16/MCRF4XX carried on from crc. */
uint16_t mavlink_crc(uint16_t crc, const void *bytes, size_t len);

/* What stands at the beginning of bytes and how many of them it takes; 0 with MAVLINK_INCOMPLETE.
 * After MAVLINK_BAD_CRC only the start mark is taken, so that a frame inside a damaged one is found.
 * frame is written for MAVLINK_FRAME and MAVLINK_UNKNOWN. */
size_t mavlink_find(const uint8_t *bytes, size_t len, struct mavlink_frame *frame,
                    enum mavlink_found *found);

/* Bytes of the frame written to out (room for MAVLINK_FRAME_MAX); version 2 cuts trailing zeros.
 * 0: a version 1 frame cannot carry it, or its message is unknown. */
size_t mavlink_encode(const struct mavlink_frame *frame, uint8_t *out);

/* A stream: collects bytes until frames are whole. Starts zeroed. */
struct mavlink_stream {
        size_t len;
        uint8_t bytes[2 * MAVLINK_FRAME_MAX];
        uint64_t bad_crc, unknown, noise_bytes;
};

/* Consumes bytes up to and including the first known frame, and returns how many; *got says whether
 * there is one. */
size_t mavlink_stream_take(struct mavlink_stream *s, const uint8_t *bytes, size_t len,
                           struct mavlink_frame *frame, bool *got);
