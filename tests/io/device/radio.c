/* A radio at the board's port: what goes in comes out as packets, and what was heard comes out as it was. */
#include "tests/io/device/device_bench.h"

static const struct device_setup setup = { .period_ns = MS, .radio_bytes_max = 100 };

TEST(what_the_board_writes_goes_out_in_packets_in_its_order)
{
        struct device *d = device_create("radio", &setup);
        struct packets out = { .count = 0 };
        struct peer_packet p;
        uint8_t bytes[250];
        int got = 0;

        for (int i = 0; i < 250; i++)
                bytes[i] = (uint8_t)i;
        d->ops->take(d, bytes, sizeof bytes, &out);
        ck_assert_int_eq(out.count, 0);
        while (d->ops->send_peer(d, &p)) {
                ck_assert_uint_eq(p.peer, PEER_ALL);
                ck_assert_uint_le(p.len, 100);
                for (int i = 0; i < p.len; i++)
                        ck_assert_int_eq(p.bytes[i], got++);
        }
        ck_assert_int_eq(got, 250);
        ck_assert_uint_eq(d->counts.messages_in, 3);
        d->ops->destroy(d);
}

TEST(more_than_it_holds_between_two_ticks_is_lost_and_counted)
{
        struct device *d = device_create("radio", &setup);
        struct packets out;
        struct peer_packet p;
        uint8_t byte = 7;
        int sent = 0;

        for (int i = 0; i < 20; i++)
                d->ops->take(d, &byte, 1, &out);
        while (d->ops->send_peer(d, &p))
                sent++;
        ck_assert_int_eq(sent, 16);
        ck_assert_uint_eq(d->counts.errors, 4);
        d->ops->destroy(d);
}

TEST(what_was_heard_comes_out_as_it_was)
{
        struct device *d = device_create("radio", &setup);
        const struct peer_packet heard[2] = { { 3, -60, 2, { 1, 2 } },
                                              { 0, -70, 3, { 0, 5, 9 } } };
        struct device_feed feed = { .heard = heard, .heards = 2 };
        struct packets out = { .count = 0 };

        d->ops->feed(d, &feed, &out);
        ck_assert_int_eq(out.count, 2);
        ck_assert_uint_eq(out.packet[1].len, 3);
        ck_assert_mem_eq(out.packet[1].bytes, heard[1].bytes, 3);
        d->ops->destroy(d);
}
