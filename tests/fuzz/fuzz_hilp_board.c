/* A board that hears what the input says: bytes as they are, or a payload with a good CRC, while time passes. Whatever
 * comes, what it says back is a board's own, counted by one, and no frame is news that is not newer. */
#include <assert.h>

#include "io/codec/hilp/hilp_board.h"
#include "tests/fuzz/fuzz.h"

enum step { RAW, PAYLOAD, TIME, MOTORS, STATE, RANGES, TEXT, STEPS };

struct talk {
        struct hilp_board board;
        uint64_t t_us;
        uint8_t sequence; /* of its next message */
        bool frame_seen;
        uint32_t newest;
        uint64_t asked_us; /* when it last asked for a hello; 0: never */
};

static bool is_own(uint8_t type)
{
        return type == HILP_HELLO_ACK || type == HILP_MOTORS || type == HILP_TIME_SYNC ||
               type == HILP_STATE || type == HILP_TEXT || type == HILP_REAL_RANGES ||
               type == HILP_OPTION_ACK || type == HILP_PEER_SEND;
}

/* One whole frame, of a message that can be. */
static void check_said(struct talk *t, const uint8_t *frame, size_t len)
{
        struct hilp_receiver whole = { .len = 0 };
        uint8_t payload[HILP_PAYLOAD_MAX];
        struct hilp_message m;
        size_t n;

        if (len == 0)
                return;
        assert(len <= HILP_FRAME_MAX);
        assert(hilp_receive(&whole, frame, len, payload, &n) == len && n > 0);
        assert(hilp_decode(&m, payload, n));
        assert(is_own(m.type));
        assert(m.sequence == t->sequence);
        t->sequence++;
        if (m.type != HILP_HELLO_ACK || m.u.hello_ack.frame_every != 0)
                return;
        assert(t->asked_us == 0 || t->t_us - t->asked_us >= 100000);
        t->asked_us = t->t_us;
}

static void check_news(struct talk *t, const struct hilp_board_news *news)
{
        uint8_t out[HILP_FRAME_MAX];
        struct motor_command duty = { { 0.25, 1.0 } };

        check_said(t, news->out, news->out_len);
        switch (news->event) {
        case HILP_BOARD_HELLO:
                assert(news->out_len > 0 && t->board.ready);
                t->frame_seen = false;
                t->asked_us = 0;
                break;
        case HILP_BOARD_SENSORS:
                assert(t->board.ready);
                assert(!t->frame_seen ||
                       (int32_t)(t->board.newest_frame - t->newest) > 0);
                assert((news->sensors.fresh_sonars != 0) ==
                       ((news->sensors.fresh & SENSOR_BIT(SENSOR_SONAR)) != 0));
                t->frame_seen = true;
                t->newest = t->board.newest_frame;
                check_said(t, out,
                           hilp_board_motors(&t->board, &duty, 4, true, false, MODE_ARMED,
                                             out));
                break;
        case HILP_BOARD_INPUT:
                assert((unsigned)news->input.setpoint.mode < MODE_COUNT);
                break;
        case HILP_BOARD_OPTION:
                check_said(t, out,
                           hilp_board_option_ack(&t->board, news->option.key, true, out));
                break;
        case HILP_BOARD_PEER:
                assert(news->peer.len >= 1 && news->peer.len <= HILP_PEER_MAX);
                check_said(t, out,
                           hilp_board_peer_send(&t->board, HILP_PEER_ALL,
                                                news->peer.bytes, news->peer.len, out));
                break;
        default:
                break;
        }
}

static void hear(struct talk *t, const uint8_t *bytes, size_t len)
{
        size_t used = 0;

        while (used < len) {
                struct hilp_board_news news;
                size_t n = hilp_board_receive(&t->board, bytes + used, len - used,
                                              t->t_us, &news);

                assert(n > 0 && n <= len - used);
                used += n;
                check_news(t, &news);
        }
}

/* By itself; the values are any at all. */
static void speak(struct talk *t, enum step step, const uint8_t *bytes, size_t len)
{
        uint8_t out[HILP_FRAME_MAX];
        double values[ROTORS_MAX + SONARS_MAX] = { 0.0 };
        struct motor_command duty;
        struct fc_estimate estimate = { .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        char text[256] = "";

        memcpy(values, bytes, len < sizeof values ? len : sizeof values);
        memcpy(text, bytes, len < sizeof text ? len : sizeof text - 1);
        memcpy(duty.duty, values, sizeof duty.duty);
        estimate.q_body_to_ned.x = estimate.pos_ned_m.x = values[0];
        estimate.vel_ned_mps.z = values[1];
        if (step == MOTORS)
                check_said(t, out,
                           hilp_board_motors(&t->board, &duty,
                                             1 + (int)(len % ROTORS_MAX), len & 1,
                                             len & 2, MODE_GOTO, out));
        else if (step == STATE)
                check_said(t, out, hilp_board_state(&t->board, &estimate, out));
        else if (step == RANGES)
                check_said(t, out, hilp_board_real_ranges(&t->board, values, out));
        else
                check_said(t, out, hilp_board_text(&t->board, (int)len % 3, text, out));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct talk t = { .t_us = 1 };
        size_t at = 0;

        hilp_board_init(&t.board, "board", 4, 1, 1);
        /* A step: what, how many bytes, the bytes. */
        while (at + 2 <= size) {
                enum step step = (enum step)(data[at] % STEPS);
                size_t len = data[at + 1] < size - at - 2 ? data[at + 1] : size - at - 2;
                const uint8_t *bytes = data + at + 2;
                uint8_t frame[HILP_FRAME_MAX];

                if (step == RAW)
                        hear(&t, bytes, len);
                else if (step == PAYLOAD)
                        hear(&t, frame, hilp_frame_encode(bytes, len, frame));
                else if (step == TIME)
                        t.t_us += 1000 * (uint64_t)len;
                else
                        speak(&t, step, bytes, len);
                at += 2 + len;
        }
        return 0;
}
