/* An InertialLabs unit where its fields end: no number, too large, no fix, a line that is too slow. What the fields are is read
 * by another decoder (tests/node/inertiallabs.mjs). */
#include "tests/io/device/device_bench.h"

#define PACKET_BYTES 162
#define ACCEL        36 /* after 7 bytes, 23 types, time and week */
#define MAG          66
#define FIX          113

static struct device_bench bench;
static struct device_bench *const b = &bench;

static void begin(uint32_t baud)
{
        const struct device_setup setup = { .period_ns = MS,
                                            .origin = { .utc_ns = 1700000000 * S },
                                            .baud = baud };

        bench_begin(b, "inertiallabs", &setup);
        b->frame.imu.accel_body_mps2.z = -9.8106;
}

static void fly(int ticks)
{
        for (int i = 0; i < ticks; i++) {
                b->frame.fresh |= SENSOR_BIT(SENSOR_IMU);
                b->frame.imu.t_ns = b->t_ns;
                bench_tick(b);
        }
}

static int32_t i32(size_t at)
{
        return (int32_t)le_get_u32(b->said[b->count - 1].packet.bytes + at);
}

TEST(it_talks_unasked_200_times_a_second_while_it_measures)
{
        begin(0);
        fly(1000);
        ck_assert_int_eq(b->count, 200);
        ck_assert_uint_eq(b->said[0].packet.len, PACKET_BYTES);
        ck_assert_int_eq(i32(ACCEL + 8), 1000000); /* up */
        bench_run(b, S);
        ck_assert_int_eq(b->count, 200);
        bench_end(b);
}

TEST(what_a_field_cannot_hold_is_its_limit_and_no_number_is_0)
{
        begin(0);
        b->frame.imu.accel_body_mps2 = (struct vec3){ NAN, 1e300, -INFINITY };
        b->frame.mag.field_body_t = (struct vec3){ 0.0, -1.0, 0.0 };
        b->frame.fresh = SENSOR_BIT(SENSOR_MAG);
        fly(1);
        ck_assert_int_eq(i32(ACCEL), INT32_MAX);
        ck_assert_int_eq(i32(ACCEL + 4), 0);
        ck_assert_int_eq(i32(ACCEL + 8), INT32_MAX);
        ck_assert_int_eq((int16_t)le_get_u16(b->said[0].packet.bytes + MAG), -INT16_MAX);
        bench_end(b);
}

TEST(a_receiver_that_is_silent_for_a_second_has_no_fix)
{
        begin(0);
        b->frame.gps.fix = GPS_FIX_3D;
        b->frame.gps.satellites = 12;
        b->frame.fresh = SENSOR_BIT(SENSOR_GPS);
        fly(1);
        ck_assert_uint_eq(b->said[0].packet.bytes[FIX], 2);
        fly(1010);
        ck_assert_uint_eq(b->said[b->count - 1].packet.bytes[FIX], 0);
        bench_end(b);
}

/* 162 bytes are 14 ms at 115200 baud. */
TEST(a_slow_line_loses_packets_and_no_turn)
{
        char text[DEVICE_TELL_MAX];

        begin(115200);
        b->frame.imu.gyro_body_radps.x = 0.1;
        fly(500);
        ck_assert_int_eq(b->count, 34);
        b->device->ops->tell(b->device, text, sizeof text);
        ck_assert_str_eq(text, "34 packets at 200 Hz, 66 found no room on the line");
        bench_end(b);
}
