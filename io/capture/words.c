/* Gives samples or records to the pads' decoders, and returns their words one at a time. */
#include "io/capture/words.h"

void capture_words_init(struct capture_words *c, const struct motor_pad_params *p,
                        uint8_t mask)
{
        *c = (struct capture_words){ .mask = mask };
        c->edges.mask = mask;
        for (uint8_t i = 0; i < MOTOR_PADS_MAX; i++)
                motor_pad_init(&c->pad[i], p, i);
}

void capture_words_block(struct capture_words *c, const struct capture_block *block)
{
        c->block = *block;
        c->at = 0;
        c->edge_count = c->edge_at = 0;
        c->word_count = c->word_at = 0;
        c->quiet = 0;
        if (block->gap)
                for (int i = 0; i < MOTOR_PADS_MAX; i++)
                        motor_pad_gap(&c->pad[i]);
        if (block->samples != NULL && (block->gap || c->edges.tick != block->first_tick))
                motor_edges_restart(&c->edges, block->first_tick);
}

/* Words of the next edge. False: the block has no more edges. */
static bool take_edge(struct capture_words *c)
{
        const struct motor_edge *e;

        while (c->edge_at == c->edge_count) {
                size_t used;

                if (c->at == c->block.count)
                        return false;
                c->edge_count = motor_edges_find(&c->edges, c->block.samples + c->at,
                                                 c->block.count - c->at, &used, c->edge,
                                                 CAPTURE_WORDS_EDGES);
                c->edge_at = 0;
                c->at += used;
        }
        e = &c->edge[c->edge_at++];
        c->word_count = motor_pad_edge(&c->pad[e->pad], e->tick, e->level, c->word);
        return true;
}

/* Words of the next record. False: the block has no more records. */
static bool take_record(struct capture_words *c)
{
        const struct capture_record *r;
        struct motor_pad *pad;

        do {
                if (c->at == c->block.count)
                        return false;
                r = &c->block.records[c->at++];
        } while (r->pad >= MOTOR_PADS_MAX || !(c->mask & 1U << r->pad));
        pad = &c->pad[r->pad];
        if (r->kind == CAPTURE_EDGE)
                c->word_count = motor_pad_edge(pad, r->tick, r->level, c->word);
        else if (r->kind == CAPTURE_PULSE)
                c->word_count = motor_pad_pulse(pad, r->inverted, r->tick, r->width_ticks,
                                                c->word);
        else
                c->word_count =
                        motor_pad_frame(pad, r->protocol, r->inverted, r->tick,
                                        r->tick + r->width_ticks, r->raw, c->word);
        return true;
}

/* Words that are completed only by the silence up to the block's end. False: all pads are done. */
static bool take_silence(struct capture_words *c)
{
        while (c->quiet < MOTOR_PADS_MAX) {
                uint8_t pad = c->quiet++;

                if (!(c->mask & 1U << pad))
                        continue;
                c->word_count =
                        motor_pad_quiet(&c->pad[pad], c->block.until_tick, c->word);
                return true;
        }
        return false;
}

bool capture_words_next(struct capture_words *c, struct motor_word *w)
{
        while (c->word_at == c->word_count) {
                c->word_count = c->word_at = 0;
                if (!(c->block.samples != NULL ? take_edge(c) : take_record(c)) &&
                    !take_silence(c))
                        return false;
        }
        *w = c->word[c->word_at++];
        return true;
}
