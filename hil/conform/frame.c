/* Conformance: bytes become frames, whatever surrounds them, and what is damaged or cannot be is dropped. */
#include "hil/conform/step.h"

#include <string.h>

#define SECTION_RECEIVE "Frames"
#define SECTION_DROP    "When something goes wrong"

/* The next sensor frame as bytes. */
static size_t next_frame(struct conform_talk *t, uint8_t *out)
{
        struct hilp_message m;

        conform_talk_sensors(t, &m);
        conform_talk_expect(t, m.u.sensors.number);
        m.sequence = t->sequence++;
        return hilp_write(&m, out);
}

/* No zero among them. */
static void garbage(uint8_t *bytes, size_t len, uint32_t seed)
{
        for (size_t i = 0; i < len; i++) {
                seed = seed * 1664525U + 1013904223U;
                bytes[i] = (uint8_t)((seed >> 24) | 1);
        }
}

static bool is_answered(struct conform *c, const char *after)
{
        if (conform_talk_settle(&c->talk))
                return true;
        conform_failed(c, SECTION_RECEIVE,
                       "did not answer a frame that came %s: the next zero must find the "
                       "beginning of a frame again, after anything",
                       after);
        return false;
}

static bool after_garbage(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        uint8_t bytes[600], frame[HILP_FRAME_MAX];

        garbage(bytes, sizeof bytes - 1, 7);
        bytes[sizeof bytes - 1] = 0;
        conform_talk_bytes(t, bytes, 500);
        conform_talk_bytes(t, bytes + 500, 100);
        conform_talk_bytes(t, frame, next_frame(t, frame));
        return is_answered(c, "after 599 bytes without a zero, and a zero");
}

static bool in_pieces(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        uint8_t frame[HILP_FRAME_MAX];
        size_t len = next_frame(t, frame);

        for (size_t i = 0; i < len; i++) {
                conform_talk_bytes(t, frame + i, 1);
                conform_talk_listen(t, conform_wire_now(t->wire) + NS_PER_MS / 2);
        }
        return is_answered(c, "byte by byte");
}

static bool with_padding(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        uint8_t bytes[8 + HILP_FRAME_MAX] = { 0 };

        conform_talk_bytes(t, bytes, 8 + next_frame(t, bytes + 8));
        return is_answered(c, "after eight zeros, which are padding");
}

static bool together(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        uint8_t bytes[4 * HILP_FRAME_MAX];
        size_t len = 0;

        for (int i = 0; i < 4; i++)
                len += next_frame(t, bytes + len);
        conform_talk_bytes(t, bytes, len);
        return is_answered(c, "in one write with three others");
}

static bool after_half(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        struct hilp_message m;
        uint8_t bytes[2 * HILP_FRAME_MAX];
        size_t len;

        conform_talk_sensors(t, &m);
        len = hilp_write(&m, bytes) / 2;
        bytes[len++] = 0;
        conform_talk_bytes(t, bytes, len);
        conform_talk_bytes(t, bytes, next_frame(t, bytes));
        return is_answered(c, "after half of another and a zero");
}

/* Over a link of datagrams a frame is never in pieces. */
static bool has_datagrams(const struct conform *c)
{
        return c->talk.wire->link != NULL && c->talk.wire->link->packets;
}

enum conform_is conform_framing(struct conform *c)
{
        if (!conform_begin(c, false) || !conform_fly(c, 5) || !with_padding(c) ||
            !together(c) || !after_garbage(c))
                return CONFORM_FAILED;
        if (!has_datagrams(c) && !in_pieces(c))
                return CONFORM_FAILED;
        if (!after_half(c) || !conform_fly(c, 5) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        return conform_passed(c,
                              "after zeros, after garbage, after half a frame, %s, four "
                              "together",
                              has_datagrams(c) ? "in datagrams" : "byte by byte");
}

enum conform_is conform_damage(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        int damaged = 0;

        if (!conform_begin(c, false) || !conform_fly(c, 5))
                return CONFORM_FAILED;
        for (size_t at = 0; at < 44; at++, damaged++) {
                struct hilp_message m;
                uint8_t bytes[HILP_FRAME_MAX];
                size_t len;

                conform_talk_sensors(t, &m);
                m.sequence = t->sequence++;
                len = hilp_write(&m, bytes);
                bytes[at] ^= (uint8_t)(1U << at % 8);
                bytes[len++] = 0; /* for the one whose end is gone */
                conform_talk_bytes(t, bytes, len);
        }
        conform_talk_quiet(t);
        if (t->heard.strange > 0)
                return conform_failed(c, SECTION_DROP,
                                      "answered frame %u, in which one bit was wrong: a "
                                      "frame whose CRC does not fit must be dropped",
                                      t->heard.strange_number);
        if (!conform_fly(c, 5) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        return conform_passed(
                c, "%d frames with one wrong bit dropped, the next answered", damaged);
}

/* A sensor frame with another payload and a right CRC. */
static void send_spoilt(struct conform_talk *t, int way)
{
        struct hilp_message m;
        uint8_t payload[HILP_PAYLOAD_MAX] = { 0 }, frame[HILP_FRAME_MAX];
        size_t len, head = 15, next = (size_t)hilp_sensor_count(t->board.version);

        head += hilp_sensors_type(t->board.version) == HILP_SENSORS;
        conform_talk_sensors(t, &m);
        m.sequence = t->sequence++;
        if (way == 3)
                m.u.sensors.fresh |= HILP_GPS;
        len = hilp_encode(&m, payload);
        switch (way) {
        case 0: /* one byte more */
                len++;
                break;
        case 1: /* one byte less */
                len--;
                break;
        case 2: /* a block that is not there */
                payload[14] |= HILP_FLOW;
                break;
        case 3: /* a fix that there is not: behind head and IMU, its 34th byte */
                payload[head + (m.u.sensors.fresh & HILP_IMU ? 26 : 0) + 34] = 1;
                break;
        default: /* a sensor that nobody knows: the bit after the last */
                payload[14 + next / 8] |= (uint8_t)(1 << next % 8);
                break;
        }
        conform_talk_bytes(t, frame, hilp_frame_encode(payload, len, frame));
}

enum conform_is conform_malformed(struct conform *c)
{
        static const char *const what[] = {
                "one byte longer than its table says",
                "one byte shorter than its table says",
                "whose bit 5 says that flow is there, without its block",
                "with fix = 1, which its table excludes",
                "whose fresh names a sensor that its table does not know"
        };
        struct conform_talk *t = &c->talk;
        int ways;

        if (!conform_begin(c, false) || !conform_fly(c, 5))
                return CONFORM_FAILED;
        /* An old board's fresh has no bit to spare. */
        ways = hilp_sensors_type(t->board.version) == HILP_SENSORS ? 5 : 4;
        for (int way = 0; way < ways; way++) {
                send_spoilt(t, way);
                conform_talk_quiet(t);
                if (t->heard.strange > 0)
                        return conform_failed(
                                c, "Messages",
                                "answered a SENSORS %s: it is malformed, and "
                                "must be dropped as a whole",
                                what[way]);
                if (!conform_fly(c, 3))
                        return CONFORM_FAILED;
        }
        if (!conform_answers_fit(c))
                return CONFORM_FAILED;
        return conform_passed(c, "%d SENSORS that cannot be dropped, the next answered",
                              ways);
}

enum conform_is conform_unknown(struct conform *c)
{
        static const uint8_t types[] = { 0,         HILP_TYPE_MAX + 1, 99,
                                         255,       HILP_MOTORS,       HILP_STATE,
                                         HILP_TEXT, HILP_HELLO_ACK };
        struct conform_talk *t = &c->talk;
        struct hilp_message parts = { .type = HILP_PARTS };

        if (!conform_begin(c, false) || !conform_fly(c, 5))
                return CONFORM_FAILED;
        for (size_t i = 0; i < sizeof types; i++) {
                uint8_t payload[42] = { types[i], t->sequence++, 1, 1, 4 };
                uint8_t frame[HILP_FRAME_MAX];

                conform_talk_bytes(t, frame,
                                   hilp_frame_encode(payload, sizeof payload, frame));
                if (!conform_fly(c, 3))
                        return CONFORM_FAILED;
        }
        conform_talk_say(t, &parts);
        if (!conform_fly(c, 3) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        if (t->heard.acks > 0 || t->heard.echoes > 0)
                return conform_failed(c, "Messages",
                                      "answered a message that it does not know with %s: "
                                      "what is not for it is dropped",
                                      t->heard.acks > 0 ? "a HELLO_ACK" : "the same");
        return conform_passed(c, "%zu types that are not for a board, and PARTS",
                              sizeof types);
}
