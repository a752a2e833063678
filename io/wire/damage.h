/* What happens to the bytes of one frame on a bad wire. Pure functions: all chance comes from the stream
 * that is handed in. */
#pragma once

#include <stddef.h>

#include "io/wire/fault.h"
#include "models/rng.h"

/* Whether it happens, with a probability of 0 to 1. */
int wire_chance(struct rng *rng, double probability);
/* 0 to n - 1. */
size_t wire_pick(struct rng *rng, size_t n);
void wire_noise(struct rng *rng, uint8_t *bytes, size_t len);

/* What a fault that damages (WIRE_TRUNCATE, WIRE_BIT_FLIPS, WIRE_BAUD_DRIFT) leaves of the frame, which
 * stands in `bytes` with room for cap bytes. Returns its new length; *changed says whether anything is
 * different. */
size_t wire_damage(const struct wire_fault *fault, struct rng *rng, uint8_t *bytes,
                   size_t len, size_t cap, int *changed);

/* Bytes over a serial line whose two ends disagree about the baud rate. */

/* 8N1. The sender sends the bytes back to back, the line idle before and after; its clock runs faster
 * than the receiver's by clock_error (0.03: by 3 %; above -1). The receiver looks at the line 16 times a
 * bit, at `phase` (0 to 1) of such a step when the first start bit comes. A start bit begins at the first
 * look that finds the line low; it and the bits after it are sampled in their middle by the receiver's own
 * clock, so that the last sample, of the stop bit, is off by 9.5 bits times clock_error and late by up to
 * 1/16 bit for the look. It falls into the next byte from +4.6 % (late look) or +5.3 % (prompt look) on,
 * into the last data bit from -5.3 % (prompt) or -5.9 % (late) on. A byte whose stop bit is low is a
 * framing error and thrown away, as most drivers do, and the receiver waits for the line to rise and fall;
 * a start bit that is high again in its middle is a glitch.
 *
 * Writes at most cap bytes into out and returns how many. */
size_t wire_uart(const uint8_t *bytes, size_t len, double clock_error, double phase,
                 uint8_t *out, size_t cap);
