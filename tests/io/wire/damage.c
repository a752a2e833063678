/* Two clocks on a serial line: where bytes begin to go wrong, from the arithmetic of sampling. */
#include <stdbool.h>
#include <string.h>

#include "io/wire/damage.h"
#include "models/rng.h"

#include "tests/suites.h"

#define PHASES 17

static uint8_t out[8192];

static size_t receive(const uint8_t *bytes, size_t len, double clock_error, int phase)
{
        return wire_uart(bytes, len, clock_error, phase / (double)(PHASES - 1), out,
                         sizeof out);
}

static void any_bytes(uint8_t *bytes, size_t len, uint64_t seed)
{
        struct rng rng;

        rng_init(&rng, seed, 0, 0, 0);
        for (size_t i = 0; i < len; i++)
                bytes[i] = (uint8_t)(256.0 * rng_uniform(&rng));
}

static bool arrives(const uint8_t *bytes, size_t len, double clock_error, int phase)
{
        return receive(bytes, len, clock_error, phase) == len &&
               memcmp(out, bytes, len) == 0;
}

/* The stop bit is sampled 9.5 of the receiver's bits after its start bit, and up to 1/16 later:
 * (9.5 + 1/16) (1 + e) < 10 and 9.5 (1 + e) >= 9. */
TEST(clocks_that_agree_well_enough_lose_nothing)
{
        uint8_t bytes[256];

        for (int seed = 0; seed < 20; seed++) {
                any_bytes(bytes, sizeof bytes, (uint64_t)seed);
                for (int phase = 0; phase < PHASES; phase++) {
                        ck_assert(arrives(bytes, sizeof bytes, 0.0, phase));
                        ck_assert(arrives(bytes, sizeof bytes, 0.0457, phase));
                        ck_assert(arrives(bytes, sizeof bytes, -0.0525, phase));
                }
        }
}

/* 9.5 (1 + e) > 10: the stop bit's sample falls into the next start bit. The last byte of all is followed
 * by an idle line instead. */
TEST(a_fast_sender_breaks_the_framing_of_all_bytes_but_the_last)
{
        const uint8_t bytes[] = { 0xff, 0xff, 0xff, 0xff };

        for (int phase = 0; phase < PHASES; phase++) {
                ck_assert(arrives(bytes, 1, 0.0527, phase));
                ck_assert(arrives(bytes, 1, 0.10, phase));
                ck_assert_uint_lt(receive(bytes, 4, 0.0527, phase), 4);
        }
}

/* (9.5 + 1/16) (1 + e) < 9: it falls into the last data bit, which is the stop bit's like where it is 1. */
TEST(a_slow_sender_breaks_the_framing_where_the_last_bit_is_0)
{
        const uint8_t low[] = { 0x7f }, high[] = { 0xff };

        for (int phase = 0; phase < PHASES; phase++) {
                ck_assert_uint_eq(receive(low, 1, -0.0593, phase), 0);
                ck_assert(arrives(high, 1, -0.0593, phase));
        }
}

/* Far off, data bits are those of their neighbours: at -14 % the samples of bits 3 to 7, meant for 4.5 to
 * 8.5 bits after the edge, fall into 3.87, 4.73, 5.59, 6.45 and 7.31 bits after it, which are bits 2 to 6;
 * the stop bit's into 8.17, bit 7. */
TEST(data_bits_are_taken_from_where_the_samples_fall)
{
        for (int value = 0; value < 256; value++) {
                const uint8_t byte = (uint8_t)value;
                int wanted = (value & 0x07) | (value & 0x7c) << 1;
                size_t n = receive(&byte, 1, -0.14, 0);

                if ((value & 0x80) == 0) {
                        ck_assert_uint_eq(n, 0);
                        continue;
                }
                ck_assert_uint_eq(n, 1);
                ck_assert_msg(out[0] == (wanted & 0xff), "%02x: %02x, expected %02x",
                              value, out[0], wanted);
        }
}

TEST(no_clock_and_no_bytes_give_more_than_there_is_room_for)
{
        uint8_t bytes[512] = { 0 };

        ck_assert_uint_eq(receive(bytes, 0, 0.05, 0), 0);
        for (int percent = -90; percent <= 400; percent += 7) {
                any_bytes(bytes, sizeof bytes, (uint64_t)(percent + 100));
                ck_assert_uint_le(
                        wire_uart(bytes, sizeof bytes, 0.01 * percent, 0.5, out, 100),
                        100);
        }
}
