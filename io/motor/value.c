/* Bits and widths <-> values. */
#include <math.h>

#include "io/motor/value.h"

#define PWM_LOW_US  1000.0
#define PWM_SPAN_US 1000.0

static uint16_t crc(uint16_t upper12, bool inverted)
{
        unsigned sum = upper12 ^ (unsigned)upper12 >> 4 ^ (unsigned)upper12 >> 8;

        return (uint16_t)((inverted ? ~sum : sum) & 15);
}

uint16_t motor_value_pack(uint16_t value, bool telemetry, bool inverted_crc)
{
        uint16_t upper12 = (uint16_t)((value & MOTOR_VALUE_MAX) << 1 | telemetry);

        return (uint16_t)(upper12 << 4 | crc(upper12, inverted_crc));
}

static double throttle(int value, bool three_d)
{
        if (!three_d)
                return (value - MOTOR_VALUE_LOWEST) /
                       (double)(MOTOR_VALUE_MAX - MOTOR_VALUE_LOWEST);
        if (value < MOTOR_VALUE_FORWARD)
                return (MOTOR_VALUE_LOWEST - value) /
                       (double)(MOTOR_VALUE_FORWARD - 1 - MOTOR_VALUE_LOWEST);
        return (value - MOTOR_VALUE_FORWARD) /
               (double)(MOTOR_VALUE_MAX - MOTOR_VALUE_FORWARD);
}

void motor_value_unpack(uint16_t raw, bool inverted_crc, bool three_d,
                        struct motor_word *w)
{
        w->raw = raw;
        w->kind = MOTOR_DAMAGED;
        if ((raw & 15) != crc(raw >> 4, inverted_crc))
                return;
        w->value = raw >> 5;
        w->telemetry = raw >> 4 & 1;
        if (w->value >= MOTOR_VALUE_LOWEST) {
                w->kind = MOTOR_THROTTLE;
                w->duty = throttle(w->value, three_d);
        } else {
                w->kind = w->value == 0 ? MOTOR_STOP : MOTOR_COMMAND;
        }
}

/* Where zero and full throttle lie in the nominal range, which is 0 to 1. */
static void ends(const struct motor_range *range, double *low, double *high)
{
        bool given = range->high > range->low;

        *low = given ? (range->low - PWM_LOW_US) / PWM_SPAN_US : 0.0;
        *high = given ? (range->high - PWM_LOW_US) / PWM_SPAN_US : 1.0;
}

double motor_value_duty(enum motor_protocol protocol, const struct motor_range *range,
                        double width_s)
{
        double low, high, x;

        ends(range, &low, &high);
        x = (width_s - motor_protocol_low_s(protocol)) / motor_protocol_span_s(protocol);
        x = fmin(fmax((x - low) / (high - low), 0.0), 1.0);
        return range->three_d ? 2.0 * x - 1.0 : x;
}

double motor_value_width_s(enum motor_protocol protocol, const struct motor_range *range,
                           double duty)
{
        double low, high, x = range->three_d ? 0.5 * (duty + 1.0) : duty;

        ends(range, &low, &high);
        x = low + fmin(fmax(x, 0.0), 1.0) * (high - low);
        return motor_protocol_low_s(protocol) + x * motor_protocol_span_s(protocol);
}
