/* INAV's side of MSP_SIMULATOR, as far as the codec's tests need it: written from the offsets in INAV's
 * own reader, and not from the codec. It answers at once, or when it is let. */
#pragma once

#include <string.h>

#include "io/codec/codec.h"
#include "io/le.h"
#include "io/codec/msp.h"

#define MS 1000000LL

struct inav_board {
        struct msp_stream in;
        /* What it is */
        char variant[5];
        uint8_t version[3];
        uint32_t uptime_s;
        uint32_t
                blockers; /* of armingFlags, beside those that follow from what it gets */
        uint16_t motor_us[8];
        int simulator; /* the version that it knows; 0: any; -1: it has no MSP_SIMULATOR */
        int16_t attitude[3];
        uint8_t receiver, platform; /* settings, by number */
        int motors; /* of its mixer */
        uint8_t arm_to; /* of the range that arms */
        bool knows_no_settings;
        bool no_uptime; /* it does not know the command */
        bool mute;
        bool deaf; /* nothing comes in */
        bool stuck; /* in a fail-safe, in which its arm switch does not disarm it */
        bool stubborn; /* nor does the end of the simulation */
        int swallow; /* so many requests are not answered */
        bool no_mission_switch;
        int room; /* for way-points */
        int spoils; /* so many way-points are kept with another latitude */
        int lost_every; /* of the requests about the mission one in so many is not heard; 0: none */
        int flies_to; /* way-point, from 1; 0: none */

        /* What it got */
        uint32_t arming_flags;
        uint64_t boxes;
        int frames, polls, stops, reboots, rc_frames, requests;
        uint16_t flags; /* of the newest frame */
        uint8_t body[128]; /* of the newest frame, from the fix on */
        size_t len; /* of its payload */
        uint16_t rc_us[8];
        uint8_t waypoint[120][21];
        int waypoints, about_mission;
        bool mission_valid;
};

/* As the boxes of INAV 9.1.0 come: ARM, ..., FAILSAFE last here. */
static const uint8_t board_box_ids[] = { 0, 51, 1, 3, 11, 10, 27, 28 };

static inline void board_begin(struct inav_board *b)
{
        *b = (struct inav_board){
                .variant = "INAV",
                .version = { 9, 1, 0 },
                .uptime_s = 100,
                .motor_us = { 1100, 1200, 1300, 1400, 1500, 1600, 1700, 1800 },
                .receiver = 3,
                .motors = 4,
                .arm_to = 48,
                .room = 120,
        };
}

/* Armed by the switch when nothing blocks; blocked by the switch when something else does. */
static inline void board_switch(struct inav_board *b)
{
        bool on = b->rc_us[4] >= 1700 || (b->stuck && b->arming_flags & 1U << 2);
        uint32_t blockers = b->blockers | (b->rc_us[2] > 1050 ? 1U << 19 : 0);

        if (!on)
                b->arming_flags &= ~(1U << 2 | 1U << 14);
        else if (!(b->arming_flags & 1U << 2) && blockers != 0)
                b->arming_flags |= 1U << 14;
        else if (!(b->arming_flags & 1U << 14))
                b->arming_flags |= 1U << 2 | 1U << 3;
        b->arming_flags &= 1U << 2 | 1U << 3 | 1U << 4 | 1U << 14;
        if (!(b->arming_flags & 1U << 2))
                b->arming_flags |= blockers;
        b->boxes = (b->arming_flags >> 2 & 1) | (b->boxes & ~1ULL);
}

static inline int board_simulator(struct inav_board *b, const struct msp_frame *m,
                                  uint8_t *answer)
{
        bool v3 = m->payload[0] == 3;
        size_t head = v3 ? 3 : 2;

        if (m->len < head || b->simulator < 0)
                return -1;
        /* 9.0.1 answers the version that it does not know with nothing. */
        if ((m->payload[0] != 2 && !v3) ||
            (b->simulator != 0 && b->simulator != m->payload[0]))
                return 0;
        b->flags = v3 ? le_get_u16(m->payload + 1) : m->payload[1];
        b->len = m->len;
        if (!(b->flags & 1)) {
                b->reboots += b->flags != 0;
                b->stops += b->flags == 0;
                b->arming_flags &= b->stubborn ? ~(1U << 4) : ~(1U << 2 | 1U << 4);
                board_switch(b);
        } else {
                b->frames++;
                memcpy(b->body, m->payload + head, m->len - head);
                b->arming_flags |= 1U << 4;
                if (v3 && b->flags & 1 << 11)
                        for (int i = 0; i < 8; i++)
                                b->rc_us[i] = le_get_u16(m->payload + 62 + 2 * i);
                board_switch(b);
        }
        memset(answer, 0, 21);
        answer[8] = b->arming_flags & 1U << 2 ? 0x40 : 0;
        for (int i = 0; i < 3; i++)
                le_put_u16(answer + 13 + 2 * i, (uint16_t)b->attitude[i]);
        answer[19] = 0xFF;
        return 21;
}

static inline int board_status(const struct inav_board *b, uint8_t *answer)
{
        memset(answer, 0, 22);
        le_put_u32(answer + 9, b->arming_flags | b->blockers);
        le_put_u64(answer + 13, b->boxes);
        return 22;
}

/* Name, group, type, section, mode, least, most, index, profile, all words of a table, value. */
static inline int board_setting(const struct inav_board *b, const uint8_t *name,
                                uint8_t *answer)
{
        static const char receivers[] = "NONE\0SERIAL\0MSP\0SIM (SITL)";
        static const char platforms[] = "MULTIROTOR\0AIRPLANE";
        bool receiver = strcmp((const char *)name, "receiver_type") == 0;
        size_t at = strlen((const char *)name) + 1;
        size_t words = receiver ? sizeof receivers : sizeof platforms;

        if (!receiver && strcmp((const char *)name, "platform_type") != 0)
                return -1;
        memcpy(answer, name, at);
        memset(answer + at, 0, 17);
        answer[at + 4] = 0x40;
        answer[at + 9] = receiver ? 3 : 1;
        memcpy(answer + at + 17, receiver ? receivers : platforms, words);
        answer[at + 17 + words] = receiver ? b->receiver : b->platform;
        return (int)(at + 17 + words + 1);
}

/* mmix 0 to 3 of docs/firmware_inav.md, and more in the middle. */
static inline int board_mixer(const struct inav_board *b, uint8_t *answer)
{
        static const int place[4][2] = { { -1, 1 }, { -1, -1 }, { 1, 1 }, { 1, -1 } };

        for (int i = 0; i < 24; i++) {
                bool used = i < b->motors;

                le_put_u16(answer + 8 * i, used ? 3000 : 2000);
                le_put_u16(answer + 8 * i + 2,
                           (uint16_t)(2000 + (used && i < 4 ? 1000 * place[i][0] : 0)));
                le_put_u16(answer + 8 * i + 4,
                           (uint16_t)(2000 + (used && i < 4 ? 1000 * place[i][1] : 0)));
                le_put_u16(answer + 8 * i + 6, 2000);
        }
        return 192;
}

static inline int board_ranges(const struct inav_board *b, uint8_t *answer)
{
        memset(answer, 0, 160);
        answer[2] = 32;
        answer[3] = b->arm_to;
        memcpy(answer + 4, (uint8_t[]){ 1, 1, 16, 48 }, 4);
        if (!b->no_mission_switch)
                memcpy(answer + 8, (uint8_t[]){ 28, 2, 34, 46 }, 4);
        return 160;
}

/* setWaypoint(): the first, or the one behind the last. Others are acknowledged and forgotten. */
static inline int board_set_waypoint(struct inav_board *b, const struct msp_frame *m)
{
        int number = m->payload[0];

        if (m->len != 21)
                return -1;
        if (number != 1 && number != b->waypoints + 1)
                return 0;
        memcpy(b->waypoint[number - 1], m->payload, 21);
        if (b->spoils > 0) {
                b->spoils--;
                b->waypoint[number - 1][2] ^= 1;
        }
        b->waypoints = number;
        b->mission_valid = m->payload[20] == 0xA5;
        return 0;
}

static inline int board_waypoint(const struct inav_board *b, uint8_t number,
                                 uint8_t *answer)
{
        memset(answer, 0, 21);
        answer[0] = number;
        if (number >= 1 && number <= b->waypoints)
                memcpy(answer, b->waypoint[number - 1], 21);
        return 21;
}

/* The payload of its answer; -1: it refuses. */
static inline int board_answer(struct inav_board *b, const struct msp_frame *m,
                               uint8_t *answer)
{
        switch (m->command) {
        case 1:
                memcpy(answer, "\0\2\5", 3);
                return 3;
        case 2:
                memcpy(answer, b->variant, 4);
                return 4;
        case 3:
                memcpy(answer, b->version, 3);
                return 3;
        case 4:
                memcpy(answer, "SITL\0\0\2\0\4SITL", 13);
                return 13;
        case 20:
                memcpy(answer,
                       (uint8_t[]){ 0, (uint8_t)b->room, b->mission_valid,
                                    (uint8_t)b->waypoints },
                       4);
                return 4;
        case 209:
                return board_set_waypoint(b, m);
        case 118:
                return board_waypoint(b, m->payload[0], answer);
        case 121:
                memset(answer, 0, 7);
                answer[0] = b->flies_to > 0 ? 3 : 0;
                answer[3] = (uint8_t)b->flies_to;
                return 7;
        case 34:
                return b->knows_no_settings ? -1 : board_ranges(b, answer);
        case 0x1005:
                return b->knows_no_settings ? -1 : board_mixer(b, answer);
        case 0x1007:
                return b->knows_no_settings ? -1 : board_setting(b, m->payload, answer);
        case 104:
                b->polls++;
                for (int i = 0; i < 8; i++)
                        le_put_u16(answer + 2 * i, b->motor_us[i]);
                return 16;
        case 119:
                memcpy(answer, board_box_ids, sizeof board_box_ids);
                return sizeof board_box_ids;
        case 200:
                b->rc_frames++;
                for (int i = 0; i < 8; i++)
                        b->rc_us[i] = le_get_u16(m->payload + 2 * i);
                board_switch(b);
                return 0;
        case 0x2000:
                return board_status(b, answer);
        case 0x203A:
                if (b->no_uptime)
                        return -1;
                memset(answer, 0, 10);
                le_put_u32(answer, b->uptime_s);
                return 10;
        case 0x201F:
                return board_simulator(b, m, answer);
        default:
                return -1;
        }
}

/* Bytes in, and its answers out; returns how many bytes of them. */
static inline size_t board_take(struct inav_board *b, const uint8_t *bytes, size_t len,
                                uint8_t *out)
{
        size_t said = 0;

        for (size_t used = 0; used < len && !b->deaf;) {
                struct msp_frame m, reply = { .version = MSP_V2, .kind = MSP_REPLY };
                bool got;
                int n;

                used += msp_stream_take(&b->in, bytes + used, len - used, &m, &got);
                if (!got || m.kind != MSP_REQUEST)
                        continue;
                b->requests++;
                if (m.command == 20 || m.command == 209 || m.command == 118) {
                        b->about_mission++;
                        if (b->lost_every > 0 && b->about_mission % b->lost_every == 0)
                                continue;
                }
                n = board_answer(b, &m, reply.payload);
                if (b->mute || (b->flags != 0 && !(b->flags & 1)))
                        continue;
                if (b->swallow > 0) {
                        b->swallow--;
                        continue;
                }
                reply.command = m.command;
                reply.kind = n < 0 ? MSP_ERROR : MSP_REPLY;
                reply.len = (uint16_t)(n < 0 ? 0 : n);
                said += msp_encode(&reply, out + said);
        }
        return said;
}
