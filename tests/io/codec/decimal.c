/* Decimal text against printf and strtod. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/codec/decimal.h"

#include "tests/suites.h"

static const char *text_of(double value, int places, double most)
{
        static char text[DECIMAL_BYTES_MAX + 1];

        memset(text, '#', sizeof text);
        *decimal_put(text, value, places, most) = '\0';
        return text;
}

/* xorshift64* (S. Vigna), for values all over. */
static uint64_t draw(uint64_t *state)
{
        *state ^= *state >> 12;
        *state ^= *state << 25;
        *state ^= *state >> 27;
        return *state * 2685821657736338717U;
}

TEST(numbers_are_within_half_of_the_last_place)
{
        uint64_t state = 1;

        for (int i = 0; i < 200000; i++) {
                int places = (int)(draw(&state) % (DECIMAL_PLACES_MAX + 1));
                double most = places > 6 ? 100.0 : 1e6;
                double value = ((double)(draw(&state) >> 11) * 0x1p-52 - 1.0) * most;
                const char *text = text_of(value, places, most);
                char *end;

                ck_assert_double_eq_tol(strtod(text, &end), value,
                                        0.5 * pow(10.0, -places) * (1 + 1e-6) +
                                                1e-13 * most);
                ck_assert_int_eq(*end, '\0');
                ck_assert_uint_lt(strlen(text), DECIMAL_BYTES_MAX);
        }
}

TEST(text_is_that_of_printf_where_nothing_is_half)
{
        char expected[40];

        for (int i = -20000; i < 20000; i++) {
                double value = i * 0.0137 + 0.0001;

                snprintf(expected, sizeof expected, "%.5f", value);
                ck_assert_str_eq(text_of(value, 5, 1000.0), expected);
        }
}

TEST(zero_is_one_digit_and_has_no_sign)
{
        ck_assert_str_eq(text_of(0.0, 6, 10.0), "0");
        ck_assert_str_eq(text_of(-0.0, 6, 10.0), "0");
        ck_assert_str_eq(text_of(-4e-7, 6, 10.0), "0");
        ck_assert_str_eq(text_of(-6e-7, 6, 10.0), "-0.000001");
}

TEST(halves_go_away_from_zero)
{
        ck_assert_str_eq(text_of(0.5, 0, 10.0), "1");
        ck_assert_str_eq(text_of(-2.5, 0, 10.0), "-3");
        ck_assert_str_eq(text_of(0.125, 2, 10.0), "0.13");
}

TEST(nothing_is_wider_than_the_limit)
{
        ck_assert_str_eq(text_of(1e300, 3, 99.0), "99.000");
        ck_assert_str_eq(text_of((double)INFINITY, 3, 99.0), "99.000");
        ck_assert_str_eq(text_of(-(double)INFINITY, 3, 99.0), "-99.000");
        ck_assert_str_eq(text_of((double)NAN, 3, 99.0), "0");
}

TEST(whole_numbers_and_digits_keep_every_digit)
{
        char text[24], expected[24];
        uint64_t value = 1;

        for (int digits = 1; digits <= 19; digits++) {
                snprintf(expected, sizeof expected, "%llu", (unsigned long long)value);
                *decimal_put_u64(text, value) = '\0';
                ck_assert_str_eq(text, expected);
                *decimal_put_digits(text, value, 19) = '\0';
                snprintf(expected, sizeof expected, "%019llu", (unsigned long long)value);
                ck_assert_str_eq(text, expected);
                value = value * 10 + (uint64_t)(digits + 1) % 10;
        }
        *decimal_put_u64(text, UINT64_MAX) = '\0';
        ck_assert_str_eq(text, "18446744073709551615");
        *decimal_put_u64(text, 0) = '\0';
        ck_assert_str_eq(text, "0");
        *decimal_put_digits(text, 7, 1) = '\0';
        ck_assert_str_eq(text, "7");
        *decimal_put_digits(text, 123456, 3) = '\0';
        ck_assert_str_eq(text, "456");
}
