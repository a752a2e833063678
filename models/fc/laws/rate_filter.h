/* Removes vibration from the gyroscope's rates before control: a notch at the rotors' speed and a
 * low-pass, each a second-order section made discrete by the bilinear transform with its frequency
 * prewarped (Bristow-Johnson's cookbook forms). Off by default, and then not a bit changes. The
 * frames' period may vary: the coefficients follow it. */
#pragma once

#include "models/fc/laws/params.h"

struct rate_section {
        double b0, b1, b2, a1, a2;
        /* Direct form I: its memory holds signals, and survives new coefficients. */
        struct vec3 in1, in2, out1, out2;
        bool on;
};

struct rate_filter {
        struct rate_section notch, lowpass;
        double dt_s; /* for which the coefficients were computed; 0: none yet */
};

/* A filter at 0.45 of the rate or more is left out: the samples contain nothing above. The first
 * sample passes unchanged. */
struct vec3 rate_filter_step(struct rate_filter *f, const struct filter_params *p,
                             struct vec3 rate_radps, double dt_s);
