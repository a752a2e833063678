/* What a capture saw -> the newest word of each motor pad, with its times. Pure: blocks in, a
 * snapshot out; no thread, no device, no clock. */
#pragma once

#include "hil/time/histogram.h"
#include "io/capture/words.h"
#include "io/capture/device_clock.h"

/* What a pad says. */
struct pads_reading {
        bool heard; /* a throttle or a stop, ever */
        double duty; /* of the newest one */
        int64_t end_tick; /* its last edge */
        int64_t end_ns; /* the same as host time, 0: not known */
        int64_t arrived_ns; /* when the block that completed it was here, 0: a file */
        int64_t fill_ns; /* from its last edge to that of the block: waiting in the device */
        uint64_t words; /* so many so far */
};

/* Everything so far. It replaces the one before: a reader may skip some. */
struct pads_snapshot {
        int64_t until_tick; /* all of it up to here */
        int64_t ready_ns; /* host time at which it was decoded, by whoever keeps time */
        uint64_t gaps; /* in the capture */
        struct pads_reading pad[MOTOR_PADS_MAX];
};

struct pads_decode_params {
        double tick_hz;
        uint8_t mask; /* 1 << pad of those to decode */
        enum motor_protocol protocol;
        enum motor_polarity polarity;
        struct motor_range range;
        double glitch_s;
        bool host_clock; /* relate ticks to host time */
};

struct pads_decode {
        struct pads_decode_params params;
        struct capture_words words; /* in the ticks of the capture that is open now, */
        int64_t origin_tick; /* which began here */
        bool anew; /* the next block is of another capture, or follows a gap that is counted */
        struct device_clock clock;
        struct pads_snapshot now;
};

void pads_decode_init(struct pads_decode *d, const struct pads_decode_params *p);
/* The capture was opened again, gone_ns after it was lost: its ticks start over, and here they go on by
 * that time. What was begun before is forgotten. Whoever lost it has counted the gap. */
void pads_decode_reopen(struct pads_decode *d, int64_t gone_ns);
/* What is still missing up to this tick is lost, and a gap. */
void pads_decode_skip(struct pads_decode *d, int64_t tick);
/* True when d->now has something new. */
bool pads_decode_block(struct pads_decode *d, const struct capture_block *block);
