/* What happens to the bytes of one frame on a bad wire. Pure functions: all chance comes from the stream
 * that is handed in. */
#ifndef IO_WIRE_WIRE_DAMAGE_H
#define IO_WIRE_WIRE_DAMAGE_H

#include <stddef.h>

#include "io/wire/wire_fault.h"
#include "models/rng.h"

/* Whether it happens, with a probability of 0 to 1. */
int wire_chance(struct rng *rng, double probability);
/* 0 to n - 1. */
size_t wire_pick(struct rng *rng, size_t n);
void wire_noise(struct rng *rng, uint8_t *bytes, size_t len);
/* Each bit with that probability. Returns how many were flipped. */
size_t wire_flip_at_ratio(struct rng *rng, uint8_t *bytes, size_t len, double ratio);
/* So many different bits, or all that there are. */
size_t wire_flip_bits(struct rng *rng, uint8_t *bytes, size_t len, size_t bits);

/* What a fault that damages (WIRE_TRUNCATE, WIRE_BIT_FLIPS, WIRE_BAUD_DRIFT) leaves of the frame, which
 * stands in `bytes` with room for cap bytes. Returns its new length; *changed says whether anything is
 * different. */
size_t wire_damage(const struct wire_fault *fault, struct rng *rng, uint8_t *bytes,
                   size_t len, size_t cap, int *changed);

#endif
