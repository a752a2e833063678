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

/* A bandwidth of this share of the rate, or more, is none: the samples hold no more. */
#define LOWPASS_SHARE_MAX 0.45

struct lowpass_params {
        bool on;
        double feed, a1, a2; /* y = feed (x + 2 x' + x'') - a1 y' - a2 y'' */
        double delay_s; /* of slow signals */
};

struct lowpass {
        double s1[3], s2[3]; /* transposed direct form II */
};

/* bandwidth_hz 0: none. step_s is the time between inputs. */
void lowpass_params_prepare(struct lowpass_params *p, double bandwidth_hz, double step_s);

/* As after an infinite time of this input. */
void lowpass_settle(struct lowpass *l, const struct lowpass_params *p,
                    const double in[3]);

/* As after an infinite time of white noise of unit variance: normal are six independent
 * normals, two an axis. */
void lowpass_settle_noise(struct lowpass *l, const struct lowpass_params *p,
                          const double normal[6]);

static inline void lowpass_step(struct lowpass *l, const struct lowpass_params *p,
                                const double in[3], double out[3])
{
        for (int i = 0; i < 3; i++) {
                double x = p->feed * in[i], y = x + l->s1[i];

                l->s1[i] = 2.0 * x - p->a1 * y + l->s2[i];
                l->s2[i] = x - p->a2 * y;
                out[i] = y;
        }
}
