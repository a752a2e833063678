/* HILP framing: a payload and its CRC-16, COBS-stuffed, a zero byte after it. Pure
 * functions and one small receiver; no allocation, no library beyond memcpy and memchr. This file,
 * hilp_frame.c, hilp.h and hilp.c compile into any firmware as they are: C99, integers
 * only. docs/protocol.md is the interface document. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Longest payload, without the CRC. */
#define HILP_PAYLOAD_MAX 240
/* Longest frame on the wire: payload, CRC, COBS overhead, the zero. */
#define HILP_FRAME_MAX (HILP_PAYLOAD_MAX + 2 + 1 + 1)

/* CRC-16/IBM-3740 (also known as CCITT-FALSE): polynomial 0x1021, start 0xFFFF, not
 * reflected; "123456789" gives 0x29B1. */
uint16_t hilp_crc16(const uint8_t *bytes, size_t len);

/* Writes one frame into out (HILP_FRAME_MAX bytes hold any). Returns its length, or 0
 * when len is 0 or above HILP_PAYLOAD_MAX. */
size_t hilp_frame_encode(const uint8_t *payload, size_t len, uint8_t *out);

/* A receiver that takes bytes as they come and finds frames again after anything. */
struct hilp_receiver {
        uint8_t buf[HILP_FRAME_MAX];
        uint16_t len;
        uint8_t overlong; /* no longer fits: skip to the next zero */
        uint32_t crc_errors; /* frames with a wrong CRC, wrong stuffing or wrong length */
        uint32_t skipped; /* bytes thrown away with them */
};

/* Feeds bytes up to the end of the first whole frame. Returns how many were consumed (len
 * when no frame was completed); *payload_len is the length of the payload now in
 * `payload` (HILP_PAYLOAD_MAX bytes), or 0. An empty frame (a lone zero) is legal padding
 * and is ignored. */
size_t hilp_receive(struct hilp_receiver *r, const uint8_t *bytes, size_t len,
                    uint8_t *payload, size_t *payload_len);
