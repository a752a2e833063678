/* MSP frames, version 1, version 2 and version 2 inside version 1: bytes to messages and back. Knows no
 * message's content. Sources: the INAV wiki, "MSP V2"; Betaflight, msp_serial.c (jumbo frames). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer ones are noise to us. No firmware that we talk to sends as much at once. */
#define MSP_PAYLOAD_MAX 512
#define MSP_FRAME_MAX                                                                    \
        (MSP_PAYLOAD_MAX + 14) /* version 2 inside a version 1 jumbo frame */

enum msp_version {
        MSP_V1, /* commands 0 to 254 */
        MSP_V2,
        MSP_V2_OVER_V1 /* for what stands between and knows version 1 only */
};

enum msp_kind {
        MSP_REQUEST = '<', /* to the flight controller */
        MSP_REPLY = '>',
        MSP_ERROR = '!' /* it does not know or does not accept the request */
};

struct msp_frame {
        enum msp_version version;
        enum msp_kind kind;
        uint8_t flag; /* version 2; bit 0: no reply is wanted. 0 in version 1 */
        uint16_t command;
        uint16_t len;
        uint8_t payload[MSP_PAYLOAD_MAX]; /* what is behind len is left as it was */
};

enum msp_found {
        MSP_INCOMPLETE, /* more bytes are needed */
        MSP_FRAME, /* whole, checksums right */
        MSP_BAD_CRC, /* or impossible: too long, lengths that contradict each other */
        MSP_NOISE /* bytes before the next start mark */
};

/* What stands at the beginning of bytes and how many of them it takes; 0 with MSP_INCOMPLETE. After
 * MSP_BAD_CRC only the start mark is taken, so that a frame inside a damaged one is found. frame is
 * written for MSP_FRAME only. */
size_t msp_find(const uint8_t *bytes, size_t len, struct msp_frame *frame,
                enum msp_found *found);

/* Bytes of the frame written to out (room for MSP_FRAME_MAX). 0: the payload is too long, or version 1
 * cannot carry this command. */
size_t msp_encode(const struct msp_frame *frame, uint8_t *out);

/* A request in version 2, the common case. */
size_t msp_request(uint16_t command, const void *payload, size_t len, uint8_t *out);

/* A stream: collects bytes until frames are whole. Starts zeroed. */
struct msp_stream {
        size_t len;
        uint8_t bytes[MSP_FRAME_MAX];
        uint64_t bad_crc, noise_bytes;
};

/* Consumes bytes up to and including the first frame, and returns how many; *got says whether there is
 * one. Frames that turn up inside a damaged one come with the bytes that follow it. */
size_t msp_stream_take(struct msp_stream *s, const uint8_t *bytes, size_t len,
                       struct msp_frame *frame, bool *got);
