/* What the conformance test hears of a board: bytes become messages, and each message is counted as what it is:
 * an answer to a frame that was sent, one too many, one that cannot be. It judges nothing. */
#pragma once

#include "io/codec/hilp/hilp.h"

struct conform_talk;

#define CONFORM_SEQUENCES 6

/* Everything since conform_talk_forget(). */
struct conform_heard {
        uint64_t bytes;
        uint32_t messages; /* with the right CRC and possible */
        uint32_t crc_errors, malformed, lost;
        uint32_t stuck; /* sequence number of the one before, and other bytes */
        uint32_t repeated; /* the same bytes as the one before */
        uint32_t jumps, back; /* not by one; of these backwards */
        uint32_t own_jumps; /* not by one from the last of its type */
        uint32_t sequenced;
        uint8_t sequences[CONFORM_SEQUENCES]; /* the first of them */
        uint32_t echoes; /* the rig's own messages come back */
        uint32_t acks, motors, states, texts, option_acks, syncs;
        struct hilp_hello_ack ack; /* the newest of each */
        struct hilp_option_ack option_ack;
        struct hilp_time_sync sync;
        struct hilp_state state;
        int64_t sync_ns; /* when that came */
        uint8_t malformed_payload[HILP_PAYLOAD_MAX]; /* of the newest */
        size_t malformed_len;

        /* Of the answers to frames that were sent since then */
        uint32_t sent, answered;
        uint32_t twice, strange,
                disorder; /* an answer more; to none of these; after a newer one's */
        uint32_t swapped; /* of the strange: to one of these, read the other way round */
        uint32_t swapped_number;
        uint32_t twice_number, strange_number, disorder_number; /* of the first of each */
        uint32_t
                few; /* with fewer outputs than the vehicle needs, or more than the board has */
        uint32_t turning; /* with a duty, though disarmed */
        uint32_t armed;
        uint32_t failsafe; /* with that flag */
        struct hilp_motors newest; /* whatever it answers */
        uint64_t unrest,
                unrest_swapped; /* of armed duties from one to the next; with their bytes the other way round */
        uint32_t muddled; /* armed with mode 0, or disarmed with another */
        struct hilp_motors few_motors, turning_motors, muddled_motors; /* the first */
};

/* Bytes of the board that came at now_ns, in any pieces: into t->heard, and what it said newest into t->motors and
 * t->text. */
void conform_heard_bytes(struct conform_talk *t, const uint8_t *bytes, size_t len,
                         int64_t now_ns);
