/* PWM, OneShot125, OneShot42 or Multishot of one polarity: edges -> pulses, their width to one tick.
 * A pulse counts once the line has rested behind it: one that a glitch splits is one odd pulse, not
 * two believable ones. */
#ifndef IO_MOTOR_PULSE_H
#define IO_MOTOR_PULSE_H

#include "io/motor/signal.h"

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
        /* Of the pulse that was given last. */
        bool whole; /* nothing split it */
        bool timed; /* idle_ticks is known */
        int64_t idle_ticks, last_end; /* the rest before it, the end of the one before */
};

/* A tick is at most so small a part of the range: quantisation is 2 % of throttle at the worst, and a
 * DShot frame that is as long as a pulse has two samples a bit (OneShot125: 400 kHz, and DShot150;
 * OneShot42: 1.2 MHz, DShot300; Multishot: 2.5 MHz, DShot1200). With fewer all samples of a frame may
 * fall on high, which looks like one pulse. A zero, low for more than half a bit, cannot hide then. */
#define MOTOR_PULSE_TICKS_MIN 50.0

void motor_pulse_init(struct motor_pulse *p, enum motor_protocol protocol,
                      const struct motor_range *range, double tick_hz, bool inverted);
void motor_pulse_gap(struct motor_pulse *p);
/* An edge, or that there was none before a tick. True: a pulse is in *w: start_tick, end_tick,
 * kind (MOTOR_THROTTLE or MOTOR_ODD), width_s, duty. */
bool motor_pulse_edge(struct motor_pulse *p, int64_t tick, bool level,
                      struct motor_word *w);
bool motor_pulse_quiet(struct motor_pulse *p, int64_t tick, struct motor_word *w);

#endif
