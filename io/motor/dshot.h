/* DShot of one rate and polarity: edges -> frames, and the ESC's telemetry between them.
 *
 * A frame is 32 edges between silences. Its bit period is that of the straight line through the
 * sixteen edges at which a bit begins. How long a bit is high is measured from that line, so that
 * noise on one such edge does not matter. Bits are decided at half a period, which fits the duties
 * of every firmware, then again in the middle between the means of the zeros and of the ones. As a
 * CRC of four bits lets one error in sixteen through, a frame is also rejected if its period is not
 * the protocol's, if a bit begins off the line, if one is high for almost none or all of its time,
 * or if zeros and ones are not clearly separated.
 *
 * A frame is complete 2.2 bits behind its last edge, 2.7 where telemetry may follow. */
#pragma once

#include "io/motor/burst.h"
#include "io/motor/signal.h"

/* With fewer ticks per bit, ones and zeros cannot be distinguished (docs/performance.md). */
#define MOTOR_DSHOT_TICKS_MIN 4.5

struct motor_dshot {
        double bit_ticks; /* nominal; a board's clock may be off by 8 % */
        double telemetry_ticks; /* telemetry is over so soon behind a frame */
        bool inverted, three_d;
        bool doubtful; /* the last frame's bits are all alike, and like neither */
        bool telemetry_due; /* what comes next may be telemetry, or a part of it */
        int64_t telemetry_until; /* tick */
        struct motor_burst burst;
};

void motor_dshot_init(struct motor_dshot *d, double bit_ticks, double tick_hz,
                      bool inverted, bool three_d);
void motor_dshot_gap(struct motor_dshot *d);
/* An edge, or the absence of edges before a tick. What was found is in *w: start_tick, end_tick,
 * kind, raw, value, telemetry, duty, erpm, extended. */
enum motor_found motor_dshot_edge(struct motor_dshot *d, int64_t tick, bool level,
                                  struct motor_word *w);
enum motor_found motor_dshot_quiet(struct motor_dshot *d, int64_t tick,
                                   struct motor_word *w);
