#include "io/wire/wire_damage.h"

#include <math.h>
#include <string.h>

#include "io/wire/wire_uart.h"

/* Longest frame that a drifting clock is worked out for; what follows is cut off. */
#define UART_BYTES_MAX 2048

int wire_chance(struct rng *rng, double probability)
{
        return probability >= 1.0 || rng_uniform(rng) < probability;
}

size_t wire_pick(struct rng *rng, size_t n)
{
        size_t at = (size_t)(rng_uniform(rng) * (double)n);

        return at < n ? at : n - 1;
}

void wire_noise(struct rng *rng, uint8_t *bytes, size_t len)
{
        for (size_t i = 0; i < len; i++)
                bytes[i] = (uint8_t)wire_pick(rng, 256);
}

static void flip(uint8_t *bytes, size_t bit)
{
        bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 1U << bit % 8);
}

/* A draw for each flip, not for each bit: the gaps between them are geometrically distributed. */
size_t wire_flip_at_ratio(struct rng *rng, uint8_t *bytes, size_t len, double ratio)
{
        double bits = 8.0 * (double)len, at = -1.0;
        double scale = 1.0 / log1p(-ratio);
        size_t flipped = 0;

        for (;;) {
                at += 1.0 + floor(log(rng_uniform(rng)) * scale);
                if (!(at < bits))
                        return flipped;
                flip(bytes, (size_t)at);
                flipped++;
        }
}

/* Floyd's sample without replacement. */
size_t wire_flip_bits(struct rng *rng, uint8_t *bytes, size_t len, size_t bits)
{
        size_t all = 8 * len, chosen[WIRE_FAULT_BITS_MAX], n = 0;

        if (bits > WIRE_FAULT_BITS_MAX)
                bits = WIRE_FAULT_BITS_MAX;
        if (bits > all)
                bits = all;
        for (size_t last = all - bits; last < all; last++) {
                size_t pick = wire_pick(rng, last + 1);

                for (size_t i = 0; i < n; i++) {
                        if (chosen[i] == pick) {
                                pick = last;
                                break;
                        }
                }
                chosen[n++] = pick;
                flip(bytes, pick);
        }
        return n;
}

static size_t drift(double clock_error, double phase, uint8_t *bytes, size_t len,
                    size_t cap, int *changed)
{
        uint8_t sent[UART_BYTES_MAX];
        size_t n = len < sizeof sent ? len : sizeof sent;

        memcpy(sent, bytes, n);
        len = wire_uart(sent, n, clock_error, phase, bytes, cap);
        *changed = len != n || memcmp(sent, bytes, n) != 0;
        return len;
}

size_t wire_damage(const struct wire_fault *fault, struct rng *rng, uint8_t *bytes,
                   size_t len, size_t cap, int *changed)
{
        size_t keep = (size_t)fault->bytes;

        *changed = 0;
        switch (fault->kind) {
        case WIRE_TRUNCATE:
                *changed = len > keep;
                return len > keep ? keep : len;
        case WIRE_BIT_FLIPS:
                *changed = (fault->bits > 0
                                    ? wire_flip_bits(rng, bytes, len, (size_t)fault->bits)
                                    : wire_flip_at_ratio(rng, bytes, len,
                                                         fault->error_ratio)) > 0;
                return len;
        case WIRE_BAUD_DRIFT:
                return drift(fault->clock_error, rng_uniform(rng), bytes, len, cap,
                             changed);
        default:
                return len;
        }
}
