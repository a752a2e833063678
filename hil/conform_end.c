/* Conformance: the ends of a conversation (HELLO, GOODBYE, silence), and lockstep, which has none of the last. */
#include "hil/conform_step.h"

#include <string.h>

#define LOCKSTEP_SILENCE_NS (1500 * NS_PER_MS)

static bool is_safe(const struct hilp_motors *m)
{
        return !(m->flags & HILP_ARMED) && conform_duty_sum(m) == 0.0;
}

enum conform_is conform_restart(struct conform *c)
{
        struct conform_talk *t = &c->talk;

        if (!conform_begin_armed(c, true) || !conform_begin(c, true) ||
            !conform_fly(c, conform_frames(c, 0.5)) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        if (t->heard.armed > 0 || t->heard.turning > 0)
                return conform_failed(c, "Conversation",
                                      "was armed, and still is after a HELLO, in %u "
                                      "answers: HELLO begins as if the board had just "
                                      "been switched on",
                                      t->heard.armed > 0 ? t->heard.armed
                                                         : t->heard.turning);
        return conform_passed(c, "armed, then disarmed by HELLO");
}

enum conform_is conform_goodbye(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        struct hilp_message m = { .type = HILP_GOODBYE };

        if (!conform_begin_armed(c, true))
                return CONFORM_FAILED;
        for (int i = 0; i < 3; i++)
                conform_talk_say(t, &m);
        conform_talk_quiet(t);
        conform_talk_forget(t);
        /* The run is over: it need not answer. */
        for (int i = 0; i < 5; i++) {
                conform_talk_send_frame(t);
                conform_talk_quiet(t);
        }
        if (t->heard.armed > 0 || t->heard.turning > 0)
                return conform_failed(c, "GOODBYE (9)",
                                      "still armed after three GOODBYE: the run is over, "
                                      "disarm and stop the motors at the first");
        if (!conform_begin(c, true) || !conform_fly(c, 5))
                return CONFORM_FAILED;
        return conform_passed(c, "disarmed; another HELLO is answered");
}

enum conform_is conform_failsafe(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        double silence_s = c->options.silence_s;
        bool failsafe, stopped;

        if (!conform_begin_armed(c, false))
                return CONFORM_FAILED;
        conform_talk_listen(t, conform_wire_now(t->wire) + (int64_t)(silence_s * 1e9));
        conform_talk_forget(t);
        if (!conform_fly(c, 1))
                return CONFORM_FAILED;
        failsafe = (t->motors.flags & HILP_FAILSAFE) != 0;
        stopped = is_safe(&t->motors);
        if (!failsafe && !stopped)
                return conform_failed(
                        c, "Conversation",
                        "armed, and %.1f s without SENSORS changed nothing: "
                        "after 100 ms the board takes its sensors for "
                        "failed, and stops after its own delay, with the "
                        "failsafe flag in the next MOTORS",
                        silence_s);
        if (!conform_begin(c, false) || !conform_fly(c, 5))
                return CONFORM_FAILED;
        if (t->heard.armed > 0)
                return conform_failed(c, "Conversation",
                                      "armed by itself after the HELLO that ended its "
                                      "failsafe");
        return conform_passed(c, "%.1f s without SENSORS: %s%s", silence_s,
                              failsafe ? "failsafe flag" : "disarmed",
                              !failsafe ? ""
                              : stopped ? ", motors stopped"
                                        : ", motors still turning");
}

enum conform_is conform_lockstep(struct conform *c)
{
        struct conform_talk *t = &c->talk;

        if (!conform_begin_armed(c, true) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        conform_talk_forget(t);
        conform_talk_listen(t, conform_wire_now(t->wire) + LOCKSTEP_SILENCE_NS);
        if (t->heard.motors > 0)
                return conform_failed(
                        c, "Conversation",
                        "sent %u MOTORS while simulated time stood still: in "
                        "lockstep each answers a SENSORS, and nothing times "
                        "out",
                        t->heard.motors);
        if (!conform_fly(c, 5) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        if (!conform_is_armed(t) || (t->motors.flags & HILP_FAILSAFE))
                return conform_failed(
                        c, "Conversation",
                        "%s after 1.5 s of the host's time between two "
                        "frames: with bit 0 of HELLO's flags simulated time "
                        "stands still, and the board must not time out",
                        t->motors.flags & HILP_FAILSAFE ? "went into failsafe"
                                                        : "disarmed");
        return conform_passed(c, "1.5 s between two frames, and nothing timed out");
}

/* The same frames and orders every time: armed after a third, to climb after two. False: failed. */
static bool fly_once(struct conform *c, bool compare, int *differs)
{
        struct conform_talk *t = &c->talk;

        if (!conform_begin(c, true))
                return false;
        for (int i = 0; i < CONFORM_REPEAT_FRAMES && *differs < 0; i++) {
                if (i % 250 == 0)
                        conform_talk_ask(t,
                                         i < CONFORM_REPEAT_FRAMES * 2 / 3
                                                 ? HILP_MODE_ARMED
                                                 : HILP_MODE_GOTO,
                                         i < CONFORM_REPEAT_FRAMES * 2 / 3 ? 0.0 : 3.0);
                if (!conform_fly(c, 1))
                        return false;
                if (!compare)
                        c->first[i] = t->motors;
                else if (memcmp(c->first[i].duty, t->motors.duty,
                                sizeof t->motors.duty) != 0 ||
                         c->first[i].flags != t->motors.flags ||
                         c->first[i].mode != t->motors.mode)
                        *differs = i;
        }
        return true;
}

enum conform_is conform_repeats(struct conform *c)
{
        const struct hilp_motors *a, *b = &c->talk.motors;
        char one[100], two[100];
        int differs = -1;

        if (!fly_once(c, false, &differs) || !fly_once(c, true, &differs))
                return CONFORM_FAILED;
        a = &c->first[differs < 0 ? 0 : differs];
        if (differs >= 0)
                return conform_failed(c, "Conversation",
                                      "the same frames after a HELLO gave other outputs "
                                      "the second time, at frame %d: %s, then %s. In "
                                      "lockstep the board must compute from what the "
                                      "frames say alone, and HELLO must reset all of it",
                                      differs, conform_duties(a, one, sizeof one),
                                      conform_duties(b, two, sizeof two));
        return conform_passed(c, "%d frames twice, %u of them armed, the same outputs",
                              CONFORM_REPEAT_FRAMES, c->talk.heard.armed);
}
