/* The capture against the pcap file format (the libpcap project's savefile description), parsed
 * here a second time. */
#include <stdlib.h>
#include <string.h>

#include "io/le.h"
#include "io/log/wire_capture.h"

#include "tests/suites.h"

struct capture {
        struct wire_capture w;
        char *bytes;
        size_t len;
};

static void capture_begin(struct capture *c)
{
        FILE *file = open_memstream(&c->bytes, &c->len);

        ck_assert_ptr_nonnull(file);
        wire_capture_begin(&c->w, file);
}

static const uint8_t *capture_end(struct capture *c)
{
        ck_assert(wire_capture_flush(&c->w));
        fclose(c->w.file);
        return (const uint8_t *)c->bytes;
}

TEST(file_header_says_nanoseconds_and_user0)
{
        struct capture c;
        const uint8_t *p;

        capture_begin(&c);
        p = capture_end(&c);
        ck_assert_uint_eq(c.len, 24);
        ck_assert_uint_eq(le_get_u32(p), 0xA1B23C4D);
        ck_assert_uint_eq(le_get_u16(p + 4), 2);
        ck_assert_uint_eq(le_get_u16(p + 6), 4);
        ck_assert_uint_eq(le_get_u64(p + 8), 0);
        ck_assert_uint_ge(le_get_u32(p + 16), 65535);
        ck_assert_uint_eq(le_get_u32(p + 20), 147);
        free(c.bytes);
}

TEST(record_keeps_time_place_and_bytes)
{
        struct capture c;
        const uint8_t *p;

        capture_begin(&c);
        wire_capture_add(&c.w, 3000000007, WIRE_FROM_FC, 5, 2, "abcde", 5);
        p = capture_end(&c) + 24;
        ck_assert_uint_eq(c.len, 24 + 16 + 4 + 5);
        ck_assert_uint_eq(le_get_u32(p), 3);
        ck_assert_uint_eq(le_get_u32(p + 4), 7);
        ck_assert_uint_eq(le_get_u32(p + 8), 9);
        ck_assert_uint_eq(le_get_u32(p + 12), 9);
        ck_assert_mem_eq(p + 16,
                         "\x01\x05\x02\x00"
                         "abcde",
                         9);
        free(c.bytes);
}

TEST(records_follow_one_another_to_the_end_of_the_file)
{
        static const uint8_t bytes[300];
        struct capture c;
        const uint8_t *p;
        size_t at = 24, n = 0;

        capture_begin(&c);
        for (size_t i = 0; i < sizeof bytes; i++)
                wire_capture_add(&c.w, (int64_t)i * 123456789,
                                 i % 2 ? WIRE_FROM_FC : WIRE_TO_FC, 0, 0, bytes, i);
        p = capture_end(&c);
        for (; at < c.len; at += 16 + le_get_u32(p + at + 8), n++) {
                uint64_t t_ns =
                        le_get_u32(p + at) * 1000000000ULL + le_get_u32(p + at + 4);

                ck_assert_uint_lt(le_get_u32(p + at + 4), 1000000000);
                ck_assert_uint_eq(t_ns, n * 123456789);
                ck_assert_uint_eq(le_get_u32(p + at + 8), 4 + n);
                ck_assert_uint_eq(p[at + 16], n % 2);
        }
        ck_assert_uint_eq(at, c.len);
        ck_assert_uint_eq(n, sizeof bytes);
        free(c.bytes);
}

TEST(overlong_record_is_cut_and_says_so)
{
        static const uint8_t bytes[WIRE_CAPTURE_MAX + 10];
        struct capture c;
        const uint8_t *p;

        capture_begin(&c);
        wire_capture_add(&c.w, -5, WIRE_TO_FC, 0, 0, bytes, sizeof bytes);
        p = capture_end(&c);
        ck_assert_uint_eq(c.len, 24 + 16 + 4 + WIRE_CAPTURE_MAX);
        ck_assert_uint_eq(le_get_u64(p + 24), 0); /* before the run is at its start */
        ck_assert_uint_eq(le_get_u32(p + 32), 4 + WIRE_CAPTURE_MAX);
        ck_assert_uint_eq(le_get_u32(p + 36), 4 + WIRE_CAPTURE_MAX + 10);
        ck_assert_uint_le(le_get_u32(p + 32), le_get_u32(p + 16));
        free(c.bytes);
}

TEST(whole_records_of_a_cut_capture_are_counted)
{
        struct capture c;
        size_t last = 0;

        capture_begin(&c);
        for (int i = 0; i < 5; i++)
                wire_capture_add(&c.w, i, WIRE_TO_FC, 0, 0, "xyz", 3);
        capture_end(&c);
        for (size_t len = 0; len <= c.len; len++) {
                size_t whole = wire_capture_whole(c.bytes, len);

                ck_assert_uint_le(whole, len);
                ck_assert(whole == last || whole == len);
                if (len >= 24)
                        ck_assert_uint_eq((whole - 24) % 23, 0);
                last = whole;
        }
        ck_assert_uint_eq(last, c.len);
        ck_assert_uint_eq(wire_capture_whole(c.bytes + 24, c.len - 25), c.len - 24 - 23);
        free(c.bytes);
}

TEST(write_error_sticks)
{
        FILE *full = fopen("/dev/full", "w");
        struct wire_capture w;

        ck_assert_ptr_nonnull(full);
        wire_capture_begin(&w, full);
        ck_assert(!wire_capture_flush(&w));
        ck_assert(w.failed);
        fclose(full);
}
