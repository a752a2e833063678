/* The topics of run.ulg: truth, what the sensors delivered, what was said. */
#include <math.h>

#include "hil/record/topics.h"
#include "tests/hil/record/record_run.h"
#include "tests/suites.h"

/* As with a board that takes every fourth frame: the sample is fresh until then. */
TEST(a_sample_that_waits_for_its_frame_is_logged_once)
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
        r = log_open(&f);
        ck_assert(log_next(&r, "vehicle_gps_position", 0, &rec));
        ck_assert(log_next(&r, "vehicle_gps_position", 0, &rec));
        ck_assert_uint_eq(rec.t_us, 5000);
        ck_assert(!log_next(&r, "vehicle_gps_position", 0, &rec));
        log_close(&r);
        folder_remove(&f);
}

TEST(truth_and_imu_are_logged_once_in_a_truth_period)
{
        static const char *const names[] = { "vehicle_attitude_groundtruth",
                                             "vehicle_local_position_groundtruth",
                                             "vehicle_angular_velocity_groundtruth",
                                             "vehicle_angular_velocity",
                                             "sensor_combined",
                                             "actuator_outputs",
                                             "hilrig_surroundings",
                                             "hilrig_rotors" };
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
                uint64_t last_us = 0;
                int n = 0;

                r = log_open(&f);
                for (; log_next(&r, names[i], 1, &rec); n++, last_us = rec.t_us)
                        ck_assert(n == 0 || rec.t_us - last_us == 10000);
                ck_assert_int_eq(n, TICKS / 10);
                log_close(&r);
        }
        folder_remove(&f);
}

TEST(slow_sensors_are_logged_at_each_fresh_sample)
{
        static const struct {
                const char *name;
                int count[2];
        } expected[] = { { "vehicle_gps_position", { TICKS / 50, TICKS / 50 } },
                         { "hilrig_satellites", { TICKS / 50, TICKS / 50 } },
                         { "sensor_mag", { TICKS / 50, TICKS / 50 } },
                         { "vehicle_air_data", { TICKS / 20, 0 } },
                         { "hilrig_baro_raw", { TICKS / 20, 0 } },
                         { "sensor_optical_flow", { TICKS / 20, 0 } },
                         { "battery_status", { TICKS / 20, 0 } },
                         { "hilrig_ins", { TICKS / 20, 0 } },
                         { "distance_sensor", { TICKS / 20, 0 } } };
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
                for (uint8_t v = 0; v < 2; v++) {
                        int n = 0;

                        r = log_open(&f);
                        while (log_next(&r, expected[i].name, v, &rec))
                                n++;
                        ck_assert_int_eq(n, expected[i].count[v]);
                        /* A topic without a record is not even subscribed. */
                        ck_assert(n > 0 || ulog_topic(&r, expected[i].name, v) < 0);
                        log_close(&r);
                }
        folder_remove(&f);
}

TEST(topics_carry_px4s_units)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        r = log_open(&f);
        ck_assert(log_next(&r, "vehicle_gps_position", 0, &rec));
        ck_assert_double_eq_tol(le_get_f64(log_field(&r, &rec, "latitude_deg", "double")),
                                28.64788975654116, 1e-12); /* 90 / pi */
        ck_assert_double_eq_tol(log_f32(&r, &rec, "vel_m_s"), 5.0, 1e-6);
        ck_assert_double_eq_tol(log_f32(&r, &rec, "cog_rad"), atan2(4.0, 3.0), 1e-6);
        ck_assert_uint_eq(*log_field(&r, &rec, "fix_type", "uint8_t"), 3);
        ck_assert_uint_eq(*log_field(&r, &rec, "satellites_used", "uint8_t"), 11);
        ck_assert_uint_eq(le_get_u64(log_field(&r, &rec, "timestamp_sample", "uint64_t")),
                          500);
        ck_assert(log_next(&r, "hilrig_satellites", 0, &rec));
        ck_assert_uint_eq(le_get_u32(log_field(&r, &rec, "used_prn", "uint32_t")),
                          0x800103fe);
        ck_assert(log_next(&r, "vehicle_air_data", 0, &rec));
        ck_assert_double_eq_tol(log_f32(&r, &rec, "ambient_temperature"), 20.0, 1e-5);
        ck_assert_double_eq_tol(log_f32(&r, &rec, "baro_alt_meter"), 0.0, 1e-3);
        ck_assert(log_next(&r, "sensor_mag", 0, &rec));
        ck_assert_double_eq_tol(log_f32(&r, &rec, "x"), 0.2, 1e-7);
        ck_assert(log_next(&r, "distance_sensor", 0, &rec));
        ck_assert_double_eq(log_f32(&r, &rec, "current_distance"), 1.5);
        /* The first sample has none before it to count from. */
        ck_assert(log_next(&r, "sensor_combined", 0, &rec));
        ck_assert(log_next(&r, "sensor_combined", 0, &rec));
        ck_assert_uint_eq(le_get_u32(log_field(&r, &rec, "gyro_integral_dt", "uint32_t")),
                          1000);
        ck_assert(log_next(&r, "vehicle_local_position_groundtruth", 0, &rec));
        ck_assert_double_eq_tol(log_f32(&r, &rec, "heading"), 0.5, 1e-6);
        log_close(&r);
        folder_remove(&f);
}

TEST(arming_is_logged_when_it_changes)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        r = log_open(&f);
        ck_assert(log_next(&r, "vehicle_status", 1, &rec));
        ck_assert_uint_eq(rec.t_us, 1000);
        ck_assert_uint_eq(*log_field(&r, &rec, "arming_state", "uint8_t"), 1);
        ck_assert(log_next(&r, "vehicle_status", 1, &rec));
        ck_assert_uint_eq(rec.t_us, 51000);
        ck_assert_uint_eq(*log_field(&r, &rec, "arming_state", "uint8_t"), 2);
        ck_assert(!log_next(&r, "vehicle_status", 1, &rec));
        log_close(&r);
        folder_remove(&f);
}

TEST(estimates_and_setpoints_are_in_the_log)
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

        r = log_open(&f);
        ck_assert(log_next(&r, "vehicle_attitude", 1, &rec));
        ck_assert_double_eq((double)le_get_f32(log_field(&r, &rec, "q", "float[4]") + 8),
                            -0.5);
        ck_assert(log_next(&r, "vehicle_local_position", 1, &rec));
        ck_assert_double_eq(log_f32(&r, &rec, "vz"), -1.5);
        ck_assert(log_next(&r, "hilrig_setpoint", 1, &rec));
        ck_assert(le_get_f64(log_field(&r, &rec, "pos_ned_m", "double[3]") + 16) == -3.3);
        ck_assert_uint_eq(*log_field(&r, &rec, "mode", "uint8_t"), MODE_GOTO);
        ck_assert(log_next(&r, "vehicle_local_position_setpoint", 1, &rec));
        ck_assert_double_eq_tol(log_f32(&r, &rec, "yaw"), 0.7, 1e-6);
        ck_assert(isnan(log_f32(&r, &rec, "vx")));
        ck_assert(log_next(&r, "vehicle_local_position_setpoint", 1, &rec));
        ck_assert(isnan(log_f32(&r, &rec, "x")));
        log_close(&r);
        folder_remove(&f);
}

static double pads_f32(const struct ulog_reader *r, const struct ulog_record *rec,
                       const char *name, int i)
{
        return (double)le_get_f32(log_field(r, rec, name, "float[8]") + 4 * i);
}

TEST(motor_pads_are_in_the_log_beside_what_was_reported)
{
        struct pads_record p = { .t_ns = 7000000, .vehicle = 1 };
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        folder_open(&f);
        for (int i = 0; i < ROTORS_MAX; i++) {
                p.measured[i] = 0.125 * i;
                p.reported[i] = 0.125 * i + 0.0625;
                p.age_ns[i] = i == 3 ? -1 : 250000 * i;
                p.words[i] = (uint64_t)(1000 + i);
                p.silent[i] = i == 2;
        }
        ck_assert(recorder_pads(f.recorder, &p));
        p.t_ns = 7500000;
        ck_assert(recorder_pads(f.recorder, &p));
        folder_close(&f);

        r = log_open(&f);
        ck_assert(log_next(&r, "hilrig_pads", 1, &rec));
        ck_assert_uint_eq(rec.t_us, 7000);
        for (int i = 0; i < ROTORS_MAX; i++) {
                ck_assert_double_eq(pads_f32(&r, &rec, "measured", i), 0.125 * i);
                ck_assert_double_eq(pads_f32(&r, &rec, "reported", i),
                                    0.125 * i + 0.0625);
                ck_assert_uint_eq(
                        le_get_u32(log_field(&r, &rec, "words", "uint32_t[8]") + 4 * i),
                        1000U + (unsigned)i);
                ck_assert_uint_eq(log_field(&r, &rec, "silent", "uint8_t[8]")[i], i == 2);
                if (i != 3)
                        ck_assert_double_eq_tol(pads_f32(&r, &rec, "age_s", i),
                                                250e-6 * i, 1e-9);
        }
        ck_assert(isnan(pads_f32(&r, &rec, "age_s", 3)));
        /* Once in a truth period. */
        ck_assert(!log_next(&r, "hilrig_pads", 1, &rec));
        log_close(&r);
        folder_remove(&f);
}

TEST(every_field_fits_the_member_that_it_is_logged_from)
{
        for (int i = 0; i < TOPIC_COUNT; i++)
                for (int k = 0; k < TOPIC_FIELDS_MAX; k++) {
                        const struct topic_field *f = &record_topic_table[i].field[k];
                        size_t each = f->name != NULL ? f->size / (size_t)f->count : 0;
                        bool real = f->type == TOPIC_F32 || f->type == TOPIC_F64;
                        bool flag = f->type == TOPIC_BOOL || f->type == TOPIC_FLAG ||
                                    f->type == TOPIC_PERCENT;

                        if (f->size == 0)
                                continue;
                        ck_assert_uint_eq(each * (size_t)f->count, f->size);
                        ck_assert_msg(f->type == TOPIC_CHARS || flag
                                              ? each == 1
                                              : each == 8 || (!real && each == 4),
                                      "%s.%s", record_topic_table[i].name, f->name);
                }
}

TEST(what_is_written_reads_back_into_the_same_struct)
{
        const struct topic_source *source;
        struct topic_record in = { 0 };
        struct topic_reader *reader;
        struct ulog_record rec;
        struct folder f;
        bool readable;
        uint8_t *bytes;
        size_t len = 0;
        int ticks = 0, gps = 0;

        folder_make(&f);
        record_run(&f);
        bytes = folder_load(&f, "run.ulg", &len);
        reader = topic_reader_open(bytes, len, &readable);
        ck_assert(reader != NULL && readable);
        while (topic_reader_next(reader, &rec, &source)) {
                if (source == NULL)
                        continue;
                ck_assert(!source->unread);
                topic_decode(source, rec.data, &in);
                if (source->topic == TOPIC_TICK) {
                        struct tick_record t = tick_of(in.tick.tick, in.tick.vehicle);

                        ck_assert_int_eq(source->vehicle, t.vehicle);
                        ck_assert_int_eq(in.tick.lateness_ns, t.lateness_ns);
                        ck_assert_mem_eq(in.tick.command.duty, t.command.duty,
                                         sizeof t.command.duty);
                        ticks++;
                }
                if (source->topic == TOPIC_GPS) {
                        ck_assert_double_eq_tol(in.tick.frame.gps.lat_rad, 0.5, 1e-15);
                        ck_assert_int_eq(in.tick.frame.gps.fix, GPS_FIX_3D);
                        ck_assert_double_eq(in.tick.frame.gps.vel_ned_mps.y, 4.0);
                        gps++;
                }
        }
        ck_assert_int_eq(ticks, 2 * TICKS);
        ck_assert_int_eq(gps, 2 * TICKS / 50);
        free(reader);
        free(bytes);
        folder_remove(&f);
}
