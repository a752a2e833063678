/* What stands in a VectorNav unit's packets: every field at its place in its unit, read with a second table of places; and
 * what its own attitude is worth. */
#include "tests/io/device/vectornav_bench.h"

#include "io/device/vectornav.h"
#include "tests/suites.h"

static struct vectornav_bench bench;
static struct vectornav_bench *const v = &bench;
static struct sensor_frame *const frame = &bench.b.frame;

static double f32(int at)
{
        return (double)le_get_f32(v->packet + at);
}

static double f64(int at)
{
        return le_get_f64(v->packet + at);
}

static void xyz_is(int at, double x, double y, double z)
{
        ck_assert_double_eq_tol(f32(at), x, 1e-5 * (1.0 + fabs(x)));
        ck_assert_double_eq_tol(f32(at + 4), y, 1e-5 * (1.0 + fabs(y)));
        ck_assert_double_eq_tol(f32(at + 8), z, 1e-5 * (1.0 + fabs(z)));
}

/* The check value of CRC-16/XMODEM, and two lines in the comments of ArduPilot's driver. */
TEST(the_crc_is_that_of_its_drivers)
{
        const char *line = "VNWRG,75,3,16,01,0721",
                   *other = "VNWRG,77,1,160,49,0003,26B8,0018";

        ck_assert_uint_eq(vectornav_crc((const uint8_t *)"123456789", 9), 0x31C3);
        ck_assert_uint_eq(vectornav_crc((const uint8_t *)line, strlen(line)), 0xD415);
        ck_assert_uint_eq(vectornav_crc((const uint8_t *)other, strlen(other)), 0x4FD9);
}

static void measure(void)
{
        frame->imu.accel_body_mps2 = (struct vec3){ 0.5, -0.25, -9.80665 };
        frame->imu.gyro_body_radps = (struct vec3){ 0.1, -0.2, 0.3 };
        frame->mag.field_body_t = (struct vec3){ 21e-6, -1e-6, 43e-6 };
        frame->baro.pressure_pa = 96512.5;
        frame->baro.temperature_k = 294.4;
        frame->gps = (struct gps_sample){ .lat_rad = 0.82,
                                          .lon_rad = -0.15,
                                          .height_m = 353.25,
                                          .vel_ned_mps = { 3.0, -4.0, -1.5 },
                                          .h_acc_m = 0.9,
                                          .v_acc_m = 1.3,
                                          .s_acc_mps = 0.2,
                                          .satellites = 14,
                                          .fix = GPS_FIX_3D };
        frame->gps.t_ns = v->b.t_ns;
        frame->fresh |=
                SENSOR_BIT(SENSOR_MAG) | SENSOR_BIT(SENSOR_BARO) | SENSOR_BIT(SENSOR_GPS);
}

/* VN_IMU_packet of AP_ExternalAHRS_VectorNav.cpp. */
TEST(ardupilots_imu_packet_is_in_its_units)
{
        static const uint8_t header[] = { 0xFA, 0x01, 0x21, 0x07 };

        bench_start(v, "vectornav_vn100", 0);
        bench_command(v, "VNWRG,75,3,1,01,0721");
        measure();
        bench_count(v, 2);
        ck_assert_uint_eq(v->len, 82);
        ck_assert_mem_eq(v->packet, header, sizeof header);
        ck_assert_uint_eq(le_get_u64(v->packet + 4),
                          (uint64_t)(v->b.t_ns - TICK_NS)); /* of its sample */
        xyz_is(12, 0.1, -0.2, 0.3); /* gyro */
        xyz_is(24, 0.5, -0.25, -9.80665); /* accel */
        xyz_is(36, 0.5, -0.25, -9.80665); /* uncompensated */
        xyz_is(48, 0.1, -0.2, 0.3);
        xyz_is(60, 0.21, -0.01, 0.43); /* gauss */
        ck_assert_double_eq_tol(f32(72), 21.25, 1e-4); /* degrees */
        ck_assert_double_eq_tol(f32(76), 96.5125, 1e-4); /* kPa */
        bench_end(&v->b);
}

/* VN_INS_ekf_packet and VN_INS_gnss_packet. */
TEST(ardupilots_ins_and_gnss_packets_are_in_its_units)
{
        bench_start(v, "vectornav_vn300", 0);
        bench_command(v, "VNWRG,76,3,1,31,0001,0106,0613");
        measure();
        bench_count(v, 2);
        ck_assert_uint_eq(v->len, 104);
        ck_assert_double_eq_tol(hypot(hypot(f32(28), f32(32)), hypot(f32(36), f32(40))),
                                1.0, 1e-6);
        ck_assert_uint_eq(le_get_u16(v->packet + 56), 0x0006);
        ck_assert_double_eq_tol(f64(58), 0.82 * 180.0 / M_PI, 1e-6);
        ck_assert_double_eq_tol(f64(66), -0.15 * 180.0 / M_PI, 1e-6);
        ck_assert_double_eq_tol(f64(74), 353.25, 0.01);
        xyz_is(82, 3.0, -4.0, -1.5);
        ck_assert_double_eq_tol(f32(94), 0.9, 1e-6);
        ck_assert_double_eq_tol(f32(98), 0.2, 1e-6);
        bench_command(v, "VNWRG,76,0,1,31,0001,0106,0613");
        bench_command(v, "VNWRG,77,3,1,49,0003,26B8,0018");
        bench_count(v, 2);
        ck_assert_uint_eq(v->len, 110);
        /* 2023-11-14 22:13:20 UTC is 252,818 s into GPS week 2288. */
        ck_assert_uint_eq(le_get_u64(v->packet + 16) / 1000000000U,
                          2288U * 604800U + 252818U);
        ck_assert_uint_eq(v->packet[24], 14);
        ck_assert_uint_eq(v->packet[25], 3);
        ck_assert_double_eq_tol(f64(26), 0.82 * 180.0 / M_PI, 1e-9);
        ck_assert_double_eq_tol(f64(42), 353.25, 1e-9);
        xyz_is(50, 3.0, -4.0, -1.5);
        xyz_is(62, 0.9, 0.9, 1.3);
        ck_assert_double_eq_tol(f32(74), 0.2, 1e-6);
        ck_assert_uint_eq(v->packet[106], 14);
        ck_assert_uint_eq(v->packet[107], 3);
        /* After a second without a sample there is no fix, and PX4's mode is none that tracks. */
        bench_fly(v, 810);
        ck_assert_uint_eq(v->packet[25], 0);
        ck_assert_uint_eq(v->packet[107], 0);
        bench_end(&v->b);
}

/* PX4 asks a VN-100, too, for what only a receiver knows. */
TEST(a_unit_without_a_receiver_has_zeros_for_it)
{
        static const uint8_t zeros[57];

        bench_start(v, "vectornav_vn100", 0);
        bench_command(v, "VNWRG,77,2,1,A,1,26B9");
        measure();
        bench_count(v, 2);
        ck_assert_uint_eq(v->len, 106);
        ck_assert_uint_eq(v->packet[22], 0); /* satellites */
        ck_assert_uint_eq(v->packet[23], 0); /* fix */
        ck_assert_mem_eq(v->packet + 24, zeros, sizeof zeros);
        bench_end(&v->b);
}

/* A rate that turns to and fro is in the packets as what was turned, at any part of the rate. */
TEST(packets_at_a_part_of_the_rate_lose_no_angle)
{
        double turned = 0.0, said = 0.0;

        bench_start(v, "vectornav_vn100", 0);
        bench_command(v, "VNWRG,75,3,4,04,0448"); /* gyro x 3, delta theta, gyro */
        bench_count(v, 4);
        for (int i = 0; i < 400; i++) {
                int packets = v->packets;

                frame->imu.gyro_body_radps.x = i % 4 == 1 ? 8.0 : -1.0;
                turned += frame->imu.gyro_body_radps.x * 1.25e-3;
                bench_fly(v, 1);
                if (v->packets == packets)
                        continue;
                /* Interval, angle (degrees), mean rate. */
                said += f32(20) * M_PI / 180.0;
                ck_assert_double_eq_tol(f32(16), 5e-3, 1e-6);
                ck_assert_double_eq_tol(f32(4) * f32(16), f32(20) * M_PI / 180.0, 1e-7);
        }
        ck_assert_double_eq_tol(said, turned, 0.02);
        bench_end(&v->b);
}

TEST(without_samples_of_the_imu_it_is_silent_and_goes_on_after_them)
{
        bench_start(v, "vectornav_vn100", 0);
        bench_command(v, "VNWRG,75,3,2,01,0721");
        bench_fly(v, 8);
        v->silent = true;
        bench_count(v, 800);
        ck_assert_int_eq(v->packets, 0);
        v->silent = false;
        bench_count(v, 800);
        ck_assert_int_eq(v->of_size[82], 400);
        bench_end(&v->b);
}

/* At 230400 baud 82 bytes take 3.6 ms: packets come when the wire is free, and no faster. */
TEST(it_keeps_to_its_baud_rate)
{
        bench_start(v, "vectornav_vn100", 230400);
        ck_assert_str_eq(bench_command(v, "VNWRG,75,3,3,01,0721"),
                         "$VNWRG,75,3,3,01,0721*71\r\n");
        bench_count(v, 800);
        ck_assert_int_eq(v->of_size[82], 267);
        ck_assert_str_eq(bench_command(v, "VNWRG,75,3,2,01,0721"), "$VNERR,0C*02\r\n");
        bench_end(&v->b);
}

/* A loop of 1000 Hz, an IMU of 800 Hz, packets of 400 Hz: what the plant measures between two ticks keeps its time. */
TEST(packets_have_the_instants_of_samples_between_the_ticks)
{
        struct device_bench *b = &v->b;
        int64_t sample_ns, last_ns = 0;
        int packets = 0;

        bench_start(v, "vectornav_vn100", 0);
        bench_command(v, "VNWRG,75,3,2,01,0721");
        bench_fly(v, 2);
        sample_ns = b->t_ns;
        for (int tick = 0; tick < 1000; tick++) {
                if (sample_ns <= b->t_ns) {
                        frame->fresh |= SENSOR_BIT(SENSOR_IMU);
                        frame->imu.t_ns = sample_ns;
                        sample_ns += TICK_NS;
                }
                bench_tick(b);
                if (b->count == 0)
                        continue;
                bench_sort(v, &b->said[0].packet);
                bench_forget(b);
                if (packets++ > 0)
                        ck_assert_int_eq((int64_t)le_get_u64(v->packet + 4) - last_ns,
                                         2 * TICK_NS);
                last_ns = (int64_t)le_get_u64(v->packet + 4);
        }
        ck_assert_int_eq(packets, 400);
        bench_end(b);
}

TEST(nan_and_huge_samples_pass_and_leave_its_attitude_alone)
{
        static const double values[] = { NAN, INFINITY, -INFINITY, 1e300, -1e300 };

        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
                double x = values[i];

                bench_start(v, "vectornav_vn300", 0);
                bench_command(v, "VNWRG,75,3,1,31,0721,0186,0613");
                frame->imu.accel_body_mps2 = (struct vec3){ x, x, x };
                frame->imu.gyro_body_radps = (struct vec3){ x, x, x };
                frame->mag.field_body_t = (struct vec3){ x, x, x };
                frame->baro.pressure_pa = frame->baro.temperature_k = x;
                frame->gps = (struct gps_sample){ .lat_rad = x,
                                                  .lon_rad = x,
                                                  .height_m = x,
                                                  .vel_ned_mps = { x, x, x },
                                                  .satellites = 200,
                                                  .fix = GPS_FIX_3D };
                for (int k = 0; k < 10; k++) {
                        frame->fresh = SENSOR_BIT(SENSOR_MAG) | SENSOR_BIT(SENSOR_BARO) |
                                       SENSOR_BIT(SENSOR_GPS);
                        bench_count(v, 1);
                        ck_assert_int_eq(v->wrong, 0);
                }
                ck_assert(isnan(x) ? isnan(f32(16)) : fabs(f32(16)) > 1e30);
                frame->imu.accel_body_mps2 = (struct vec3){ 0.0, 0.0, -9.80665 };
                frame->imu.gyro_body_radps = (struct vec3){ 0.0, 0.0, 0.0 };
                frame->mag.field_body_t = (struct vec3){ 21e-6, 0.0, 43e-6 };
                frame->fresh = SENSOR_BIT(SENSOR_MAG);
                bench_fly(v, 20000);
                /* Pitch and roll, level again. */
                ck_assert_double_eq_tol(f32(90), 0.0, 0.5);
                ck_assert_double_eq_tol(f32(94), 0.0, 0.5);
                bench_end(&v->b);
        }
}

/* Turned by hand and read: at rest from gravity and field, in motion from the gyroscope. */
TEST(its_attitude_is_that_of_its_samples)
{
        struct quat q = quat_from_euler(0.35, -0.2, 1.1);
        struct vec3 spin = { 0.0, 0.0, 0.6 }, field_t = { 21e-6, 0.0, 43e-6 };

        bench_start(v, "vectornav_vn100", 0);
        bench_command(v, "VNWRG,75,3,1,10,0006");
        for (int i = 0; i < 24000; i++) {
                /* 20 s at rest, then 10 s of turning about the nose's down. */
                if (i >= 16000)
                        q = quat_normalise(quat_axpy(q, 1.25e-3, quat_rate(q, spin)));
                frame->imu.gyro_body_radps =
                        i >= 16000 ? spin : (struct vec3){ 0.0, 0.0, 0.0 };
                frame->imu.accel_body_mps2 =
                        quat_rotate_inverse(q, (struct vec3){ 0.0, 0.0, -9.80665 });
                frame->mag.field_body_t = quat_rotate_inverse(q, field_t);
                if (i % 8 == 0)
                        frame->fresh = SENSOR_BIT(SENSOR_MAG);
                bench_fly(v, 1);
                if (i == 15999 || i == 23999) {
                        struct vec3 e = quat_to_euler(q);

                        ck_assert_double_eq_tol(f32(4), e.z * DEG_PER_RAD, 0.3);
                        ck_assert_double_eq_tol(f32(8), e.y * DEG_PER_RAD, 0.3);
                        ck_assert_double_eq_tol(f32(12), e.x * DEG_PER_RAD, 0.3);
                        /* x, y, z, w, of either sign. */
                        ck_assert_double_gt(fabs(q.x * f32(16) + q.y * f32(20) +
                                                 q.z * f32(24) + q.w * f32(28)),
                                            0.99998);
                }
        }
        bench_end(&v->b);
}
