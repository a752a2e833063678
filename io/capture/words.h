/* The blocks of a capture -> the words of its pads, for any kind of capture. A pure function of the
 * blocks: no clock, no file, no allocation. */
#pragma once

#include "io/capture/capture.h"
#include "io/motor/edges.h"
#include "io/motor/pad.h"

#define CAPTURE_WORDS_EDGES 256

struct capture_words {
        struct motor_pad pad[MOTOR_PADS_MAX];
        uint8_t mask; /* pads in use, 1 << pad */
        struct motor_edges edges;

        /* The block being processed. */
        struct capture_block block;
        size_t at; /* samples or records of it already processed */
        struct motor_edge edge[CAPTURE_WORDS_EDGES];
        size_t edge_count, edge_at;
        uint8_t quiet; /* pads that have been given the block's end */
        struct motor_word word[MOTOR_PAD_WORDS];
        size_t word_count, word_at;
};

void capture_words_init(struct capture_words *c, const struct motor_pad_params *p,
                        uint8_t mask);
/* Begins a block, which still belongs to the caller and must not change until capture_words_next()
 * has returned false. */
void capture_words_block(struct capture_words *c, const struct capture_block *block);
/* The next word of that block; words of one pad are in order of time. False: there are no more. */
bool capture_words_next(struct capture_words *c, struct motor_word *w);
