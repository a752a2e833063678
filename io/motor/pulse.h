/* PWM, OneShot125, OneShot42 or Multishot of one polarity: edges -> pulses, their width to one
 * tick. A pulse counts once the line has been idle after it: a pulse split by a glitch is one odd
 * pulse, not two credible ones. */
#pragma once

#include "io/motor/signal.h"

struct motor_pulse {
        enum motor_protocol protocol;
        struct motor_range range;
        bool inverted;
        double tick_hz;
        double shortest_ticks, longest_ticks; /* an eighth of the range beyond its ends */
        double rest_ticks; /* a hundredth of a full pulse */
        double soonest_ticks; /* minimum from one pulse's start to the next's; less is odd */
        /* The pulse that has begun, or waits for the idle time after it. */
        bool begun, ended;
        bool after; /* last_start, of the last pulse in range, is known */
        uint8_t splits;
        int64_t start_tick, end_tick, last_start;
        /* The pulse that was reported last. */
        bool whole; /* nothing split it */
        bool timed; /* idle_ticks is known */
        int64_t idle_ticks, last_end; /* idle time before it, end of the previous pulse */
};

/* Ticks across the range, at least: quantisation is 2 % of throttle at the worst, and a DShot frame
 * that is as long as a pulse has two samples a bit (OneShot125: 400 kHz, and DShot150; OneShot42: 1.2
 * MHz, DShot300; Multishot: 2.5 MHz, DShot1200). With fewer, all samples of a frame might be high,
 * which looks like one pulse. With two a zero, low for more than half a bit, cannot be missed. */
#define MOTOR_PULSE_TICKS_MIN 50.0

void motor_pulse_init(struct motor_pulse *p, enum motor_protocol protocol,
                      const struct motor_range *range, double tick_hz, bool inverted);
void motor_pulse_gap(struct motor_pulse *p);
/* An edge, or the absence of edges before a tick. True: a pulse is in *w: start_tick, end_tick,
 * kind (MOTOR_THROTTLE or MOTOR_ODD), width_s, duty. */
bool motor_pulse_edge(struct motor_pulse *p, int64_t tick, bool level,
                      struct motor_word *w);
bool motor_pulse_quiet(struct motor_pulse *p, int64_t tick, struct motor_word *w);
