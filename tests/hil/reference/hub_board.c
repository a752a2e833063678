/* The hub as a board: it hears states, tells its groups before the motors of the same frame, and forgets with a hello. */
#include <string.h>

#include "hil/reference/hub_board.h"
#include "models/fc/flock/flock.h"

#include "tests/suites.h"

static const struct hub_params params = {
        .period_ns = 100000000,
        .silent_ns = 1000000000,
        .groups = 1,
        .group = { { "a", 2, { 0, 3 }, FLOCK_COHESION } },
};

static struct hub_board board;
static uint8_t sequence;
/* What it said to the last message: types in order, the last word and text. */
static char said[16];
static struct hilp_message word, text;

static void hear(const uint8_t *bytes, size_t len)
{
        struct hilp_receiver receiver = { 0 };
        size_t used = 0, count = 0;

        memset(said, 0, sizeof said);
        while (used < len) {
                uint8_t payload[HILP_PAYLOAD_MAX];
                struct hilp_message m;
                size_t n;

                used += hilp_receive(&receiver, bytes + used, len - used, payload, &n);
                ck_assert(n > 0 && hilp_decode(&m, payload, n));
                said[count++] = m.type == HILP_HELLO_ACK   ? 'h'
                                : m.type == HILP_PEER_SEND ? 'p'
                                : m.type == HILP_TEXT      ? 't'
                                : m.type == HILP_MOTORS    ? 'm'
                                                           : '?';
                if (m.type == HILP_PEER_SEND)
                        word = m;
                if (m.type == HILP_TEXT)
                        text = m;
        }
}

static void tell(struct hilp_message *m)
{
        uint8_t frame[HILP_FRAME_MAX], out[HUB_BOARD_OUT_MAX];
        size_t len, out_len;

        m->sequence = sequence++;
        len = hilp_write(m, frame);
        ck_assert_uint_gt(len, 0);
        ck_assert_uint_eq(hub_board_receive(&board, frame, len, 0, out, &out_len), len);
        hear(out, out_len);
}

/* A station has no rotors. */
static void greet(void)
{
        struct hilp_message m = { .type = HILP_HELLO }, radio = { .type = HILP_RADIO };

        m.u.hello = (struct hilp_hello){ .version_min = HILP_VERSION_MIN,
                                         .version_max = HILP_VERSION_MAX,
                                         .flags = HILP_FLAG_LOCKSTEP,
                                         .frame_period_us = 4000,
                                         .units = { 1, 1, 1, 1, 1 },
                                         .name = "test rig" };
        sequence = 0;
        tell(&m);
        ck_assert_str_eq(said, "h");
        radio.u.radio = (struct hilp_radio){ .address = 8, .radios = 9, .bytes_max = 50 };
        tell(&radio);
}

static void frame(uint32_t number)
{
        struct hilp_message m = { .type = HILP_SENSORS };

        m.u.sensors.number = number;
        m.u.sensors.time_us = number * 4000;
        tell(&m);
}

static void state_from(int address)
{
        struct hilp_message m = { .type = HILP_PEER };

        m.u.peer.peer = (uint16_t)address;
        m.u.peer.len = 25;
        m.u.peer.bytes[0] = 1;
        tell(&m);
        ck_assert_str_eq(said, "");
}

TEST(a_group_is_told_before_the_motors_of_the_frame_that_decides)
{
        hub_board_init(&board, &params, "test hub", 7);
        greet();
        frame(1);
        ck_assert_str_eq(said, "ptm");
        ck_assert_str_eq(text.u.text.text, "hub: group a waits for its 2 members");
        ck_assert_uint_eq(word.u.peer.peer, HILP_PEER_ALL);
        ck_assert_uint_eq(word.u.peer.bytes[1] & 1, 0);
        frame(2);
        ck_assert_str_eq(said, "m");
        state_from(0);
        state_from(3);
        frame(3);
        ck_assert_str_eq(said, "ptm");
        ck_assert_str_eq(text.u.text.text, "hub: group a ready: 2 of 2");
        ck_assert_uint_eq(word.u.peer.len, 4);
        ck_assert_uint_eq(word.u.peer.bytes[1], 1);
        ck_assert_uint_eq(word.u.peer.bytes[2], FLOCK_COHESION);
        ck_assert_uint_eq(word.u.peer.bytes[3], 1 << 0 | 1 << 3);
        greet();
        ck_assert(hub_is_paused(&board.hub, &params, 0));
}

TEST(what_is_no_state_is_not_a_member_that_speaks)
{
        struct hilp_message m = { .type = HILP_PEER };

        hub_board_init(&board, &params, "test hub", 7);
        greet();
        frame(1);
        m.u.peer.len = 24;
        m.u.peer.bytes[0] = 1;
        tell(&m);
        m.u.peer.len = 25;
        m.u.peer.bytes[0] = 2;
        tell(&m);
        state_from(3);
        frame(2);
        ck_assert_int_eq(board.hub.group[0].here, 1);
        ck_assert_int_eq(board.hub.group[0].missing, 0);
}
