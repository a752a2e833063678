#include "io/wire/wire_uart.h"

#include <stdbool.h>

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
