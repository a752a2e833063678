/* The ULog writer against the layout that PX4's format description gives, and the reader against
 * the writer and against damage. */
#include <stdlib.h>
#include <string.h>

#include "io/le.h"
#include "io/log/ulog.h"
#include "io/log/ulog_message.h"

#include "tests/suites.h"

#define FILE_HEADER 16
#define FLAG_BITS   43

struct log {
        struct ulog_writer w;
        char *bytes;
        size_t len;
};

static void log_begin(struct log *l)
{
        FILE *file = open_memstream(&l->bytes, &l->len);

        ck_assert_ptr_nonnull(file);
        ulog_begin(&l->w, file, 123456789);
}

static void log_end(struct log *l)
{
        ck_assert(ulog_flush(&l->w));
        fclose(l->w.file);
}

/* One topic of every kind of field, two instances, texts and a dropout. */
static void log_sample(struct log *l)
{
        uint8_t data[8 + 8 + 12 + 1] = { 0 };
        uint16_t a, b;

        log_begin(l);
        ulog_info_text(&l->w, "sys_name", "hilrig");
        ulog_info_u64(&l->w, "seed", 0x0123456789ABCDEF);
        ulog_format(&l->w, "thing:uint64_t timestamp;double d;float[3] v;bool b;"
                           "uint8_t[3] _padding0;");
        a = ulog_subscribe(&l->w, "thing", 0);
        b = ulog_subscribe(&l->w, "thing", 3);
        le_put_u64(data, 1000);
        le_put_f64(data + 8, -0.1);
        le_put_f32(data + 20, 2.5F);
        data[28] = 1;
        ulog_data(&l->w, a, data, sizeof data);
        ulog_text(&l->w, 1500, '4', "wind");
        ulog_dropout(&l->w, 20);
        le_put_u64(data, 2000);
        ulog_data(&l->w, b, data, sizeof data);
        log_end(l);
}

TEST(log_opens_with_magic_version_time_and_empty_flags)
{
        static const uint8_t expected[8] = { 'U', 'L', 'o', 'g', 0x01, 0x12, 0x35, 1 };
        struct log l;

        log_begin(&l);
        log_end(&l);
        ck_assert_uint_eq(l.len, FILE_HEADER + FLAG_BITS);
        ck_assert_mem_eq(l.bytes, expected, sizeof expected);
        ck_assert_uint_eq(le_get_u64((uint8_t *)l.bytes + 8), 123456789);
        ck_assert_mem_eq(l.bytes + 16, "\x28\0B", 3);
        for (size_t i = FILE_HEADER + 3; i < l.len; i++)
                ck_assert_int_eq(l.bytes[i], 0);
        free(l.bytes);
}

TEST(records_have_the_documented_layout)
{
        /* By hand from the format description: size, type, then the body. */
        static const char expected[] = "\x14\0I\x10"
                                       "char[3] ver_soft" /* 16 characters */
                                       "1.0"
                                       "\x05\0A\x07\0\0xy"
                                       "\x0c\0D\0\0\x01\0\0\0\0\0\0\0\xff\xfe"
                                       "\x0b\0L6\x02\0\0\0\0\0\0\0hi"
                                       "\x02\0O\x34\x12";
        static const uint8_t data[] = { 1, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFE };
        struct log l;

        log_begin(&l);
        ulog_info_text(&l.w, "ver_soft", "1.0");
        ck_assert_uint_eq(ulog_subscribe(&l.w, "xy", 7), 0);
        ulog_data(&l.w, 0, data, sizeof data);
        ulog_text(&l.w, 2, '6', "hi");
        ulog_dropout(&l.w, 0x1234);
        log_end(&l);
        ck_assert_uint_eq(l.len, FILE_HEADER + FLAG_BITS + sizeof expected - 1);
        ck_assert_mem_eq(l.bytes + FILE_HEADER + FLAG_BITS, expected,
                         sizeof expected - 1);
        free(l.bytes);
}

TEST(reader_returns_what_was_written)
{
        struct ulog_reader r;
        struct ulog_record rec;
        struct log l;
        size_t at;

        log_sample(&l);
        ck_assert(ulog_open(&r, l.bytes, l.len));
        ck_assert_uint_eq(r.start_us, 123456789);

        ck_assert(ulog_next(&r, &rec));
        ck_assert_int_eq(rec.type, 'I');
        ck_assert_str_eq(rec.key, "sys_name");
        ck_assert_uint_eq(rec.len, 6);
        ck_assert_mem_eq(rec.data, "hilrig", 6);
        ck_assert(ulog_next(&r, &rec));
        ck_assert_str_eq(rec.key, "seed");
        ck_assert_uint_eq(le_get_u64(rec.data), 0x0123456789ABCDEF);

        ck_assert(ulog_next(&r, &rec));
        ck_assert_int_eq(rec.type, 'D');
        ck_assert_uint_eq(rec.t_us, 1000);
        ck_assert_int_eq(rec.topic, ulog_topic(&r, "thing", 0));
        ck_assert(ulog_field(&r, rec.topic, "d", "double", &at));
        ck_assert(le_get_f64(rec.data + at) == -0.1);
        ck_assert(ulog_field(&r, rec.topic, "v", "float[3]", &at));
        ck_assert(le_get_f32(rec.data + at + 4) == 2.5F);

        ck_assert(ulog_next(&r, &rec));
        ck_assert_int_eq(rec.type, 'L');
        ck_assert_int_eq(rec.level, '4');
        ck_assert_uint_eq(rec.t_us, 1500);
        ck_assert_mem_eq(rec.data, "wind", rec.len);
        ck_assert(ulog_next(&r, &rec));
        ck_assert_int_eq(rec.type, 'O');
        ck_assert_uint_eq(le_get_u16(rec.data), 20);
        ck_assert(ulog_next(&r, &rec));
        ck_assert_int_eq(rec.topic, ulog_topic(&r, "thing", 3));
        ck_assert_int_eq(r.topic[rec.topic].instance, 3);
        ck_assert(!ulog_next(&r, &rec));
        ck_assert(!r.truncated);
        ck_assert_uint_eq(r.skipped, 0);
        free(l.bytes);
}

TEST(field_is_found_by_name_and_type_together)
{
        struct ulog_reader r;
        struct ulog_record rec;
        struct log l;
        size_t at = 77;
        int topic;

        log_sample(&l);
        ck_assert(ulog_open(&r, l.bytes, l.len));
        while (ulog_next(&r, &rec))
                ;
        topic = ulog_topic(&r, "thing", 0);
        ck_assert(ulog_field(&r, topic, "timestamp", "uint64_t", &at) && at == 0);
        ck_assert(ulog_field(&r, topic, "b", "bool", &at) && at == 28);
        ck_assert(!ulog_field(&r, topic, "d", "float", &at));
        ck_assert(!ulog_field(&r, topic, "v", "float", &at));
        ck_assert(!ulog_field(&r, topic, "nothing", "float", &at));
        /* Padding at the end was not logged. */
        ck_assert(!ulog_field(&r, topic, "_padding0", "uint8_t[3]", &at));
        ck_assert_int_eq(ulog_topic(&r, "thing", 1), -1);
        ck_assert(!ulog_field(&r, -1, "d", "double", &at));
        free(l.bytes);
}

TEST(log_cut_anywhere_reads_up_to_its_last_whole_record)
{
        struct ulog_reader r;
        struct ulog_record rec;
        struct log l;
        int records = 0, before = 0;

        log_sample(&l);
        for (size_t len = 0; len <= l.len; len++, before = records) {
                /* A copy of its own length, so that a sanitizer sees one byte too far. */
                char *part = malloc(len + 1);

                records = 0;
                memcpy(part, l.bytes, len);
                part = realloc(part, len ? len : 1);
                if (!ulog_open(&r, part, len)) {
                        ck_assert_uint_lt(len, FILE_HEADER);
                } else {
                        while (ulog_next(&r, &rec))
                                records++;
                        ck_assert(r.truncated == (ulog_whole(part, len) != len));
                        ck_assert_uint_eq(r.at, ulog_whole(part, len));
                }
                ck_assert_int_ge(records, before);
                ck_assert_int_le(records, before + 1);
                free(part);
        }
        ck_assert_int_eq(records, 6);
        free(l.bytes);
}

TEST(whole_records_are_counted_from_the_middle_of_a_log_too)
{
        struct log l;
        size_t from = FILE_HEADER + FLAG_BITS;

        log_sample(&l);
        ck_assert_uint_eq(ulog_whole(l.bytes, l.len), l.len);
        ck_assert_uint_eq(ulog_whole(l.bytes + from, l.len - from), l.len - from);
        ck_assert_uint_lt(ulog_whole(l.bytes + from, l.len - from - 1), l.len - from - 1);
        ck_assert_uint_eq(ulog_whole(l.bytes + from, 2), 0);
        ck_assert_uint_eq(ulog_whole("", 0), 0);
        free(l.bytes);
}

TEST(unknown_incompatible_flag_is_refused)
{
        struct ulog_reader r;
        struct log l;

        log_sample(&l);
        l.bytes[FILE_HEADER + 3] = 1; /* compatible: default parameters */
        ck_assert(ulog_open(&r, l.bytes, l.len));
        l.bytes[FILE_HEADER + 3 + 8] = 1; /* incompatible: appended data */
        ck_assert(!ulog_open(&r, l.bytes, l.len));
        free(l.bytes);
}

/* How many D records a log with this format and this many bytes of data gives. */
static int data_records(const char *format, size_t data_len, uint64_t *skipped)
{
        static const uint8_t data[64];
        struct ulog_reader r;
        struct ulog_record rec;
        struct log l;
        int n = 0;

        log_begin(&l);
        ulog_format(&l.w, format);
        ulog_subscribe(&l.w, "t", 0);
        ulog_data(&l.w, 0, data, data_len);
        ulog_data(&l.w, 9, data, data_len);
        log_end(&l);
        ck_assert(ulog_open(&r, l.bytes, l.len));
        while (ulog_next(&r, &rec))
                n += rec.type == 'D';
        *skipped = r.skipped;
        free(l.bytes);
        return n;
}

TEST(record_shorter_than_its_format_is_skipped)
{
        static const char format[] = "t:uint64_t timestamp;float x;";
        uint64_t skipped;

        ck_assert_int_eq(data_records(format, 12, &skipped), 1);
        ck_assert_uint_eq(skipped, 1); /* the unknown id */
        ck_assert_int_eq(data_records(format, 11, &skipped), 0);
        ck_assert_uint_eq(skipped, 2);
}

TEST(format_that_makes_no_sense_is_skipped_with_its_data)
{
        static const char *const bad[] = {
                "t:float x;",
                "t:uint64_t timestamp",
                "t:uint64_t timestamp;other o;",
                "t:uint64_t timestamp;float[] x;",
                "t:uint64_t timestamp;float[3 x;",
                "t:uint64_t timestamp;float[99999999999999999999] x;",
                "t:uint64_t timestamp;double[9000] x;",
                "t:uint64_t timestamp;float[0] x;",
                "t:uint64_t timestamp;float x;junk",
                ":uint64_t timestamp;",
                "t",
                "",
        };
        uint64_t skipped;

        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
                ck_assert_msg(data_records(bad[i], 40, &skipped) == 0, "%s", bad[i]);
                ck_assert_uint_eq(skipped, 4);
        }
}

/* PX4 writes some: they are skipped, and are no damage. */
TEST(format_within_a_format_is_told_from_damage)
{
        uint8_t data[40] = { 0 };
        struct ulog_reader r;
        struct ulog_record rec;
        struct log l;

        log_begin(&l);
        ulog_format(&l.w, "t:uint64_t timestamp;other[3] o;float x;");
        ulog_format(&l.w, "u:uint64_t timestamp;float x;");
        ulog_data(&l.w, ulog_subscribe(&l.w, "t", 0), data, sizeof data);
        ulog_data(&l.w, ulog_subscribe(&l.w, "u", 0), data, 12);
        ulog_data(&l.w, 9, data, 12);
        log_end(&l);
        ck_assert(ulog_open(&r, l.bytes, l.len));
        ck_assert(ulog_next(&r, &rec) && rec.type == 'D' && rec.topic == 1);
        ck_assert(!ulog_next(&r, &rec));
        ck_assert_uint_eq(r.nested, 3); /* its format, subscription and record */
        ck_assert_uint_eq(r.skipped, 4); /* and the unknown id */
        free(l.bytes);
}

TEST(write_error_sticks)
{
        FILE *full = fopen("/dev/full", "w");
        struct ulog_writer w;

        ck_assert_ptr_nonnull(full);
        ulog_begin(&w, full, 0);
        ck_assert(!ulog_flush(&w));
        ck_assert(ulog_failed(&w));
        fclose(full);
}

TEST(pending_counts_the_bytes_since_the_last_flush)
{
        struct log l;

        log_begin(&l);
        ck_assert_uint_eq(l.w.pending, FILE_HEADER + FLAG_BITS);
        ulog_flush(&l.w);
        ck_assert_uint_eq(l.w.pending, 0);
        ulog_dropout(&l.w, 1);
        ck_assert_uint_eq(l.w.pending, 5);
        log_end(&l);
        free(l.bytes);
}
