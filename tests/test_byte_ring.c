/* The firmware's ring between interrupt and main loop. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/firmware/byte_ring.h"

START_TEST(bytes_come_out_in_order_however_often_the_counts_wrap)
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
END_TEST

START_TEST(a_full_ring_takes_no_byte_and_no_part_of_a_message)
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
END_TEST

int main(void)
{
        Suite *suite = suite_create("byte_ring");
        TCase *tc = tcase_create("byte_ring");
        SRunner *sr = srunner_create(suite);
        int failures;

        tcase_add_test(tc, bytes_come_out_in_order_however_often_the_counts_wrap);
        tcase_add_test(tc, a_full_ring_takes_no_byte_and_no_part_of_a_message);
        suite_add_tcase(suite, tc);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
