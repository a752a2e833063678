/* A link that takes as long for its bytes as a serial line. */
#include <stdlib.h>
#include <string.h>

#include "io/link/link_paced.h"

#include "tests/suites.h"

static struct link *near, *far;

static void setup(void)
{
        struct link *under;

        ck_assert(link_pair_open(&under, &far, 1 << 16));
        near = link_paced_open(under, 100000, 256);
        ck_assert_ptr_nonnull(near);
}

static void teardown(void)
{
        link_close(near);
        if (far != NULL)
                link_close(far);
}

FIXTURE(setup, teardown)

static int arrived(void)
{
        uint8_t bytes[1024];
        int n = link_read(far, bytes, sizeof bytes);

        return n > 0 ? n : 0;
}

/* 100,000 baud: a byte of ten bits takes 100 us. */
TEST(a_byte_takes_ten_bits)
{
        uint8_t bytes[100] = { 0 };

        ck_assert_int_eq(link_write(near, bytes, 100), 100);
        link_paced_pass(near, 99999);
        ck_assert_int_eq(arrived(), 0);
        link_paced_pass(near, 100000);
        ck_assert_int_eq(arrived(), 1);
        link_paced_pass(near, 9999999);
        ck_assert_int_eq(arrived(), 98);
        link_paced_pass(near, 10000000);
        ck_assert_int_eq(arrived(), 1);
}

TEST(however_often_time_is_told_the_bytes_take_as_long)
{
        uint8_t bytes[200] = { 0 };
        int sum = 0;

        ck_assert_int_eq(link_write(near, bytes, 200), 200);
        for (int64_t t = 0; t <= 15000000; t += 7) {
                link_paced_pass(near, t);
                sum += arrived();
        }
        ck_assert_int_eq(sum, 149); /* the last look is 6 ns before the 150th */
}

TEST(an_idle_line_saves_up_no_time)
{
        uint8_t bytes[10] = { 0 };

        link_paced_pass(near, 1000000000);
        ck_assert_int_eq(link_write(near, bytes, 10), 10);
        link_paced_pass(near, 1000000000 + 100000);
        ck_assert_int_eq(arrived(), 1);
}

TEST(a_full_queue_takes_no_more)
{
        uint8_t bytes[300] = { 0 };

        ck_assert_int_eq(link_write(near, bytes, 300), 256);
        ck_assert_int_eq(link_write(near, bytes, 1), 0);
        ck_assert_uint_eq(link_paced_waiting(near), 256);
        link_paced_pass(near, 1000000);
        ck_assert_int_eq(link_write(near, bytes, 300), 10);
}

TEST(a_line_that_is_cut_says_so)
{
        uint8_t byte = 0;

        link_close(far);
        ck_assert_int_eq(link_write(near, &byte, 1), 1);
        ck_assert(!link_paced_pass(near, 1000000));
        far = NULL;
}
