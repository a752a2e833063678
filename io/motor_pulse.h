/* PWM, OneShot125, OneShot42 or Multishot of one polarity: edges -> pulses, their width to one tick.
 * A pulse counts once the line has rested behind it: one that a glitch splits is one odd pulse, not
 * two believable ones. */
#ifndef IO_MOTOR_PULSE_H
#define IO_MOTOR_PULSE_H

#include "io/motor_signal.h"

struct motor_pulse {
        enum motor_protocol protocol;
        struct motor_range range;
        bool inverted;
        double tick_hz;
        double shortest_ticks, longest_ticks; /* an eighth of the range beyond its ends */
        double rest_ticks; /* a hundredth of a full pulse */
        double soonest_ticks; /* from a pulse's start to that of the next; less is odd */
        /* Of the pulse that has begun, or waits for its rest. */
        bool begun, ended;
        bool after; /* last_start is known: of the last pulse in range */
        uint8_t splits;
        int64_t start_tick, end_tick, last_start;
};

void motor_pulse_init(struct motor_pulse *p, enum motor_protocol protocol,
                      const struct motor_range *range, double tick_hz, bool inverted);
void motor_pulse_gap(struct motor_pulse *p);
/* An edge, or that there was none before a tick. True: a pulse is in *w: start_tick, end_tick,
 * kind (MOTOR_THROTTLE or MOTOR_ODD), width_s, duty. */
bool motor_pulse_edge(struct motor_pulse *p, int64_t tick, bool level,
                      struct motor_word *w);
bool motor_pulse_quiet(struct motor_pulse *p, int64_t tick, struct motor_word *w);

#endif
