/* TCP links: waiting for the one peer, refusal, ports in use. */
#include <netinet/tcp.h>

#include "tests/io/link/link_ends.h"
#include "tests/suites.h"

TEST(tcp_listener_answers_0_until_somebody_comes)
{
        uint16_t port;
        struct link *l = opened_listener(LINK_TCP_LISTEN, &port);
        char byte;

        ck_assert_int_eq(link_read(l, &byte, 1), 0);
        ck_assert_int_eq(link_write(l, "x", 1), 0);
        link_close(l);
}

TEST(tcp_listener_wakes_poll_for_a_peer_and_then_for_its_bytes)
{
        struct ends e = open_ends(ENDS_TCP);
        int listening = e.a->fd;
        char byte;

        wait_for(e.a, POLLIN);
        ck_assert_int_eq(link_read(e.a, &byte, 1), 0);
        ck_assert_int_ne(e.a->fd, listening);
        ck_assert_int_eq(link_write(e.b, "x", 1), 1);
        wait_for(e.a, POLLIN);
        ck_assert_int_eq(link_read(e.a, &byte, 1), 1);
        close_ends(&e);
}

TEST(tcp_sends_small_packets_at_once)
{
        struct ends e = open_ends(ENDS_TCP);
        struct link *const both[] = { e.a, e.b };

        link_write(e.b, "x", 1);
        read_all(e.a, (char[1]){ 0 }, 1);
        for (int i = 0; i < 2; i++) {
                int on = 0;
                socklen_t size = sizeof on;

                getsockopt(both[i]->fd, IPPROTO_TCP, TCP_NODELAY, &on, &size);
                ck_assert_int_ne(on, 0);
        }
        close_ends(&e);
}

TEST(tcp_port_can_be_listened_on_again_after_a_connection)
{
        struct ends e = open_ends(ENDS_TCP);
        struct sockaddr_in at;
        socklen_t size = sizeof at;
        char text[40];

        link_write(e.b, "x", 1);
        read_all(e.a, (char[1]){ 0 }, 1);
        getsockname(e.a->fd, (struct sockaddr *)&at, &size);
        close_end(&e.a); /* first, so that the port is what stays behind in TIME_WAIT */
        close_end(&e.b);
        snprintf(text, sizeof text, "tcp-listen:127.0.0.1:%u", ntohs(at.sin_port));
        link_close(opened_text(text));
}

TEST(tcp_connection_that_nobody_takes_is_refused_by_name)
{
        uint16_t port;
        char text[40], expected[80];

        link_close(opened_listener(LINK_TCP_LISTEN, &port));
        snprintf(text, sizeof text, "tcp:127.0.0.1:%u", port);
        snprintf(expected, sizeof expected, "link: tcp 127.0.0.1:%u: connection refused",
                 port);
        ck_assert_str_eq(refused_text(text).text, expected);
}

TEST(tcp_port_in_use_is_refused_by_name)
{
        uint16_t port;
        struct link *l = opened_listener(LINK_TCP_LISTEN, &port);
        char text[40], expected[80];

        snprintf(text, sizeof text, "tcp-listen:127.0.0.1:%u", port);
        snprintf(expected, sizeof expected,
                 "link: tcp-listen 127.0.0.1:%u: in use by another program", port);
        ck_assert_str_eq(refused_text(text).text, expected);
        link_close(l);
}

TEST(tcp_address_of_another_machine_cannot_be_listened_on)
{
        /* 192.0.2.0/24 is kept for documents (RFC 5737) and is nobody's. */
        struct link_error why = refused_text("tcp-listen:192.0.2.1:5760");

        ck_assert_str_eq(
                why.text,
                "link: tcp-listen 192.0.2.1:5760: cannot assign requested address");
}
