/* Edges of one pad -> words. */
#include <math.h>
#include <string.h>

#include "io/motor/pad.h"
#include "io/motor/value.h"

#define MISFITS_MAX 8

#define TRIAL_EDGES 2048 /* then the decoders rest, if that many took less than */
#define TRIAL_S     20e-3
#define REST_S      60e-3

#define TRAIN_REST_S 0.1

static int index_of(enum motor_protocol protocol, bool inverted)
{
        return 2 * (MOTOR_PROTOCOLS - 1 - (int)protocol) + inverted;
}

/* Which decoders the user's parameters allow. */
static bool allowed(const struct motor_pad_params *p, enum motor_protocol protocol,
                    bool inverted)
{
        return (p->protocol == MOTOR_UNKNOWN || p->protocol == protocol) &&
               (p->polarity == MOTOR_POLARITY_AUTO ||
                (p->polarity == MOTOR_POLARITY_INVERTED) == inverted);
}

void motor_pad_init(struct motor_pad *pad, const struct motor_pad_params *p,
                    uint8_t number)
{
        memset(pad, 0, sizeof *pad);
        pad->p = *p;
        pad->number = number;
        pad->settled = -1;
        motor_rivals_init(&pad->rivals, p->protocol, &p->range, p->tick_hz);
        for (int i = 0; i < MOTOR_DECODERS; i++) {
                enum motor_protocol protocol =
                        (enum motor_protocol)(MOTOR_PROTOCOLS - 1 - i / 2);

                pad->possible[i] =
                        motor_decoder_init(&pad->decoder[i], protocol, i % 2 != 0,
                                           p->tick_hz, &p->range) &&
                        allowed(p, protocol, i % 2 != 0);
        }
}

static void settle(struct motor_pad *pad, int decoder)
{
        const struct motor_decoder *d = &pad->decoder[decoder];

        pad->settled = decoder;
        pad->misfits = 0;
        motor_period_begin(&pad->period, d->last_period);
        motor_train_begin(&pad->train, d->last_tick);
        pad->counts.recognitions++;
}

static void forget(struct motor_pad *pad)
{
        pad->trial_edges = 0;
        for (int i = 0; i < MOTOR_DECODERS; i++)
                motor_decoder_gap(&pad->decoder[i]);
}

static void unsettle(struct motor_pad *pad)
{
        pad->settled = -1;
        forget(pad);
}

static void count_word(struct motor_pad_counts *c, enum motor_found found,
                       enum motor_word_kind kind)
{
        switch (kind) {
        case MOTOR_THROTTLE:
                c->throttles++;
                break;
        case MOTOR_STOP:
                c->stops++;
                break;
        case MOTOR_COMMAND:
                c->commands++;
                break;
        case MOTOR_ERPM:
        case MOTOR_EXTENDED:
                c->telemetry++;
                break;
        case MOTOR_DAMAGED:
                *(found == MOTOR_FOUND_TELEMETRY ? &c->telemetry_damaged : &c->damaged) +=
                        1;
                break;
        case MOTOR_ODD:
                c->odd++;
                break;
        }
}

/* Whether the polarity is known: from the user, or from the capture board. */
static bool polarity_given(const struct motor_pad *pad)
{
        return pad->p.polarity != MOTOR_POLARITY_AUTO || pad->told != MOTOR_POLARITY_AUTO;
}

/* Whether a frame on trial counts as evidence for its decoder. */
static bool credible(const struct motor_pad *pad, const struct motor_decoder *d,
                     const struct motor_word *w)
{
        const struct motor_pulse *p = &d->u.pulse;

        if (motor_protocol_is_dshot(d->protocol))
                return !d->u.dshot.doubtful;
        if (!motor_protocol_is_pulse(d->protocol) || !d->inverted || polarity_given(pad))
                return true;
        return p->timed && motor_rivals_judge(&pad->rivals, p->idle_ticks,
                                              p->idle_ticks + w->end_tick -
                                                      w->start_tick) == MOTOR_NO_PULSE;
}

/* True: a pulse, good or odd, at a time at which the train has one. */
static bool follow_train(struct motor_pad *pad, const struct motor_word *w)
{
        const struct motor_decoder *d = &pad->decoder[pad->settled];

        if (!motor_protocol_is_pulse(d->protocol))
                return false;
        if (!polarity_given(pad))
                motor_train_weigh(&pad->train, &pad->rivals, &d->u.pulse, w);
        return motor_train_follow(&pad->train, &d->u.pulse, w, pad->period.mean_ticks);
}

/* A word of the decoder that was settled on. */
static void take_word(struct motor_pad *pad, enum motor_found found, struct motor_word *w)
{
        bool in_train;

        w->pad = pad->number;
        w->protocol = pad->decoder[pad->settled].protocol;
        w->inverted = pad->decoder[pad->settled].inverted;
        count_word(&pad->counts, found, w->kind);
        if (found == MOTOR_FOUND_TELEMETRY)
                return;
        in_train = follow_train(pad, w);
        if (motor_decoder_is_good(w)) {
                if (pad->misfits > 0)
                        pad->misfits--;
                motor_period_frame(&pad->period, w->start_tick);
                return;
        }
        motor_period_gap(&pad->period);
        if (!in_train && ++pad->misfits >= MISFITS_MAX)
                unsettle(pad);
}

static enum motor_found decode(struct motor_decoder *d, int64_t tick, bool is_edge,
                               bool level, struct motor_word *w)
{
        return is_edge ? motor_decoder_edge(d, tick, level, w)
                       : motor_decoder_quiet(d, tick, w);
}

/* Giving every edge to every decoder is expensive. Many fast edges without a result are noise,
 * which is decoded for a quarter of the time at most: the faster it is, the less. */
static bool resting(struct motor_pad *pad, int64_t tick)
{
        int64_t took;

        if (tick < pad->rest_until)
                return true;
        if (pad->trial_edges++ == 0)
                pad->trial_start = tick;
        if (pad->trial_edges < TRIAL_EDGES)
                return false;
        took = tick - pad->trial_start;
        if ((double)took < TRIAL_S * pad->p.tick_hz)
                pad->rest_until = tick + (int64_t)(REST_S * pad->p.tick_hz);
        forget(pad);
        return true;
}

/* The capture board timed the other level. */
static bool told_otherwise(const struct motor_pad *pad, const struct motor_decoder *d)
{
        return pad->told != MOTOR_POLARITY_AUTO &&
               (pad->told == MOTOR_POLARITY_INVERTED) != d->inverted;
}

/* Each decoder on trial gets the input; the first with enough good frames is selected. */
static void try_all(struct motor_pad *pad, int64_t tick, bool is_edge, bool level)
{
        int enough = -1;
        struct motor_word w;

        if (is_edge ? resting(pad, tick) : tick < pad->rest_until)
                return;
        for (int i = 0; i < MOTOR_DECODERS; i++) {
                struct motor_decoder *d = &pad->decoder[i];

                if (pad->possible[i] && !told_otherwise(pad, d) &&
                    decode(d, tick, is_edge, level, &w) == MOTOR_FOUND_FRAME &&
                    motor_decoder_judge(d, pad->p.tick_hz, &w, credible(pad, d, &w),
                                        polarity_given(pad)) &&
                    enough < 0)
                        enough = i;
        }
        if (enough >= 0)
                settle(pad, enough);
}

static size_t feed(struct motor_pad *pad, int64_t tick, bool is_edge, bool level,
                   struct motor_word *out)
{
        enum motor_found found;

        if (pad->settled < 0) {
                try_all(pad, tick, is_edge, level);
                return 0;
        }
        found = decode(&pad->decoder[pad->settled], tick, is_edge, level, out);
        if (found == MOTOR_FOUND_NONE)
                return 0;
        take_word(pad, found, out);
        return 1;
}

static bool too_short(const struct motor_pad *pad, int64_t tick)
{
        return (double)(tick - pad->last_tick) < pad->p.glitch_s * pad->p.tick_hz;
}

size_t motor_pad_edge(struct motor_pad *pad, int64_t tick, bool level,
                      struct motor_word *out)
{
        size_t n = 0;

        if (pad->known && tick < pad->last_tick)
                motor_pad_gap(pad);
        if (pad->known && level == pad->level)
                return 0;
        pad->counts.edges++;
        if (pad->known && (double)(tick - pad->last_tick) > TRAIN_REST_S * pad->p.tick_hz)
                pad->train.broken = true;
        if (pad->held && too_short(pad, tick)) {
                pad->counts.glitches++;
                pad->held = false;
                pad->level = level;
                return 0;
        }
        if (pad->held)
                n = feed(pad, pad->last_tick, true, pad->level, out);
        pad->held = pad->p.glitch_s > 0.0;
        if (!pad->held)
                n += feed(pad, tick, true, level, out + n);
        pad->known = true;
        pad->level = level;
        pad->last_tick = tick;
        return n;
}

size_t motor_pad_quiet(struct motor_pad *pad, int64_t tick, struct motor_word *out)
{
        size_t n = 0;

        if (pad->held && too_short(pad, tick))
                return 0;
        if (pad->held)
                n = feed(pad, pad->last_tick, true, pad->level, out);
        pad->held = false;
        return n + feed(pad, tick, false, false, out + n);
}

size_t motor_pad_pulse(struct motor_pad *pad, bool inverted, int64_t start_tick,
                       int64_t width_ticks, struct motor_word *out)
{
        int64_t end_tick;
        size_t n;

        if (width_ticks <= 0 || start_tick < 0 || width_ticks > INT32_MAX)
                return 0;
        end_tick = start_tick + width_ticks;
        pad->told = inverted ? MOTOR_POLARITY_INVERTED : MOTOR_POLARITY_NORMAL;
        if (pad->settled >= 0 && told_otherwise(pad, &pad->decoder[pad->settled]))
                unsettle(pad);
        n = motor_pad_edge(pad, start_tick, !inverted, out);
        n += motor_pad_edge(pad, end_tick, inverted, out + n);
        n += motor_pad_quiet(pad, end_tick + width_ticks / 8 + 1, out + n);
        pad->told = MOTOR_POLARITY_AUTO;
        return n;
}

size_t motor_pad_frame(struct motor_pad *pad, enum motor_protocol protocol, bool inverted,
                       int64_t start_tick, int64_t end_tick, uint16_t raw,
                       struct motor_word *out)
{
        int decoder = index_of(protocol, inverted);

        if (!motor_protocol_is_dshot(protocol) || start_tick < 0 || end_tick < start_tick)
                return 0;
        *out = (struct motor_word){ .start_tick = start_tick, .end_tick = end_tick };
        motor_value_unpack(raw, inverted, pad->p.range.three_d, out);
        if (pad->settled == decoder) {
                take_word(pad, MOTOR_FOUND_FRAME, out);
                return 1;
        }
        if (motor_decoder_judge(&pad->decoder[decoder], pad->p.tick_hz, out, true,
                                true) &&
            allowed(&pad->p, protocol, inverted))
                settle(pad, decoder);
        return 0;
}

void motor_pad_gap(struct motor_pad *pad)
{
        pad->known = false;
        pad->held = false;
        motor_period_gap(&pad->period);
        pad->train.timed = false;
        pad->rest_until = 0;
        forget(pad);
}

enum motor_protocol motor_pad_protocol(const struct motor_pad *pad)
{
        return pad->settled >= 0 ? pad->decoder[pad->settled].protocol : MOTOR_UNKNOWN;
}

bool motor_pad_inverted(const struct motor_pad *pad)
{
        return pad->settled >= 0 && pad->decoder[pad->settled].inverted;
}

bool motor_pad_ambiguous(const struct motor_pad *pad)
{
        return motor_protocol_is_pulse(motor_pad_protocol(pad)) &&
               !motor_pad_inverted(pad) && motor_train_ambiguous(&pad->train);
}

const struct motor_pad_counts *motor_pad_counted(const struct motor_pad *pad)
{
        return &pad->counts;
}

double motor_pad_rate_hz(const struct motor_pad *pad)
{
        return pad->period.periods > 0 ? pad->p.tick_hz / pad->period.mean_ticks : 0.0;
}

double motor_pad_jitter_s(const struct motor_pad *pad)
{
        return sqrt(pad->period.variance) / pad->p.tick_hz;
}
