/* What pads look like that do not speak the protocol that the user names: while a pad is not recognised as that one,
 * every protocol is tried on it beside. A pure function of the blocks: no clock, no file, no allocation. It costs as much
 * as decoding does, and nothing once every pad is what it was said to be, or rests. */
#pragma once

#include "io/capture/words.h"

struct capture_guess {
        struct capture_words words; /* of the pads that are looked at, words.mask */
};

/* p as the pads have it; its protocol does not matter here. */
void capture_guess_init(struct capture_guess *g, const struct motor_pad_params *p);
/* After `asked`, which decodes as the user wants it, has had all of this block. */
void capture_guess_block(struct capture_guess *g, const struct capture_words *asked,
                         const struct capture_block *block);
/* The pad as recognised by itself. NULL: it is what the user says, or nothing that is known. */
const struct motor_pad *capture_guess_pad(const struct capture_guess *g, uint8_t pad);

/* Whether a protocol can be read out of so many samples a second. */
bool capture_guess_readable(enum motor_protocol protocol, double tick_hz);
