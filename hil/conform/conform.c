/* The steps of the conformance test in their order, and what several of them share. */
#include "hil/conform/conform.h"

#include <stdarg.h>
#include <string.h>

#include "hil/conform/step.h"

const struct conform_step conform_steps[] = {
        { "hello", "HELLO is answered, once, with what the rig needs to know", false,
          conform_hello },
        { "answers", "each SENSORS is answered with one MOTORS of its number", false,
          conform_answers },
        { "versions", "it takes the version that both speak, or says that there is none",
          false, conform_versions },
        { "hello_again", "a second HELLO begins anew", false, conform_hello_again },
        { "byte_order", "numbers cross with the low byte first", false,
          conform_byte_order },
        { "sequence", "its messages are counted one by one, whatever their type", false,
          conform_sequence },
        { "duplicates", "it sends each message once", false, conform_duplicates },
        { "framing", "frames are found after anything, in any pieces", false,
          conform_framing },
        { "damage", "frames that are damaged are not answered, the next ones are", false,
          conform_damage },
        { "malformed", "messages that cannot be are dropped as a whole", false,
          conform_malformed },
        { "unknown", "messages that it does not know leave it alone", false,
          conform_unknown },
        { "numbers", "frames go by their numbers, over the wrap too", false,
          conform_numbers },
        { "losses", "lost, repeated and overtaken frames do no harm", false,
          conform_losses },
        { "blocks", "any set of sensors is taken", false, conform_blocks },
        { "disarmed", "nothing turns until it is armed", false, conform_disarmed },
        { "extremes", "invalid and extreme counts do no harm", false, conform_extremes },
        { "rates", "it keeps up with the rate that it asks for", false, conform_rates },
        { "time_sync", "its clock counts microseconds, and is told", false,
          conform_time_sync },
        { "options", "settings are acknowledged, or ignored", false,
          conform_options_step },
        { "arm", "at rest it can be armed", true, conform_arm },
        { "input", "an order that is repeated changes nothing, its end disarms", true,
          conform_input },
        { "duty", "outputs rise when it is to climb", true, conform_duty },
        { "motion", "outputs follow a tilt to and fro, otherwise for roll and pitch",
          true, conform_motion },
        { "recovery", "invalid samples do not stay in its outputs", true,
          conform_recovery },
        { "restart", "HELLO disarms", true, conform_restart },
        { "goodbye", "GOODBYE disarms", true, conform_goodbye },
        { "failsafe", "without SENSORS it stops, and says so", true, conform_failsafe },
        { "rearm", "after a failsafe it stays disarmed until it is told to be", true,
          conform_rearm },
        { "lockstep", "in lockstep it waits for as long as it takes", true,
          conform_lockstep },
        { "repeats", "in lockstep the same frames give the same outputs", true,
          conform_repeats },
        { "signs", "outputs push against a tilt, by the places of the vehicle's rotors",
          true, conform_signs },
        { NULL },
};

_Static_assert(sizeof conform_steps / sizeof conform_steps[0] <= CONFORM_STEPS_MAX + 1,
               "a result for each step");

int conform_step_count(void)
{
        return (int)(sizeof conform_steps / sizeof conform_steps[0]) - 1;
}

int conform_step_find(const char *name)
{
        for (int i = 0; conform_steps[i].name != NULL; i++)
                if (strcmp(conform_steps[i].name, name) == 0)
                        return i;
        return -1;
}

void conform_options_default(struct conform_options *o)
{
        *o = (struct conform_options){ .rotors = 4,
                                       .period_ns = NS_PER_MS,
                                       .hello_ns = 10 * NS_PER_S,
                                       .rate_s = 1.0,
                                       .align_s = 30.0,
                                       .silence_s = 6.0,
                                       .limit_s = 120.0,
                                       .arm = true };
}

void conform_init(struct conform *c, struct conform_wire *wire,
                  const struct conform_options *options)
{
        memset(c, 0, sizeof *c);
        c->options = *options;
        conform_talk_init(&c->talk, wire, options->rotors, options->period_ns);
        for (int i = 0; i < CONFORM_STEPS_MAX; i++)
                c->result[i].is = CONFORM_SKIPPED;
}

void conform_close(struct conform *c)
{
        struct hilp_message m = { .type = HILP_GOODBYE };

        conform_wire_resume(c->talk.wire);
        for (int i = 0; i < 3; i++)
                conform_talk_say(&c->talk, &m);
}

/* Why a step cannot be asked; NULL: it can. */
static const char *obstacle(const struct conform *c, int i)
{
        if (c->talk.wire->gone)
                return "the link to the board is gone";
        if (i > 0 && !c->answers)
                return "the board does not answer HELLO as it should: see the step hello";
        if (conform_steps[i].run == conform_signs && !c->options.has_vehicle)
                return "where the rotors are is not known: see --vehicle";
        if (conform_steps[i].turns_motors && !c->options.arm)
                return "would turn motors, and --no-arm was given";
        if (conform_steps[i].turns_motors && conform_steps[i].run != conform_arm &&
            !c->armed_once)
                return c->result[conform_step_find("arm")].is == CONFORM_SKIPPED
                               ? "whether the board can be armed is not known: see the "
                                 "step arm"
                               : "the board cannot be armed: see the step arm";
        return NULL;
}

const struct conform_result *conform_run_step(struct conform *c, int i)
{
        const char *why_not = obstacle(c, i);
        uint64_t frames = c->talk.frames;

        c->now = &c->result[i];
        *c->now = (struct conform_result){ .is = CONFORM_SKIPPED };
        c->talk.text_lines = 0;
        conform_talk_punctual(&c->talk);
        c->now_ns = conform_wire_now(c->talk.wire);
        if (why_not != NULL)
                conform_skipped(c, "%s", why_not);
        else
                conform_steps[i].run(c);
        c->now->frames = c->talk.frames - frames;
        if (why_not == NULL)
                c->now->simulated_s = (double)c->talk.scene.t_ns * 1e-9;
        return c->now;
}

static void say(struct conform *c, enum conform_is is, const char *format, va_list args)
{
        c->now->is = is;
        vsnprintf(c->now->text, sizeof c->now->text, format, args);
}

enum conform_is conform_failed(struct conform *c, const char *section, const char *format,
                               ...)
{
        va_list args;

        va_start(args, format);
        say(c, CONFORM_FAILED, format, args);
        va_end(args);
        c->now->section = section;
        return CONFORM_FAILED;
}

enum conform_is conform_failed_in_time(struct conform *c, int64_t late_ns,
                                       const char *section, const char *format, ...)
{
        char what[CONFORM_TEXT_MAX];
        va_list args;

        va_start(args, format);
        vsnprintf(what, sizeof what, format, args);
        va_end(args);
        if (c->talk.late_ns > late_ns)
                return conform_unjudged(
                        c,
                        "this host was %.0f ms late, which may be why the "
                        "board %s",
                        1e-6 * (double)c->talk.late_ns, what);
        return conform_failed(c, section, "%s", what);
}

enum conform_is conform_unjudged(struct conform *c, const char *format, ...)
{
        char why[CONFORM_TEXT_MAX];
        va_list args;

        va_start(args, format);
        vsnprintf(why, sizeof why, format, args);
        va_end(args);
        c->now->is = CONFORM_VOID;
        snprintf(c->now->text, sizeof c->now->text, "not judged: %s", why);
        return CONFORM_VOID;
}

enum conform_is conform_skipped(struct conform *c, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        say(c, CONFORM_SKIPPED, format, args);
        va_end(args);
        return CONFORM_SKIPPED;
}

enum conform_is conform_passed(struct conform *c, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        say(c, CONFORM_PASSED, format, args);
        va_end(args);
        return CONFORM_PASSED;
}

bool conform_begin(struct conform *c, bool lockstep)
{
        if (conform_talk_hello(&c->talk, lockstep, c->talk.patience_ns))
                return true;
        conform_failed(c, "Conversation",
                       "did not answer the HELLO with which this step begins, though it "
                       "answered one before: each HELLO must be answered, whatever "
                       "happened since");
        return false;
}

/* Something is wrong with an answer that came: the step has failed, in words. */
static bool answers_misfit(struct conform *c)
{
        const struct conform_heard *h = &c->talk.heard;

        if (h->swapped > 0)
                conform_failed(c, "Messages",
                               "answers is %u in the answer to frame %u: its bytes stand "
                               "in the wrong order. Integers are little-endian",
                               __builtin_bswap32(h->swapped_number), h->swapped_number);
        else if (h->strange > 0)
                conform_failed(c, "MOTORS (4)",
                               "sent MOTORS with answers = %u, a frame that is not to be "
                               "answered: answers must be the number of the SENSORS that "
                               "it answers",
                               h->strange_number);
        else if (h->twice > 0)
                conform_failed(c, "MOTORS (4)",
                               "answered frame %u more than once, in messages of their "
                               "own: exactly one MOTORS for each SENSORS",
                               h->twice_number);
        else if (h->disorder > 0)
                conform_failed(
                        c, "MOTORS (4)",
                        "answered frame %u after a newer one: answers must come in "
                        "the order of the frames",
                        h->disorder_number);
        else if (h->malformed > 0)
                conform_failed(
                        c, "Messages",
                        "sent %u messages with a right CRC that cannot be, the last "
                        "of type %u: wrong length, or a value that its table "
                        "excludes",
                        h->malformed, h->malformed_payload[0]);
        else if (h->crc_errors > 0)
                conform_failed(
                        c, "Frames",
                        "%u frames of the board came damaged: the line loses bytes, "
                        "or the board mixes two frames",
                        h->crc_errors);
        else
                return false;
        return true;
}

bool conform_answers_fit(struct conform *c)
{
        conform_talk_quiet(&c->talk);
        return !answers_misfit(c);
}

/* So many frames more are too many for the limit: the step is skipped, in words. */
static bool too_long(struct conform *c, int frames)
{
        double answer_s = conform_talk_answer_s(&c->talk);
        double gone_s = (double)(conform_wire_now(c->talk.wire) - c->now_ns) * 1e-9;

        if (gone_s + frames * answer_s <= c->options.limit_s)
                return false;
        if (frames * answer_s <= c->options.limit_s)
                conform_skipped(c,
                                "it answers %.3g ms after each frame: not done in %g s "
                                "(--limit)",
                                1e3 * answer_s, c->options.limit_s);
        else
                conform_skipped(c,
                                "it answers %.3g ms after each frame: %d of them would "
                                "take %.1f min (--limit)",
                                1e3 * answer_s, frames, frames * answer_s / 60.0);
        return true;
}

bool conform_fly(struct conform *c, int frames)
{
        struct conform_talk *t = &c->talk;

        if (too_long(c, frames))
                return false;
        if (conform_talk_fly(t, frames))
                return true;
        if (t->wire->gone)
                conform_failed(c, "Bytes", "the board hung up at frame %u",
                               t->next_number - 1);
        else if (t->heard.acks > 0 && t->heard.ack.frame_every == 0)
                conform_failed(c, "HELLO (1)",
                               "stopped answering at frame %u and asked for a HELLO: it "
                               "restarted, or forgot that it had one",
                               t->next_number - 1);
        else if (!answers_misfit(c))
                conform_failed_in_time(
                        c, t->patience_ns / 5, "MOTORS (4)",
                        "did not answer frame %u within %.1f s; %u frames before it "
                        "were answered. Each SENSORS must be answered with one "
                        "MOTORS",
                        t->next_number - 1, (double)t->patience_ns * 1e-9,
                        t->heard.answered);
        return false;
}

int conform_frames(const struct conform *c, double seconds)
{
        double every = c->talk.board.frame_every > 0 ? c->talk.board.frame_every : 1;

        return (int)(seconds * 1e9 / (every * (double)c->options.period_ns)) + 1;
}

double conform_duty_sum(const struct hilp_motors *m)
{
        double sum = 0.0;

        for (int i = 0; i < m->count; i++)
                sum += m->duty[i] / 65535.0;
        return sum;
}

const char *conform_duties(const struct hilp_motors *m, char *text, size_t cap)
{
        size_t used = 0;

        text[0] = '\0';
        for (int i = 0; i < m->count && used < cap; i++)
                used += (size_t)snprintf(text + used, cap - used, "%s%u",
                                         i > 0 ? " " : "", m->duty[i]);
        return text;
}
