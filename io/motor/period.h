/* How regular the frames of a pad are: mean and variance from start to start, forgetting slowly. */
#ifndef IO_MOTOR_PERIOD_H
#define IO_MOTOR_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

struct motor_period {
        bool in_step; /* last_start is of the frame before */
        int64_t last_start;
        unsigned
                periods; /* in mean and variance; 0: not known, though mean_ticks may be a first guess */
        unsigned strange;
        double mean_ticks, variance;
};

/* Anew, of about so many ticks; 0: not known. */
void motor_period_begin(struct motor_period *m, int64_t ticks);
/* A good frame began. One that the wire does not show leaves a period twice as long: not one of the
 * board's, unless the next 15 are strange, too. */
void motor_period_frame(struct motor_period *m, int64_t start_tick);
/* What comes next is not the frame behind the last one. */
void motor_period_gap(struct motor_period *m);

#endif
