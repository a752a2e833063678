/* Counter-based noise: a stream is a key and a counter, so streams of different sensors
 * never share a draw and a copy of the state replays it. Philox 4x32-10 (Salmon, Moraes,
 * Dror and Shaw, SC'11), checked against Random123's known answers; Gaussian by the
 * inverse normal distribution function PPND16 (Wichura, algorithm AS 241, 1988), so one
 * uniform gives one normal. */
#pragma once

#include <stdint.h>

struct rng {
        uint32_t key[2];
        uint64_t counter; /* blocks drawn */
        double spare; /* second uniform of the last block */
        int has_spare;
};

/* Who draws: gives every (seed, vehicle, sensor, axis) a stream of its own. `sensor` is
 * any small number that stays with its user for ever; the sensors use enum sensor. */
void rng_init(struct rng *rng, uint64_t seed, uint32_t vehicle, uint32_t sensor,
              uint32_t axis);

/* The block function itself, for the known-answer test. */
void rng_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* The uniform that 64 random bits give: their upper 52, at the centre of their cell. */
double rng_uniform_from(uint64_t bits);

/* Draws a block: returns its first uniform and keeps the second. */
double rng_next_block(struct rng *rng);

/* Uniform in (0, 1), 52 bits, never 0 or 1. Inline, as what follows: a vehicle's sensors draw some
 * ten thousand a second. */
static inline double rng_uniform(struct rng *rng)
{
        if (!rng->has_spare)
                return rng_next_block(rng);
        rng->has_spare = 0;
        return rng->spare;
}

/* AS 241, PPND16, for |q| <= 0.425, which is 85 of 100: relative accuracy about 1 in 10^16.
 * Coefficients as published. */
static inline double rng_normal_middle(double q)
{
        double r = 0.180625 - q * q;
        double num = 2.5090809287301226727e+3;
        double den = 5.2264952788528545610e+3;

        num = num * r + 3.3430575583588128105e+4;
        num = num * r + 6.7265770927008700853e+4;
        num = num * r + 4.5921953931549871457e+4;
        num = num * r + 1.3731693765509461125e+4;
        num = num * r + 1.9715909503065514427e+3;
        num = num * r + 1.3314166789178437745e+2;
        num = num * r + 3.3871328727963666080e+0;
        den = den * r + 2.8729085735721942674e+4;
        den = den * r + 3.9307895800092710610e+4;
        den = den * r + 2.1213794301586595867e+4;
        den = den * r + 5.3941960214247511077e+3;
        den = den * r + 6.8718700749205790830e+2;
        den = den * r + 4.2313330701600911252e+1;
        return q * num / (den * r + 1.0);
}

/* The same outside. */
double rng_normal_tail(double p);

/* Quantile of the standard normal distribution; p in (0, 1). */
static inline double rng_normal_quantile(double p)
{
        double q = p - 0.5;

        return q >= -0.425 && q <= 0.425 ? rng_normal_middle(q) : rng_normal_tail(p);
}

/* Mean 0, standard deviation 1. */
static inline double rng_normal(struct rng *rng)
{
        return rng_normal_quantile(rng_uniform(rng));
}

/* Several streams whose normals are wanted together, one of each at every step: the numbers
 * that rng_normal() would give, found RNG_AHEAD steps at a time, which costs half as much. */
#define RNG_AHEAD   16
#define RNG_STREAMS 6

struct rng_bundle {
        uint64_t counter; /* blocks drawn of each */
        /* Of the next blocks, stream by stream; each block gives its stream two normals. */
        uint32_t key[2][RNG_AHEAD / 2 * RNG_STREAMS], block[RNG_AHEAD / 2 * RNG_STREAMS];
        int left; /* steps in ahead */
        /* The blocks' first normals, then their second; who takes four numbers at a time reads two
         * beyond the last. */
        double ahead[RNG_AHEAD * RNG_STREAMS + 2];
};

/* Streams axis, axis + 1, ...; see rng_init(). */
void rng_bundle_init(struct rng_bundle *b, uint64_t seed, uint32_t vehicle,
                     uint32_t sensor, uint32_t axis);

/* Finds the next RNG_AHEAD. */
void rng_bundle_refill(struct rng_bundle *b);

/* One of each, until the next call. */
static inline const double *rng_bundle_next(struct rng_bundle *b)
{
        int step;

        if (b->left == 0)
                rng_bundle_refill(b);
        step = RNG_AHEAD - b->left--;
        return &b->ahead[(step % 2 * RNG_AHEAD + step) / 2 * RNG_STREAMS];
}
