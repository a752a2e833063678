/* The rows of a capture: filled from blocks, words and counts. */
#include "hil/capture/table.h"

#include <math.h>
#include <stdio.h>

void capture_table_init(struct capture_table *t, const struct capture *c, uint8_t mask,
                        enum motor_protocol asked)
{
        *t = (struct capture_table){ .tick_hz = c->tick_hz, .asked = asked };
        snprintf(t->source, sizeof t->source, "%s", c->name);
        for (uint8_t i = 0; i < MOTOR_PADS_MAX; i++)
                if (mask & 1U << i)
                        t->row[t->rows++].pad = i;
}

void capture_table_block(struct capture_table *t, const struct capture_block *block)
{
        if (!t->begun) {
                t->begun = true;
                t->first_tick = block->first_tick;
        }
        t->until_tick = block->until_tick;
        t->still_s = 0.0;
        t->gaps += block->gap;
        t->sampled |= block->samples != NULL;
        t->time_s = (double)(t->until_tick - t->first_tick) / t->tick_hz;
}

/* A good frame of the flight controller's. */
static void hear(struct capture_row *r, const struct motor_word *w)
{
        r->heard = true;
        r->heard_tick = w->end_tick;
        r->was = w->protocol;
        r->was_inverted = w->inverted;
}

void capture_table_take(struct capture_table *t, const struct motor_word *w)
{
        struct capture_row *r = t->row;

        while (r->pad != w->pad)
                r++;
        switch (w->kind) {
        case MOTOR_THROTTLE:
        case MOTOR_STOP:
                r->throttle = *w;
                r->has_throttle = true;
                hear(r, w);
                break;
        case MOTOR_COMMAND:
                r->command = *w;
                r->has_command = true;
                hear(r, w);
                break;
        case MOTOR_ERPM:
                r->erpm = *w;
                r->has_erpm = true;
                break;
        case MOTOR_EXTENDED:
                r->extended = *w;
                r->has_extended = true;
                r->has_telemetry |= (uint16_t)(1U << w->extended % 16U);
                r->telemetry[w->extended % 16U] = capture_word_telemetry(w);
                break;
        default:
                break;
        }
}

/* `asked` itself is what it is about to be taken for. */
static void take_guess(struct capture_row *r, enum motor_protocol asked,
                       const struct motor_pad *pad)
{
        if (pad != NULL && motor_pad_protocol(pad) == asked)
                pad = NULL;
        r->looks_like = pad != NULL ? motor_pad_protocol(pad) : MOTOR_UNKNOWN;
        r->looks_inverted = pad != NULL && motor_pad_inverted(pad);
        r->looks_rate_hz = pad != NULL ? motor_pad_rate_hz(pad) : 0.0;
}

/* What it says now, as the decoders have it, and for how long it has said nothing. */
static void take_state(struct capture_table *t, struct capture_row *r,
                       const struct motor_pad *pad)
{
        double rate_hz = motor_pad_rate_hz(pad);

        r->protocol = motor_pad_protocol(pad);
        r->inverted = motor_pad_inverted(pad);
        r->ambiguous = motor_pad_ambiguous(pad);
        r->counts = *motor_pad_counted(pad);
        if (r->protocol != MOTOR_UNKNOWN) {
                r->was = r->protocol;
                r->was_inverted = r->inverted;
                /* The frames by which it was recognised give no words. */
                if (!r->heard && pad->known) {
                        r->heard = true;
                        r->heard_tick = pad->last_tick;
                }
        }
        if (rate_hz > 0.0)
                r->was_rate_hz = rate_hz;
        r->age_s = r->heard ? fmax(0.0,
                                   (double)(t->until_tick - r->heard_tick) / t->tick_hz) +
                                      t->still_s
                            : 0.0;
        r->silent = r->protocol != MOTOR_UNKNOWN &&
                    r->age_s > fmax(CAPTURE_SILENT_S,
                                    r->was_rate_hz > 0.0 ? 4.0 / r->was_rate_hz : 0.0);
        r->rate_hz = r->silent || r->protocol == MOTOR_UNKNOWN ? 0.0 : rate_hz;
        r->jitter_s = r->rate_hz > 0.0 ? motor_pad_jitter_s(pad) : 0.0;
}

void capture_table_update(struct capture_table *t, const struct capture *c,
                          const struct capture_words *words,
                          const struct capture_guess *guess)
{
        t->counts = c->counts;
        for (int i = 0; i < t->rows; i++) {
                struct capture_row *r = &t->row[i];
                const struct motor_pad *pad = &words->pad[r->pad];

                take_state(t, r, pad);
                if (guess != NULL)
                        take_guess(r, t->asked, capture_guess_pad(guess, r->pad));
        }
}
