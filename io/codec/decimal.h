/* Numbers as decimal text with a fixed number of decimals: the same everywhere, whatever the locale, and
 * several times as fast as printf. */
#pragma once

#include <stdint.h>

#define DECIMAL_PLACES_MAX 9
/* Bytes that decimal_put() may write. */
#define DECIMAL_BYTES_MAX 32

/* Writes value, rounded to so many places (0 to DECIMAL_PLACES_MAX, half away from zero), without a NUL;
 * returns the end. Beyond -most to most (up to 1e9) it is that; NaN is 0. Zero is "0". */
char *decimal_put(char *to, double value, int places, double most);

/* A whole number; returns the end. */
char *decimal_put_u64(char *to, uint64_t value);

/* value with exactly so many digits (1 to 19), leading zeros included: the higher ones are left away. */
char *decimal_put_digits(char *to, uint64_t value, int digits);
