/* Conformance: the board says who it is, and begins anew when it is asked again. */
#include "hil/conform/step.h"

#include <stdio.h>
#include <string.h>

#define SECTION_ACK  "HELLO_ACK (2)"
#define SECTION_TALK "Conversation"

/* ---- Why nothing that makes sense comes back */

/* What is mistaken for CRC-16/IBM-3740, most likely first. */
struct crc_kind {
        const char *what;
        uint16_t start, end;
        bool reflected, swapped;
};

static const struct crc_kind crc_kinds[] = {
        { "with the high byte first", 0xFFFF, 0, false, true },
        { "from the start value 0x0000 instead of 0xFFFF", 0x0000, 0, false, false },
        { "from the start value 0x1D0F instead of 0xFFFF", 0x1D0F, 0, false, false },
        { "with all bits inverted at the end", 0xFFFF, 0xFFFF, false, false },
        { "with the bits of a byte the other way round", 0xFFFF, 0, true, false },
        { "as in CRC-16/KERMIT", 0x0000, 0, true, false },
        { "as in X.25", 0xFFFF, 0xFFFF, true, false },
};

#define CRC_KINDS ((int)(sizeof crc_kinds / sizeof crc_kinds[0]))

static uint16_t step_crc(uint16_t crc, bool reflected)
{
        if (reflected)
                return (uint16_t)(crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1);
        return (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
}

static uint16_t other_crc(const struct crc_kind *k, const uint8_t *bytes, size_t len)
{
        uint16_t crc = k->start;

        for (size_t i = 0; i < len; i++) {
                crc = (uint16_t)(crc ^ (k->reflected ? bytes[i] : bytes[i] << 8));
                for (int bit = 0; bit < 8; bit++)
                        crc = step_crc(crc, k->reflected);
        }
        crc ^= k->end;
        if (k->swapped)
                crc = (uint16_t)(crc << 8 | crc >> 8);
        return crc;
}

/* Undone in place. Its length; 0: it cannot be. */
static size_t unstuff(uint8_t *bytes, size_t len)
{
        size_t n = 0;

        for (size_t at = 0; at < len;) {
                size_t end = at + bytes[at];

                if (bytes[at] == 0 || end > len)
                        return 0;
                for (at++; at < end; at++)
                        bytes[n++] = bytes[at];
                if (end < len)
                        bytes[n++] = 0;
        }
        return n;
}

/* The kind of CRC that the board's newest frame has; -1: none of them. */
static int sent_crc(const struct conform_talk *t)
{
        uint8_t bytes[HILP_FRAME_MAX];
        size_t n;

        memcpy(bytes, t->odd, t->odd_len);
        n = unstuff(bytes, t->odd_len);
        for (int i = 0; n >= 4 && i < CRC_KINDS; i++)
                if (other_crc(&crc_kinds[i], bytes, n - 2) ==
                    (bytes[n - 2] | bytes[n - 1] << 8))
                        return i;
        return -1;
}

/* The kind of CRC with which the board answers a HELLO that has it; -1: none of them. */
static int odd_crc(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        struct hilp_message m = { .type = HILP_HELLO, .u.hello = t->hello };
        uint8_t payload[HILP_PAYLOAD_MAX], frame[HILP_FRAME_MAX + 1] = { 0 };
        size_t len = hilp_encode(&m, payload);

        for (int i = 0; i < CRC_KINDS; i++) {
                size_t n = conform_talk_frame(
                        payload, len, other_crc(&crc_kinds[i], payload, len), frame + 1);

                conform_talk_forget(t);
                conform_talk_bytes(t, frame, n + 1);
                conform_talk_quiet(t);
                if (t->heard.bytes > 0)
                        return i;
        }
        return -1;
}

static enum conform_is nothing_sensible(struct conform *c)
{
        const struct conform_heard heard = c->talk.heard;
        double waited_s = (double)c->options.hello_ns * 1e-9;
        int kind;

        if (heard.echoes > 0)
                return conform_failed(
                        c, "When something goes wrong",
                        "the rig hears its own HELLO: TX is wired to RX, or "
                        "the board echoes what it gets");
        if (heard.messages > 0)
                return conform_failed(
                        c, "HELLO (1)",
                        "%u messages came, and none of them was a HELLO_ACK: "
                        "each HELLO must be answered",
                        heard.messages);
        if (heard.malformed > 0)
                return conform_failed(
                        c, SECTION_ACK,
                        "%u messages of type %u came with a right CRC that "
                        "cannot be: wrong length, or a value that its table "
                        "excludes",
                        heard.malformed, heard.malformed_payload[0]);
        kind = heard.bytes > 0 ? sent_crc(&c->talk) : -1;
        if (kind >= 0)
                return conform_failed(
                        c, "Frames",
                        "answers, with frames whose CRC is taken %s: it must be "
                        "CRC-16/IBM-3740, low byte first; \"123456789\" gives 0x29B1",
                        crc_kinds[kind].what);
        kind = odd_crc(c);
        if (kind >= 0 && heard.bytes == 0)
                return conform_failed(
                        c, "Frames",
                        "answers only frames whose CRC is taken %s: it must be "
                        "CRC-16/IBM-3740, low byte first; \"123456789\" gives "
                        "0x29B1",
                        crc_kinds[kind].what);
        if (heard.bytes > 0)
                return conform_failed(
                        c, "Frames",
                        "%llu bytes came in %g s, and no frame with a right "
                        "CRC among them: wrong baud rate, another protocol, "
                        "or a CRC of another kind",
                        (unsigned long long)heard.bytes, waited_s);
        return conform_failed(c, "HELLO (1)",
                              "nothing came in %g s: board off, wrong port, TX and RX "
                              "not crossed, or it takes no HELLO for valid",
                              waited_s);
}

/* ---- The answer itself */

static bool copy_name(struct conform *c, const char *name)
{
        bool printable = name[0] != '\0';
        size_t n = 0;

        for (; name[n] != '\0'; n++) {
                bool fits = name[n] >= ' ' && name[n] <= '~';

                c->name[n] = fits ? name[n] : '?';
                printable = printable && fits;
        }
        c->name[n] = '\0';
        return printable;
}

/* True: the rig could not fly with it. */
static bool useless(struct conform *c, const struct hilp_hello_ack *ack)
{
        if (ack->version == 0)
                conform_failed(c, "Versions", "speaks none of versions %d to %d",
                               HILP_VERSION_MIN, HILP_VERSION_MAX);
        else if (ack->version < HILP_VERSION_MIN || ack->version > HILP_VERSION_MAX)
                conform_failed(c, "Versions",
                               "answered with version %u to a rig that speaks %d to %d",
                               ack->version, HILP_VERSION_MIN, HILP_VERSION_MAX);
        else if (ack->frame_every == 0)
                conform_failed(c, SECTION_ACK,
                               "answered HELLO with frame_every = 0, which asks for a "
                               "HELLO: in the answer to one it must be 1 or more");
        else if (ack->rotors < c->options.rotors)
                conform_failed(c, SECTION_ACK,
                               "has %u motor outputs, the vehicle needs %d (--rotors)",
                               ack->rotors, c->options.rotors);
        else
                return false;
        return true;
}

static enum conform_is judge_ack(struct conform *c, const struct hilp_hello_ack *ack)
{
        char every[40] = "every tick a frame";

        if (useless(c, ack))
                return CONFORM_FAILED;
        c->answers = true;
        if (!copy_name(c, ack->name))
                return conform_failed(c, SECTION_ACK,
                                      "name must be of printable ASCII characters, and "
                                      "not empty: it is \"%s\"",
                                      c->name);
        if (ack->frame_every > 1)
                snprintf(every, sizeof every, "every %u ticks a frame", ack->frame_every);
        return conform_passed(c,
                              "\"%s\": version %u, %u motor outputs, %s, unique 0x%08x",
                              c->name, ack->version, ack->rotors, every, ack->unique);
}

enum conform_is conform_hello(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        struct hilp_message m = { .type = HILP_HELLO };

        if (!conform_talk_hello(t, false, c->options.hello_ns))
                return t->wire->gone ? conform_failed(c, "Bytes", "the board hung up")
                                     : nothing_sensible(c);
        /* Answers to hellos that came while it started. */
        conform_talk_listen(t, conform_wire_now(t->wire) + 200 * NS_PER_MS);
        conform_talk_forget(t);
        m.u.hello = t->hello;
        conform_talk_say(t, &m);
        if (!conform_talk_await(t, &t->heard.acks, 1, t->patience_ns))
                return conform_failed(
                        c, SECTION_TALK,
                        "answered the first HELLO, and not the one after it");
        conform_talk_quiet(t);
        t->board = t->heard.ack;
        if (useless(c, &t->heard.ack))
                return CONFORM_FAILED;
        c->answers = true;
        if (t->heard.acks > 1)
                return conform_failed(
                        c, SECTION_TALK,
                        "answered one HELLO with %u HELLO_ACK: one for each",
                        t->heard.acks);
        if (t->heard.motors > 0)
                return conform_failed(c, "MOTORS (4)",
                                      "sent %u MOTORS before any SENSORS",
                                      t->heard.motors);
        return judge_ack(c, &t->heard.ack);
}

/* A HELLO of that range of versions; false: not answered. */
static bool offer(struct conform *c, uint8_t min, uint8_t max, uint8_t flags)
{
        struct conform_talk *t = &c->talk;
        struct hilp_message m = { .type = HILP_HELLO, .u.hello = t->hello };

        conform_talk_forget(t);
        m.u.hello.version_min = min;
        m.u.hello.version_max = max;
        m.u.hello.flags = flags;
        conform_talk_say(t, &m);
        return conform_talk_await(t, &t->heard.acks, 1, t->patience_ns);
}

enum conform_is conform_versions(struct conform *c)
{
        const struct hilp_hello_ack *ack = &c->talk.heard.ack;
        uint8_t highest;

        if (!conform_begin(c, false))
                return CONFORM_FAILED;
        highest = c->talk.board.version;
        if (!offer(c, 1, 255, 0) || ack->version != highest)
                return conform_failed(c, "Versions",
                                      "offered versions 1 to 255 it answered %u: it must "
                                      "take the highest that it speaks, %u",
                                      ack->version, highest);
        if (!offer(c, (uint8_t)(highest + 1), 255, 0))
                return conform_failed(c, "Versions",
                                      "offered versions %u to 255 it did not answer: it "
                                      "must say version 0, so that the rig can tell why",
                                      highest + 1);
        if (ack->version != 0)
                return conform_failed(
                        c, "Versions",
                        "offered versions %u to 255 it answered %u: it must "
                        "say 0 where there is none that both speak",
                        highest + 1, ack->version);
        if (!offer(c, HILP_VERSION_MIN, HILP_VERSION_MAX, 0xFE))
                return conform_failed(c, "HELLO (1)",
                                      "did not answer a HELLO with flags that it cannot "
                                      "know: bits other than 0 are to be ignored");
        return conform_passed(c, "%u of 1 to 255, 0 of %u to 255; unknown flags ignored",
                              highest, highest + 1);
}

enum conform_is conform_hello_again(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        uint32_t unique;

        if (!conform_begin(c, false))
                return CONFORM_FAILED;
        unique = t->board.unique;
        t->next_number = 1000;
        if (!conform_fly(c, 20))
                return CONFORM_FAILED;
        if (!conform_begin(c, false))
                return CONFORM_FAILED;
        if (t->board.unique != unique)
                return conform_failed(
                        c, SECTION_ACK,
                        "unique was 0x%08x, and 0x%08x after another HELLO: "
                        "it must differ at each start of the board, and "
                        "only then",
                        unique, t->board.unique);
        conform_talk_send_frame(t);
        if (!conform_talk_settle(t))
                return conform_failed(
                        c, SECTION_TALK,
                        "did not answer frame 0 after a second HELLO: it has "
                        "frame 1019 of the conversation before in mind, and "
                        "HELLO must make it forget the newest frame number");
        if (!conform_fly(c, 20) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        return conform_passed(c, "frame 0 answered after frame 1019; unique as before");
}
