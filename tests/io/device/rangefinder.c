/* Rangefinders: their bytes, their rate, what they say when nothing echoes, and when they are dead. */
#include "tests/io/device/device_bench.h"
#include "tests/suites.h"

static struct device_bench bench;
static struct device_bench *const b = &bench;
static const struct device_setup setup = { .period_ns = MS };

static void begin(const char *name, double range_m, bool echo)
{
        bench_begin(b, name, &setup);
        b->sonar_every_ns = 50 * MS;
        b->frame.sonar[0] = (struct sonar_sample){ .range_m = range_m, .echo = echo };
        bench_run(b, S);
}

TEST(tfmini_sends_the_frame_of_its_manual)
{
        /* SJ-PM-TFmini-T-01 A03, 5.3: 59 59, cm, strength, mode, 0, sum of the eight. */
        begin("tfmini", 2.344, true);
        ck_assert_uint_ge(b->len, 98 * 9);
        for (size_t at = 0; at + 9 <= b->len; at += 9) {
                const uint8_t *frame = b->bytes + at;
                uint8_t sum = 0;

                for (int i = 0; i < 8; i++)
                        sum = (uint8_t)(sum + frame[i]);
                ck_assert_uint_eq(frame[0], 0x59);
                ck_assert_uint_eq(frame[1], 0x59);
                ck_assert_uint_eq(le_get_u16(frame + 2), 234);
                ck_assert_uint_ge(le_get_u16(frame + 4), 20);
                ck_assert_uint_le(le_get_u16(frame + 4), 2000);
                ck_assert_uint_eq(frame[8], sum);
        }
        bench_end(b);
}

TEST(tfmini_sends_100_frames_a_second_whatever_its_samples)
{
        begin("tfmini", 1.0, true);
        for (int every_ms = 10; every_ms <= 200; every_ms += 19) {
                b->sonar_every_ns = every_ms * MS;
                bench_run(b, S);
                bench_forget(b);
                bench_run(b, S);
                ck_assert_uint_ge(b->len, 99 * 9);
                ck_assert_uint_le(b->len, 101 * 9);
        }
        bench_end(b);
}

TEST(tfmini_out_of_range_is_what_its_manual_says)
{
        static const struct {
                double range_m;
                bool echo;
                unsigned cm;
                bool reliable; /* strength of 20 or more */
        } cases[] = {
                { 7.0, false, 0xFFFF, false },  { 13.0, true, 1200, true },
                { 12.0, true, 1200, true },     { NAN, true, 0xFFFF, false },
                { -1.0, true, 0xFFFF, false },  { 0.0, true, 0, true },
                { INFINITY, true, 1200, true },
        };

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
                begin("tfmini", cases[i].range_m, cases[i].echo);
                ck_assert_uint_ge(b->len, 9);
                ck_assert_uint_eq(le_get_u16(b->bytes + 2), cases[i].cm);
                ck_assert_uint_ne(le_get_u16(b->bytes + 4), 0);
                ck_assert_int_eq(le_get_u16(b->bytes + 4) >= 20, cases[i].reliable);
                bench_end(b);
        }
}

TEST(tfmini_hears_its_commands)
{
        /* INAV, io/rangefinder_benewake.c: 100 Hz. */
        static const uint8_t command[] = { 0x42, 0x57, 2, 0, 0, 0, 1, 6 };
        struct packets out = { 0 };

        begin("tfmini", 1.0, true);
        b->device->ops->take(b->device, command, sizeof command, &out);
        ck_assert_int_eq(out.count, 0);
        ck_assert_uint_eq(b->device->counts.messages_in, 1);
        bench_end(b);
}

/* In 4 s: at least so many readings, all of them this text. */
static void expect(const char *name, double range_m, bool echo, const char *text,
                   int least)
{
        begin(name, range_m, echo);
        bench_forget(b);
        bench_run(b, 4 * S);
        b->len -= b->len % 5;
        for (size_t at = 0; at < b->len; at += 5)
                ck_assert_mem_eq(b->bytes + at, text, 5);
        ck_assert_int_ge((int)b->len / 5, least - 1);
        ck_assert_int_le((int)b->len / 5, least + 1);
        bench_end(b);
}

TEST(maxsonar_speaks_inches_20_times_a_second)
{
        expect("maxsonar", 2.54, true, "R100\r", 80);
        expect("maxsonar", 0.0, true, "R006\r", 80);
        expect("maxsonar", 6.4516, true, "R254\r", 80);
        expect("maxsonar", 9.0, true, "R254\r", 80);
        expect("maxsonar", 1.0, false, "R254\r", 80);
        expect("maxsonar", NAN, true, "R254\r", 80);
}

TEST(maxsonar_xl_speaks_cm_10_times_a_second)
{
        expect("maxsonar_xl", 2.344, true, "R234\r", 40);
        expect("maxsonar_xl", 0.1, true, "R020\r", 40);
        expect("maxsonar_xl", 9.0, true, "R765\r", 40);
        expect("maxsonar_xl", 1.0, false, "R765\r", 40);
}

TEST(maxsonar_takes_its_time_on_the_wire)
{
        begin("maxsonar", 2.54, true);
        for (int i = 0; i < b->count; i++)
                ck_assert_uint_eq(b->said[i].packet.len,
                                  1); /* a byte is more than a tick */
        bench_end(b);
}

TEST(rangefinder_without_samples_is_dead_and_comes_back)
{
        static const char names[][12] = { "tfmini", "maxsonar", "maxsonar_xl" };

        for (int i = 0; i < 3; i++) {
                bench_begin(b, names[i], &setup);
                bench_run(b, 2 * S);
                ck_assert_uint_eq(b->len, 0); /* not one sample yet */
                bench_end(b);
                begin(names[i], 1.0, true);
                b->sonar_every_ns = 0;
                bench_run(b, S);
                bench_forget(b);
                bench_run(b, 2 * S);
                ck_assert_uint_eq(b->len, 0);
                b->sonar_every_ns = 50 * MS;
                bench_run(b, S);
                ck_assert_uint_gt(b->len, 40);
                bench_end(b);
        }
}

TEST(rangefinder_is_the_sonar_that_it_was_told)
{
        struct device_setup third = setup;

        third.index = 2;
        bench_begin(b, "maxsonar_xl", &third);
        b->frame.sonar[0] = (struct sonar_sample){ .range_m = 1.0, .echo = true };
        b->frame.sonar[2] = (struct sonar_sample){ .range_m = 3.0, .echo = true };
        b->sonar_every_ns = 50 * MS; /* of the first one */
        bench_run(b, S);
        ck_assert_uint_eq(b->len, 0);
        b->frame.fresh = SENSOR_BIT(SENSOR_SONAR);
        b->frame.fresh_sonars = 1U << 2;
        bench_run(b, 50 * MS);
        ck_assert_uint_ge(b->len, 5);
        ck_assert_mem_eq(b->bytes, "R300\r", 5);
        bench_end(b);
}
