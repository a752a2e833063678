/* Conformance: numbers. Which byte of one comes first, and what the board's own messages are counted with. */
#include "hil/conform/step.h"

#include <endian.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FRAMES     300
#define SYNC_BYTES 29 /* of its payload; the board's times are the last */
#define SYNC_EACH  50 /* frames: an answer of another type among them */
#define MANY       4 /* one in so many is no accident of the line */

/* Read from either end it is newer than 1. */
#define NUMBER_NEWER 129
/* Older than 1, and newer with its high byte first. */
#define NUMBER_OLDER 0xFFFFFF01U

/* Whether that frame is answered. */
static bool answers_number(struct conform *c, uint32_t number)
{
        conform_talk_forget(&c->talk);
        c->talk.next_number = number;
        return conform_talk_fly(&c->talk, 1);
}

static double length_of(const int16_t *q)
{
        return sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] +
                    (double)q[3] * q[3]);
}

/* The newest STATE's attitude is a unit only with its bytes the other way round. */
static bool state_is_swapped(const struct conform_heard *h)
{
        int16_t other[4];

        for (int i = 0; i < 4; i++)
                other[i] = (int16_t)__builtin_bswap16((uint16_t)h->state.q_1e4[i]);
        return h->states > 0 && fabs(length_of(h->state.q_1e4) - 1e4) > 1e3 &&
               fabs(length_of(other) - 1e4) < 1e3;
}

static void say_time_sync(struct conform_talk *t)
{
        struct hilp_message m = { .type = HILP_TIME_SYNC };

        m.u.time_sync.rig_transmit_us = (uint64_t)conform_wire_now(t->wire) / 1000;
        conform_talk_say(t, &m);
}

/* An answer to a TIME_SYNC came whose times cannot be, and can with their bytes the other way round. */
static bool time_is_swapped(const struct conform_heard *h)
{
        uint64_t us[2];

        if (h->malformed_len != SYNC_BYTES || h->malformed_payload[0] != HILP_TIME_SYNC)
                return false;
        memcpy(us, h->malformed_payload + SYNC_BYTES - sizeof us, sizeof us);
        return be64toh(us[0]) <= HILP_TIME_MAX_US && be64toh(us[1]) <= HILP_TIME_MAX_US;
}

enum conform_is conform_byte_order(struct conform *c)
{
        struct conform_talk *t = &c->talk;

        if (!conform_begin(c, false))
                return CONFORM_FAILED;
        t->next_number = 1;
        if (!conform_fly(c, 1))
                return CONFORM_FAILED;
        if (!answers_number(c, NUMBER_NEWER))
                return answers_number(c, NUMBER_OLDER)
                               ? conform_failed(c, "Messages",
                                                "dropped frame %u after frame 1, and "
                                                "answered frame %u, which is older: it "
                                                "reads `number` with the high byte "
                                                "first. Integers are little-endian",
                                                NUMBER_NEWER, NUMBER_OLDER)
                               : conform_failed_in_time(
                                         c, t->patience_ns / 5, "SENSORS (15)",
                                         "did not answer frame %u after frame 1: frames "
                                         "that the rig skips leave gaps",
                                         NUMBER_NEWER);
        say_time_sync(t);
        if (!conform_fly(c, FRAMES))
                return CONFORM_FAILED;
        conform_talk_quiet(t);
        if (time_is_swapped(&t->heard))
                return conform_failed(c, "TIME_SYNC (6)",
                                      "the times in its TIME_SYNC can only be with the "
                                      "bytes of each number in the other order. Integers "
                                      "are little-endian");
        if (!conform_answers_fit(c))
                return CONFORM_FAILED;
        if (state_is_swapped(&t->heard))
                return conform_failed(c, "STATE (7)",
                                      "the attitude in its STATE is a unit only with the "
                                      "bytes of each number in the other order. Integers "
                                      "are little-endian");
        return conform_passed(c, "frame %u is newer than frame 1%s", NUMBER_NEWER,
                              t->heard.states > 0 ? ", STATE has an attitude" : "");
}

/* What the first of them were. */
static const char *first_sequences(const struct conform_heard *h, char *text, size_t cap)
{
        size_t used = 0;

        text[0] = '\0';
        for (uint32_t i = 0; i < h->sequenced && i < CONFORM_SEQUENCES && used < cap; i++)
                used += (size_t)snprintf(text + used, cap - used, "%s%u",
                                         i > 0 ? ", " : "", h->sequences[i]);
        return text;
}

/* Frames, with exchanges of time between them, so that messages of another type come too. */
static bool fly_with_time_sync(struct conform *c)
{
        for (int i = 0; i < FRAMES; i += SYNC_EACH) {
                if (!conform_fly(c, SYNC_EACH))
                        return false;
                say_time_sync(&c->talk);
        }
        return conform_answers_fit(c);
}

enum conform_is conform_sequence(struct conform *c)
{
        const struct conform_heard *h = &c->talk.heard;
        char numbers[60];

        if (!conform_begin(c, false) || !fly_with_time_sync(c))
                return CONFORM_FAILED;
        if (h->stuck * MANY > h->sequenced)
                return conform_failed(c, "Messages",
                                      "the sequence number did not move from one message "
                                      "to the next, %u times: it counts the messages of "
                                      "its direction, of all types",
                                      h->stuck);
        if (h->jumps > 0 && h->own_jumps == 0)
                return conform_failed(c, "Messages",
                                      "each type of message has a sequence number of its "
                                      "own: there is one, which counts the messages of "
                                      "all types");
        if (h->back * MANY > h->sequenced)
                return conform_failed(c, "Messages",
                                      "sequence numbers come in no order, %s and so on: "
                                      "they count the messages by one, modulo 256",
                                      first_sequences(h, numbers, sizeof numbers));
        if (h->lost > 0)
                return conform_failed(
                        c, "Messages",
                        "sequence numbers jumped over %u messages, though no "
                        "frame came damaged: they count the messages of one "
                        "direction, of all types, by one",
                        h->lost);
        return conform_passed(c, "%u messages of all types, counted by one",
                              h->sequenced);
}

enum conform_is conform_duplicates(struct conform *c)
{
        const struct conform_heard *h = &c->talk.heard;

        if (!conform_begin(c, false) || !conform_fly(c, FRAMES) ||
            !conform_answers_fit(c))
                return CONFORM_FAILED;
        if (h->repeated * MANY > h->sequenced)
                return conform_failed(c, "Conversation",
                                      "%u of %u messages came a second time, with the "
                                      "same sequence number and the same bytes: not "
                                      "second answers, but buffers that are sent twice. "
                                      "The rig drops them; the line carries them",
                                      h->repeated, h->messages);
        if (h->repeated > 0)
                return conform_passed(
                        c,
                        "the line repeated %u of %u messages, which the rig "
                        "drops",
                        h->repeated, h->messages);
        return conform_passed(c, "%u messages, each once", h->messages);
}
