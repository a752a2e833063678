/* Conformance: armed when it is told to be, and only then. In lockstep, so that it takes simulated seconds and no
 * more of the host's than the board needs. */
#include "hil/conform/step.h"

#include <stdio.h>

#define REST_S   1.0 /* before anything is asked */
#define DISARM_S 1.0 /* of simulated time, until an order to disarm is obeyed */

/* What it said of late, for a text. */
static const char *last_words(const struct conform_talk *t, char *text, size_t cap)
{
        int kept =
                t->text_lines < CONFORM_TEXT_LINES ? t->text_lines : CONFORM_TEXT_LINES;
        size_t used = 0;

        snprintf(text, cap, "it said nothing: TEXT is where a board tells why not");
        for (int i = t->text_lines - kept; i < t->text_lines && used < cap; i++)
                used += (size_t)snprintf(text + used, cap - used, "%s\"%s\"",
                                         used > 0 ? ", " : "it said ",
                                         t->text[i % CONFORM_TEXT_LINES]);
        return text;
}

bool conform_motors_fit(struct conform *c)
{
        const struct conform_heard *h = &c->talk.heard;
        char duties[100];

        if (h->turning > 0)
                conform_failed(
                        c, "MOTORS (4)",
                        "duty %s while the armed flag is 0, in %u answers: disarmed "
                        "means that all of them are 0",
                        conform_duties(&h->turning_motors, duties, sizeof duties),
                        h->turning);
        else if (h->muddled > 0)
                conform_failed(c, "MOTORS (4)",
                               "mode is %u with the armed flag %u, in %u answers: mode 0 "
                               "is disarmed, and the others are not",
                               h->muddled_motors.mode,
                               h->muddled_motors.flags & HILP_ARMED, h->muddled);
        else
                return true;
        return false;
}

enum conform_is conform_disarmed(struct conform *c)
{
        struct conform_talk *t = &c->talk;

        if (!conform_begin(c, true))
                return CONFORM_FAILED;
        conform_talk_ask(t, HILP_MODE_DISARMED, 0.0);
        if (!conform_fly(c, conform_frames(c, 2.0)) || !conform_answers_fit(c) ||
            !conform_motors_fit(c))
                return CONFORM_FAILED;
        if (t->heard.armed > 0)
                return conform_failed(c, "INPUT (5)",
                                      "armed by itself: nobody asked for it");
        return conform_passed(c, "%u answers, all outputs 0", t->heard.answered);
}

bool conform_arm_now(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        int rounds = (int)(c->options.align_s / CONFORM_ASK_EVERY_S) + 1;
        char words[220];

        for (int i = 0; i < rounds; i++) {
                conform_talk_ask(t, HILP_MODE_ARMED, 0.0);
                if (!conform_fly(c, conform_frames(c, CONFORM_ASK_EVERY_S)))
                        return false;
                if (conform_is_armed(t))
                        return true;
        }
        conform_failed_in_time(
                c, t->hello.flags & HILP_FLAG_LOCKSTEP ? INT64_MAX : CONFORM_SILENCE_NS,
                "INPUT (5)",
                "asked to arm (mode 1, channels 5 to 8 high) it did not within %g "
                "s of simulated time, at rest on level ground; %s",
                c->options.align_s, last_words(t, words, sizeof words));
        return false;
}

bool conform_begin_armed(struct conform *c, bool lockstep)
{
        if (!conform_begin(c, lockstep))
                return false;
        conform_talk_ask(&c->talk, HILP_MODE_DISARMED, 0.0);
        return conform_fly(c, conform_frames(c, REST_S)) && conform_arm_now(c);
}

enum conform_is conform_arm(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        char duties[100];

        if (!conform_begin_armed(c, true))
                return CONFORM_FAILED;
        c->armed_once = true;
        if (!conform_answers_fit(c) || !conform_motors_fit(c))
                return CONFORM_FAILED;
        return conform_passed(c, "armed after %.2f s of simulated time, duty %s",
                              (double)t->scene.t_ns * 1e-9,
                              conform_duties(&t->motors, duties, sizeof duties));
}

/* Disarms in time. False: the step has failed, in words. */
static bool obeys_disarm(struct conform *c, const char *when)
{
        conform_talk_ask(&c->talk, HILP_MODE_DISARMED, 0.0);
        if (!conform_fly(c, conform_frames(c, DISARM_S)))
                return false;
        if (!conform_is_armed(&c->talk))
                return conform_answers_fit(c) && conform_motors_fit(c);
        conform_failed(c, "INPUT (5)",
                       "%sstill armed %.1f s of simulated time after mode 0", when,
                       DISARM_S);
        return false;
}

/* With a mode that there is not, and a right CRC. */
static void ask_impossible(struct conform_talk *t)
{
        struct hilp_message m = { .type = HILP_INPUT };
        uint8_t payload[HILP_PAYLOAD_MAX], frame[HILP_FRAME_MAX];
        size_t len;

        m.sequence = t->sequence++;
        len = hilp_encode(&m, payload);
        payload[2] = 9;
        conform_talk_bytes(t, frame, hilp_frame_encode(payload, len, frame));
}

enum conform_is conform_input(struct conform *c)
{
        struct conform_talk *t = &c->talk;

        if (!conform_begin_armed(c, true))
                return CONFORM_FAILED;
        for (int i = 0; i < 50; i++) {
                conform_talk_ask(t, HILP_MODE_ARMED, 0.0);
                if (!conform_fly(c, 2))
                        return CONFORM_FAILED;
                if (!conform_is_armed(t))
                        return conform_failed(
                                c, "INPUT (5)",
                                "disarmed when the order to arm was "
                                "repeated: INPUT is idempotent, and the rig "
                                "repeats it");
        }
        ask_impossible(t);
        if (!conform_fly(c, 20))
                return CONFORM_FAILED;
        if (!conform_is_armed(t))
                return conform_failed(
                        c, "Messages",
                        "disarmed on an INPUT with mode 9, which cannot be: "
                        "it is dropped as a whole");
        if (!obeys_disarm(c, "") || !conform_begin_climbing(c, true) ||
            !obeys_disarm(c, "in the climb: "))
                return CONFORM_FAILED;
        return conform_passed(c, "armed for as long as it was asked to, then disarmed, "
                                 "in the climb too");
}
