/* Radio receivers: what they say while a pilot is at the sticks, and when none is. */
#include "io/device/rc_frames.h"
#include "tests/io/device/device_bench.h"
#include "tests/suites.h"

static struct device_bench bench;
static struct device_bench *const b = &bench;
static const struct device_setup setup = { .period_ns = MS };

/* How many CRSF frames of a type were said, each as a packet of its own; the last in *frame. */
static int frames(uint8_t type, struct crsf_frame *frame)
{
        struct crsf_frame f;
        enum crsf_found found;
        int n = 0;

        for (int i = 0; i < b->count; i++) {
                const struct packet *p = &b->said[i].packet;

                ck_assert_uint_eq(crsf_find(p->bytes, p->len, &f, &found), p->len);
                ck_assert_int_eq(found, CRSF_FRAME);
                ck_assert_uint_eq(f.address, CRSF_FLIGHT_CONTROLLER);
                if (f.type != type)
                        continue;
                n++;
                *frame = f;
        }
        return n;
}

TEST(crsf_sends_sticks_150_times_a_second_and_its_link_10_times)
{
        struct crsf_frame frame;
        struct crsf_link link;
        uint16_t ticks[RC_PACKED];

        bench_begin(b, "crsf", &setup);
        bench_sticks(b);
        bench_run(b, 2 * S);
        ck_assert_int_eq(frames(CRSF_RC_CHANNELS_PACKED, &frame), 300);
        rc_unpack(ticks, frame.payload);
        for (int i = 0; i < RC_PACKED; i++)
                ck_assert_uint_eq(rc_us_of_ticks(ticks[i]), b->input.rc_us[i]);
        ck_assert_int_eq(frames(CRSF_LINK_STATISTICS, &frame), 20);
        crsf_get_link(&link, frame.payload);
        ck_assert_uint_eq(link.up_quality_percent, 100);
        ck_assert_uint_eq(b->device->counts.messages_out, 320);
        bench_end(b);
}

TEST(crsf_frames_keep_their_distance)
{
        bench_begin(b, "crsf", &setup);
        bench_sticks(b);
        bench_run(b, 2 * S);
        for (int i = 1; i < b->count; i++)
                ck_assert_int_ge(b->said[i].t_ns - b->said[i - 1].t_ns, 2 * MS);
        bench_end(b);
}

TEST(crsf_without_a_pilot_tells_its_link_alone)
{
        struct crsf_frame frame;

        bench_begin(b, "crsf", &setup);
        bench_run(b, S);
        ck_assert_int_eq(frames(CRSF_RC_CHANNELS_PACKED, &frame), 0);
        ck_assert_int_eq(frames(CRSF_LINK_STATISTICS, &frame), 10);
        ck_assert_uint_eq(frame.payload[2], 0);
        bench_sticks(b);
        bench_run(b, S);
        ck_assert_int_eq(frames(CRSF_RC_CHANNELS_PACKED, &frame), 150);
        bench_end(b);
}

TEST(crsf_channel_that_is_not_sent_stands_in_the_middle)
{
        struct crsf_frame frame;
        uint16_t ticks[RC_PACKED];

        bench_begin(b, "crsf", &setup);
        b->input.rc_us[2] = 1000;
        bench_run(b, 100 * MS);
        ck_assert_int_gt(frames(CRSF_RC_CHANNELS_PACKED, &frame), 0);
        rc_unpack(ticks, frame.payload);
        for (int i = 0; i < RC_PACKED; i++)
                ck_assert_uint_eq(ticks[i], i == 2 ? 192 : 992);
        bench_end(b);
}

static void ask(uint8_t to, size_t piece)
{
        struct crsf_frame ping = { CRSF_FLIGHT_CONTROLLER,
                                   CRSF_DEVICE_PING,
                                   2,
                                   { to, CRSF_FLIGHT_CONTROLLER } };
        uint8_t bytes[CRSF_FRAME_MAX];
        struct packets out = { 0 };
        size_t len = crsf_encode(&ping, bytes);

        for (size_t i = 0; i < len; i += piece)
                b->device->ops->take(b->device, bytes + i,
                                     len - i < piece ? len - i : piece, &out);
        ck_assert_int_eq(out.count, 0);
}

TEST(crsf_tells_its_name_to_whoever_pings_it)
{
        struct crsf_frame frame = { 0 };

        for (size_t piece = 1; piece < 8; piece++) {
                bench_begin(b, "crsf", &setup);
                bench_sticks(b);
                bench_run(b, 100 * MS);
                ck_assert_int_eq(frames(CRSF_DEVICE_INFO, &frame), 0);
                ask(CRSF_RECEIVER, piece);
                bench_run(b, 20 * MS);
                ck_assert_int_eq(frames(CRSF_DEVICE_INFO, &frame), 1);
                ck_assert_uint_eq(frame.payload[0], CRSF_FLIGHT_CONTROLLER);
                ck_assert_uint_eq(frame.payload[1], CRSF_RECEIVER);
                ck_assert_str_eq((const char *)frame.payload + 2, "hilrig RX");
                ck_assert_uint_eq(frame.len, 2 + sizeof "hilrig RX" + 14);
                ask(CRSF_BROADCAST, piece);
                ask(CRSF_TRANSMITTER, piece);
                bench_run(b, 20 * MS);
                ck_assert_int_eq(frames(CRSF_DEVICE_INFO, &frame), 2);
                ck_assert_uint_eq(b->device->counts.messages_in, 3);
                ck_assert_uint_eq(b->device->counts.errors, 0);
                bench_end(b);
        }
}

TEST(crsf_hears_a_ping_behind_noise_and_damage)
{
        struct crsf_frame frame;
        static const uint8_t noise[] = {
                1, 2, 3, 0xC8, 0xC8, 0x04, 0x28, 0xEC, 0xC8, 0x55
        };
        struct packets out = { 0 };

        bench_begin(b, "crsf", &setup);
        b->device->ops->take(b->device, noise, sizeof noise, &out);
        /* What looks like the start of a long frame is one only until more has come. */
        for (int i = 0; i < 40; i++)
                ask(CRSF_RECEIVER, 100);
        bench_run(b, 20 * MS);
        ck_assert_int_ge(frames(CRSF_DEVICE_INFO, &frame), 1);
        ck_assert_uint_gt(b->device->counts.errors, 0);
        ck_assert_uint_ge(b->device->counts.messages_in, 39);
        bench_end(b);
}

static void sbus_last(struct sbus_frame *frame)
{
        const struct packet *p;

        ck_assert_int_gt(b->count, 0);
        p = &b->said[b->count - 1].packet;
        ck_assert_uint_eq(p->len, SBUS_FRAME_BYTES);
        ck_assert(sbus_decode(frame, p->bytes));
}

TEST(sbus_sends_a_whole_frame_every_14_ms)
{
        struct sbus_frame frame;

        bench_begin(b, "sbus", &setup);
        bench_sticks(b);
        bench_run(b, 14 * 50 * MS);
        ck_assert_int_eq(b->count, 50);
        sbus_last(&frame);
        ck_assert_uint_eq(frame.flags, 0);
        for (int i = 0; i < RC_PACKED; i++)
                ck_assert_uint_eq(rc_us_of_ticks(frame.ticks[i]), b->input.rc_us[i]);
        bench_end(b);
}

TEST(sbus_repeats_itself_then_flags_a_fail_safe)
{
        struct sbus_frame frame;
        uint16_t before[RC_PACKED];

        bench_begin(b, "sbus", &setup);
        bench_run(b, 3 * S);
        ck_assert_int_eq(b->count, 0); /* never heard its radio */
        bench_sticks(b);
        bench_run(b, 100 * MS);
        sbus_last(&frame);
        memcpy(before, frame.ticks, sizeof before);
        memset(&b->input, 0, sizeof b->input);
        bench_run(b, 100 * MS);
        sbus_last(&frame);
        ck_assert_uint_eq(frame.flags, SBUS_FRAME_LOST);
        bench_run(b, S);
        sbus_last(&frame);
        ck_assert_uint_eq(frame.flags, SBUS_FRAME_LOST | SBUS_FAILSAFE);
        ck_assert_mem_eq(frame.ticks, before, sizeof before);
        bench_sticks(b);
        bench_run(b, 15 * MS);
        sbus_last(&frame);
        ck_assert_uint_eq(frame.flags, 0);
        bench_end(b);
}

TEST(ibus_sends_14_channels_every_7_ms_and_nothing_without_a_pilot)
{
        uint16_t us[IBUS_CHANNELS_MAX];

        bench_begin(b, "ibus", &setup);
        bench_run(b, S);
        ck_assert_int_eq(b->count, 0);
        bench_sticks(b);
        bench_run(b, 700 * MS);
        ck_assert_int_eq(b->count, 100);
        ck_assert_uint_eq(b->said[99].packet.len, IBUS_FRAME_BYTES);
        ck_assert(ibus_decode(us, b->said[99].packet.bytes));
        for (int i = 0; i < IBUS_CHANNELS_MAX; i++)
                ck_assert_uint_eq(us[i], i < IBUS_CHANNELS ? b->input.rc_us[i] : 0);
        memset(&b->input, 0, sizeof b->input);
        bench_forget(b);
        bench_run(b, S);
        ck_assert_int_eq(b->count, 0);
        bench_end(b);
}

TEST(receivers_on_a_slow_line_send_as_often_as_it_carries)
{
        static const char names[][5] = { "crsf", "sbus", "ibus" };

        for (int i = 0; i < 3; i++) {
                struct device_setup slow = { .period_ns = MS, .baud = 9600 };

                bench_begin(b, names[i], &slow);
                bench_sticks(b);
                bench_run(b, 4 * S);
                /* CRSF: the link's statistics come on top, 14 bytes ten times a second. */
                ck_assert_uint_le(b->len, 4 * 960 + 64 + (i == 0 ? 4 * 140 : 0));
                ck_assert_uint_gt(b->len, 3000);
                bench_end(b);
        }
}
