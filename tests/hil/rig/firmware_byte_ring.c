/* The firmware's rings between interrupt and main loop. */
#include <stdlib.h>
#include <string.h>

#include "tests/firmware/core.h"
#include "tests/firmware/stamped_ring.h"
#include "tests/suites.h"

TEST(bytes_come_out_in_order_however_often_the_counts_wrap)
{
        static struct byte_ring ring;
        uint8_t in = 0, out = 0, byte;

        /* Near the end of 32 bits from the beginning. */
        ring.pushed = ring.popped = UINT32_MAX - 100;
        for (int i = 0; i < 10000; i++) {
                for (int k = 0; k < i % 7; k++)
                        in = (uint8_t)(in + byte_ring_push(&ring, in));
                for (int k = 0; k < i % 5 && byte_ring_pop(&ring, &byte); k++)
                        ck_assert_uint_eq(byte, out++);
        }
        while (byte_ring_pop(&ring, &byte))
                ck_assert_uint_eq(byte, out++);
        ck_assert_uint_eq(in, out);
}

TEST(a_full_ring_takes_no_byte_and_no_part_of_a_message)
{
        static struct byte_ring ring;
        uint8_t message[BYTE_RING_SIZE] = { 1, 2, 3 }, back[BYTE_RING_SIZE];

        ck_assert(byte_ring_write(&ring, message, BYTE_RING_SIZE - 2));
        ck_assert(!byte_ring_write(&ring, message, 3));
        ck_assert_uint_eq(byte_ring_room(&ring), 2);
        ck_assert(byte_ring_write(&ring, message, 2));
        ck_assert(!byte_ring_push(&ring, 0));
        ck_assert_uint_eq(byte_ring_read(&ring, back, sizeof back), BYTE_RING_SIZE);
        ck_assert_mem_eq(back, message, BYTE_RING_SIZE - 2);
        ck_assert_uint_eq(byte_ring_read(&ring, back, sizeof back), 0);
}

TEST(each_zero_keeps_its_time_however_often_the_ring_wraps)
{
        static struct stamped_ring ring;
        uint32_t pushed = 0, read = 0, stamp;
        uint8_t bytes[64];

        ring.bytes.pushed = ring.bytes.popped = UINT32_MAX - 100;
        /* Messages of 1 to 9 bytes, the zero included; the n-th closes at 1000 n. */
        while (read < 5000) {
                while (pushed < read + 40) {
                        for (uint32_t k = 0; k < pushed % 9; k++)
                                ck_assert(stamped_ring_push(&ring, 0xAA, 0));
                        ck_assert(stamped_ring_push(&ring, 0, 1000 * pushed++));
                }
                stamp = 1;
                ck_assert_uint_eq(stamped_ring_read(&ring, bytes, sizeof bytes, &stamp),
                                  read % 9 + 1);
                ck_assert_uint_eq(bytes[read % 9], 0);
                ck_assert_uint_eq(stamp, 1000 * read++);
        }
}

TEST(nothing_but_zeros_runs_no_stamp_over)
{
        static struct stamped_ring ring;
        uint32_t stamp;
        uint8_t byte;

        for (uint32_t n = 0; n < 3 * BYTE_RING_SIZE; n++)
                ck_assert(stamped_ring_push(&ring, 0, n) == (n < BYTE_RING_SIZE));
        for (uint32_t n = 0; n < BYTE_RING_SIZE; n++) {
                ck_assert_uint_eq(stamped_ring_read(&ring, &byte, 1, &stamp), 1);
                ck_assert_uint_eq(stamp, n);
        }
        ck_assert_uint_eq(stamped_ring_read(&ring, &byte, 1, &stamp), 0);
}

TEST(a_message_cut_short_has_no_time_yet)
{
        static struct stamped_ring ring;
        uint32_t stamp = 7;
        uint8_t bytes[4];

        for (int i = 0; i < 6; i++)
                stamped_ring_push(&ring, 1, 99);
        stamped_ring_push(&ring, 0, 100);
        ck_assert_uint_eq(stamped_ring_read(&ring, bytes, sizeof bytes, &stamp), 4);
        ck_assert_uint_eq(stamp, 7);
        ck_assert_uint_eq(stamped_ring_read(&ring, bytes, sizeof bytes, &stamp), 3);
        ck_assert_uint_eq(stamp, 100);
}

TEST(cycles_between_stamps_count_across_the_end_of_32_bits)
{
        ck_assert_uint_eq(core_cycles_between(10, 30), 20);
        ck_assert_uint_eq(core_cycles_between(UINT32_MAX - 9, 30), 40);
        ck_assert_uint_eq(core_cycles_between(0, INT32_MAX), INT32_MAX);
        ck_assert_uint_eq(core_cycles_between(30, 10), 0);
        ck_assert_uint_eq(core_cycles_between(5, UINT32_MAX), 0);
}
