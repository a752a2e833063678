/* A board of the rig's own protocol, what it says, and how a mistake spoils that. */
#pragma once

#include <check.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/conform/conform.h"
#include "io/codec/hilp/hilp_board.h"
#include "models/fc/fc.h"
#include "tests/boards/conform_mistake.h"

#define BOARD_QUEUE 65536

struct conform_board {
        struct conform_wire wire; /* first: a struct conform_wire * points here */
        int64_t now_ns;
        enum mistake mistake;
        struct fc_params params;
        struct hilp_board board;
        struct fc fc;
        bool asked_to_arm; /* of TOGGLES */
        bool armed_for_good, poisoned, lost_sync;
        int hellos;
        int64_t busy_ns; /* of SLOW: until when */
        size_t waits; /* bytes that it has not looked at */
        uint8_t waiting[BOARD_QUEUE];
        int64_t frame_ns; /* when the last sensor frame came */
        int64_t silent_ns; /* up to when the controller has been told of silence */
        uint32_t noise, newest;
        uint8_t sequence_of[HILP_TYPE_MAX + 1]; /* of SEQUENCE_BY_TYPE */
        int64_t woke_ns; /* of LATE_HOST: when it last was late */
        size_t in_len, out_len, out_at;
        uint8_t in[2 * HILP_FRAME_MAX]; /* of a frame whose end has not come */
        uint8_t out[BOARD_QUEUE];
};

static inline void board_put(struct conform_board *b, const uint8_t *bytes, size_t len)
{
        if (b->out_at == b->out_len)
                b->out_at = b->out_len = 0;
        ck_assert_uint_le(b->out_len + len, BOARD_QUEUE);
        memcpy(b->out + b->out_len, bytes, len);
        b->out_len += len;
}

static inline uint16_t crc_of(enum mistake mistake, const uint8_t *payload, size_t len)
{
        uint16_t crc = hilp_crc16(payload, len);

        if (mistake == CRC_HIGH_FIRST)
                return (uint16_t)(crc << 8 | crc >> 8);
        if (mistake != CRC_FROM_ZERO)
                return crc;
        crc = 0;
        for (size_t i = 0; i < len; i++) {
                crc = (uint16_t)(crc ^ payload[i] << 8);
                for (int bit = 0; bit < 8; bit++)
                        crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
        }
        return crc;
}

/* As it sends, which need not be as it hears. */
static inline uint16_t sent_crc_of(enum mistake mistake, const uint8_t *payload,
                                   size_t len)
{
        uint16_t crc = 0;

        if (mistake != SENDS_CRC_KERMIT)
                return crc_of(mistake == SENDS_CRC_HIGH_FIRST ? CRC_HIGH_FIRST : mistake,
                              payload, len);
        for (size_t i = 0; i < len; i++) {
                crc = (uint16_t)(crc ^ payload[i]);
                for (int bit = 0; bit < 8; bit++)
                        crc = (uint16_t)(crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1);
        }
        return crc;
}

static inline void board_say_payload(struct conform_board *b, const uint8_t *payload,
                                     size_t len)
{
        uint8_t frame[HILP_FRAME_MAX];
        size_t n = conform_talk_frame(payload, len, sent_crc_of(b->mistake, payload, len),
                                      frame);

        board_put(b, frame, n);
        if (b->mistake == SENDS_BUFFERS_TWICE && payload[0] != HILP_HELLO_ACK)
                board_put(b, frame, n);
}

static inline void swap_bytes(uint8_t *at, size_t size, size_t count)
{
        for (; count > 0; count--, at += size)
                for (size_t i = 0; i < size / 2; i++) {
                        uint8_t low = at[i];

                        at[i] = at[size - 1 - i];
                        at[size - 1 - i] = low;
                }
}

/* The numbers of a payload with the high byte first. */
static inline void spoil_order(const struct conform_board *b, uint8_t *payload)
{
        if (payload[0] == HILP_MOTORS &&
            (b->mistake == ANSWERS_SWAPPED || b->mistake == READS_SWAPPED))
                swap_bytes(payload + 2, 4, 1);
        if (payload[0] == HILP_MOTORS && b->mistake == DUTY_SWAPPED)
                swap_bytes(payload + 9, 2, payload[8]);
        if (payload[0] == HILP_TIME_SYNC && b->mistake == TIMES_SWAPPED)
                swap_bytes(payload + 13, 8, 2);
        if (payload[0] == HILP_STATE && b->mistake == STATE_SWAPPED)
                swap_bytes(payload + 2, 2, 4);
}

static inline uint8_t next_sequence(struct conform_board *b, uint8_t type)
{
        if (b->mistake == SEQUENCE_BY_TYPE)
                return b->sequence_of[type]++;
        b->noise = b->noise * 1664525U + 1013904223U;
        if (b->mistake == SEQUENCE_RANDOM)
                return (uint8_t)(b->noise >> 24);
        if (b->mistake == SEQUENCE_SKIPS)
                b->board.sequence++;
        return b->mistake == SEQUENCE_STUCK ? b->board.sequence : b->board.sequence++;
}

static inline void board_say(struct conform_board *b, struct hilp_message *m)
{
        uint8_t payload[HILP_PAYLOAD_MAX];
        size_t len;

        m->sequence = next_sequence(b, m->type);
        len = hilp_encode(m, payload);
        spoil_order(b, payload);
        if (b->mistake == ACK_TOO_LONG && m->type == HILP_HELLO_ACK)
                payload[len++] = 0;
        board_say_payload(b, payload, len);
}

/* ---- Out: what hilp_board said of itself, spoilt */

static inline void spoil_ack(struct conform_board *b, struct hilp_message *m)
{
        struct hilp_hello_ack *ack = &m->u.hello_ack;

        b->hellos += ack->frame_every > 0;
        switch (b->mistake) {
        case NO_HELLO_ACK:
                *m = (struct hilp_message){ .type = HILP_TEXT, .u.text = { 0, "ready" } };
                break;
        case ANY_VERSION:
                ack->version = 3;
                break;
        case OLD_VERSION:
                ack->version = 1;
                break;
        case FRAME_EVERY_ZERO:
                ack->frame_every = 0;
                break;
        case THREE_OUTPUTS:
                ack->rotors = 3;
                break;
        case NO_NAME:
                ack->name[0] = '\0';
                break;
        case UNIQUE_CHANGES:
                ack->unique += (uint32_t)b->hellos;
                break;
        default:
                break;
        }
        if ((b->mistake == NO_VERSION && ack->version == 0) ||
            (b->mistake == ONE_HELLO && b->hellos > 1))
                return;
        board_say(b, m);
        if (b->mistake == ACKS_TWICE)
                board_say(b, m);
}

static inline void spoil_sync(struct conform_board *b, struct hilp_message *m)
{
        struct hilp_time_sync *s = &m->u.time_sync;

        switch (b->mistake) {
        case SYNC_SILENT:
                return;
        case SYNC_NO_ECHO:
                s->rig_transmit_us = 0;
                break;
        case SYNC_OTHER_ID:
                s->id++;
                break;
        case SYNC_BACKWARDS:
                s->board_transmit_us -= 50;
                break;
        case SYNC_MILLISECONDS:
                s->board_receive_us /= 1000;
                s->board_transmit_us /= 1000;
                break;
        case SYNC_GOES_BACK:
                s->board_receive_us = s->board_transmit_us =
                        9000000000ULL - s->board_receive_us;
                break;
        default:
                break;
        }
        board_say(b, m);
        if (b->mistake == SYNC_TWICE)
                board_say(b, m);
}

/* hilp_board has encoded it; here it is taken apart, and said again. */
static inline void board_relay(struct conform_board *b, const uint8_t *frame, size_t len)
{
        struct hilp_receiver whole = { .len = 0 };
        uint8_t payload[HILP_PAYLOAD_MAX];
        struct hilp_message m;
        size_t n;

        hilp_receive(&whole, frame, len, payload, &n);
        ck_assert_int_eq(hilp_decode(&m, payload, n), 1);
        b->board.sequence--;
        if (m.type == HILP_HELLO_ACK)
                spoil_ack(b, &m);
        else if (m.type == HILP_TIME_SYNC)
                spoil_sync(b, &m);
        else
                board_say(b, &m);
}
