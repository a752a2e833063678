/* The record format of a capture board: a microcontroller whose timers watch motor pads, and which
 * reports over USB CDC or a UART what it saw. C99, integers only, no library but memcpy: this file,
 * pad_record.c, pad_queue.[ch] and io/codec/hilp/hilp_frame.[ch] (COBS and CRC-16) go into its
 * firmware unchanged. docs/motor_pads.md has every byte. */
#pragma once

#include "io/codec/hilp/hilp_frame.h"

#define PAD_RECORD_VERSION   1
#define PAD_RECORD_PADS_MAX  8
#define PAD_RECORD_BATCH_MAX 16
#define PAD_NAME_MAX         24
/* Longest payload: a batch of DShot frames. */
#define PAD_PAYLOAD_MAX (15 + 11 * PAD_RECORD_BATCH_MAX)
/* until_tick stays below: some 7,000 years at 20 MHz. */
#define PAD_TICK_LIMIT (1ULL << 62)

enum pad_record_type {
        PAD_HELLO = 1, /* board -> rig, every second and on request: its identification */
        PAD_BATCH = 2, /* board -> rig: records, or only time, every 10 ms at least */
        PAD_ASK =
                3 /* rig -> board: send a hello, then continue with what is seen from now on */
};

struct pad_hello {
        uint8_t version;
        uint8_t pads; /* 1 to 8 */
        uint32_t tick_hz; /* of its timer, above 0 */
        uint32_t unique; /* differs at every start */
        char name[PAD_NAME_MAX + 1];
};

enum pad_record_kind {
        PAD_EDGE = 0,
        PAD_PULSE = 1,
        PAD_DSHOT = 2,
        PAD_DSHOT_INVERTED = 3
};

struct pad_record {
        uint8_t kind, pad;
        uint8_t level; /* EDGE: 0 or 1, from tick on */
        uint8_t low; /* PULSE: 0: its high time is reported; 1: its low time, for an inverted pulse */
        uint8_t protocol; /* DSHOT: 1 = 150, 2 = 300, 3 = 600, 4 = 1200 */
        uint16_t raw; /* DSHOT: all 16 bits as received, CRC unchecked */
        uint32_t tick; /* first edge: the low 32 bits of the board's time */
        uint32_t width; /* PULSE, DSHOT: ticks to the last edge */
};

struct pad_batch {
        uint8_t sequence; /* counts batches, so that a gap shows */
        uint32_t dropped; /* records that the board had no room for, since its start */
        /* Its time, all 64 bits: everything that began before it has been reported, in this batch
         * or an earlier one. Records are at most 2^32 - 1 ticks older. */
        uint64_t until_tick;
        uint8_t count; /* 0: only time */
        struct pad_record record
                [PAD_RECORD_BATCH_MAX]; /* in the order of their ticks for each pad */
};

struct pad_message {
        uint8_t type;
        union {
                struct pad_hello hello;
                struct pad_batch batch;
        } u;
};

/* Message -> payload of PAD_PAYLOAD_MAX bytes at most. Its length; 0: not valid. */
size_t pad_encode(const struct pad_message *m, uint8_t *payload);
/* 1, or 0: no valid payload. An accepted message encodes to the same bytes again. */
int pad_decode(struct pad_message *m, const uint8_t *payload, size_t len);
/* A record's tick in full. */
uint64_t pad_tick(const struct pad_batch *b, const struct pad_record *r);
