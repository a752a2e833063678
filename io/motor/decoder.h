/* Any of the decoders, for one protocol and polarity, and how well the frames fit it. */
#pragma once

#include "io/motor/dshot.h"
#include "io/motor/proshot.h"
#include "io/motor/pulse.h"

struct motor_decoder {
        enum motor_protocol protocol;
        bool inverted;
        uint8_t good; /* good frames in a row, while on trial */
        int64_t last_tick, last_period; /* of a pulse on trial; 0: not known */
        union {
                struct motor_dshot dshot;
                struct motor_proshot proshot;
                struct motor_pulse pulse;
        } u;
};

/* Each protocol, normal and inverted. */
#define MOTOR_DECODERS (2 * (MOTOR_PROTOCOLS - 1))

/* False: too few ticks per second for it. */
bool motor_decoder_init(struct motor_decoder *d, enum motor_protocol protocol,
                        bool inverted, double tick_hz, const struct motor_range *range);
/* Discards what was begun, and the evidence so far. */
void motor_decoder_gap(struct motor_decoder *d);

/* As motor_dshot_edge() and motor_dshot_quiet(). */
enum motor_found motor_decoder_edge(struct motor_decoder *d, int64_t tick, bool level,
                                    struct motor_word *w);
enum motor_found motor_decoder_quiet(struct motor_decoder *d, int64_t tick,
                                     struct motor_word *w);

/* Neither damaged nor odd. */
bool motor_decoder_is_good(const struct motor_word *w);
/* A frame of this decoder, on trial; credible: it counts as evidence. True: that makes enough in a
 * row. */
bool motor_decoder_judge(struct motor_decoder *d, double tick_hz,
                         const struct motor_word *w, bool credible, bool given);
