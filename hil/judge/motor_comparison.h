/* What each motor is seen to be told, on a pad or a bus, beside what the flight controller reports for it, tick by tick: how
 * far apart they are, and whether one moves as another is reported, which is how swapped wires look. */
#pragma once

#include <stdint.h>

#include "models/signals.h"

/* Duty. */
struct motor_difference {
        uint64_t ticks;
        double square_sum, max;
};

struct motor_comparison {
        struct motor_difference of[ROTORS_MAX][ROTORS_MAX]; /* seen, reported */
};

/* One tick of what was seen of motor `seen`, of so many. */
void motor_comparison_take(struct motor_comparison *c, int motors, int seen, double duty,
                           const struct motor_command *reported);
/* 0 before the first tick. */
double motor_difference_rms(const struct motor_difference *d);
/* The motor whose report fits what is seen of motor i much better than its own; -1: its own fits, or too little moved
 * to tell. */
int motor_comparison_better(const struct motor_comparison *c, int motors, int i);
