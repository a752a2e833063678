/* A transmit buffer at a speed: order, pace and what does not fit. */
#include <string.h>

#include "io/codec/transmit_queue.h"

#include "tests/suites.h"

#define MS 1000000LL

static size_t send(struct transmit_queue *q, int64_t t_ns, uint8_t *to)
{
        struct packets out = { 0 };
        size_t len = 0;

        transmit_queue_send(q, t_ns, &out);
        for (int i = 0; i < out.count; i++) {
                memcpy(to + len, out.packet[i].bytes, out.packet[i].len);
                len += out.packet[i].len;
        }
        return len;
}

TEST(bytes_leave_in_order_at_their_pace)
{
        struct transmit_queue q = { .baud = 9600 };
        uint8_t in[1000], out[1001];
        size_t len = 0;

        for (size_t i = 0; i < sizeof in; i++)
                in[i] = (uint8_t)(i * 7);
        ck_assert(transmit_queue_put(&q, in, 600));
        ck_assert(transmit_queue_put(&q, in + 600, 400));
        for (int64_t t = 0; len < sizeof in; t += MS) {
                len += send(&q, t, out + len);
                ck_assert_uint_le(len, (size_t)(t * 960 / 1000 / MS));
                ck_assert_uint_ge(len + 1, (size_t)(t * 959 / 1000 / MS));
        }
        ck_assert_uint_eq(len, sizeof in);
        ck_assert_mem_eq(in, out, len);
}

TEST(an_idle_wire_saves_up_no_time)
{
        struct transmit_queue q = { .baud = 9600 };
        uint8_t message[100] = { 0 }, out[100];

        send(&q, 1000 * MS, out);
        ck_assert(transmit_queue_put(&q, message, sizeof message));
        ck_assert_uint_eq(send(&q, 1000 * MS, out), 0);
        ck_assert_uint_eq(send(&q, 1010 * MS, out), 9);
}

TEST(a_message_that_does_not_fit_is_left_out_whole)
{
        struct transmit_queue q = { .baud = 9600 };
        static uint8_t message[TRANSMIT_QUEUE_BYTES];

        ck_assert(transmit_queue_put(&q, message, TRANSMIT_QUEUE_BYTES - 10));
        ck_assert(!transmit_queue_put(&q, message, 11));
        ck_assert_uint_eq(q.dropped, 1);
        ck_assert(transmit_queue_put(&q, message, 10));
        ck_assert_uint_eq(q.len, TRANSMIT_QUEUE_BYTES);
}

TEST(what_waits_leaves_at_the_new_speed)
{
        struct transmit_queue q = { .baud = 9600 };
        uint8_t message[1000] = { 0 }, out[1000];

        ck_assert(transmit_queue_put(&q, message, sizeof message));
        ck_assert_uint_eq(send(&q, 10 * MS, out), 9);
        transmit_queue_set_baud(&q, 115200);
        ck_assert_uint_eq(send(&q, 20 * MS, out), 115);
}

/* More than the outbox of a tick holds stays for the next. */
TEST(a_long_tick_gives_what_packets_hold)
{
        struct transmit_queue q = { .baud = 921600 };
        static uint8_t message[TRANSMIT_QUEUE_BYTES];
        struct packets out = { .count = CODEC_PACKETS_MAX - 1 };

        ck_assert(transmit_queue_put(&q, message, sizeof message));
        out.packet[out.count - 1].len = PACKET_MAX;
        transmit_queue_send(&q, 1000 * MS, &out);
        ck_assert_int_eq(out.count, CODEC_PACKETS_MAX);
        ck_assert_uint_eq(q.len, sizeof message - PACKET_MAX);
}
