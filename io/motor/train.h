/* A selected train of pulses, as long as it goes on; and what a level of a given duration could be.
 * Pulses have no CRC: only the durations of both levels reveal their polarity. */
#pragma once

#include "io/motor/pulse.h"

/* What a level means, given the period of the pulses. */
enum motor_likeness {
        MOTOR_NO_PULSE, /* half as long again as the longest in range, and more */
        MOTOR_ODD_PULSE, /* out of range; no level is too short for this */
        MOTOR_A_PULSE
};

/* All pulse protocols that are possible. */
struct motor_rivals {
        enum motor_protocol only; /* MOTOR_UNKNOWN: each */
        struct motor_pulse pulse[MOTOR_MULTISHOT - MOTOR_PWM + 1];
};

void motor_rivals_init(struct motor_rivals *r, enum motor_protocol only,
                       const struct motor_range *range, double tick_hz);
/* The likeliest of any of them. */
enum motor_likeness motor_rivals_judge(const struct motor_rivals *r, int64_t level_ticks,
                                       int64_t period_ticks);

struct motor_train {
        bool broken; /* a pause ended it, and nothing good has come since */
        bool timed; /* last_start, of its last pulse, good or odd, is known */
        int64_t last_start;
        uint8_t fits,
                misfits; /* low times that would fit, or not, as inverted pulses; up to 8 */
};

/* last_start: of the last pulse on trial. */
void motor_train_begin(struct motor_train *t, int64_t last_start);
/* The pulse that *p reported, good or odd. True: a train of this period has a pulse there. */
bool motor_train_follow(struct motor_train *t, const struct motor_pulse *p,
                        const struct motor_word *w, double period_ticks);
/* The low time before a good normal pulse: would it fit as an inverted one? */
void motor_train_weigh(struct motor_train *t, const struct motor_rivals *r,
                       const struct motor_pulse *p, const struct motor_word *w);
/* Some would fit, and too few would not. */
bool motor_train_ambiguous(const struct motor_train *t);
