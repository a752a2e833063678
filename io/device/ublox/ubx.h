/* UBX framing, u-blox receivers' binary protocol: B5 62, class, id, length, payload, two checksum
 * bytes. A receiver's input is UBX and NMEA in one stream, and this finds both in it. Pure functions
 * on buffers. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define UBX_OVERHEAD     8
#define UBX_PAYLOAD_MAX  1024 /* largest accepted; CFG-VALSET with 64 keys has less */
#define UBX_SENTENCE_MAX 120 /* NMEA says 82; u-blox's own are longer */

/* Writes a frame into out, which has room for len + UBX_OVERHEAD; payload may already be at out +
 * 6. Returns the frame's length. */
size_t ubx_frame(uint8_t *out, uint8_t cls, uint8_t id, const uint8_t *payload,
                 size_t len);

enum ubx_kind { UBX_NONE, UBX_FRAME, UBX_SENTENCE };

/* What was found; points into the receiver until its next call. */
struct ubx_found {
        enum ubx_kind kind;
        uint8_t cls, id; /* of a frame */
        const uint8_t
                *payload; /* a frame's, or a sentence from '$' on, its checksum right */
        size_t len;
};

struct ubx_receiver {
        uint8_t buf[UBX_PAYLOAD_MAX + UBX_OVERHEAD];
        size_t len;
        size_t taken; /* bytes at the front that the last call returned */
        uint64_t broken; /* wrong checksum or impossible length */
        uint64_t skipped; /* bytes that belonged to nothing */
};

/* Feeds bytes until one complete frame or sentence is found. Returns how many were consumed, which
 * may be 0 with something found; found->kind is UBX_NONE if all were consumed and nothing is
 * complete yet. */
size_t ubx_receive(struct ubx_receiver *r, const uint8_t *bytes, size_t len,
                   struct ubx_found *found);
/* The line fell silent: an incomplete frame will not be completed. Call ubx_receive() with no bytes
 * afterwards for what came after it. */
void ubx_give_up(struct ubx_receiver *r);
