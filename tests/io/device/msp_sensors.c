/* Sensors over MSPv2: each message, field by field as INAV's msp_protocol_v2_sensor_msg.h has them, at the
 * rate of its samples. */
#include "io/codec/msp.h"
#include "tests/io/device/device_bench.h"
#include "tests/suites.h"

static struct device_bench bench;
static struct device_bench *const b = &bench;
/* 2023-11-14 22:13:20 UTC; GPS week 2288, 252,818 s into it (gps_bench.h). */
static const struct device_setup setup = { .period_ns = MS,
                                           .origin = { .utc_ns = 1700000000 * S } };

static struct msp_frame frame;

/* How many of a kind were said; the last is in `frame`. Everything said is whole frames. */
static int messages(uint16_t command)
{
        struct msp_frame f;
        enum msp_found found;
        size_t at = 0;
        int n = 0;

        while (at < b->len) {
                size_t used = msp_find(b->bytes + at, b->len - at, &f, &found);

                if (found == MSP_INCOMPLETE)
                        break;
                ck_assert_int_eq(found, MSP_FRAME);
                ck_assert_int_eq(f.version, MSP_V2);
                ck_assert_int_eq(f.kind, MSP_REQUEST);
                ck_assert_uint_eq(f.flag, 1); /* no answer */
                at += used;
                n += f.command == command;
                if (f.command == command)
                        frame = f;
        }
        return n;
}

static void say(uint32_t fresh)
{
        b->frame.fresh = fresh;
        b->frame.fresh_sonars = fresh & SENSOR_BIT(SENSOR_SONAR) ? 1 : 0;
        bench_run(b, 20 * MS);
}

static uint16_t u16(int at)
{
        return le_get_u16(frame.payload + at);
}

static int32_t i32(int at)
{
        return (int32_t)le_get_u32(frame.payload + at);
}

TEST(range_is_mm_and_minus_one_without_echo)
{
        static const struct {
                double range_m;
                bool echo;
                int32_t mm;
        } cases[] = { { 2.3456, true, 2346 },
                      { 10.0, false, -1 },
                      { NAN, true, -1 },
                      { 0.0, true, 0 },
                      { 1e9, true, INT32_MAX } };

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
                bench_begin(b, "msp_sensors", &setup);
                b->frame.sonar[0] = (struct sonar_sample){ .range_m = cases[i].range_m,
                                                           .echo = cases[i].echo };
                say(SENSOR_BIT(SENSOR_SONAR));
                ck_assert_int_eq(messages(0x1F01), 1);
                ck_assert_uint_eq(frame.len, 5);
                ck_assert_int_eq(i32(1), cases[i].mm);
                ck_assert_uint_eq(frame.payload[0], cases[i].mm < 0 ? 0 : 255);
                bench_end(b);
        }
}

TEST(flow_is_mrad_per_s_in_the_axes_of_a_sensor_that_looks_down)
{
        bench_begin(b, "msp_sensors", &setup);
        b->frame.flow = (struct flow_sample){ .interval_ns = 50 * MS,
                                              .flow_x_rad = 0.025,
                                              .flow_y_rad = -0.0125,
                                              .quality = 200 };
        say(SENSOR_BIT(SENSOR_FLOW));
        ck_assert_int_eq(messages(0x1F02), 1);
        ck_assert_uint_eq(frame.len, 9);
        ck_assert_uint_eq(frame.payload[0], 200);
        ck_assert_int_eq(i32(1), -500);
        ck_assert_int_eq(i32(5), 250);
        b->frame.flow.interval_ns = 0;
        b->frame.flow.quality = 999;
        say(SENSOR_BIT(SENSOR_FLOW));
        ck_assert_int_eq(messages(0x1F02), 2);
        ck_assert_uint_eq(frame.payload[0], 255);
        ck_assert_int_eq(i32(1), 0);
        bench_end(b);
}

TEST(gps_is_52_bytes_of_inavs_layout)
{
        bench_begin(b, "msp_sensors", &setup);
        b->frame.gps = (struct gps_sample){ .lat_rad = 47.3977 * M_PI / 180.0,
                                            .lon_rad = -8.5455 * M_PI / 180.0,
                                            .height_m = 488.25,
                                            .vel_ned_mps = { 3.0, -4.0, -1.5 },
                                            .h_acc_m = 0.9,
                                            .v_acc_m = 1.3,
                                            .s_acc_mps = 0.2,
                                            .satellites = 14,
                                            .fix = GPS_FIX_3D };
        say(SENSOR_BIT(SENSOR_GPS));
        ck_assert_int_eq(messages(0x1F03), 1);
        ck_assert_uint_eq(frame.len, 52);
        ck_assert_uint_eq(frame.payload[0], 0);
        ck_assert_uint_eq(u16(1), 2288);
        ck_assert_int_eq(i32(3), 252818000);
        ck_assert_uint_eq(frame.payload[7], 3);
        ck_assert_uint_eq(frame.payload[8], 14);
        ck_assert_uint_eq(u16(9), 90); /* cm */
        ck_assert_uint_eq(u16(11), 130);
        ck_assert_uint_eq(u16(13), 20);
        ck_assert_int_eq(i32(17), -85455000);
        ck_assert_int_eq(i32(21), 473977000);
        ck_assert_int_eq(i32(25), 48825);
        ck_assert_int_eq(i32(29), 300);
        ck_assert_int_eq(i32(33), -400);
        ck_assert_int_eq(i32(37), -150);
        ck_assert_uint_eq(u16(41), 30686); /* 360 - atan(4/3) = 306.8699 */
        ck_assert_uint_eq(u16(43), 0xFFFF); /* no yaw */
        ck_assert_uint_eq(u16(45), 2023);
        ck_assert_mem_eq(frame.payload + 47, ((uint8_t[]){ 11, 14, 22, 13, 20 }), 5);

        b->frame.gps.fix = GPS_NO_FIX;
        say(SENSOR_BIT(SENSOR_GPS));
        ck_assert_int_eq(messages(0x1F03), 2);
        ck_assert_uint_eq(frame.payload[7], 0);
        ck_assert_uint_eq(u16(9), UINT16_MAX);
        bench_end(b);
}

TEST(compass_is_milligauss_forward_right_down)
{
        bench_begin(b, "msp_sensors", &setup);
        b->frame.mag = (struct mag_sample){ .t_ns = 1234 * MS,
                                            .field_body_t = { 20e-6, -3e-6, 1.0 } };
        say(SENSOR_BIT(SENSOR_MAG));
        ck_assert_int_eq(messages(0x1F04), 1);
        ck_assert_uint_eq(frame.len, 11);
        ck_assert_int_eq(i32(1), 1234);
        ck_assert_int_eq((int16_t)u16(5), 200);
        ck_assert_int_eq((int16_t)u16(7), -30);
        ck_assert_int_eq((int16_t)u16(9), INT16_MAX);
        bench_end(b);
}

TEST(barometer_is_pascal_and_hundredths_of_a_degree)
{
        bench_begin(b, "msp_sensors", &setup);
        b->frame.baro = (struct baro_sample){ .t_ns = 77 * MS,
                                              .pressure_pa = 95432.25,
                                              .temperature_k = 273.15 - 12.34 };
        say(SENSOR_BIT(SENSOR_BARO));
        ck_assert_int_eq(messages(0x1F05), 1);
        ck_assert_uint_eq(frame.len, 11);
        ck_assert_int_eq(i32(1), 77);
        ck_assert_float_eq(le_get_f32(frame.payload + 5), 95432.25F);
        ck_assert_int_eq((int16_t)u16(9), -1234);
        bench_end(b);
}

TEST(airspeed_is_dynamic_pressure_and_temperature)
{
        bench_begin(b, "msp_sensors", &setup);
        b->frame.baro = (struct baro_sample){ .t_ns = 77 * MS,
                                              .pressure_pa = 101325.0,
                                              .temperature_k = 288.15 };
        b->frame.pose.dynamic_pressure_pa = 245.0;
        say(SENSOR_BIT(SENSOR_BARO));
        ck_assert_int_eq(messages(0x1F06), 1);
        ck_assert_uint_eq(frame.len, 11);
        ck_assert_int_eq(i32(1), 77);
        ck_assert_float_eq(le_get_f32(frame.payload + 5), 245.0F);
        ck_assert_int_eq((int16_t)u16(9), 1500);
        bench_end(b);
}

TEST(each_sensor_speaks_at_its_own_rate)
{
        bench_begin(b, "msp_sensors", &setup);
        for (int i = 0; i < 1000; i++) {
                b->frame.fresh = (i % 100 == 0 ? SENSOR_BIT(SENSOR_GPS) : 0) |
                                 (i % 10 == 0 ? SENSOR_BIT(SENSOR_MAG) : 0) |
                                 (i % 20 == 0 ? SENSOR_BIT(SENSOR_BARO) : 0);
                bench_tick(b);
        }
        bench_run(b, 20 * MS);
        ck_assert_int_eq(messages(0x1F03), 10);
        ck_assert_int_eq(messages(0x1F04), 100);
        ck_assert_int_eq(messages(0x1F05), 50);
        ck_assert_int_eq(messages(0x1F01), 0);
        ck_assert_int_eq(messages(0x1F02), 0);
        ck_assert_int_eq(messages(0x1F06), 50);
        ck_assert_uint_eq(b->device->counts.messages_out, 210);
        bench_end(b);
}

TEST(a_line_that_is_too_slow_loses_whole_messages)
{
        struct device_setup slow = setup;

        slow.baud = 9600;
        bench_begin(b, "msp_sensors", &slow);
        for (int i = 0; i < 3000; i++) {
                b->frame.fresh = SENSOR_BIT(SENSOR_MAG);
                bench_tick(b);
        }
        ck_assert_int_gt(messages(0x1F04), 100);
        ck_assert_uint_le(b->len, 3 * 960);
        bench_end(b);
}
