/* A UDP listener's peer that falls silent, on a clock that the test plays. */
#include "tests/io/link/link_ends.h"
#include "tests/staged/played_clock.h"
#include "tests/suites.h"

START_TEST(udp_peer_that_is_silent_for_2_s_makes_room_for_the_next_that_is_valid)
{
        uint16_t port;
        struct link *l, *one, *two;
        char text[40], byte;

        l = opened_listener(LINK_UDP_LISTEN, &port);
        snprintf(text, sizeof text, "udp:127.0.0.1:%u", port);
        one = opened_text(text);
        two = opened_text(text);
        played_clock_begin(1000000000);
        link_write(one, "1", 1);
        ck_assert_int_eq(read_soon(l, &byte, 1), 1);
        link_confirm(l);

        played.now_ns += 1500000000;
        link_write(two, "2", 1);
        ck_assert_int_eq(link_read(l, &byte, 1), 0);
        ck_assert_uint_eq(l->strangers, 1);

        played.now_ns += 1000000000;
        link_write(two, "2", 1);
        ck_assert_int_eq(read_soon(l, &byte, 1), 1);
        /* Heard, but not yet answered: it may be anybody. */
        link_write(l, "a", 1);
        ck_assert_int_eq(read_soon(one, &byte, 1), 1);
        ck_assert_int_eq(link_read(two, &byte, 1), 0);
        link_confirm(l);
        link_write(l, "b", 1);
        ck_assert_int_eq(read_soon(two, &byte, 1), 1);
        ck_assert_int_eq(link_read(one, &byte, 1), 0);
        played_clock_end();
        link_close(one);
        link_close(two);
        link_close(l);
}
END_TEST

static void __attribute__((constructor)) add_suite(void)
{
        Suite *suite = suite_create("link_udp_peer");
        TCase *t = tcase_create("peer");

        tcase_set_timeout(t, 60);
        tcase_add_test(
                t, udp_peer_that_is_silent_for_2_s_makes_room_for_the_next_that_is_valid);
        suite_add_tcase(suite, t);
        suites_add(__FILE__, suite);
}
