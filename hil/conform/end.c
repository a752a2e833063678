/* Conformance: the ends of a conversation (HELLO, GOODBYE, silence), and lockstep, which has none of the last. */
#include "hil/conform/step.h"

#include <stdio.h>
#include <string.h>

#define SECTION_SILENCE     "Conversation"
#define LOCKSTEP_SILENCE_NS (1500 * NS_PER_MS)
#define REARM_S             3.0 /* of simulated time, for which an old order is repeated */
#define LOOK_NS             (50 * NS_PER_MS) /* how soon it is noticed that it stopped */

enum conform_is conform_restart(struct conform *c)
{
        struct conform_talk *t = &c->talk;

        if (!conform_begin_climbing(c, true) || !conform_begin(c, true) ||
            !conform_fly(c, conform_frames(c, 0.5)) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        if (t->heard.armed > 0 || t->heard.turning > 0)
                return conform_failed(c, "Conversation",
                                      "was armed, and still is after a HELLO, in %u "
                                      "answers: HELLO begins as if the board had just "
                                      "been switched on",
                                      t->heard.armed > 0 ? t->heard.armed
                                                         : t->heard.turning);
        return conform_passed(c, "disarmed by HELLO in the climb");
}

enum conform_is conform_goodbye(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        struct hilp_message m = { .type = HILP_GOODBYE };

        if (!conform_begin_climbing(c, true))
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
        return conform_passed(c, "disarmed in the climb; another HELLO is answered");
}

/* ---- Silence */

/* What it did in a silence. */
struct silence {
        double before,
                after; /* its outputs' sum before it, and in the first answer after it */
        bool safe, failsafe; /* after it; that flag then, or in what it said by itself */
        double stopped_s; /* when it said by itself that it had stopped; 0: never */
};

static bool is_safe(const struct hilp_motors *m)
{
        return !(m->flags & HILP_ARMED) && conform_duty_sum(m) == 0.0;
}

/* No frame for as long as it may take; a board that says by itself that it has stopped ends it. */
static void be_silent(struct conform *c, struct silence *s)
{
        struct conform_talk *t = &c->talk;
        int64_t begin_ns = conform_wire_now(t->wire), now_ns = begin_ns;
        int64_t end_ns = begin_ns + (int64_t)(c->options.silence_s * 1e9);

        while (now_ns < end_ns && !t->wire->gone && s->stopped_s == 0.0) {
                int64_t next_ns = now_ns + LOOK_NS < end_ns ? now_ns + LOOK_NS : end_ns;

                conform_talk_listen(t, next_ns);
                now_ns = conform_wire_now(t->wire);
                if (t->heard.motors > 0 && is_safe(&t->heard.newest))
                        s->stopped_s = (double)(now_ns - begin_ns) * 1e-9;
        }
}

/* False: the step has failed, in words. */
static bool starve(struct conform *c, struct silence *s)
{
        struct conform_talk *t = &c->talk;
        int64_t begin_ns;

        *s = (struct silence){ .before = conform_duty_sum(&t->motors) };
        conform_talk_quiet(t);
        conform_talk_forget(t);
        begin_ns = conform_wire_now(t->wire);
        be_silent(c, s);
        c->now_ns += conform_wire_now(t->wire) - begin_ns;
        if (!conform_fly(c, 1))
                return false;
        s->after = conform_duty_sum(&t->motors);
        s->failsafe = t->heard.failsafe > 0;
        s->safe = is_safe(&t->motors);
        return true;
}

/* False: the step has failed, in words. */
static bool fails_safe(struct conform *c, const struct silence *s, const char *where)
{
        double silence_s = c->options.silence_s, outputs = c->talk.motors.count;

        if (!s->safe && !s->failsafe)
                conform_failed(c, SECTION_SILENCE,
                               "%s, and %.1f s without SENSORS changed nothing: after "
                               "100 ms the board takes its sensors for failed, and stops "
                               "after its own delay, with the failsafe flag in the next "
                               "MOTORS",
                               where, silence_s);
        else if (!s->safe)
                conform_failed(
                        c, SECTION_SILENCE,
                        "%s, and after %.1f s without SENSORS the failsafe flag is "
                        "set and motors still turn, at %.1f %% on average, %.1f %% "
                        "before: a descent ends with motors that stand still "
                        "(--silence, if its own delay is longer)",
                        where, silence_s, 100.0 * s->after / outputs,
                        100.0 * s->before / outputs);
        else if (!s->failsafe)
                conform_failed(
                        c, SECTION_SILENCE,
                        "%s, it stopped after SENSORS stayed away, and did not say "
                        "why: the failsafe flag must be set in the next MOTORS",
                        where);
        else
                return true;
        return false;
}

static const char *when_stopped(const struct silence *s, char *text, size_t cap)
{
        if (s->stopped_s > 0.0)
                snprintf(text, cap, "stopped after %.1f s", s->stopped_s);
        else
                snprintf(text, cap, "stopped");
        return text;
}

enum conform_is conform_failsafe(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        struct silence idle, climb;
        char on_ground[40], in_air[40];

        if (!conform_begin_armed(c, false) || !starve(c, &idle) ||
            !fails_safe(c, &idle, "armed") || !conform_begin_climbing(c, false) ||
            !starve(c, &climb) || !fails_safe(c, &climb, "in the climb") ||
            !conform_begin(c, false) || !conform_fly(c, 5))
                return CONFORM_FAILED;
        if (t->heard.armed > 0)
                return conform_failed(c, SECTION_SILENCE,
                                      "armed by itself after the HELLO that ended its "
                                      "failsafe");
        return conform_passed(
                c,
                "without SENSORS: armed, %s, in the climb, %s; failsafe flag "
                "both times",
                when_stopped(&idle, on_ground, sizeof on_ground),
                when_stopped(&climb, in_air, sizeof in_air));
}

/* Frames for so long, and the same order again and again. True: it stays disarmed. */
static bool stays_disarmed(struct conform *c, enum hilp_mode mode)
{
        for (int i = 0; i < (int)(REARM_S / CONFORM_ASK_EVERY_S); i++) {
                conform_talk_ask(&c->talk, mode, mode == HILP_MODE_GOTO ? 3.0 : 0.0);
                if (!conform_fly(c, conform_frames(c, CONFORM_ASK_EVERY_S)))
                        return false;
                if (!conform_is_armed(&c->talk))
                        continue;
                conform_failed(c, SECTION_SILENCE,
                               "armed again by itself %.2f s of simulated time after its "
                               "failsafe had stopped it, on an INPUT of mode %d that was "
                               "only repeated: the stop holds until INPUT says mode 0",
                               (i + 1) * CONFORM_ASK_EVERY_S, mode);
                return false;
        }
        return true;
}

enum conform_is conform_rearm(struct conform *c)
{
        static const enum hilp_mode modes[] = { HILP_MODE_ARMED, HILP_MODE_GOTO };
        struct silence s;

        for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
                if (!(modes[i] == HILP_MODE_GOTO ? conform_begin_climbing(c, false)
                                                 : conform_begin_armed(c, false)) ||
                    !starve(c, &s))
                        return CONFORM_FAILED;
                if (!s.safe)
                        return conform_unjudged(c,
                                                "%.1f s without SENSORS did not stop "
                                                "it: see the step failsafe",
                                                c->options.silence_s);
                if (!stays_disarmed(c, modes[i]))
                        return CONFORM_FAILED;
        }
        conform_talk_ask(&c->talk, HILP_MODE_DISARMED, 0.0);
        if (!conform_fly(c, conform_frames(c, CONFORM_ASK_EVERY_S)) ||
            !conform_arm_now(c))
                return CONFORM_FAILED;
        return conform_passed(c,
                              "stopped by its failsafe it stayed disarmed for %g s of "
                              "mode 1, and of mode 2; after mode 0 it armed again",
                              REARM_S);
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
