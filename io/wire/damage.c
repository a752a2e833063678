#include "io/wire/damage.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define BITS_PER_BYTE   10 /* start, eight of data, stop */
#define LOOKS_PER_BIT   16
#define LOOKS_TO_MIDDLE 8

/* Time is counted in the receiver's looks; the line changes at multiples of bit_looks. */
struct line {
        const uint8_t *bytes;
        size_t len;
        double bit_looks; /* the sender's bit */
        double phase; /* of the first start bit's edge after look 0 */
};

static bool over(const struct line *l, size_t look)
{
        return ((double)look - l->phase) / l->bit_looks >=
               (double)(l->len * BITS_PER_BYTE);
}

static bool high_at(const struct line *l, size_t look)
{
        double at = ((double)look - l->phase) / l->bit_looks;
        size_t bit, place;

        if (at < 0.0 || over(l, look))
                return true;
        bit = (size_t)at;
        place = bit % BITS_PER_BYTE;
        if (place == 0)
                return false;
        return place == BITS_PER_BYTE - 1 ||
               (l->bytes[bit / BITS_PER_BYTE] >> (place - 1) & 1) != 0;
}

/* From the look that found the start bit. False: a framing error. */
static bool sample(const struct line *l, size_t start, uint8_t *byte)
{
        size_t at = start + LOOKS_TO_MIDDLE;

        *byte = 0;
        for (int i = 0; i < 8; i++) {
                at += LOOKS_PER_BIT;
                *byte = (uint8_t)(*byte | high_at(l, at) << i);
        }
        return high_at(l, at + LOOKS_PER_BIT);
}

size_t wire_uart(const uint8_t *bytes, size_t len, double clock_error, double phase,
                 uint8_t *out, size_t cap)
{
        const struct line l = { .bytes = bytes,
                                .len = len,
                                .bit_looks = LOOKS_PER_BIT / (1.0 + clock_error),
                                .phase = phase };
        bool was_high = true;
        size_t n = 0;

        for (size_t look = 0; !over(&l, look) && n < cap; look++) {
                bool high = high_at(&l, look);
                bool falls = was_high && !high;

                was_high = high;
                /* What does not last for half a bit is a glitch. */
                if (!falls || high_at(&l, look + LOOKS_TO_MIDDLE))
                        continue;
                if (sample(&l, look, &out[n]))
                        n++;
                /* It listens again from the middle of the stop bit on. */
                look += LOOKS_TO_MIDDLE + (BITS_PER_BYTE - 1) * LOOKS_PER_BIT;
                was_high = high_at(&l, look);
        }
        return n;
}

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

/* Each bit with that probability; returns how many were flipped. A draw for each flip, not for each bit: the gaps between
 * them are geometrically distributed. */
static size_t wire_flip_at_ratio(struct rng *rng, uint8_t *bytes, size_t len,
                                 double ratio)
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
static size_t wire_flip_bits(struct rng *rng, uint8_t *bytes, size_t len, size_t bits)
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
