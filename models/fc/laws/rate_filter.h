/* Takes vibration out of the gyroscope's rates before they steer: a notch at the rotors' speed and a
 * low-pass, each a second-order section made discrete by the bilinear transform with its frequency
 * prewarped (Bristow-Johnson's cookbook forms). Off by default, and then not a bit changes. The frames'
 * period may change: the coefficients follow it. */
#ifndef MODELS_FC_LAWS_RATE_FILTER_H
#define MODELS_FC_LAWS_RATE_FILTER_H

#include "models/fc/laws/params.h"

struct rate_section {
        double b0, b1, b2, a1, a2;
        /* Direct form I: its memory is of signals, and outlives new coefficients. */
        struct vec3 in1, in2, out1, out2;
        bool on;
};

struct rate_filter {
        struct rate_section notch, lowpass;
        double dt_s; /* that the coefficients are made for; 0: none yet */
};

/* A frequency of 0.45 of the rate or more is left out: the samples hold no more. The first sample
 * comes out as it went in. */
struct vec3 rate_filter_step(struct rate_filter *f, const struct filter_params *p,
                             struct vec3 rate_radps, double dt_s);

#endif
