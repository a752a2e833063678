/* One pad: edges (or what a capture board measured of them) -> words, whatever the protocol. It
 * recognises protocol and polarity on its own, unless given, and notices when they change.
 *
 * Until a protocol is selected, every edge goes to a decoder of each, normal and inverted. The
 * first that reads enough good frames in a row is selected: 4; for pulses, which have no CRC, 8 in
 * range and at a steady rate, 12 for inverted ones. When 8 more were damaged or odd than good, all
 * decoders start again. Of noise of more than 100,000 edges a second they get 2,048 edges, then
 * none for 60 ms, so a signal after it may be recognised that much later.
 *
 * The polarity of DShot follows from its CRC. Pulses have none: at a steady rate the low times of a
 * normal train could be the pulses of an inverted one. They are taken for inverted only if they
 * cannot be normal: if every high time of the trial is half as long again as the longest pulse of
 * any protocol with that rate (50 Hz of PWM: 18 ms). Short high times are odd pulses and no
 * evidence. What fits both is taken for normal and called ambiguous; the polarity can be given.
 *
 * A selected train keeps its protocol as long as it goes on: pulses out of range that keep to its
 * period are odd, however many, and do not start a search for another polarity or protocol. After a
 * pause of 0.1 s, or out of that period, they do. */
#pragma once

#include <stddef.h>

#include "io/motor/decoder.h"
#include "io/motor/period.h"
#include "io/motor/train.h"

struct motor_pad_params {
        double tick_hz;
        enum motor_protocol protocol; /* MOTOR_UNKNOWN: recognise */
        enum motor_polarity polarity;
        struct motor_range range;
        double glitch_s; /* shorter levels are noise and merged with their neighbours; 0: none */
};

struct motor_pad_counts {
        uint64_t edges;
        uint64_t glitches;
        uint64_t throttles, stops, commands; /* used, or apart from throttle */
        uint64_t telemetry, telemetry_damaged; /* the ESC's telemetry */
        uint64_t damaged; /* wrong CRC, bits missing or too many: never used */
        uint64_t odd; /* pulses outside their protocol's range: never used */
        uint64_t recognitions; /* how often a protocol was selected */
};

struct motor_pad {
        struct motor_pad_params p;
        uint8_t number;
        struct motor_pad_counts counts;
        struct motor_decoder decoder[MOTOR_DECODERS];
        bool possible[MOTOR_DECODERS]; /* by the parameters and the tick rate */
        int settled; /* in decoder[]; -1: none yet */
        int trial_edges; /* since the trial began, at trial_start */
        int64_t trial_start, rest_until; /* ticks */
        uint8_t misfits; /* damaged or odd; reduced by one for each good one */
        enum motor_polarity told; /* by a capture board, for the present pulse */
        struct motor_rivals rivals; /* for the polarity of pulses */
        struct motor_train train;

        bool known; /* level and last_tick */
        bool level;
        bool held; /* the last edge is held back: it may begin a glitch */
        int64_t last_tick;

        struct motor_period period; /* of good frames */
};

void motor_pad_init(struct motor_pad *pad, const struct motor_pad_params *p,
                    uint8_t number);

/* Maximum number of words from one call. */
#define MOTOR_PAD_WORDS 4

/* An edge of this pad, in order of time (one out of order is a gap). Returns the words that it
 * completes, oldest first, at most MOTOR_PAD_WORDS. There are none before a protocol is selected,
 * which takes a few frames; those are not counted anywhere. A frame is complete when something else
 * begins, or by motor_pad_quiet(): only silence shows that it does not have a bit too many. */
size_t motor_pad_edge(struct motor_pad *pad, int64_t tick, bool level,
                      struct motor_word *out);
/* Nothing more happened before this tick: returns words whose end only silence shows. Call it after
 * each piece of a capture, with the first tick of a capture, and with the first tick after a gap:
 * only a frame after a silence is known to be whole. */
size_t motor_pad_quiet(struct motor_pad *pad, int64_t tick, struct motor_word *out);
/* A pulse that a capture board timed, high or low (inverted), so that its polarity is known, and a
 * DShot frame as it was read (16 bits, CRC unchecked). With these, too, a protocol must first be
 * selected. */
size_t motor_pad_pulse(struct motor_pad *pad, bool inverted, int64_t start_tick,
                       int64_t width_ticks, struct motor_word *out);
size_t motor_pad_frame(struct motor_pad *pad, enum motor_protocol protocol, bool inverted,
                       int64_t start_tick, int64_t end_tick, uint16_t raw,
                       struct motor_word *out);
/* Samples were lost: partial frames are discarded, the protocol stays. */
void motor_pad_gap(struct motor_pad *pad);

enum motor_protocol motor_pad_protocol(const struct motor_pad *pad);
bool motor_pad_inverted(const struct motor_pad *pad);
/* Pulses were taken for normal, but so far their low times would also fit as inverted ones, of this
 * or another protocol. A user who knows better can give the polarity. */
bool motor_pad_ambiguous(const struct motor_pad *pad);
const struct motor_pad_counts *motor_pad_counted(const struct motor_pad *pad);
/* Over about the last thousand good frames of any value, from start to start: mean rate in Hz, and
 * the standard deviation of the period. 0: not known. */
double motor_pad_rate_hz(const struct motor_pad *pad);
double motor_pad_jitter_s(const struct motor_pad *pad);
