#include "hil/capture/guess.h"

void capture_guess_init(struct capture_guess *g, const struct motor_pad_params *p)
{
        struct motor_pad_params any = *p;

        any.protocol = MOTOR_UNKNOWN;
        any.polarity = MOTOR_POLARITY_AUTO;
        capture_words_init(&g->words, &any, 0);
}

/* A level that never changed is no protocol's. */
static bool rests(const struct motor_pad *pad, const struct capture_block *block)
{
        return block->samples != NULL && motor_pad_counted(pad)->edges == 0;
}

static uint8_t not_as_asked(const struct capture_words *asked,
                            const struct capture_block *block)
{
        uint8_t mask = 0;

        for (uint8_t i = 0; i < MOTOR_PADS_MAX; i++) {
                const struct motor_pad *pad = &asked->pad[i];

                if (asked->mask & 1U << i && motor_pad_protocol(pad) == MOTOR_UNKNOWN &&
                    !rests(pad, block))
                        mask |= (uint8_t)(1U << i);
        }
        return mask;
}

/* A pad that comes to be looked at has been elsewhere meanwhile: what is known of it was of another time. */
static void look_at(struct capture_guess *g, uint8_t mask, int64_t tick)
{
        uint8_t more = mask & (uint8_t)~g->words.mask;

        for (uint8_t i = 0; i < MOTOR_PADS_MAX; i++)
                if (more & 1U << i) {
                        struct motor_pad_params p = g->words.pad[i].p;

                        motor_pad_init(&g->words.pad[i], &p, i);
                }
        if (mask != g->words.mask)
                motor_edges_restart(&g->words.edges, tick);
        g->words.mask = g->words.edges.mask = mask;
}

void capture_guess_block(struct capture_guess *g, const struct capture_words *asked,
                         const struct capture_block *block)
{
        struct motor_word ignored;

        look_at(g, not_as_asked(asked, block), block->first_tick);
        if (g->words.mask == 0)
                return;
        capture_words_block(&g->words, block);
        while (capture_words_next(&g->words, &ignored))
                ;
}

const struct motor_pad *capture_guess_pad(const struct capture_guess *g, uint8_t pad)
{
        const struct motor_pad *p = &g->words.pad[pad];

        return g->words.mask & 1U << pad && motor_pad_protocol(p) != MOTOR_UNKNOWN ? p
                                                                                   : NULL;
}

bool capture_guess_readable(enum motor_protocol protocol, double tick_hz)
{
        const struct motor_range nominal = { 1000.0, 2000.0, false };
        struct motor_decoder d;

        return motor_decoder_init(&d, protocol, false, tick_hz, &nominal);
}
