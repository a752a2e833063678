/* Samples in the units and signs of PX4's MAVLink HIL. */
#include "tests/boards/px4_pair.h"
#include "tests/suites.h"

#define DEG 0.017453292519943295

TEST(at_rest_and_level_the_frame_says_minus_g_and_standard_pressure)
{
        struct mavlink_hil_sensor m;
        struct sensor_frame frame = {
                .fresh = SENSOR_BIT(SENSOR_IMU) | SENSOR_BIT(SENSOR_MAG) |
                         SENSOR_BIT(SENSOR_BARO),
                .imu.accel_body_mps2 = { 0.0, 0.0, -9.80665 },
                .imu.gyro_body_radps = { 0.1, -0.2, 0.3 },
                .mag.field_body_t = { 21e-6, 1.5e-6, 43e-6 },
                .baro = { .pressure_pa = 101325.0, .temperature_k = 288.15 },
        };

        codec_px4_hil_sensor(&m, 4000, &frame);
        ck_assert_uint_eq(m.time_usec, 4000);
        ck_assert_float_eq(m.zacc, -9.80665F);
        ck_assert_float_eq(m.xgyro, 0.1F);
        ck_assert_float_eq(m.ygyro, -0.2F);
        ck_assert_float_eq(m.zgyro, 0.3F);
        ck_assert_float_eq_tol(m.xmag, 0.21F, 1e-6F);
        ck_assert_float_eq_tol(m.zmag, 0.43F, 1e-6F);
        ck_assert_float_eq_tol(m.abs_pressure, 1013.25F, 1e-4F);
        ck_assert_float_eq_tol(m.temperature, 15.0F, 1e-4F);
        ck_assert_float_eq_tol(m.pressure_alt, 0.0F, 1e-3F);
        ck_assert_uint_eq(m.fields_updated, 0x1BFF); /* every bit of every group */
        ck_assert_uint_eq(m.id, 0);
}

TEST(a_group_is_said_whole_or_not_at_all)
{
        static const struct {
                enum sensor sensor;
                uint32_t bits;
        } groups[] = { { SENSOR_IMU, 0x3F },
                       { SENSOR_MAG, 0x1C0 },
                       { SENSOR_BARO, 0x1A00 },
                       { SENSOR_GPS, 0 } };

        for (int i = 0; i < 4; i++) {
                struct sensor_frame frame = { .fresh = SENSOR_BIT(groups[i].sensor) };
                struct mavlink_hil_sensor m;

                codec_px4_hil_sensor(&m, 4000, &frame);
                ck_assert_uint_eq(m.fields_updated, groups[i].bits);
        }
}

TEST(a_fix_is_in_mm_cm_per_s_and_hundredths_of_degrees)
{
        static const struct {
                double north_mps, east_mps;
                uint16_t cog_cdeg;
        } courses[] = { { 1, 0, 0 },      { 0, 1, 9000 },      { -1, 0, 18000 },
                        { 0, -1, 27000 }, { 1, -1e-5, 35999 }, { 0.05, 0, 65535 } };

        for (int i = 0; i < 6; i++) {
                struct gps_sample gps = {
                        .t_ns = 1500 * MS,
                        .lat_rad = 47.0707 * DEG,
                        .lon_rad = -15.4395 * DEG,
                        .height_m = 358.1234,
                        .vel_ned_mps = { courses[i].north_mps, courses[i].east_mps,
                                         -0.5 },
                        .h_acc_m = 0.3,
                        .v_acc_m = 0.4,
                        .satellites = 12,
                        .fix = GPS_FIX_3D,
                };
                struct mavlink_hil_gps m;

                codec_px4_hil_gps(&m, &setup_sitl.origin, &gps);
                ck_assert_uint_eq(m.time_usec, 1784635201500000ULL);
                ck_assert_int_eq(m.lat, 470707000);
                ck_assert_int_eq(m.lon, -154395000);
                ck_assert_int_eq(m.alt, 358123);
                ck_assert_int_eq(m.eph, 30);
                ck_assert_int_eq(m.epv, 40);
                ck_assert_int_eq(m.vd, -50);
                ck_assert_int_eq(m.vn, (int)lround(courses[i].north_mps * 100));
                ck_assert_int_eq(m.ve, (int)lround(courses[i].east_mps * 100));
                ck_assert_int_eq(m.fix_type, 3);
                ck_assert_int_eq(m.satellites_visible, 12);
                if (i == 4)
                        ck_assert(m.cog == 35999 || m.cog == 0);
                else
                        ck_assert_uint_eq(m.cog, courses[i].cog_cdeg);
        }
}

TEST(what_does_not_fit_is_cut_to_the_range)
{
        static const double values[] = { 1e30, -1e30, (double)INFINITY, -(double)INFINITY,
                                         (double)NAN };

        for (int i = 0; i < 5; i++) {
                double v = values[i];
                struct gps_sample gps = { .lat_rad = v,
                                          .lon_rad = v,
                                          .height_m = v,
                                          .vel_ned_mps = { v, v, v },
                                          .h_acc_m = v,
                                          .v_acc_m = v,
                                          .satellites = i == 0 ? 100000 : -5 };
                struct sonar_sample sonar = { .range_m = v };
                struct mavlink_hil_gps m;
                struct mavlink_distance_sensor d;
                bool big = v > 0;

                codec_px4_hil_gps(&m, &setup_sitl.origin, &gps);
                codec_px4_distance(&d, 4000, &sonar);
                ck_assert_int_eq(m.satellites_visible, i == 0 ? 255 : 0);
                if (isnan(v)) {
                        ck_assert_int_eq(m.alt, 0);
                        ck_assert_int_eq(m.vn, 0);
                } else {
                        ck_assert_int_eq(m.alt, big ? INT32_MAX : INT32_MIN);
                        ck_assert_int_eq(m.vn, big ? INT16_MAX : INT16_MIN);
                        ck_assert_int_eq(m.eph, big ? UINT16_MAX : 0);
                        ck_assert_int_eq(d.current_distance, big ? UINT16_MAX : 0);
                }
                ck_assert(m.cog < 36000 || m.cog == 65535);
        }
}

TEST(flow_and_range_keep_their_signs)
{
        struct sensor_frame frame = {
                .imu.gyro_body_radps.z = 2.0,
                .flow = { .interval_ns = 20 * MS,
                          .flow_x_rad = -0.01,
                          .flow_y_rad = 0.02,
                          .gyro_x_rad = 0.003,
                          .gyro_y_rad = -0.004,
                          .quality = 200 },
                .sonar[0] = { .range_m = 1.234, .echo = true },
                .sonar[1] = { .range_m = 6.0, .echo = false },
        };
        struct mavlink_hil_optical_flow flow;
        struct mavlink_distance_sensor distance;

        codec_px4_hil_flow(&flow, 8000, &frame);
        ck_assert_uint_eq(flow.integration_time_us, 20000);
        ck_assert_float_eq(flow.integrated_x, -0.01F);
        ck_assert_float_eq(flow.integrated_y, 0.02F);
        ck_assert_float_eq(flow.integrated_xgyro, 0.003F);
        ck_assert_float_eq(flow.integrated_ygyro, -0.004F);
        ck_assert_float_eq_tol(flow.integrated_zgyro, 0.04F, 1e-7F);
        ck_assert_float_lt(flow.distance, 0.0F); /* PX4: unknown */
        ck_assert_uint_eq(flow.quality, 200);

        codec_px4_distance(&distance, 8000, &frame.sonar[0]);
        ck_assert_uint_eq(distance.time_boot_ms, 8);
        ck_assert_uint_eq(distance.current_distance, 123);
        ck_assert_uint_eq(distance.orientation, 25);
        ck_assert_uint_eq(distance.signal_quality, 100);
        codec_px4_distance(&distance, 8000, &frame.sonar[1]);
        ck_assert_uint_eq(distance.signal_quality, 1); /* MAVLink: invalid */
}

TEST(sticks_are_forward_right_clockwise_and_throttle_from_0)
{
        uint16_t rc_us[RC_CHANNELS_MAX] = { 1600, 1300, 1750, 2000, 1900, 1000 };
        struct mavlink_manual_control m;

        codec_px4_sticks(&m, rc_us);
        ck_assert_int_eq(m.y, 200);
        ck_assert_int_eq(m.x, -400);
        ck_assert_int_eq(m.z, 750);
        ck_assert_int_eq(m.r, 1000);
        ck_assert_uint_eq(m.buttons, 1);
        rc_us[2] = 900;
        rc_us[0] = 3000;
        codec_px4_sticks(&m, rc_us);
        ck_assert_int_eq(m.z, 0);
        ck_assert_int_eq(m.y, 1000);
}
