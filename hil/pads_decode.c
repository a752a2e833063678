#include "hil/pads_decode.h"

void pads_decode_init(struct pads_decode *d, const struct pads_decode_params *p)
{
        const struct motor_pad_params pad = { .tick_hz = p->tick_hz,
                                              .protocol = p->protocol,
                                              .range = p->range,
                                              .glitch_s = p->glitch_s };

        *d = (struct pads_decode){ .params = *p, .edges.mask = p->mask };
        device_clock_init(&d->clock, p->tick_hz);
        for (int i = 0; i < MOTOR_PADS_MAX; i++)
                motor_pad_init(&d->pad[i], &pad, (uint8_t)i);
}

static bool is_wanted(const struct pads_decode *d, uint8_t pad)
{
        return pad < MOTOR_PADS_MAX && (d->params.mask & 1U << pad) != 0;
}

static int64_t tick_ns(const struct pads_decode *d, int64_t ticks)
{
        return (int64_t)((double)ticks / d->params.tick_hz * 1e9);
}

/* Commands and an ESC's answers move no motor, and what is damaged is never used. */
static void take_words(struct pads_decode *d, const struct motor_word *word, size_t count,
                       const struct capture_block *block)
{
        for (size_t i = 0; i < count; i++) {
                struct pads_reading *r = &d->now.pad[word[i].pad];

                d->newest[word[i].pad] = word[i];
                if (word[i].kind != MOTOR_THROTTLE && word[i].kind != MOTOR_STOP)
                        continue;
                r->heard = true;
                r->words++;
                r->duty = word[i].kind == MOTOR_STOP || word[i].duty < 0.0 ? 0.0
                                                                           : word[i].duty;
                r->end_tick = word[i].end_tick;
                r->arrived_ns = block->arrived_ns;
                r->fill_ns = tick_ns(d, block->until_tick - word[i].end_tick);
                r->end_ns = d->params.host_clock && device_clock_known(&d->clock)
                                    ? device_clock_host_ns(&d->clock, word[i].end_tick)
                                    : 0;
        }
}

static void take_samples(struct pads_decode *d, const struct capture_block *block)
{
        struct motor_word word[MOTOR_PAD_WORDS];
        size_t at = 0;

        while (at < block->count) {
                size_t used = 0;
                size_t edges =
                        motor_edges_find(&d->edges, block->samples + at,
                                         block->count - at, &used, d->edge, PADS_EDGES);

                for (size_t i = 0; i < edges; i++) {
                        const struct motor_edge *e = &d->edge[i];
                        size_t words =
                                motor_pad_edge(&d->pad[e->pad], e->tick, e->level, word);

                        take_words(d, word, words, block);
                }
                at += used;
        }
}

static size_t take_record(struct pads_decode *d, const struct capture_record *r,
                          struct motor_word *word)
{
        struct motor_pad *pad = &d->pad[r->pad];
        int64_t tick = r->tick + d->origin_tick;

        switch (r->kind) {
        case CAPTURE_EDGE:
                return motor_pad_edge(pad, tick, r->level, word);
        case CAPTURE_PULSE:
                return motor_pad_pulse(pad, tick, r->width_ticks, word);
        case CAPTURE_FRAME:
                break;
        }
        return motor_pad_frame(pad, r->protocol, r->inverted, tick, tick + r->width_ticks,
                               r->raw, word);
}

static void take_records(struct pads_decode *d, const struct capture_block *block)
{
        struct motor_word word[MOTOR_PAD_WORDS];

        for (size_t i = 0; i < block->count; i++)
                if (is_wanted(d, block->records[i].pad))
                        take_words(d, word, take_record(d, &block->records[i], word),
                                   block);
}

/* What only silence completes. */
static void take_quiet(struct pads_decode *d, const struct capture_block *block)
{
        struct motor_word word[MOTOR_PAD_WORDS];

        for (uint8_t i = 0; i < MOTOR_PADS_MAX; i++)
                if (is_wanted(d, i))
                        take_words(d, word,
                                   motor_pad_quiet(&d->pad[i], block->until_tick, word),
                                   block);
}

static void take_gap(struct pads_decode *d, const struct capture_block *block)
{
        d->now.gaps++;
        motor_edges_restart(&d->edges, block->first_tick);
        for (int i = 0; i < MOTOR_PADS_MAX; i++)
                motor_pad_gap(&d->pad[i]);
        device_clock_restart(&d->clock);
}

void pads_decode_reopen(struct pads_decode *d)
{
        d->origin_tick = d->now.until_tick;
        motor_edges_restart(&d->edges, d->origin_tick);
}

void pads_decode_skip(struct pads_decode *d, int64_t tick)
{
        const struct capture_block missing = { .gap = true, .first_tick = tick };

        /* The next block says how far it has counted: it goes on from here. */
        d->origin_tick += tick - d->now.until_tick;
        d->now.until_tick = tick;
        take_gap(d, &missing);
        d->skipped = true;
}

bool pads_decode_block(struct pads_decode *d, const struct capture_block *given)
{
        struct capture_block block = *given;
        int64_t before = d->now.until_tick;

        block.first_tick += d->origin_tick;
        block.until_tick += d->origin_tick;
        if (block.gap && !d->skipped)
                take_gap(d, &block);
        d->skipped = false;
        if (d->params.host_clock && block.arrived_ns != 0)
                device_clock_arrival(&d->clock, block.until_tick, block.arrived_ns);
        if (block.samples != NULL)
                take_samples(d, &block);
        else
                take_records(d, &block);
        take_quiet(d, &block);
        d->now.until_tick = block.until_tick;
        return block.gap || block.until_tick != before;
}
