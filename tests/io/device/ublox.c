/* The u-blox receiver: what leaves when, at which speed, and what it says without satellites. What boards
 * ask of it is in ublox_config.c. */
#include "tests/io/device/gps_bench.h"
#include "tests/suites.h"

static struct bench bench;
static struct bench *const b = &bench;

static const char to_115200[] = "$PUBX,41,1,0003,0001,115200,0*1E\r\n";

/* NAV-PVT alone, ten times a second, at 115200. */
static void begin_pvt(const char *name)
{
        static const uint8_t every[] = { 0x01, 0x07, 1 };
        static const uint8_t rate[] = { 100, 0, 1, 0, 1, 0 };

        bench_begin(b, name, 9600);
        bench_run(b, 600 * MS);
        bench_say(b, to_115200);
        ck_assert_int_eq(bench_ask(b, 0x06, 0x01, every, 3), 1);
        ck_assert_int_eq(bench_ask(b, 0x06, 0x08, rate, 6), 1);
        bench_run(b, 1000 * MS);
        bench_forget(b);
}

static const char *const models[] = { "ublox_m8", "ublox_m10" };

TEST_EACH(it_begins_with_nmea_at_9600, 2)
{
        bench_begin(b, models[_i], 0);
        ck_assert_uint_eq(b->device->ops->speed(b->device), 9600);
        bench_run(b, 10 * S + 400 * MS);
        /* RMC VTG GGA GSA GLL and four GSV, once a second, from half a second on. */
        ck_assert_int_eq(b->count, 9 * 10);
        ck_assert_int_eq(bench_count(b, 0xF0, 0), b->count);
        ck_assert_int_ge(b->heard[0].t_ns, 500 * MS);
        ck_assert_int_le(b->heard[0].t_ns, 700 * MS);
        ck_assert_mem_eq(b->heard[0].payload, "$GNRMC,221320.", 14);
        bench_end(b);
}

/* 10 bits a byte; never one more, in any second. */
TEST_EACH(bytes_leave_no_faster_than_the_speed_allows, 2)
{
        static const uint8_t all[] = { 0x01, 0x35, 1 };
        static const uint8_t rate[] = { 100, 0, 1, 0, 1, 0 };

        bench_begin(b, models[_i], 9600);
        bench_run(b, 700 * MS);
        bench_send(b, 0x06, 0x01, all, 3);
        bench_send(b, 0x06, 0x08, rate, 6);
        bench_run(b, 3 * S);
        for (int i = 0; i < 20; i++) {
                bench_forget(b);
                bench_run(b, S);
                ck_assert_uint_le(b->bytes, 960);
                ck_assert_uint_ge(b->bytes, 950);
        }
        /* An answer waits for little more than a second of what stands before it. */
        bench_forget(b);
        bench_send(b, 0x06, 0x08, NULL, 0);
        bench_run(b, 1700 * MS);
        ck_assert_int_eq(bench_count(b, 0x05, 0x01), 1);
        /* What did not fit was left out whole: nothing that came is broken. */
        ck_assert_uint_eq(b->in.broken, 0);
        ck_assert_uint_eq(b->in.skipped, 0);
        bench_end(b);
}

TEST_EACH(pvt_tells_the_sample, 2)
{
        const struct heard *h;

        begin_pvt(models[_i]);
        bench_run(b, 100 * MS);
        h = bench_last(b, 0x01, 0x07);
        ck_assert_ptr_nonnull(h);
        ck_assert_uint_eq(h->len, 92);
        ck_assert_uint_eq(h->payload[20], 3);
        ck_assert_uint_eq(h->payload[21] & 1, 1);
        ck_assert_uint_eq(h->payload[23], 14);
        ck_assert_uint_eq(h->payload[11], 7);
        ck_assert_int_eq((int32_t)le_get_u32(h->payload + 24), 85455000);
        ck_assert_int_eq((int32_t)le_get_u32(h->payload + 28), 473977000);
        ck_assert_int_eq((int32_t)le_get_u32(h->payload + 36), 488250);
        ck_assert_int_eq((int32_t)le_get_u32(h->payload + 48), 3000);
        ck_assert_int_eq((int32_t)le_get_u32(h->payload + 52), -4000);
        ck_assert_int_eq((int32_t)le_get_u32(h->payload + 56), -1500);
        ck_assert_uint_eq(le_get_u32(h->payload + 60), 5000);
        ck_assert_int_eq((int32_t)le_get_u32(h->payload + 64), 30686990);
        ck_assert_uint_eq(le_get_u32(h->payload + 40), 900);
        ck_assert_uint_eq(le_get_u32(h->payload + 68), 200);
        ck_assert_uint_eq(le_get_u16(h->payload + 4), 2023);
        bench_end(b);
}

/* Time of the week is the sample's, not that of its arrival; 18 leap seconds. */
TEST_EACH(time_is_that_of_the_measurement, 2)
{
        begin_pvt(models[_i]);
        bench_run(b, 2 * S);
        ck_assert_int_eq(bench_count(b, 0x01, 0x07), 20);
        for (int i = 0; i < b->count; i++) {
                int64_t itow_ms = le_get_u32(b->heard[i].payload);
                int64_t t_ms = itow_ms - (BENCH_UTC_S - 315964800 + 18) % 604800 * 1000;

                /* A sample every 100 ms, 40 ms old when it comes; then the wire: 100 bytes. */
                ck_assert_int_eq(t_ms % 100, 60);
                ck_assert_int_ge(b->heard[i].t_ns / MS - t_ms, 40 + 8);
                ck_assert_int_le(b->heard[i].t_ns / MS - t_ms, 40 + 11);
        }
        bench_end(b);
}

TEST_EACH(the_rate_is_kept_on_average_and_no_sample_is_made_up, 2)
{
        /* Asked, measured, and so many a second. */
        static const struct {
                uint16_t meas_ms, nav;
                int64_t sample_ns;
                int expected;
        } cases[] = {
                { 200, 1, 100 * MS, 5 }, { 125, 1, 100 * MS, 8 },
                { 100, 5, 100 * MS, 2 }, { 100, 1, 200 * MS, 5 },
                { 100, 1, S, 1 },        { 1000, 1, 100 * MS, 1 },
                { 100, 1, 50 * MS, 10 },
        };
        uint8_t rate[6] = { 0 };

        begin_pvt(models[_i]);
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
                b->sample_every_ns = cases[c].sample_ns;
                le_put_u16(rate, cases[c].meas_ms);
                le_put_u16(rate + 2, cases[c].nav);
                ck_assert_int_eq(bench_ask(b, 0x06, 0x08, rate, 6), 1);
                bench_run(b, 4 * S);
                bench_forget(b);
                bench_run(b, 20 * S);
                ck_assert_int_ge(bench_count(b, 0x01, 0x07), 20 * cases[c].expected - 1);
                ck_assert_int_le(bench_count(b, 0x01, 0x07), 20 * cases[c].expected + 1);
                for (int i = 0; i < b->count; i++)
                        ck_assert_uint_eq(b->heard[i].payload[20], 3);
        }
        bench_end(b);
}

TEST_EACH(a_message_leaves_every_so_many_solutions, 2)
{
        static const uint8_t every[] = { 0x01, 0x04, 5 };

        begin_pvt(models[_i]);
        ck_assert_int_eq(bench_ask(b, 0x06, 0x01, every, 3), 1);
        bench_forget(b);
        bench_run(b, 10 * S);
        ck_assert_int_eq(bench_count(b, 0x01, 0x07), 100);
        ck_assert_int_eq(bench_count(b, 0x01, 0x04), 20);
        ck_assert_int_eq(b->count, 120);
        bench_end(b);
}

/* Samples that stop: a receiver goes on, and says that it has lost the satellites. */
TEST_EACH(without_samples_it_goes_on_without_a_fix, 2)
{
        uint32_t before_ms;

        begin_pvt(models[_i]);
        bench_run(b, S);
        before_ms = le_get_u32(bench_last(b, 0x01, 0x07)->payload);
        b->sample_every_ns = 0;
        bench_forget(b);
        bench_run(b, 5 * S);
        ck_assert_int_ge(bench_count(b, 0x01, 0x07), 45);
        for (int i = 0; i < b->count; i++) {
                const uint8_t *p = b->heard[i].payload;

                ck_assert_uint_eq(p[20], 0);
                ck_assert_uint_eq(p[21] & 1, 0);
                ck_assert_uint_eq(p[23], 0);
                /* It keeps the time and the last position, and says how little that means. */
                ck_assert_uint_eq(p[11], 7);
                ck_assert_uint_gt(le_get_u32(p), before_ms);
                before_ms = le_get_u32(p);
                ck_assert_int_eq((int32_t)le_get_u32(p + 28), 473977000);
                ck_assert_uint_ge(le_get_u32(p + 40), 1000000);
        }
        b->sample_every_ns = 100 * MS;
        bench_forget(b);
        bench_run(b, S);
        ck_assert_uint_eq(b->heard[b->count - 1].payload[20], 3);
        ck_assert_int_ge(bench_count(b, 0x01, 0x07), 9);
        for (int i = 0; i < b->count; i++) {
                ck_assert_uint_gt(le_get_u32(b->heard[i].payload), before_ms);
                before_ms = le_get_u32(b->heard[i].payload);
        }
        bench_end(b);
}

TEST_EACH(a_sample_without_a_fix_is_told_as_such, 2)
{
        const struct heard *h;

        begin_pvt(models[_i]);
        b->sample.fix = GPS_NO_FIX;
        b->sample.satellites = 3;
        bench_run(b, 300 * MS);
        h = bench_last(b, 0x01, 0x07);
        ck_assert_uint_eq(h->payload[20], 0);
        ck_assert_uint_eq(h->payload[23], 3);
        b->sample.fix = GPS_FIX_2D;
        bench_run(b, 300 * MS);
        h = bench_last(b, 0x01, 0x07);
        ck_assert_uint_eq(h->payload[20], 2);
        ck_assert_uint_eq(h->payload[21] & 1, 1);
        bench_end(b);
}

TEST_EACH(before_the_first_fix_it_does_not_know_the_time, 2)
{
        bench_begin(b, models[_i], 115200);
        b->sample_every_ns = 0;
        bench_run(b, S);
        bench_forget(b);
        bench_send(b, 0x01, 0x07, NULL, 0);
        bench_run(b, 100 * MS);
        ck_assert_uint_eq(bench_last(b, 0x01, 0x07)->payload[11], 0);
        ck_assert_uint_eq(bench_last(b, 0x01, 0x07)->payload[20], 0);
        bench_end(b);
}

/* Every message of the class, asked for once: length and what drivers look at. */
TEST_EACH(messages_have_their_lengths, 2)
{
        static const struct {
                uint8_t cls, id;
                size_t m8, m10; /* 0: this model has none */
        } known[] = {
                { 0x01, 0x02, 28, 28 },
                { 0x01, 0x03, 16, 16 },
                { 0x01, 0x04, 18, 18 },
                { 0x01, 0x06, 52, 0 },
                { 0x01, 0x07, 92, 92 },
                { 0x01, 0x12, 36, 36 },
                { 0x01, 0x20, 16, 16 },
                { 0x01, 0x21, 20, 20 },
                { 0x01, 0x22, 20, 20 },
                { 0x01, 0x30, 8 + 12 * 14, 0 },
                { 0x01, 0x35, 8 + 12 * 14, 8 + 12 * 14 },
                { 0x01, 0x43, 0, 8 + 16 * 14 },
                { 0x01, 0x61, 4, 4 },
                { 0x0A, 0x04, 40 + 30 * 6, 40 + 30 * 5 },
                { 0x0A, 0x09, 60, 60 },
                { 0x0A, 0x0B, 28, 28 },
                { 0x0A, 0x28, 8, 8 },
                { 0x0A, 0x38, 0, 28 },
                { 0x01, 0x99, 0, 0 },
                { 0x21, 0x04, 0, 0 },
        };

        begin_pvt(models[_i]);
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
                size_t len = _i == 0 ? known[i].m8 : known[i].m10;
                uint64_t errors = b->device->counts.errors;
                const struct heard *h;

                bench_run(b, 100 * MS);
                bench_forget(b);
                bench_send(b, known[i].cls, known[i].id, NULL, 0);
                bench_run(b, 90 * MS);
                h = bench_last(b, known[i].cls, known[i].id);
                ck_assert_int_eq(h != NULL, len > 0);
                ck_assert_uint_eq(b->device->counts.errors - errors, len == 0);
                if (h != NULL)
                        ck_assert_uint_eq(h->len, len);
        }
        bench_end(b);
}

TEST(the_same_epoch_in_every_message)
{
        const struct heard *pvt, *pos, *vel, *sol, *utc;
        static const uint8_t ids[] = { 0x02, 0x12, 0x06, 0x21, 0x20 };

        begin_pvt("ublox_m8");
        for (size_t i = 0; i < sizeof ids; i++) {
                uint8_t every[] = { 0x01, ids[i], 1 };

                ck_assert_int_eq(bench_ask(b, 0x06, 0x01, every, 3), 1);
        }
        bench_forget(b);
        bench_run(b, 200 * MS);
        do
                bench_tick(b);
        while (b->t_ns % (100 * MS) != 70 * MS);
        pvt = bench_last(b, 0x01, 0x07);
        pos = bench_last(b, 0x01, 0x02);
        vel = bench_last(b, 0x01, 0x12);
        sol = bench_last(b, 0x01, 0x06);
        utc = bench_last(b, 0x01, 0x21);
        ck_assert_mem_eq(pos->payload, pvt->payload, 4);
        ck_assert_mem_eq(pos->payload + 4, pvt->payload + 24, 24);
        ck_assert_int_eq((int32_t)le_get_u32(vel->payload + 8), -400);
        ck_assert_uint_eq(le_get_u32(vel->payload + 20), 500);
        ck_assert_mem_eq(vel->payload + 24, pvt->payload + 64, 4);
        ck_assert_uint_eq(sol->payload[10], 3);
        ck_assert_uint_eq(sol->payload[47], 14);
        ck_assert_uint_eq(le_get_u16(sol->payload + 8), 2288);
        ck_assert_mem_eq(utc->payload + 12, pvt->payload + 4, 7);
        ck_assert_uint_eq(bench_last(b, 0x01, 0x20)->payload[10], 18);
        bench_end(b);
}

TEST(more_than_a_lifetime_of_overflow_keeps_ticking)
{
        /* 400 bytes of satellites and signals ten times a second through 960 bytes. */
        uint8_t every[] = { 0x01, 0x43, 1 };

        begin_pvt("ublox_m10");
        b->sample.satellites = 40;
        bench_say(b, "$PUBX,41,1,0003,0003,9600,0*14\r\n");
        for (int id = 0; id < 256; id++) {
                every[1] = (uint8_t)id;
                bench_send(b, 0x06, 0x01, every, 3);
        }
        bench_run(b, 20 * S);
        ck_assert_uint_eq(b->in.broken, 0);
        ck_assert_uint_eq(b->device->ops->speed(b->device), 9600);
        bench_end(b);
}
