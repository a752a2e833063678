#include "hil/pads/decode.h"

void pads_decode_init(struct pads_decode *d, const struct pads_decode_params *p)
{
        const struct motor_pad_params pad = { .tick_hz = p->tick_hz,
                                              .protocol = p->protocol,
                                              .polarity = p->polarity,
                                              .range = p->range,
                                              .glitch_s = p->glitch_s };

        *d = (struct pads_decode){ .params = *p };
        capture_words_init(&d->words, &pad, p->mask);
        device_clock_init(&d->clock, p->tick_hz);
}

/* Commands and an ESC's answers move no motor, and what is damaged is never used. */
static void take_word(struct pads_decode *d, const struct motor_word *w,
                      const struct capture_block *block)
{
        struct pads_reading *r = &d->now.pad[w->pad];
        int64_t fill_ticks = block->until_tick - w->end_tick;

        if (w->kind != MOTOR_THROTTLE && w->kind != MOTOR_STOP)
                return;
        r->heard = true;
        r->words++;
        r->duty = w->kind == MOTOR_STOP || w->duty < 0.0 ? 0.0 : w->duty;
        r->end_tick = d->origin_tick + w->end_tick;
        r->arrived_ns = block->arrived_ns;
        r->fill_ns = (int64_t)((double)fill_ticks / d->params.tick_hz * 1e9);
        r->end_ns = d->params.host_clock && device_clock_known(&d->clock)
                            ? device_clock_host_ns(&d->clock, w->end_tick)
                            : 0;
}

/* Counting goes on from here with the capture's next block. */
static void resume(struct pads_decode *d, int64_t tick)
{
        d->origin_tick += tick - d->now.until_tick;
        d->now.until_tick = tick;
        d->anew = true;
}

void pads_decode_reopen(struct pads_decode *d, int64_t gone_ns)
{
        d->origin_tick =
                d->now.until_tick + (int64_t)((double)gone_ns * 1e-9 * d->params.tick_hz);
        d->anew = true;
}

void pads_decode_skip(struct pads_decode *d, int64_t tick)
{
        d->now.gaps++;
        resume(d, tick);
}

bool pads_decode_block(struct pads_decode *d, const struct capture_block *given)
{
        struct capture_block block = *given;
        int64_t before = d->now.until_tick;
        struct motor_word w;

        if (block.gap && !d->anew)
                d->now.gaps++;
        block.gap |= d->anew;
        d->anew = false;
        if (block.gap)
                device_clock_restart(&d->clock);
        if (d->params.host_clock && block.arrived_ns != 0)
                device_clock_arrival(&d->clock, block.until_tick, block.arrived_ns);
        capture_words_block(&d->words, &block);
        while (capture_words_next(&d->words, &w))
                take_word(d, &w, &block);
        d->now.until_tick = d->origin_tick + block.until_tick;
        return block.gap || d->now.until_tick != before;
}
