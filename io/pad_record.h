/* The record format of a capture board: a microcontroller whose timers watch motor pads, and which
 * tells over USB CDC or a UART what it saw. C99, integers only, no library but memcpy: this file,
 * pad_record.c and io/hilp_frame.[ch] (COBS and CRC-16) may go into its firmware as they are.
 * docs/motor_pads.md has every byte. */
#ifndef IO_PAD_RECORD_H
#define IO_PAD_RECORD_H

#include "io/hilp_frame.h"

#define PAD_RECORD_VERSION   1
#define PAD_RECORD_PADS_MAX  8
#define PAD_RECORD_BATCH_MAX 16

enum pad_record_type {
        PAD_HELLO = 1, /* board -> rig, every second and when asked: what it is */
        PAD_BATCH = 2, /* board -> rig: records */
        PAD_ASK = 3 /* rig -> board: say hello, and start over */
};

struct pad_hello {
        uint8_t version;
        uint8_t pads;
        uint32_t tick_hz; /* of its timer */
        uint32_t unique; /* differs at every start */
        char name[25];
};

enum pad_record_kind {
        PAD_EDGE = 0,
        PAD_PULSE = 1,
        PAD_DSHOT = 2,
        PAD_DSHOT_INVERTED = 3
};

struct pad_record {
        uint8_t kind, pad;
        uint8_t level; /* EDGE */
        uint8_t protocol; /* DSHOT: 1 = 150, 2 = 300, 3 = 600, 4 = 1200 */
        uint16_t raw; /* DSHOT: all 16 bits, CRC unchecked */
        uint32_t tick; /* first edge: the low 32 bits of the board's time */
        uint32_t width; /* PULSE, DSHOT: ticks to the last edge */
};

struct pad_batch {
        uint8_t sequence; /* counts batches: a gap shows */
        uint32_t dropped; /* records that the board had no room for, since its start */
        uint64_t until_tick; /* its time: everything before is told */
        uint8_t count; /* 0: only time */
        struct pad_record record[PAD_RECORD_BATCH_MAX];
};

struct pad_message {
        uint8_t type;
        union {
                struct pad_hello hello;
                struct pad_batch batch;
        } u;
};

/* Payload <-> message, as hilp_encode() and hilp_decode(). */
size_t pad_encode(const struct pad_message *m, uint8_t *payload);
int pad_decode(struct pad_message *m, const uint8_t *payload, size_t len);

#endif
