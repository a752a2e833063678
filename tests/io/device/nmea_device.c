/* The receiver that speaks NMEA alone. */
#include "tests/io/device/gps_bench.h"
#include "tests/suites.h"

static struct bench bench;
static struct bench *const b = &bench;

static int sentences(const char *name)
{
        int n = 0;

        for (int i = 0; i < b->count; i++)
                n += memcmp(b->heard[i].payload + 3, name, 3) == 0;
        return n;
}

TEST(four_sentences_a_solution_and_satellites_once_a_second)
{
        /* Speed; solutions a second. */
        static const struct {
                uint32_t baud;
                int rate;
        } cases[] = { { 0, 10 }, { 57600, 10 }, { 38400, 5 }, { 9600, 1 } };

        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
                bench_begin(b, "nmea", cases[c].baud);
                bench_run(b, 3 * S);
                bench_forget(b);
                bench_run(b, 10 * S);
                for (int i = 0; i < 4; i++) {
                        static const char names[][4] = { "RMC", "GGA", "GSA", "VTG" };

                        ck_assert_int_ge(sentences(names[i]), 10 * cases[c].rate - 1);
                        ck_assert_int_le(sentences(names[i]), 10 * cases[c].rate + 1);
                }
                ck_assert_int_ge(sentences("GSV"), 36);
                ck_assert_int_le(sentences("GSV"), 44);
                ck_assert_uint_eq(b->in.broken + b->in.skipped, 0);
                ck_assert_int_eq(bench_count(b, 0xF0, 0), b->count);
                bench_end(b);
        }
}

static const char *newest(const char *name)
{
        for (int i = b->count - 1; i >= 0; i--)
                if (memcmp(b->heard[i].payload + 3, name, 3) == 0)
                        return (const char *)b->heard[i].payload;
        return "";
}

TEST(lost_samples_are_lost_satellites)
{
        bench_begin(b, "nmea", 0);
        bench_run(b, 3 * S);
        ck_assert_ptr_nonnull(strstr(newest("VTG"), ",K,A*"));
        b->sample_every_ns = 0;
        bench_run(b, 2 * S);
        bench_forget(b);
        bench_run(b, S);
        ck_assert_int_ge(sentences("RMC"), 9);
        for (int i = 0; i < b->count; i++)
                if (memcmp(b->heard[i].payload + 3, "RMC", 3) == 0)
                        ck_assert_ptr_nonnull(
                                strstr((const char *)b->heard[i].payload, ",V,,,,,,,"));
        b->sample_every_ns = 100 * MS;
        bench_run(b, 500 * MS);
        ck_assert_ptr_nonnull(strstr(newest("VTG"), ",K,A*"));
        bench_end(b);
}

TEST(it_listens_to_nothing)
{
        bench_begin(b, "nmea", 0);
        ck_assert_ptr_null(b->device->ops->take);
        ck_assert_ptr_null(b->device->ops->speed);
        bench_end(b);
}
