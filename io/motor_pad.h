/* One pad: edges (or what a capture board measured of them) -> words, whatever the protocol. It
 * finds out protocol and polarity by itself, unless told, and notices when they change. */
#ifndef IO_MOTOR_PAD_H
#define IO_MOTOR_PAD_H

#include <stddef.h>

#include "io/motor_signal.h"

struct motor_pad_params {
        double tick_hz;
        enum motor_protocol protocol; /* MOTOR_UNKNOWN: recognise */
        struct motor_range range;
        double glitch_s; /* shorter levels are noise, joined to what is around them; 0: none */
};

struct motor_pad_counts {
        uint64_t edges;
        uint64_t glitches;
        uint64_t throttles, stops, commands; /* used, or apart from throttle */
        uint64_t telemetry, telemetry_damaged; /* the ESC's answers */
        uint64_t damaged; /* wrong CRC, bits missing or too many: never used */
        uint64_t odd; /* pulses outside of their protocol: never used */
        uint64_t recognitions; /* how often a protocol was settled on */
};

#include "io/motor_pad_state.h"

void motor_pad_init(struct motor_pad *pad, const struct motor_pad_params *p,
                    uint8_t number);

/* Most words that one call gives. */
#define MOTOR_PAD_WORDS 4

/* An edge of this pad, in order of time. Returns the words that are complete with it, oldest
 * first, at most MOTOR_PAD_WORDS. Not before a protocol is settled on, which takes a few frames:
 * those are counted in no other way. */
size_t motor_pad_edge(struct motor_pad *pad, int64_t tick, bool level,
                      struct motor_word *out);
/* Nothing more happened before this tick: words whose end only silence shows. */
size_t motor_pad_quiet(struct motor_pad *pad, int64_t tick, struct motor_word *out);
/* A pulse that a capture board timed, and a DShot frame that it read, as it came (16 bits, CRC
 * unchecked). */
size_t motor_pad_pulse(struct motor_pad *pad, int64_t start_tick, int64_t width_ticks,
                       struct motor_word *out);
size_t motor_pad_frame(struct motor_pad *pad, enum motor_protocol protocol, bool inverted,
                       int64_t start_tick, int64_t end_tick, uint16_t raw,
                       struct motor_word *out);
/* Samples were lost: what was begun is forgotten, the protocol stays. */
void motor_pad_gap(struct motor_pad *pad);

enum motor_protocol motor_pad_protocol(const struct motor_pad *pad);
bool motor_pad_inverted(const struct motor_pad *pad);
const struct motor_pad_counts *motor_pad_counted(const struct motor_pad *pad);
/* Of throttle frames, from start to start: mean in Hz, and the standard deviation of the period.
 * 0: not known. */
double motor_pad_rate_hz(const struct motor_pad *pad);
double motor_pad_jitter_s(const struct motor_pad *pad);

#endif
