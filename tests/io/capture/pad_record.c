/* The record format of a capture board: bytes as documented, and a queue that loses nothing unsaid. */
#include <stdlib.h>
#include <string.h>

#include "io/capture/pad_queue.h"

#include "tests/suites.h"

static const struct pad_message hello = {
        .type = PAD_HELLO,
        .u.hello = { 1, 4, 84000000, 0x12345678, "nucleo" },
};

static const struct pad_message batch = {
        .type = PAD_BATCH,
        .u.batch = { .sequence = 7,
                     .dropped = 2,
                     .until_tick = 0x100000100,
                     .count = 3,
                     .record = { { .kind = PAD_EDGE, .pad = 1, .level = 1, .tick = 0x10 },
                                 { .kind = PAD_PULSE,
                                   .pad = 2,
                                   .tick = 0xFFFFFFF0,
                                   .width = 84000 },
                                 { .kind = PAD_DSHOT,
                                   .pad = 3,
                                   .protocol = 3,
                                   .raw = 0x82C6,
                                   .tick = 0x80,
                                   .width = 2214 } } },
};

/* docs/motor_pads.md shows these. */
TEST(a_hello_is_these_bytes)
{
        static const uint8_t expected[] = { 0x01, 0x01, 0x04, 0x00, 0xbd, 0x01,
                                            0x05, 0x78, 0x56, 0x34, 0x12, 'n',
                                            'u',  'c',  'l',  'e',  'o' };
        uint8_t payload[PAD_PAYLOAD_MAX];

        ck_assert_uint_eq(pad_encode(&hello, payload), sizeof expected);
        ck_assert_mem_eq(payload, expected, sizeof expected);
}

TEST(a_batch_is_these_bytes)
{
        static const uint8_t expected[] = { 0x02,
                                            0x07,
                                            0x02,
                                            0x00,
                                            0x00,
                                            0x00,
                                            0x00,
                                            0x01,
                                            0x00,
                                            0x00,
                                            0x01,
                                            0x00,
                                            0x00,
                                            0x00,
                                            0x03,
                                            /* edge */ 0x24,
                                            0x10,
                                            0x00,
                                            0x00,
                                            0x00,
                                            /* pulse */ 0x09,
                                            0xf0,
                                            0xff,
                                            0xff,
                                            0xff,
                                            0x20,
                                            0x48,
                                            0x01,
                                            0x00,
                                            /* frame */ 0x6e,
                                            0x80,
                                            0x00,
                                            0x00,
                                            0x00,
                                            0xa6,
                                            0x08,
                                            0x00,
                                            0x00,
                                            0xc6,
                                            0x82 };
        uint8_t payload[PAD_PAYLOAD_MAX];

        ck_assert_uint_eq(pad_encode(&batch, payload), sizeof expected);
        ck_assert_mem_eq(payload, expected, sizeof expected);
}

TEST(what_is_encoded_decodes_to_the_same)
{
        uint8_t payload[PAD_PAYLOAD_MAX];
        struct pad_message m;

        memset(&m, 0, sizeof m);
        ck_assert(pad_decode(&m, payload, pad_encode(&batch, payload)));
        ck_assert_mem_eq(&m.u.batch.record, &batch.u.batch.record,
                         3 * sizeof(struct pad_record));
        ck_assert_uint_eq(m.u.batch.until_tick, batch.u.batch.until_tick);
        ck_assert(pad_decode(&m, payload, pad_encode(&hello, payload)));
        ck_assert_str_eq(m.u.hello.name, "nucleo");
        ck_assert_uint_eq(m.u.hello.tick_hz, 84000000);
}

TEST(a_pulse_says_which_level_was_timed)
{
        uint8_t payload[PAD_PAYLOAD_MAX];
        struct pad_message m = batch;

        m.u.batch.record[1].low = 1;
        ck_assert_uint_gt(pad_encode(&m, payload), 0);
        ck_assert_uint_eq(payload[20], PAD_PULSE | 2 << 2 | 1 << 5);
        ck_assert(pad_decode(&m, payload, pad_encode(&m, payload)));
        ck_assert_uint_eq(m.u.batch.record[1].low, 1);
        ck_assert_uint_eq(m.u.batch.record[0].low, 0);
        m.u.batch.record[1].low = 2;
        ck_assert_uint_eq(pad_encode(&m, payload), 0);
}

TEST(a_tick_has_the_bits_above_from_the_batch)
{
        const struct pad_batch *b = &batch.u.batch;

        ck_assert_uint_eq(pad_tick(b, &b->record[0]), 0x100000010);
        ck_assert_uint_eq(pad_tick(b, &b->record[1]), 0xFFFFFFF0);
        ck_assert_uint_eq(pad_tick(b, &b->record[2]), 0x100000080);
}

TEST(every_cut_and_every_longer_payload_is_refused)
{
        uint8_t payload[PAD_PAYLOAD_MAX + 1] = { 0 };
        size_t len = pad_encode(&batch, payload);
        struct pad_message m;

        for (size_t n = 0; n < len; n++)
                ck_assert(!pad_decode(&m, payload, n));
        ck_assert(!pad_decode(&m, payload, len + 1));
        for (size_t n = 0; n < 11; n++)
                ck_assert(!pad_decode(&m, (const uint8_t *)"\x01\x01\x04\x00", n % 4));
}

TEST(impossible_messages_are_refused_both_ways)
{
        uint8_t payload[PAD_PAYLOAD_MAX];
        struct pad_message m = hello;

        m.u.hello.pads = 9;
        ck_assert_uint_eq(pad_encode(&m, payload), 0);
        m = hello;
        m.u.hello.tick_hz = 0;
        ck_assert_uint_eq(pad_encode(&m, payload), 0);
        m = batch;
        m.u.batch.until_tick = PAD_TICK_LIMIT;
        ck_assert_uint_eq(pad_encode(&m, payload), 0);
        m = batch;
        m.u.batch.record[2].protocol = 5;
        ck_assert_uint_eq(pad_encode(&m, payload), 0);
        m = batch;
        m.u.batch.count = PAD_RECORD_BATCH_MAX + 1;
        ck_assert_uint_eq(pad_encode(&m, payload), 0);
        m.type = 9;
        ck_assert_uint_eq(pad_encode(&m, payload), 0);
        payload[0] = 9;
        ck_assert(!pad_decode(&m, payload, 1));
        pad_encode(&batch, payload);
        payload[29] |= 0xE0; /* DSHOT of protocol 7 */
        ck_assert(!pad_decode(&m, payload, 40));
}

TEST(the_longest_batch_fits_a_frame)
{
        struct pad_message m = { .type = PAD_BATCH,
                                 .u.batch = { .count = PAD_RECORD_BATCH_MAX } };
        uint8_t payload[PAD_PAYLOAD_MAX];

        for (int i = 0; i < PAD_RECORD_BATCH_MAX; i++)
                m.u.batch.record[i] =
                        (struct pad_record){ .kind = PAD_DSHOT, .protocol = 1 };
        ck_assert_uint_eq(pad_encode(&m, payload), PAD_PAYLOAD_MAX);
        ck_assert_uint_le(PAD_PAYLOAD_MAX, HILP_PAYLOAD_MAX);
}

static struct pad_batch taken(struct pad_queue *q, uint64_t until)
{
        uint8_t frame[HILP_FRAME_MAX], payload[HILP_PAYLOAD_MAX];
        struct hilp_receiver r = { .len = 0 };
        struct pad_message m = { .type = 0 };
        size_t len, n = pad_queue_take(q, until, frame);

        ck_assert_uint_gt(n, 0);
        ck_assert_uint_eq(hilp_receive(&r, frame, n, payload, &len), n);
        ck_assert(pad_decode(&m, payload, len));
        ck_assert_uint_eq(m.type, PAD_BATCH);
        return m.u.batch;
}

TEST(a_queue_tells_all_in_order_and_its_time_never_passes_a_waiting_record)
{
        static struct pad_queue q;
        uint64_t now = 0xFFFFFF00; /* the low 32 bits wrap */
        uint32_t put = 0, seen = 0;
        uint64_t until = 0;

        for (int round = 0; round < 300; round++) {
                for (int i = 0; i < round % 31; i++) {
                        struct pad_record r = { .kind = PAD_PULSE,
                                                .tick = (uint32_t)now,
                                                .width = put };

                        now += 10;
                        put += (uint32_t)pad_queue_put(&q, &r);
                }
                for (int i = 0; i < 1 + round % 2; i++) {
                        struct pad_batch b = taken(&q, now);

                        for (int k = 0; k < b.count; k++) {
                                ck_assert_uint_eq(b.record[k].width, seen++);
                                ck_assert_uint_ge(pad_tick(&b, &b.record[k]), until);
                        }
                        ck_assert_uint_ge(b.until_tick, until);
                        until = b.until_tick;
                }
        }
        while (seen < put)
                seen += taken(&q, now).count;
        ck_assert_uint_eq(seen, put);
        ck_assert_uint_eq(taken(&q, now).until_tick, now);
        ck_assert_uint_gt(now, 0x100000000);
}

TEST(a_full_queue_drops_and_says_so)
{
        static struct pad_queue q;
        struct pad_record r = { .kind = PAD_EDGE };
        struct pad_batch b;

        for (int i = 0; i < PAD_QUEUE_SIZE + 5; i++)
                ck_assert_int_eq(pad_queue_put(&q, &r), i < PAD_QUEUE_SIZE);
        b = taken(&q, 100);
        ck_assert_uint_eq(b.dropped, 5);
        ck_assert_uint_eq(b.sequence, 0);
        ck_assert_uint_eq(taken(&q, 100).sequence, 1);
        pad_queue_clear(&q);
        ck_assert_uint_eq(taken(&q, 100).count, 0);
}

TEST(a_record_behind_the_time_waits)
{
        static struct pad_queue q;
        struct pad_record r = { .kind = PAD_EDGE, .tick = 101 };

        pad_queue_put(&q, &r);
        ck_assert_uint_eq(taken(&q, 100).count, 0);
        ck_assert_uint_eq(taken(&q, 101).count, 1);
}
