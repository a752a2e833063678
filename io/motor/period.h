/* How regular the frames of a pad are: mean and variance from start to start, with slow forgetting. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct motor_period {
        bool in_step; /* last_start is of the frame before */
        int64_t last_start;
        unsigned
                periods; /* in mean and variance; 0: not known, but mean_ticks may be a first guess */
        unsigned strange;
        double mean_ticks, variance;
};

/* Starts anew with a period of about this many ticks; 0: not known. */
void motor_period_begin(struct motor_period *m, int64_t ticks);
/* A good frame began. A frame missed on the wire leaves a period twice as long, which is not the
 * board's, unless the next 15 are outliers, too. */
void motor_period_frame(struct motor_period *m, int64_t start_tick);
/* The next frame does not follow the last one directly. */
void motor_period_gap(struct motor_period *m);
