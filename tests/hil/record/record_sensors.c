/* The topics of run.ulg of sonars, flow, power, INS, surroundings and events. */
#include <math.h>

#include "hil/record/topics.h"

#include "tests/hil/record/record_run.h"
#include "tests/suites.h"

TEST(each_sonar_is_an_instance_of_its_own)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        r = log_open(&f);
        for (int n = 0; n < TICKS / 20; n++) {
                ck_assert(log_next(&r, "distance_sensor", 0, &rec));
                ck_assert_double_eq(log_f32(&r, &rec, "current_distance"), 1.5);
                ck_assert_uint_eq(*log_field(&r, &rec, "signal_quality", "int8_t"), 100);
                ck_assert(log_next(&r, "distance_sensor", 3, &rec));
                ck_assert_double_eq_tol(log_f32(&r, &rec, "current_distance"), 2.65,
                                        1e-6);
                ck_assert_uint_eq(*log_field(&r, &rec, "signal_quality", "int8_t"), 0);
        }
        ck_assert_int_lt(ulog_topic(&r, "distance_sensor", 1), 0);
        log_close(&r);
        folder_remove(&f);
}

TEST(sonars_of_the_second_vehicle_follow_those_of_the_first)
{
        struct tick_record t = tick_of(0, 1);
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        folder_open(&f);
        t.frame.fresh |= SENSOR_BIT(SENSOR_SONAR);
        t.frame.fresh_sonars = 1U << (SONARS_MAX - 1);
        t.frame.sonar[SONARS_MAX - 1].t_ns = t.t_ns;
        ck_assert(recorder_tick(f.recorder, &t));
        folder_close(&f);
        r = log_open(&f);
        ck_assert(log_next(&r, "distance_sensor", 2 * SONARS_MAX - 1, &rec));
        log_close(&r);
        folder_remove(&f);
}

TEST(every_sixteen_vehicles_have_a_topic_of_their_own)
{
        struct tick_record t = tick_of(0, 1);
        const struct topic_source *source;
        struct topic_reader *reader;
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;
        bool readable;
        int found = 0;

        folder_make(&f);
        f.setup.vehicles = 40;
        folder_open(&f);
        t.vehicle = 39;
        t.frame.fresh |= SENSOR_BIT(SENSOR_SONAR);
        t.frame.fresh_sonars = 1U << 5;
        t.frame.sonar[5].t_ns = t.t_ns;
        ck_assert(recorder_tick(f.recorder, &t));
        folder_close(&f);
        r = log_open(&f);
        ck_assert(log_next(&r, "distance_sensor_3", 7 * SONARS_MAX + 5, &rec));
        reader = topic_reader_open(r.bytes, r.len, &readable);
        while (readable && topic_reader_next(reader, &rec, &source))
                if (source != NULL && source->topic == TOPIC_DISTANCE) {
                        ck_assert_int_eq(source->vehicle, 39);
                        ck_assert_int_eq(source->sonar, 5);
                        found++;
                }
        ck_assert_int_eq(found, 1);
        free(reader);
        log_close(&r);
        folder_remove(&f);
}

static double f32_at(const struct ulog_reader *r, const struct ulog_record *rec,
                     const char *name, const char *type, int i)
{
        return (double)le_get_f32(log_field(r, rec, name, type) + 4 * i);
}

TEST(flow_power_and_ins_carry_px4s_units)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        r = log_open(&f);
        ck_assert(log_next(&r, "hilrig_baro_raw", 0, &rec));
        ck_assert_uint_eq(le_get_u32(log_field(&r, &rec, "raw_temperature", "int32_t")),
                          27898);
        ck_assert_uint_eq(le_get_u32(log_field(&r, &rec, "raw_pressure", "int32_t")),
                          23843);
        ck_assert(log_next(&r, "sensor_optical_flow", 0, &rec));
        ck_assert_double_eq(f32_at(&r, &rec, "pixel_flow", "float[2]", 1), -0.25);
        ck_assert_double_eq(f32_at(&r, &rec, "delta_angle", "float[3]", 0), 0.125);
        ck_assert(isnan(f32_at(&r, &rec, "delta_angle", "float[3]", 2)));
        ck_assert(isnan(log_f32(&r, &rec, "distance_m")));
        ck_assert_uint_eq(
                le_get_u32(log_field(&r, &rec, "integration_timespan_us", "uint32_t")),
                20000);
        ck_assert_uint_eq(*log_field(&r, &rec, "quality", "uint8_t"), 99);
        ck_assert(log_next(&r, "battery_status", 0, &rec));
        ck_assert_double_eq(log_f32(&r, &rec, "voltage_v"), 14.5);
        ck_assert_double_eq(log_f32(&r, &rec, "current_a"), 8.5);
        /* 36 C are 10 mAh. */
        ck_assert_double_eq_tol(log_f32(&r, &rec, "discharged_mah"), 10.0, 1e-5);
        ck_assert_double_eq(log_f32(&r, &rec, "remaining"), -1.0);
        ck_assert(log_next(&r, "hilrig_ins", 0, &rec));
        ck_assert_double_eq(log_f32(&r, &rec, "z"), -3.0);
        ck_assert_double_eq(log_f32(&r, &rec, "yaw"), -2.0);
        log_close(&r);
        folder_remove(&f);
}

TEST(surroundings_are_the_truth_about_air_battery_and_contact)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        record_run(&f);
        r = log_open(&f);
        ck_assert(log_next(&r, "hilrig_surroundings", 1, &rec));
        ck_assert_double_eq(f32_at(&r, &rec, "wind_ned_mps", "float[3]", 1), -1.0);
        ck_assert_double_eq(log_f32(&r, &rec, "battery_v"), 14.5);
        ck_assert_double_eq(log_f32(&r, &rec, "battery_a"), 12.25);
        ck_assert_double_eq(log_f32(&r, &rec, "height_m"), 2.5);
        ck_assert_double_eq(log_f32(&r, &rec, "impact_mps"), 0.75);
        ck_assert_uint_eq(le_get_u32(log_field(&r, &rec, "obstacle", "int32_t")),
                          (uint32_t)-2);
        ck_assert(log_next(&r, "hilrig_rotors", 1, &rec));
        ck_assert_double_eq(f32_at(&r, &rec, "inflow_mps", "float[8]", 7), 11.0);
        log_close(&r);
        folder_remove(&f);
}

TEST(a_collision_is_a_record_and_a_line_of_text)
{
        static const char said[] = "vehicle 1: collision with pole at 3.2 m/s";
        struct event_record e = { .t_ns = 7000000,
                                  .vehicle = 1,
                                  .kind = EVENT_COLLISION,
                                  .obstacle = 4,
                                  .step = -1,
                                  .impact_mps = 3.21,
                                  .what = "pole" };
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        folder_open(&f);
        ck_assert(recorder_event(f.recorder, &e));
        folder_close(&f);
        r = log_open(&f);
        ck_assert(log_next(&r, "hilrig_event", 1, &rec));
        ck_assert_uint_eq(rec.t_us, 7000);
        ck_assert_uint_eq(le_get_u32(log_field(&r, &rec, "obstacle", "int32_t")), 4);
        ck_assert_uint_eq(le_get_u32(log_field(&r, &rec, "step", "int32_t")), UINT32_MAX);
        ck_assert(le_get_f64(log_field(&r, &rec, "impact_mps", "double")) == 3.21);
        ck_assert_str_eq((const char *)log_field(&r, &rec, "what", "char[96]"), "pole");
        ck_assert(ulog_next(&r, &rec));
        ck_assert_int_eq(rec.type, 'L');
        ck_assert_int_eq(rec.level, '4');
        ck_assert_uint_eq(rec.len, strlen(said));
        ck_assert_mem_eq(rec.data, said, rec.len);
        log_close(&r);
        folder_remove(&f);
}

TEST(real_ranges_are_in_the_log_to_the_bit)
{
        struct ranges_record ranges = { .t_ns = 9000000, .vehicle = 1 };
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        for (int i = 0; i < SONARS_MAX; i++)
                ranges.range_m[i] = i == 2 ? 0.1 : (double)INFINITY;
        folder_make(&f);
        folder_open(&f);
        ck_assert(recorder_ranges(f.recorder, &ranges));
        folder_close(&f);
        r = log_open(&f);
        ck_assert(log_next(&r, "hilrig_real_ranges", 1, &rec));
        ck_assert_uint_eq(rec.t_us, 9000);
        for (int i = 0; i < SONARS_MAX; i++)
                ck_assert(le_get_f64(log_field(&r, &rec, "range_m", "double[16]") +
                                     8 * i) == ranges.range_m[i]);
        log_close(&r);
        folder_remove(&f);
}
