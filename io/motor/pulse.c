/* Edges -> pulses. */
#include <math.h>

#include "io/motor/pulse.h"
#include "io/motor/value.h"

#define BEYOND     0.125
#define REST       0.01
#define SPLITS_MAX 8 /* with more it is not a split pulse */

#define SOONEST     0.98 /* of a full pulse: 510 Hz of PWM */
#define MULTISHOT_S 29e-6 /* admits loops of 32 kHz, but not bits of DShot150 */

static double width_of(const struct motor_pulse *p, const struct motor_range *range,
                       double duty)
{
        return motor_value_width_s(p->protocol, range, duty) * p->tick_hz;
}

void motor_pulse_init(struct motor_pulse *p, enum motor_protocol protocol,
                      const struct motor_range *range, double tick_hz, bool inverted)
{
        const struct motor_range nominal = { 0.0, 0.0, false };
        const struct motor_range one_way = { range->low, range->high, false };
        double beyond = BEYOND * motor_protocol_span_s(protocol) * tick_hz;

        *p = (struct motor_pulse){ .protocol = protocol,
                                   .range = *range,
                                   .inverted = inverted,
                                   .tick_hz = tick_hz,
                                   .last_end = INT64_MIN };
        p->shortest_ticks =
                fmin(width_of(p, &nominal, 0.0), width_of(p, &one_way, 0.0)) - beyond;
        p->longest_ticks =
                fmax(width_of(p, &nominal, 1.0), width_of(p, &one_way, 1.0)) + beyond;
        p->rest_ticks = REST * width_of(p, &nominal, 1.0);
        p->soonest_ticks = protocol == MOTOR_MULTISHOT
                                   ? MULTISHOT_S * tick_hz
                                   : SOONEST * width_of(p, &nominal, 1.0);
}

void motor_pulse_gap(struct motor_pulse *p)
{
        p->begun = false;
        p->ended = false;
        p->after = false;
        p->timed = false;
        p->last_end = INT64_MIN;
}

/* Not so soon after the previous one that they cannot both be pulses. */
static bool in_time(struct motor_pulse *p)
{
        if (p->after && (double)(p->start_tick - p->last_start) < p->soonest_ticks)
                return false;
        p->after = true;
        p->last_start = p->start_tick;
        return true;
}

static void finish(struct motor_pulse *p, struct motor_word *w)
{
        double ticks = (double)(p->end_tick - p->start_tick);

        *w = (struct motor_word){ .start_tick = p->start_tick,
                                  .end_tick = p->end_tick,
                                  .kind = MOTOR_ODD,
                                  .width_s = ticks / p->tick_hz };
        p->ended = false;
        p->whole = p->splits == 0;
        p->timed = p->last_end != INT64_MIN;
        p->idle_ticks = p->timed ? p->start_tick - p->last_end : 0;
        p->last_end = p->end_tick;
        if (!p->whole || !(ticks >= p->shortest_ticks && ticks <= p->longest_ticks) ||
            !in_time(p))
                return;
        w->kind = MOTOR_THROTTLE;
        w->duty = motor_value_duty(p->protocol, &p->range, w->width_s);
}

bool motor_pulse_quiet(struct motor_pulse *p, int64_t tick, struct motor_word *w)
{
        if (!p->ended || (double)(tick - p->end_tick) < p->rest_ticks)
                return false;
        finish(p, w);
        return true;
}

bool motor_pulse_edge(struct motor_pulse *p, int64_t tick, bool level,
                      struct motor_word *w)
{
        bool found = motor_pulse_quiet(p, tick, w);

        if (level == p->inverted) {
                p->ended = p->begun;
                p->begun = false;
                p->end_tick = tick;
                return found;
        }
        /* Too soon after the last one: they belong together. */
        if (p->ended && p->splits < SPLITS_MAX) {
                p->splits++;
        } else {
                if (p->ended) {
                        finish(p, w);
                        found = true;
                }
                p->start_tick = tick;
                p->splits = 0;
        }
        p->begun = true;
        p->ended = false;
        return found;
}
