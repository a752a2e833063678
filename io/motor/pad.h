/* One pad: edges (or what a capture board measured of them) -> words, whatever the protocol. It
 * finds out protocol and polarity by itself, unless told, and notices when they change.
 *
 * Until a protocol is settled on, every edge goes to a decoder of each, normal and inverted; the
 * first that reads enough good frames one behind the other (4; of pulses, which have no CRC, 8 in
 * range and at a steady rate, 12 of inverted ones) is it. When 8 more were damaged or odd than good
 * all of them start again. Noise of more than 100,000 edges a second is looked at for a quarter of the
 * time, so that what follows it may be recognised 60 ms late.
 *
 * The polarity of DShot shows in its CRC. Pulses have none: at a steady rate the low times of a normal
 * train may be those of an inverted one. They are taken for inverted only where they cannot be normal:
 * where every high time of the trial is half as long again as the longest pulse of any protocol that
 * comes so often (50 Hz of PWM: 18 ms). Short high times are odd pulses and speak for nothing. What fits
 * both is taken for normal and called ambiguous; the polarity can be given.
 *
 * A train that was settled on stays what it is as long as it goes on: pulses out of range that keep to its
 * period are odd, however many, and are no reason to look for another polarity or protocol. Behind a rest of
 * 0.1 s, or out of that period, they are. */
#ifndef IO_MOTOR_PAD_H
#define IO_MOTOR_PAD_H

#include <stddef.h>

#include "io/motor/decoder.h"
#include "io/motor/period.h"
#include "io/motor/train.h"

struct motor_pad_params {
        double tick_hz;
        enum motor_protocol protocol; /* MOTOR_UNKNOWN: recognise */
        enum motor_polarity polarity;
        struct motor_range range;
        double glitch_s; /* shorter levels are noise, joined to what is around them; 0: none */
};

struct motor_pad_counts {
        uint64_t edges;
        uint64_t glitches;
        uint64_t throttles, stops, commands; /* used, or apart from throttle */
        uint64_t telemetry, telemetry_damaged; /* the ESC's telemetry */
        uint64_t damaged; /* wrong CRC, bits missing or too many: never used */
        uint64_t odd; /* pulses outside of their protocol: never used */
        uint64_t recognitions; /* how often a protocol was settled on */
};

struct motor_pad {
        struct motor_pad_params p;
        uint8_t number;
        struct motor_pad_counts counts;
        struct motor_decoder decoder[MOTOR_DECODERS];
        bool possible[MOTOR_DECODERS]; /* by the parameters, and the ticks a second */
        int settled; /* in decoder[]; -1: none yet */
        int trial_edges; /* since the decoders on trial began, at trial_start */
        int64_t trial_start, rest_until; /* ticks */
        uint8_t misfits; /* damaged or odd, one less for each good one */
        enum motor_polarity told; /* by a capture board, of the pulse at hand */
        struct motor_rivals rivals; /* of pulses, for their polarity */
        struct motor_train train;

        bool known; /* level and last_tick */
        bool level;
        bool held; /* the last edge waits for whether it begins a glitch */
        int64_t last_tick;

        struct motor_period period; /* of good frames */
};

void motor_pad_init(struct motor_pad *pad, const struct motor_pad_params *p,
                    uint8_t number);

/* Most words that one call gives. */
#define MOTOR_PAD_WORDS 4

/* An edge of this pad, in order of time (one that is not is a gap). Returns the words that are
 * complete with it, oldest first, at most MOTOR_PAD_WORDS. Not before a protocol is settled on,
 * which takes a few frames: those are counted in no other way. A frame is complete when something
 * else begins, or by motor_pad_quiet(): only silence shows that it has not a bit too many. */
size_t motor_pad_edge(struct motor_pad *pad, int64_t tick, bool level,
                      struct motor_word *out);
/* Nothing more happened before this tick: words whose end only silence shows. To be called after
 * each piece of a capture, and with the first tick of one and of what comes behind a gap: only a
 * frame behind a silence is known to be whole. */
size_t motor_pad_quiet(struct motor_pad *pad, int64_t tick, struct motor_word *out);
/* A pulse that a capture board timed, high or low (inverted), so that its polarity is no question, and a
 * DShot frame that it read, as it came (16 bits, CRC unchecked): also those have to settle. */
size_t motor_pad_pulse(struct motor_pad *pad, bool inverted, int64_t start_tick,
                       int64_t width_ticks, struct motor_word *out);
size_t motor_pad_frame(struct motor_pad *pad, enum motor_protocol protocol, bool inverted,
                       int64_t start_tick, int64_t end_tick, uint16_t raw,
                       struct motor_word *out);
/* Samples were lost: what was begun is forgotten, the protocol stays. */
void motor_pad_gap(struct motor_pad *pad);

enum motor_protocol motor_pad_protocol(const struct motor_pad *pad);
bool motor_pad_inverted(const struct motor_pad *pad);
/* Pulses were taken for normal, but so far their low times would do as inverted ones as well, of this or
 * of another protocol: whoever knows better gives the polarity. */
bool motor_pad_ambiguous(const struct motor_pad *pad);
const struct motor_pad_counts *motor_pad_counted(const struct motor_pad *pad);
/* Of good frames of whatever value, the last thousand or so, from start to start: mean in Hz, and
 * the standard deviation of the period. 0: not known. */
double motor_pad_rate_hz(const struct motor_pad *pad);
double motor_pad_jitter_s(const struct motor_pad *pad);

#endif
