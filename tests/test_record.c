/* What the recorder leaves in a run folder, read back. */
#include "tests/record_folder.h"

#include "hil/signal_hash.h"

#define TICKS 200

/* A run of two vehicles with every sensor, recorded and closed. */
static void record_run(struct folder *f)
{
        folder_open(f);
        for (int64_t n = 0; n < TICKS; n++)
                for (int vehicle = 0; vehicle < 2; vehicle++) {
                        struct tick_record t = tick_of(n, vehicle);

                        if (n % 50 == 0)
                                t.frame.fresh |=
                                        SENSOR_BIT(SENSOR_GPS) | SENSOR_BIT(SENSOR_MAG);
                        if (n % 20 == 0 && vehicle == 0)
                                t.frame.fresh |= SENSOR_BIT(SENSOR_BARO) |
                                                 SENSOR_BIT(SENSOR_SONAR);
                        t.frame.gps.t_ns = t.t_ns - 500000;
                        t.frame.gps.lat_rad = 0.5;
                        t.frame.gps.fix = GPS_FIX_3D;
                        t.frame.gps.satellites = 11;
                        t.frame.gps.vel_ned_mps = (struct vec3){ 3.0, 4.0, 0.0 };
                        t.frame.baro = (struct baro_sample){ t.t_ns, 101325.0, 293.15 };
                        t.frame.mag.t_ns = t.t_ns;
                        t.frame.mag.field_body_t.x = 2e-5;
                        t.frame.sonar = (struct sonar_sample){ t.t_ns, 1.5, true };
                        ck_assert(recorder_tick(f->recorder, &t));
                }
        folder_close(f);
        ck_assert_str_eq(f->totals.failure, "");
        ck_assert_uint_eq(f->totals.drops, 0);
}

static struct ulog_reader open_log(const struct folder *f)
{
        struct ulog_reader r;
        size_t len;
        uint8_t *bytes = folder_load(f, "run.ulg", &len);

        ck_assert_ptr_nonnull(bytes);
        ck_assert(ulog_open(&r, bytes, len));
        return r;
}

static void close_log(struct ulog_reader *r)
{
        ck_assert(!r->truncated);
        ck_assert_uint_eq(r->skipped, 0);
        free((void *)(uintptr_t)r->bytes);
}

/* The next D record of a topic and instance. */
static bool next_of(struct ulog_reader *r, const char *name, uint8_t instance,
                    struct ulog_record *rec)
{
        while (ulog_next(r, rec))
                if (rec->type == 'D' && rec->topic == ulog_topic(r, name, instance))
                        return true;
        return false;
}

static const uint8_t *field(const struct ulog_reader *r, const struct ulog_record *rec,
                            const char *name, const char *type)
{
        size_t at;

        ck_assert_msg(ulog_field(r, rec->topic, name, type, &at), "%s %s", type, name);
        return rec->data + at;
}

START_TEST(every_tick_of_every_vehicle_can_be_replayed_from_the_log)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        r = open_log(&f);
        for (int64_t n = 0; n < TICKS; n++)
                for (uint8_t v = 0; v < 2; v++) {
                        struct tick_record t = tick_of(n, v);
                        const uint8_t *duty;

                        ck_assert(next_of(&r, "hilrig_tick", v, &rec));
                        ck_assert_uint_eq(rec.t_us, (uint64_t)t.t_ns / 1000);
                        ck_assert_uint_eq(le_get_u64(field(&r, &rec, "tick", "uint64_t")),
                                          (uint64_t)n);
                        duty = field(&r, &rec, "duty", "double[8]");
                        for (int i = 0; i < ROTORS_MAX; i++)
                                ck_assert(le_get_f64(duty + 8 * i) == t.command.duty[i]);
                        ck_assert_uint_eq(*field(&r, &rec, "vehicle", "uint8_t"), v);
                        ck_assert_uint_eq(*field(&r, &rec, "missed", "uint8_t"),
                                          t.missed);
                        ck_assert_uint_eq(*field(&r, &rec, "frame_sent", "uint8_t"),
                                          t.frame_sent);
                        ck_assert_uint_eq(*field(&r, &rec, "contact", "uint8_t"),
                                          t.contact);
                        ck_assert_uint_eq(*field(&r, &rec, "armed", "uint8_t"), t.armed);
                        ck_assert_uint_eq(
                                le_get_u32(field(&r, &rec, "lateness_ns", "int32_t")),
                                (uint32_t)t.lateness_ns);
                        ck_assert_uint_eq(
                                le_get_u32(field(&r, &rec, "compute_ns", "int32_t")),
                                (uint32_t)t.compute_ns);
                        ck_assert_uint_eq(
                                le_get_u32(field(&r, &rec, "loop_ns", "int32_t")),
                                (uint32_t)t.loop_ns);
                }
        ck_assert(!next_of(&r, "hilrig_tick", 0, &rec));
        close_log(&r);
        folder_remove(&f);
}
END_TEST

/* As with a board that takes every fourth frame: the sample is fresh until then. */
START_TEST(a_sample_that_waits_for_its_frame_is_logged_once)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        folder_open(&f);
        for (int64_t n = 0; n < 8; n++) {
                struct tick_record t = tick_of(n, 0);

                t.frame.fresh |= SENSOR_BIT(SENSOR_GPS);
                t.frame.gps.t_ns = n / 4 * 4 * PERIOD_NS;
                ck_assert(recorder_tick(f.recorder, &t));
        }
        folder_close(&f);
        r = open_log(&f);
        ck_assert(next_of(&r, "vehicle_gps_position", 0, &rec));
        ck_assert(next_of(&r, "vehicle_gps_position", 0, &rec));
        ck_assert_uint_eq(rec.t_us, 5000);
        ck_assert(!next_of(&r, "vehicle_gps_position", 0, &rec));
        close_log(&r);
        folder_remove(&f);
}
END_TEST

START_TEST(truth_and_imu_are_logged_once_in_a_truth_period)
{
        static const char *const names[] = { "vehicle_attitude_groundtruth",
                                             "vehicle_local_position_groundtruth",
                                             "vehicle_angular_velocity_groundtruth",
                                             "vehicle_angular_velocity",
                                             "sensor_combined",
                                             "actuator_outputs",
                                             "hilrig_rotors" };
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
                uint64_t last_us = 0;
                int n = 0;

                r = open_log(&f);
                for (; next_of(&r, names[i], 1, &rec); n++, last_us = rec.t_us)
                        ck_assert(n == 0 || rec.t_us - last_us == 10000);
                ck_assert_int_eq(n, TICKS / 10);
                close_log(&r);
        }
        folder_remove(&f);
}
END_TEST

START_TEST(slow_sensors_are_logged_at_each_fresh_sample)
{
        static const struct {
                const char *name;
                int count[2];
        } expected[] = { { "vehicle_gps_position", { TICKS / 50, TICKS / 50 } },
                         { "sensor_mag", { TICKS / 50, TICKS / 50 } },
                         { "vehicle_air_data", { TICKS / 20, 0 } },
                         { "distance_sensor", { TICKS / 20, 0 } } };
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
                for (uint8_t v = 0; v < 2; v++) {
                        int n = 0;

                        r = open_log(&f);
                        while (next_of(&r, expected[i].name, v, &rec))
                                n++;
                        ck_assert_int_eq(n, expected[i].count[v]);
                        /* A topic without a record is not even subscribed. */
                        ck_assert(n > 0 || ulog_topic(&r, expected[i].name, v) < 0);
                        close_log(&r);
                }
        folder_remove(&f);
}
END_TEST

static double f32(const struct ulog_reader *r, const struct ulog_record *rec,
                  const char *name)
{
        return (double)le_get_f32(field(r, rec, name, "float"));
}

START_TEST(topics_carry_px4s_units)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        r = open_log(&f);
        ck_assert(next_of(&r, "vehicle_gps_position", 0, &rec));
        ck_assert_double_eq_tol(le_get_f64(field(&r, &rec, "latitude_deg", "double")),
                                28.64788975654116, 1e-12); /* 90 / pi */
        ck_assert_double_eq_tol(f32(&r, &rec, "vel_m_s"), 5.0, 1e-6);
        ck_assert_double_eq_tol(f32(&r, &rec, "cog_rad"), atan2(4.0, 3.0), 1e-6);
        ck_assert_uint_eq(*field(&r, &rec, "fix_type", "uint8_t"), 3);
        ck_assert_uint_eq(*field(&r, &rec, "satellites_used", "uint8_t"), 11);
        ck_assert_uint_eq(le_get_u64(field(&r, &rec, "timestamp_sample", "uint64_t")),
                          500);
        ck_assert(next_of(&r, "vehicle_air_data", 0, &rec));
        ck_assert_double_eq_tol(f32(&r, &rec, "ambient_temperature"), 20.0, 1e-5);
        ck_assert_double_eq_tol(f32(&r, &rec, "baro_alt_meter"), 0.0, 1e-3);
        ck_assert(next_of(&r, "sensor_mag", 0, &rec));
        ck_assert_double_eq_tol(f32(&r, &rec, "x"), 0.2, 1e-7);
        ck_assert(next_of(&r, "distance_sensor", 0, &rec));
        ck_assert_double_eq(f32(&r, &rec, "current_distance"), 1.5);
        /* The first sample has none before it to count from. */
        ck_assert(next_of(&r, "sensor_combined", 0, &rec));
        ck_assert(next_of(&r, "sensor_combined", 0, &rec));
        ck_assert_uint_eq(le_get_u32(field(&r, &rec, "gyro_integral_dt", "uint32_t")),
                          1000);
        ck_assert(next_of(&r, "vehicle_local_position_groundtruth", 0, &rec));
        ck_assert_double_eq_tol(f32(&r, &rec, "heading"), 0.5, 1e-6);
        close_log(&r);
        folder_remove(&f);
}
END_TEST

START_TEST(arming_is_logged_when_it_changes)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        r = open_log(&f);
        ck_assert(next_of(&r, "vehicle_status", 1, &rec));
        ck_assert_uint_eq(rec.t_us, 1000);
        ck_assert_uint_eq(*field(&r, &rec, "arming_state", "uint8_t"), 1);
        ck_assert(next_of(&r, "vehicle_status", 1, &rec));
        ck_assert_uint_eq(rec.t_us, 51000);
        ck_assert_uint_eq(*field(&r, &rec, "arming_state", "uint8_t"), 2);
        ck_assert(!next_of(&r, "vehicle_status", 1, &rec));
        close_log(&r);
        folder_remove(&f);
}
END_TEST

START_TEST(estimates_and_setpoints_are_in_the_log)
{
        struct estimate_record e = { .t_ns = 5000000, .vehicle = 1 };
        struct setpoint_record s = { .t_ns = 6000000, .vehicle = 1 };
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        folder_open(&f);
        e.estimate.q_body_to_ned = (struct quat){ 0.5, 0.5, -0.5, 0.5 };
        e.estimate.vel_ned_mps.z = -1.5;
        s.setpoint = (struct setpoint){ MODE_GOTO, { 1.1, 2.2, -3.3 }, 0.7 };
        ck_assert(recorder_estimate(f.recorder, &e));
        ck_assert(recorder_setpoint(f.recorder, &s));
        s.setpoint.mode = MODE_LAND;
        ck_assert(recorder_setpoint(f.recorder, &s));
        folder_close(&f);

        r = open_log(&f);
        ck_assert(next_of(&r, "vehicle_attitude", 1, &rec));
        ck_assert_double_eq((double)le_get_f32(field(&r, &rec, "q", "float[4]") + 8),
                            -0.5);
        ck_assert(next_of(&r, "vehicle_local_position", 1, &rec));
        ck_assert_double_eq(f32(&r, &rec, "vz"), -1.5);
        ck_assert(next_of(&r, "hilrig_setpoint", 1, &rec));
        ck_assert(le_get_f64(field(&r, &rec, "pos_ned_m", "double[3]") + 16) == -3.3);
        ck_assert_uint_eq(*field(&r, &rec, "mode", "uint8_t"), MODE_GOTO);
        ck_assert(next_of(&r, "vehicle_local_position_setpoint", 1, &rec));
        ck_assert_double_eq_tol(f32(&r, &rec, "yaw"), 0.7, 1e-6);
        ck_assert(isnan(f32(&r, &rec, "vx")));
        ck_assert(next_of(&r, "vehicle_local_position_setpoint", 1, &rec));
        ck_assert(isnan(f32(&r, &rec, "x")));
        close_log(&r);
        folder_remove(&f);
}
END_TEST

START_TEST(information_names_the_run)
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
        r = open_log(&f);
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
        close_log(&r);
        folder_remove(&f);
}
END_TEST

START_TEST(texts_keep_time_level_and_words)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        folder_open(&f);
        ck_assert(recorder_text(f.recorder, 12408000000, '4', "link: gone"));
        folder_close(&f);
        r = open_log(&f);
        do
                ck_assert(ulog_next(&r, &rec));
        while (rec.type != 'L' || rec.t_us == 0);
        ck_assert_uint_eq(rec.t_us, 12408000);
        ck_assert_int_eq(rec.level, '4');
        ck_assert_uint_eq(rec.len, 10);
        ck_assert_mem_eq(rec.data, "link: gone", 10);
        close_log(&r);
        folder_remove(&f);
}
END_TEST

START_TEST(wire_bytes_go_to_the_capture_and_only_then_is_there_one)
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
END_TEST

START_TEST(hash_is_that_of_all_ticks_in_order)
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
END_TEST

START_TEST(same_run_gives_the_same_bytes)
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
END_TEST

int main(void)
{
        Suite *s = suite_create("record");
        TCase *tc = tcase_create("record");
        SRunner *sr = srunner_create(s);
        int failed;

        tcase_add_test(tc, every_tick_of_every_vehicle_can_be_replayed_from_the_log);
        tcase_add_test(tc, a_sample_that_waits_for_its_frame_is_logged_once);
        tcase_add_test(tc, truth_and_imu_are_logged_once_in_a_truth_period);
        tcase_add_test(tc, slow_sensors_are_logged_at_each_fresh_sample);
        tcase_add_test(tc, topics_carry_px4s_units);
        tcase_add_test(tc, arming_is_logged_when_it_changes);
        tcase_add_test(tc, estimates_and_setpoints_are_in_the_log);
        tcase_add_test(tc, information_names_the_run);
        tcase_add_test(tc, texts_keep_time_level_and_words);
        tcase_add_test(tc, wire_bytes_go_to_the_capture_and_only_then_is_there_one);
        tcase_add_test(tc, hash_is_that_of_all_ticks_in_order);
        tcase_add_test(tc, same_run_gives_the_same_bytes);
        suite_add_tcase(s, tc);
        srunner_run_all(sr, CK_NORMAL);
        failed = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failed != 0;
}
