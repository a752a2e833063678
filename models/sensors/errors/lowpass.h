/* The bandwidth of a sensor: a second-order Butterworth low-pass on three axes,
 *
 *   H(s) = 1/(1 + sqrt(2) s/w + (s/w)^2)
 *
 * made discrete by the bilinear transform with the corner prewarped (Oppenheim and
 * Schafer, Discrete-Time Signal Processing, 7.1), so that its gain is 1 at rest and
 * 1/sqrt(2) at the bandwidth whatever the rate. Slow signals come out late by
 * sqrt(2)/(2 pi f_c) = 0.2251/f_c, a little less where f_c is not small against the
 * rate: delay_s. */
#pragma once

#include <stdbool.h>

#include "models/quad.h"

/* A bandwidth of this share of the rate, or more, is none: the samples hold no more. */
#define LOWPASS_SHARE_MAX 0.45

struct lowpass_params {
        bool on;
        double feed, a1, a2; /* y = feed (x + 2 x' + x'') - a1 y' - a2 y'' */
        double delay_s; /* of slow signals */
};

struct lowpass {
        double s1[QUAD], s2[QUAD]; /* transposed direct form II, of each axis */
};

/* bandwidth_hz 0: none. step_s is the time between inputs. */
void lowpass_params_prepare(struct lowpass_params *p, double bandwidth_hz, double step_s);

/* As after an infinite time of this input. */
void lowpass_settle(struct lowpass *l, const struct lowpass_params *p, const quad *in);

/* As after an infinite time of white noise of unit variance: normal are six independent
 * normals, two an axis. */
void lowpass_settle_noise(struct lowpass *l, const struct lowpass_params *p,
                          const double normal[6]);

ALWAYS_INLINE void lowpass_step(bool wide, struct lowpass *l,
                                const struct lowpass_params *p, const quad *in, quad *out)
{
        quad *s1 = (quad *)l->s1, *s2 = (quad *)l->s2, x, y, fed1, fed2;

        quad_scale(wide, &x, p->feed, in);
        y = x + *s1;
        quad_scale(wide, &fed1, p->a1, &y);
        quad_scale(wide, &fed2, p->a2, &y);
        *s1 = 2.0 * x - fed1 + *s2;
        *s2 = x - fed2;
        *out = y;
}
