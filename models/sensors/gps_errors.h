/* Errors of a GPS receiver's ranges, range rates and clock as they wander with time: first-order
 * Gauss-Markov processes, whose autocorrelation is sigma^2 exp(-t/tau), and a clock of two
 * states. What satellites make of them is the geometry's part. */
#pragma once

#include <stdint.h>

#include "models/rng.h"

struct gps_errors_params {
        double range_m; /* user equivalent range error, slow part, 1 sigma */
        double range_tau_s; /* > 0 */
        double range_jitter_m; /* white part, 1 sigma */
        double rate_mps; /* range rate error, 1 sigma */
        double rate_tau_s; /* 0: white */
        /* Oscillator: white frequency noise and random walk of the frequency, one-sided densities
         * h0/2 and 2 pi^2 h-2 (Brown and Hwang, receiver clocks) times the speed of light squared. */
        double clock_white_m_rts, clock_walk_mps_rts;

        /* Filled by gps_errors_prepare(). */
        double range_hold, rate_hold; /* what stays of a state after a period */
        double range_new, rate_new; /* standard deviation of what comes to it */
        double period_s;
        double clock_chol
                [3]; /* of the clock's noise over a period: bias, drift by bias, drift */
};

struct gps_errors {
        /* In units of their sigma: north, east, down and clock before the geometry mixes them. */
        double range[4], rate[3];
        double range_white[4]; /* of this sample */
        double clock_bias_m,
                clock_drift_mps; /* what a receiver reports of its own clock */
        struct rng rng_range[4], rng_white[4], rng_rate[3], rng_clock[2];
};

/* Fixes the period between samples. */
void gps_errors_prepare(struct gps_errors_params *p, int64_t period_ns);

/* Stationary from the first sample on: the states begin with a draw of their own, the clock at a
 * bias within 150 km (half a millisecond, to which receivers keep it) and at rest. */
void gps_errors_init(struct gps_errors *e, uint64_t seed, uint32_t vehicle);

/* On by one period. Always draws the same number. */
void gps_errors_step(struct gps_errors *e, const struct gps_errors_params *p);
