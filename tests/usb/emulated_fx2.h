/* A logic analyzer on a Cypress FX2LP as its USB bus sees it: bare, until the fx2lafw firmware is in its memory;
 * then with the three requests of that firmware and samples at endpoint 2. The test is its clock and its pads: what
 * it feeds is what the pads were, sample by sample.
 *
 * Source: sigrok, wiki page fx2lafw, and the FX2LP technical reference manual (Cypress 001-13670), 3.4: request 0xA0
 * writes memory, 0xE600 is CPUCS with the reset in bit 0. */
#pragma once

#include "tests/usb/usb_model.h"

#define EMULATED_FX2_MEMORY 0x4000 /* bytes of code */
#define EMULATED_FX2_BUFFER 0x100000 /* a power of two */

struct emulated_fx2 {
        struct usb_model model; /* first */
        uint16_t vid, pid; /* with and without firmware */
        uint8_t descriptor[18];
        bool bare; /* has no memory that lasts: unplugged, it needs its firmware again */
        bool ready; /* firmware runs */

        /* To be set before it is plugged in. */
        uint8_t version[2]; /* major, minor; 1.4 */
        uint8_t revision;
        const uint8_t *firmware; /* what must be loaded, NULL: anything */
        size_t firmware_len;
        size_t slack; /* bytes that it can hold until the host takes them: EMULATED_FX2_BUFFER; real ones 2,048 */

        /* Loading. */
        bool held; /* in reset */
        uint8_t memory[EMULATED_FX2_MEMORY];
        size_t loaded; /* bytes written while it was held */
        bool misloaded; /* a write while it ran, or out of its memory */
        bool hung; /* released with the wrong bytes: it will not come back */

        /* Sampling. */
        bool running;
        double rate_hz; /* of the last start, 0: none yet */
        uint8_t start[3]; /* as the host sent it */
        uint64_t fed; /* samples since the start of the world, seen or not */
        uint64_t starts, overruns, unseen; /* unseen: fed while it did not run */
        uint64_t given; /* bytes to the host */
        uint64_t head, tail; /* of bytes */
        uint8_t bytes[EMULATED_FX2_BUFFER];

        /* Faults, each forgotten when it has happened but the stuck pads and the refusal. */
        int lose; /* that many next transfers fail on the wire */
        size_t cut; /* the next transfer ends after so many bytes, a multiple of 512 or not; the rest is lost */
        bool stall; /* the next transfer is refused, and sampling has stopped */
        uint8_t stuck, stuck_at; /* pads of this mask stay at these levels */
        bool refuse_start;
};

/* One that has no firmware yet (bare), or that has it for good. vid and pid of a kind that fx2lafw is made for. */
void emulated_fx2_init(struct emulated_fx2 *f, uint16_t vid, uint16_t pid, bool bare);

/* The pads' levels for the next `count` samples at rate_hz, bit i is pad i. */
void emulated_fx2_feed(struct emulated_fx2 *f, const uint8_t *samples, size_t count);

/* Nobody took its bytes in time: sampling stops, and says nothing. */
void emulated_fx2_overrun(struct emulated_fx2 *f);
