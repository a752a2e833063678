/* What the recorder leaves in a run folder, read back: every tick, information, texts, wire, hash. */
#include "hil/record/signal_hash.h"
#include "tests/hil/record/record_run.h"
#include "tests/suites.h"

TEST(every_tick_of_every_vehicle_can_be_replayed_from_the_log)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        r = log_open(&f);
        for (int64_t n = 0; n < TICKS; n++)
                for (uint8_t v = 0; v < 2; v++) {
                        struct tick_record t = tick_of(n, v);
                        const uint8_t *duty;

                        ck_assert(log_next(&r, "hilrig_tick", v, &rec));
                        ck_assert_uint_eq(rec.t_us, (uint64_t)t.t_ns / 1000);
                        ck_assert_uint_eq(
                                le_get_u64(log_field(&r, &rec, "tick", "uint64_t")),
                                (uint64_t)n);
                        duty = log_field(&r, &rec, "duty", "double[8]");
                        for (int i = 0; i < ROTORS_MAX; i++)
                                ck_assert(le_get_f64(duty + 8 * i) == t.command.duty[i]);
                        ck_assert_uint_eq(*log_field(&r, &rec, "vehicle", "uint8_t"), v);
                        ck_assert_uint_eq(*log_field(&r, &rec, "missed", "uint8_t"),
                                          t.missed);
                        ck_assert_uint_eq(*log_field(&r, &rec, "frame_sent", "uint8_t"),
                                          t.frame_sent);
                        ck_assert_uint_eq(*log_field(&r, &rec, "contact", "uint8_t"),
                                          t.contact);
                        ck_assert_uint_eq(*log_field(&r, &rec, "armed", "uint8_t"),
                                          t.armed);
                        ck_assert_uint_eq(
                                le_get_u32(log_field(&r, &rec, "lateness_ns", "int32_t")),
                                (uint32_t)t.lateness_ns);
                        ck_assert_uint_eq(
                                le_get_u32(log_field(&r, &rec, "compute_ns", "int32_t")),
                                (uint32_t)t.compute_ns);
                        ck_assert_uint_eq(
                                le_get_u32(log_field(&r, &rec, "loop_ns", "int32_t")),
                                (uint32_t)t.loop_ns);
                }
        ck_assert(!log_next(&r, "hilrig_tick", 0, &rec));
        log_close(&r);
        folder_remove(&f);
}

TEST(information_names_the_run)
{
        static const char *const texts[][2] = { { "sys_name", "hilrig" },
                                                { "ver_sw", "v1.2.3" },
                                                { "hilrig_config_sha256", "c0ffee" } };
        static const struct {
                const char *key;
                uint64_t value;
        } numbers[] = { { "hilrig_seed", 0xFEDCBA9876543210 },
                        { "hilrig_period_ns", PERIOD_NS },
                        { "hilrig_vehicles", 2 },
                        { "hilrig_rotors", 4 } };
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        folder_open(&f);
        folder_close(&f);
        r = log_open(&f);
        for (int i = 0; i < 3; i++) {
                ck_assert(ulog_next(&r, &rec));
                ck_assert_str_eq(rec.key, texts[i][0]);
                ck_assert_uint_eq(rec.len, strlen(texts[i][1]));
                ck_assert_mem_eq(rec.data, texts[i][1], rec.len);
        }
        for (int i = 0; i < 4; i++) {
                ck_assert(ulog_next(&r, &rec));
                ck_assert_str_eq(rec.key, numbers[i].key);
                ck_assert_uint_eq(rec.len, 8);
                ck_assert_uint_eq(le_get_u64(rec.data), numbers[i].value);
        }
        ck_assert(ulog_next(&r, &rec));
        ck_assert_int_eq(rec.type, 'L');
        ck_assert(!ulog_next(&r, &rec));
        log_close(&r);
        folder_remove(&f);
}

TEST(texts_keep_time_level_and_words)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        folder_open(&f);
        ck_assert(recorder_text(f.recorder, 12408000000, '4', "link: gone"));
        folder_close(&f);
        r = log_open(&f);
        do
                ck_assert(ulog_next(&r, &rec));
        while (rec.type != 'L' || rec.t_us == 0);
        ck_assert_uint_eq(rec.t_us, 12408000);
        ck_assert_int_eq(rec.level, '4');
        ck_assert_uint_eq(rec.len, 10);
        ck_assert_mem_eq(rec.data, "link: gone", 10);
        log_close(&r);
        folder_remove(&f);
}

TEST(wire_bytes_go_to_the_capture_and_only_then_is_there_one)
{
        struct folder f;
        uint8_t *bytes;
        size_t len;

        folder_make(&f);
        folder_open(&f);
        folder_close(&f);
        ck_assert_ptr_null(folder_load(&f, "wire.cap", &len));
        folder_open(&f);
        ck_assert(recorder_bytes(f.recorder, 1500000000, WIRE_FROM_FC, 1, 2, "abc", 3));
        folder_close(&f);
        bytes = folder_load(&f, "wire.cap", &len);
        ck_assert_ptr_nonnull(bytes);
        ck_assert_uint_eq(len, 24 + 16 + 4 + 3);
        ck_assert_uint_eq(le_get_u32(bytes + 24), 1);
        ck_assert_uint_eq(le_get_u32(bytes + 28), 500000000);
        ck_assert_mem_eq(bytes + 40,
                         "\x01\x01\x02\x00"
                         "abc",
                         7);
        free(bytes);
        folder_remove(&f);
}

TEST(hash_is_that_of_all_ticks_in_order)
{
        struct signal_hash *h = signal_hash_create(4);
        struct folder f;
        char hex[65];

        folder_make(&f);
        folder_open(&f);
        for (int64_t n = 0; n < TICKS; n++) {
                struct tick_record t = tick_of(n, 0);

                recorder_tick(f.recorder, &t);
                signal_hash_add(h, &t);
        }
        folder_close(&f);
        signal_hash_finish(h, hex);
        ck_assert_str_eq(f.totals.signal_sha256, hex);
        folder_remove(&f);
}

TEST(same_run_gives_the_same_bytes)
{
        struct folder a, b;
        uint8_t *first, *second;
        size_t first_len, second_len;

        folder_make(&a);
        folder_make(&b);
        record_run(&a);
        record_run(&b);
        first = folder_load(&a, "run.ulg", &first_len);
        second = folder_load(&b, "run.ulg", &second_len);
        ck_assert_uint_eq(first_len, second_len);
        ck_assert_mem_eq(first, second, first_len);
        free(first);
        free(second);
        folder_remove(&a);
        folder_remove(&b);
}

TEST(stale_samples_of_a_tick_are_nowhere_in_the_record)
{
        struct signal_hash *h = signal_hash_create(4);
        struct folder f;
        char hex[65];
        int pushed = 0;

        /* The smallest ring, so that every entry lies over older ones. */
        folder_make(&f);
        f.setup.ring_bytes = 4096;
        folder_open(&f);
        for (int64_t n = 0; n < 500; n++) {
                struct tick_record t = tick_of(n, 0);

                /* Stale, different every time: must change nothing. */
                t.frame.gps.lat_rad = (double)n;
                t.frame.ins.euler_rad.z = (double)n;
                if (n % 10 == 9)
                        t.frame.fresh |= SENSOR_BIT(SENSOR_INS);
                pushed += recorder_tick(f.recorder, &t);
                t.frame.gps.lat_rad = 0.0;
                signal_hash_add(h, &t);
        }
        folder_close(&f);
        signal_hash_finish(h, hex);
        ck_assert_int_eq(pushed, 500);
        ck_assert_str_eq(f.totals.signal_sha256, hex);
        folder_remove(&f);
}
