/* UDP links: packets stay packets, and an absent flight controller is no error. */
#include "tests/io/link/link_ends.h"
#include "tests/suites.h"

TEST(udp_keeps_the_boundaries_of_packets)
{
        struct ends e = open_ends(ENDS_UDP);
        char sent[1400], got[2000];

        ck_assert(e.a->packets);
        ck_assert(e.b->packets);
        for (int len = 1; len <= (int)sizeof sent; len = len * 3 + 1) {
                memset(sent, len, sizeof sent);
                ck_assert_int_eq(link_write(e.b, sent, (size_t)len), len);
        }
        for (int len = 1; len <= (int)sizeof sent; len = len * 3 + 1) {
                memset(sent, len, sizeof sent);
                ck_assert_int_eq(read_soon(e.a, got, sizeof got), len);
                ck_assert_mem_eq(got, sent, (size_t)len);
        }
        ck_assert_int_eq(link_read(e.a, got, sizeof got), 0);
        close_ends(&e);
}

TEST(udp_packet_longer_than_the_buffer_does_not_spill_into_the_next_read)
{
        struct ends e = open_ends(ENDS_UDP);
        char got[8];

        link_write(e.b, "0123456789abcdef", 16);
        link_write(e.b, "next", 4);
        ck_assert_int_eq(read_soon(e.a, got, sizeof got), 8);
        ck_assert_int_eq(read_soon(e.a, got, sizeof got), 4);
        ck_assert_mem_eq(got, "next", 4);
        close_ends(&e);
}

TEST(udp_empty_packets_do_not_hide_the_one_behind_them)
{
        struct ends e = open_ends(ENDS_UDP);
        char byte;

        for (int i = 0; i < 5; i++)
                ck_assert_int_eq(send(e.b->fd, "", 0, 0), 0);
        link_write(e.b, "x", 1);
        ck_assert_int_eq(read_soon(e.a, &byte, 1), 1);
        ck_assert_int_eq(byte, 'x');
        close_ends(&e);
}

TEST(udp_flight_controller_may_start_after_the_rig_and_come_back)
{
        struct link_spec fc = { .kind = LINK_UDP_LISTEN,
                                .usb_vid = -1,
                                .host = "127.0.0.1" };
        struct link *l = opened_listener(LINK_UDP_LISTEN, &fc.port), *rig;
        char text[40], bytes[16];

        snprintf(text, sizeof text, "udp:127.0.0.1:%u", fc.port);
        link_close(l);
        rig = opened_text(text);
        for (int round = 0; round < 3; round++) {
                /* Nobody is there, which the kernel tells by refusals. */
                for (int i = 0; i < 20; i++) {
                        ck_assert_int_ne(link_write(rig, "anyone?", 7), LINK_GONE);
                        ck_assert_int_eq(link_read(rig, bytes, sizeof bytes), 0);
                }
                link_write(rig, "anyone?", 7);
                l = opened(&fc);
                ck_assert_int_eq(link_write(rig, "frame", 5), 5);
                ck_assert_int_eq(read_soon(l, bytes, sizeof bytes), 5);
                link_confirm(l);
                ck_assert_int_eq(link_write(l, "motors", 6), 6);
                ck_assert_int_eq(read_soon(rig, bytes, sizeof bytes), 6);
                link_close(l);
        }
        link_close(rig);
}

TEST(udp_refusal_does_not_hide_the_packet_behind_it)
{
        struct link_spec fc = { .kind = LINK_UDP_LISTEN,
                                .usb_vid = -1,
                                .host = "127.0.0.1" };
        struct link *l = opened_listener(LINK_UDP_LISTEN, &fc.port), *rig;
        struct sockaddr_in at;
        socklen_t size = sizeof at;
        char text[40], bytes[16];

        snprintf(text, sizeof text, "udp:127.0.0.1:%u", fc.port);
        link_close(l);
        rig = opened_text(text);
        link_write(rig, "refused", 7);
        wait_for(rig, POLLIN);

        l = opened(&fc);
        getsockname(rig->fd, (struct sockaddr *)&at, &size);
        ck_assert_int_eq(sendto(l->fd, "motors", 6, 0, (struct sockaddr *)&at, size), 6);
        ck_assert_int_eq(link_read(rig, bytes, sizeof bytes), 6);
        link_close(l);
        link_close(rig);
}

/* Nothing goes to whoever sends anything, and once somebody was valid the others are dropped, counted and named. */
TEST(udp_listener_keeps_to_the_first_that_was_valid)
{
        uint16_t port;
        struct link *l = opened_listener(LINK_UDP_LISTEN, &port), *one, *two;
        struct sockaddr_in at;
        socklen_t size = sizeof at;
        char text[40], name[40], byte;

        snprintf(text, sizeof text, "udp:127.0.0.1:%u", port);
        one = opened_text(text);
        two = opened_text(text);
        ck_assert_int_eq(link_write(l, "?", 1), 0);
        link_confirm(l);
        ck_assert_int_eq(link_write(l, "?", 1), 0);

        link_write(one, "1", 1);
        ck_assert_int_eq(read_soon(l, &byte, 1), 1);
        ck_assert_int_eq(link_write(l, "a", 1), 0);
        link_write(two, "2", 1);
        ck_assert_int_eq(read_soon(l, &byte, 1), 1);
        link_confirm(l);
        ck_assert_int_eq(link_write(l, "b", 1), 1);
        ck_assert_int_eq(read_soon(two, &byte, 1), 1);
        ck_assert_int_eq(byte, 'b');
        ck_assert_int_eq(link_read(one, &byte, 1), 0);

        ck_assert_uint_eq(l->strangers.count, 0);
        for (int i = 0; i < 20; i++)
                link_write(one, "3", 1);
        link_write(two, "4", 1);
        ck_assert_int_eq(read_soon(l, &byte, 1), 1);
        ck_assert_int_eq(byte, '4');
        ck_assert_uint_eq(l->strangers.count, 20);
        ck_assert_int_eq(getsockname(one->fd, (struct sockaddr *)&at, &size), 0);
        snprintf(name, sizeof name, "127.0.0.1:%u", ntohs(at.sin_port));
        ck_assert_str_eq(l->strangers.last, name);
        ck_assert_int_eq(link_write(l, "c", 1), 1);
        ck_assert_int_eq(read_soon(two, &byte, 1), 1);

        link_close(one);
        link_close(two);
        link_close(l);
}

TEST(udp_peer_that_is_silent_for_2_s_makes_room_for_the_next_that_is_valid)
{
        uint16_t port;
        struct link *l = opened_listener(LINK_UDP_LISTEN, &port), *one, *two;
        char text[40], byte;

        snprintf(text, sizeof text, "udp:127.0.0.1:%u", port);
        one = opened_text(text);
        two = opened_text(text);
        link_at(l, 1000000000);
        link_write(one, "1", 1);
        ck_assert_int_eq(read_soon(l, &byte, 1), 1);
        link_confirm(l);

        link_at(l, 2500000000);
        link_write(two, "2", 1);
        wait_for(l, POLLIN);
        ck_assert_int_eq(link_read(l, &byte, 1), 0);
        ck_assert_uint_eq(l->strangers.count, 1);

        link_at(l, 3500000000);
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
        link_close(one);
        link_close(two);
        link_close(l);
}

TEST(udp_local_port_is_bound_on_loopback_only_for_a_peer_on_loopback)
{
        uint16_t port, local;
        struct link *l = opened_listener(LINK_UDP_LISTEN, &port), *bound;
        struct sockaddr_in at;
        socklen_t size = sizeof at;
        char text[60], byte;

        link_close(opened_listener(LINK_UDP_LISTEN, &local));
        snprintf(text, sizeof text, "udp:127.0.0.1:%u:%u", port, local);
        bound = opened_text(text);
        ck_assert_int_eq(getsockname(bound->fd, (struct sockaddr *)&at, &size), 0);
        ck_assert_uint_eq(ntohs(at.sin_port), local);
        ck_assert_uint_eq(ntohl(at.sin_addr.s_addr), INADDR_LOOPBACK);

        link_write(bound, "x", 1);
        ck_assert_int_eq(read_soon(l, &byte, 1), 1);
        link_confirm(l);
        link_write(l, "y", 1);
        ck_assert_int_eq(read_soon(bound, &byte, 1), 1);
        link_close(bound);
        link_close(l);
}

TEST(udp_packet_from_a_stranger_does_not_reach_a_connected_link)
{
        uint16_t port, local;
        struct link *l = opened_listener(LINK_UDP_LISTEN, &port), *bound, *stranger;
        char text[60], bytes[4];

        link_close(opened_listener(LINK_UDP_LISTEN, &local));
        snprintf(text, sizeof text, "udp:127.0.0.1:%u:%u", port, local);
        bound = opened_text(text);
        snprintf(text, sizeof text, "udp:127.0.0.1:%u", local);
        stranger = opened_text(text);

        link_write(stranger, "evil", 4);
        link_write(bound, "x", 1);
        ck_assert_int_eq(read_soon(l, bytes, sizeof bytes), 1);
        link_confirm(l);
        link_write(l, "y", 1);
        ck_assert_int_eq(read_soon(bound, bytes, sizeof bytes), 1);
        ck_assert_int_eq(bytes[0], 'y');
        link_close(stranger);
        link_close(bound);
        link_close(l);
}

TEST(udp_packet_that_can_never_be_sent_is_not_half_sent)
{
        static char huge[70000];
        struct ends e = open_ends(ENDS_UDP);
        char byte;

        ck_assert_int_eq(link_write(e.b, huge, sizeof huge), 0);
        link_write(e.b, "x", 1);
        ck_assert_int_eq(read_soon(e.a, &byte, 1), 1);
        ck_assert_int_eq(byte, 'x');
        close_ends(&e);
}

TEST(udp_port_in_use_is_refused_by_name)
{
        uint16_t port;
        struct link *l = opened_listener(LINK_UDP_LISTEN, &port);
        char text[60], expected[80];

        snprintf(text, sizeof text, "udp-listen:127.0.0.1:%u", port);
        snprintf(expected, sizeof expected,
                 "link: udp-listen 127.0.0.1:%u: in use by another program", port);
        ck_assert_str_eq(refused_text(text).text, expected);
        snprintf(text, sizeof text, "udp:127.0.0.1:9:%u", port);
        snprintf(expected, sizeof expected,
                 "link: udp 127.0.0.1:9 from port %u: in use by another program", port);
        ck_assert_str_eq(refused_text(text).text, expected);
        link_close(l);
}
