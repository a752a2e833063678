/* Numbers as decimal text: scaled to an integer, then written two digits at a time. */
#include "io/codec/decimal.h"

#include <assert.h>
#include <string.h>

static const uint32_t power10[DECIMAL_PLACES_MAX + 1] = {
        1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
};

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

char *decimal_put_digits(char *to, uint64_t value, int digits)
{
        char *end = to + digits, *p = end;

        while (p - to >= 2) {
                p -= 2;
                memcpy(p, pairs + 2 * (value % 100), 2);
                value /= 100;
        }
        if (p > to)
                *to = (char)('0' + value % 10);
        return end;
}

char *decimal_put_u64(char *to, uint64_t value)
{
        char text[20];
        int n = sizeof text;

        do {
                text[--n] = (char)('0' + value % 10);
                value /= 10;
        } while (value > 0);
        memcpy(to, text + n, sizeof text - (size_t)n);
        return to + sizeof text - n;
}

char *decimal_put(char *to, double value, int places, double most)
{
        uint32_t scale = power10[places];
        uint64_t scaled, whole;

        assert(most <= 1e9);
        if (!(value == value)) /* NaN */
                value = 0.0;
        if (value > most)
                value = most;
        if (value < -most)
                value = -most;
        scaled = (uint64_t)((value < 0.0 ? -value : value) * scale + 0.5);
        if (scaled == 0) {
                *to = '0';
                return to + 1;
        }
        if (value < 0.0)
                *to++ = '-';
        whole = scaled / scale;
        to = decimal_put_u64(to, whole);
        if (places == 0)
                return to;
        *to++ = '.';
        return decimal_put_digits(to, scaled % scale, places);
}
