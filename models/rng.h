/* Counter-based noise: a stream is a key and a counter, so streams of different sensors
 * never share a draw and a copy of the state replays it. Philox 4x32-10 (Salmon, Moraes,
 * Dror and Shaw, SC'11), checked against Random123's known answers; Gaussian by the
 * inverse normal distribution function PPND16 (Wichura, algorithm AS 241, 1988), so one
 * uniform gives one normal. */
#ifndef MODELS_RNG_H
#define MODELS_RNG_H

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

/* Uniform in (0, 1), 52 bits, never 0 or 1. */
double rng_uniform(struct rng *rng);

/* Mean 0, standard deviation 1. */
double rng_normal(struct rng *rng);

/* The block function itself, for the known-answer test. */
void rng_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* The uniform that 64 random bits give: their upper 52, at the centre of their cell. */
double rng_uniform_from(uint64_t bits);

/* Quantile of the standard normal distribution; p in (0, 1). */
double rng_normal_quantile(double p);

#endif
