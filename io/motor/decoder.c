/* One decoder of any protocol. */
#include <stdlib.h>

#include "io/motor/decoder.h"

#define GOOD_FRAMES          4
#define GOOD_PULSES          8
#define GOOD_INVERTED_PULSES 12

#define PULSE_RATE_MIN_HZ 25.0
#define STEADY            8 /* periods differ by less than one part in this many */

bool motor_decoder_init(struct motor_decoder *d, enum motor_protocol protocol,
                        bool inverted, double tick_hz, const struct motor_range *range)
{
        double bit_ticks = motor_protocol_bit_s(protocol) * tick_hz;

        *d = (struct motor_decoder){ .protocol = protocol, .inverted = inverted };
        if (motor_protocol_is_dshot(protocol)) {
                motor_dshot_init(&d->u.dshot, bit_ticks, tick_hz, inverted,
                                 range->three_d);
                return bit_ticks >= MOTOR_DSHOT_TICKS_MIN;
        }
        if (protocol == MOTOR_PROSHOT1000) {
                motor_proshot_init(&d->u.proshot, tick_hz, inverted, range->three_d);
                return d->u.proshot.nibble_ticks >= MOTOR_PROSHOT_TICKS_MIN;
        }
        motor_pulse_init(&d->u.pulse, protocol, range, tick_hz, inverted);
        return motor_protocol_span_s(protocol) * tick_hz >= MOTOR_PULSE_TICKS_MIN;
}

void motor_decoder_gap(struct motor_decoder *d)
{
        d->good = 0;
        d->last_tick = 0;
        d->last_period = 0;
        if (motor_protocol_is_dshot(d->protocol))
                motor_dshot_gap(&d->u.dshot);
        else if (d->protocol == MOTOR_PROSHOT1000)
                motor_proshot_gap(&d->u.proshot);
        else
                motor_pulse_gap(&d->u.pulse);
}

enum motor_found motor_decoder_edge(struct motor_decoder *d, int64_t tick, bool level,
                                    struct motor_word *w)
{
        if (motor_protocol_is_dshot(d->protocol))
                return motor_dshot_edge(&d->u.dshot, tick, level, w);
        if (d->protocol == MOTOR_PROSHOT1000)
                return motor_proshot_edge(&d->u.proshot, tick, level, w);
        return motor_pulse_edge(&d->u.pulse, tick, level, w) ? MOTOR_FOUND_FRAME
                                                             : MOTOR_FOUND_NONE;
}

enum motor_found motor_decoder_quiet(struct motor_decoder *d, int64_t tick,
                                     struct motor_word *w)
{
        if (motor_protocol_is_dshot(d->protocol))
                return motor_dshot_quiet(&d->u.dshot, tick, w);
        if (d->protocol == MOTOR_PROSHOT1000)
                return motor_proshot_quiet(&d->u.proshot, tick, w);
        return motor_pulse_quiet(&d->u.pulse, tick, w) ? MOTOR_FOUND_FRAME
                                                       : MOTOR_FOUND_NONE;
}

bool motor_decoder_is_good(const struct motor_word *w)
{
        return w->kind != MOTOR_DAMAGED && w->kind != MOTOR_ODD;
}

/* Pulses have no CRC: the evidence for them is a steady rate. */
static bool steady(struct motor_decoder *d, double tick_hz, int64_t start_tick)
{
        int64_t before = d->last_period, period = start_tick - d->last_tick;
        bool known = d->last_tick != 0;

        d->last_tick = start_tick;
        d->last_period = 0;
        if (!known || (double)period * PULSE_RATE_MIN_HZ > tick_hz)
                return false;
        d->last_period = period;
        return before == 0 || llabs(period - before) * STEADY <= before;
}

/* The number of good frames in a row that is enough; `given`: the polarity is known. */
static int motor_decoder_enough(const struct motor_decoder *d, bool given)
{
        if (!motor_protocol_is_pulse(d->protocol))
                return GOOD_FRAMES;
        return d->inverted && !given ? GOOD_INVERTED_PULSES : GOOD_PULSES;
}

bool motor_decoder_judge(struct motor_decoder *d, double tick_hz,
                         const struct motor_word *w, bool credible, bool given)
{
        bool good = motor_decoder_is_good(w) && credible;
        int enough = motor_decoder_enough(d, given);

        if (motor_protocol_is_pulse(d->protocol))
                good = steady(d, tick_hz, w->start_tick) && good;
        if (!good)
                d->good = 0;
        else if (d->good < enough)
                d->good++;
        return d->good >= enough;
}
