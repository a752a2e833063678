/* A stick or switch of a joystick: its raw reading to -1..1, and to the pulse of an RC channel. Pure arithmetic. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct stick_params {
        double least, centre,
                most; /* raw; least < centre < most, or least = centre: one-sided */
        double dead_ratio; /* of each side, around the centre, [0, 1) */
        double expo_ratio; /* 0 straight, 1 cubic: soft around the centre, ends as they are */
        bool inverted;
};

/* -1 to 1 (one-sided: 0 to 1, inverted 1 to 0) of any raw number; odd and monotonic around the centre. */
double stick_value(const struct stick_params *p, double raw);
/* -1 to 1 as 1000 to 2000 us; one-sided: 0 to 1. */
uint16_t stick_us(const struct stick_params *p, double raw);
