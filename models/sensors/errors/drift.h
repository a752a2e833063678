/* Noise of a bias that is slower than the samples: bias instability (1/f noise) and
 * rate random walk, in IEEE Std 952's terms.
 *
 *   Bias instability B: two-sided S(f) = B^2/(2 pi f), an Allan deviation of
 *   sqrt(2 ln 2/pi) B = 0.664 B at every averaging time. It is the sum of first-order
 *   Gauss-Markov processes whose time constants T go up by a factor r and that have equal
 *   variances s^2: their densities 2 s^2 T/(1 + (2 pi f T)^2), with ln r between
 *   neighbours' ln T, add up to s^2/(2 f ln r), within 0.3 % for r = 4. So
 *   s^2 = B^2 ln r/pi. T goes from DRIFT_FASTEST_S (four samples, if that is more) to 4^7
 *   times that, 1638 s; beyond, the deviation falls.
 *
 *   Rate random walk K: S(f) = (K/(2 pi f))^2, Allan deviation K sqrt(tau/3). It starts
 *   at 0.
 *
 * Each process is exact at its own steps, a quarter of its time constant apart, and
 * holds in between: far below what white noise lets anyone see, and the eight cost a
 * third more than the fastest alone. */
#pragma once

#include <stdbool.h>

#include "models/rng.h"

#define DRIFT_AXES      6
#define DRIFT_STAGES    8
#define DRIFT_FASTEST_S 0.1

struct drift_params {
        double instability[DRIFT_AXES]; /* B, in the sensor's unit */
        double walk[DRIFT_AXES]; /* K, unit/s/sqrt(Hz) */

        /* Filled by drift_params_prepare(). */
        bool flickers, walks;
        int every; /* samples from step to step of the fastest */
        double keep; /* of a process from one of its steps to the next */
        double sigma[DRIFT_AXES], kick[DRIFT_AXES]; /* of a process, and of its step */
        double stride[DRIFT_AXES]; /* of the walk's step */
};

struct drift {
        struct rng flicker_rng[DRIFT_AXES], walk_rng[DRIFT_AXES];
        double stage[DRIFT_STAGES][DRIFT_AXES];
        double walked[DRIFT_AXES];
        double sum[DRIFT_AXES]; /* of all: what it adds to the bias now */
        int left; /* samples until the next step */
        uint32_t steps;
};

/* sample_s is the time between samples. */
void drift_params_prepare(struct drift_params *p, double sample_s);

/* As it is after an infinite time of instability. The streams are rng_init()'s, of axes
 * flicker_axis and walk_axis and the five after each. */
void drift_init(struct drift *d, const struct drift_params *p, uint64_t seed,
                uint32_t vehicle, uint32_t sensor, uint32_t flicker_axis,
                uint32_t walk_axis);

void drift_advance(struct drift *d, const struct drift_params *p);

/* To the next sample. */
static inline void drift_step(struct drift *d, const struct drift_params *p)
{
        if ((p->flickers || p->walks) && --d->left <= 0)
                drift_advance(d, p);
}
