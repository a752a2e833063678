/* Between counts and SI: exactness, limits, and what comes back. */
#include <math.h>

#include "io/codec/hilp/hilp_si.h"
#include "tests/io/codec/hilp/hilp_random.h"
#include "tests/suites.h"

TEST(counts_are_exact_for_whole_multiples_of_the_lsb)
{
        /* Whole nano units: 16 bits over 16 g and 2000 deg/s, and coarser and finer parts. */
        static const double lsbs[] = {
                4.79e-3, 1.064e-3, 1e-6, 0.01, 0.25, 1.5e-7, 3e-5
        };
        struct dice d = { 6 };

        for (size_t i = 0; i < sizeof lsbs / sizeof lsbs[0]; i++) {
                double lsb[SENSOR_COUNT] = { [SENSOR_MAG] = lsbs[i] };
                struct hilp_units units;

                hilp_si_units(&units, lsb, 0.0);
                for (int k = 0; k < 20000; k++) {
                        int32_t n = dice_i32(&d);
                        struct sensor_frame frame = { .fresh = SENSOR_BIT(SENSOR_MAG) };
                        struct sensor_frame back = { 0 };
                        struct hilp_sensors wire;

                        if (n == INT32_MIN)
                                continue;
                        frame.mag.field_body_t.y = n * lsbs[i];
                        hilp_si_to_sensors(&wire, &units, 0, &frame);
                        ck_assert_int_eq(wire.mag.field[1], n);
                        hilp_si_from_sensors(&back, &units, &wire);
                        ck_assert_double_eq_tol(
                                back.mag.field_body_t.y, frame.mag.field_body_t.y,
                                1e-20 + 4e-16 * fabs(frame.mag.field_body_t.y));
                }
        }
}

TEST(units_follow_the_lsb_and_have_limits)
{
        const double none[SENSOR_COUNT] = { 0 };
        const double lsb[SENSOR_COUNT] = { [SENSOR_IMU] = 4.79e-3,
                                           [SENSOR_BARO] = 1e-12,
                                           [SENSOR_MAG] = 0.4e-9,
                                           [SENSOR_SONAR] = 1e9 };
        struct hilp_units units;

        hilp_si_units(&units, none, NAN);
        ck_assert_uint_eq(units.accel, 1000);
        ck_assert_uint_eq(units.gyro, 1000);
        ck_assert_uint_eq(units.pressure, 10000000);
        ck_assert_uint_eq(units.mag, 1);
        ck_assert_uint_eq(units.range, 1000000);

        hilp_si_units(&units, lsb, 1.064e-3);
        ck_assert_uint_eq(units.accel, 4790000);
        ck_assert_uint_eq(units.gyro, 1064000);
        ck_assert_uint_eq(units.mag, 1);
        ck_assert_uint_eq(units.range, UINT32_MAX);
        /* Sea level fits however fine the sensor. */
        ck_assert_double_gt(units.pressure * 1e-9 * INT32_MAX, 101325.0);
}

TEST(out_of_range_saturates_and_nan_is_invalid)
{
        const double lsb[SENSOR_COUNT] = { 0 };
        struct hilp_units units;
        struct hilp_sensors wire;
        struct sensor_frame back = { 0 };
        struct sensor_frame frame = {
                .t_ns = 1000000000,
                .fresh = SENSOR_BIT(SENSOR_IMU) | SENSOR_BIT(SENSOR_BARO) |
                         SENSOR_BIT(SENSOR_GPS),
                .imu = { .t_ns = 0,
                         .accel_body_mps2 = { 1e9, -1e9, NAN },
                         .gyro_body_radps = { INFINITY, -INFINITY, -0.0 } },
                .baro = { .t_ns = 2000000000, .pressure_pa = NAN, .temperature_k = 1e6 },
                .gps = { .t_ns = -4000000000,
                         .lat_rad = NAN,
                         .h_acc_m = NAN,
                         .v_acc_m = 1e9,
                         .s_acc_mps = -1.0,
                         .satellites = 999 },
        };

        hilp_si_units(&units, lsb, 0.0);
        hilp_si_to_sensors(&wire, &units, 0, &frame);
        ck_assert_int_eq(wire.imu.accel[0], INT32_MAX);
        ck_assert_int_eq(wire.imu.accel[1], -INT32_MAX);
        ck_assert_int_eq(wire.imu.accel[2], INT32_MIN);
        ck_assert_int_eq(wire.imu.gyro[0], INT32_MAX);
        ck_assert_int_eq(wire.imu.gyro[1], -INT32_MAX);
        ck_assert_int_eq(wire.imu.gyro[2], 0);
        ck_assert_uint_eq(wire.imu.age_us, UINT16_MAX);
        ck_assert_uint_eq(wire.baro.age_us, 0);
        ck_assert_uint_eq(wire.gps.age_us, 5000000);
        ck_assert_int_eq(wire.baro.temperature_cdegc, INT16_MAX);
        ck_assert_uint_eq(wire.gps.h_acc_cm, UINT16_MAX);
        ck_assert_uint_eq(wire.gps.v_acc_cm, UINT16_MAX);
        ck_assert_uint_eq(wire.gps.s_acc_cmps, 0);
        ck_assert_uint_eq(wire.gps.satellites, 255);

        hilp_si_from_sensors(&back, &units, &wire);
        ck_assert(isnan(back.imu.accel_body_mps2.z));
        ck_assert(isnan(back.baro.pressure_pa));
        ck_assert(isnan(back.gps.lat_rad));
}

/* Slow sensors of a frame, all of the same age; x is -1 to 1. */
static void fill_slow_sensors(struct sensor_frame *f, int64_t t_ns, double x)
{
        f->gps = (struct gps_sample){ .t_ns = t_ns,
                                      .lat_rad = 1.5 * x,
                                      .lon_rad = -3.1 * x,
                                      .height_m = 9000.0 * x,
                                      .vel_ned_mps = { .y = 300.0 * x },
                                      .h_acc_m = 100.0 * fabs(x),
                                      .fix = GPS_FIX_3D,
                                      .satellites = 17 };
        f->baro = (struct baro_sample){ .t_ns = t_ns,
                                        .pressure_pa = 101325.0 + 1000.0 * x,
                                        .temperature_k = 288.15 + 40.0 * x,
                                        .raw_temperature = 27898,
                                        .raw_pressure = (int32_t)(500000.0 * x) };
        f->mag.t_ns = t_ns;
        f->flow = (struct flow_sample){ .t_ns = t_ns,
                                        .interval_ns = 20000000,
                                        .flow_x_rad = 3.0 * x,
                                        .flow_y_rad = -x,
                                        .gyro_x_rad = 2.0 * x,
                                        .gyro_y_rad = 0.5 * x,
                                        .quality = 200 };
        f->power = (struct power_sample){ t_ns, 14.8 + x, 40.0 * x, 30000.0 * fabs(x) };
        f->ins = (struct ins_sample){ t_ns,
                                      { 90.0 * x, -x, 7.0 },
                                      { x, -x, 3.14159 * x } };
}

#define SAME(field, tolerance)                                                           \
        ck_assert_double_eq_tol(back->field, frame->field, tolerance)

static void compare_slow_sensors(const struct sensor_frame *back,
                                 const struct sensor_frame *frame)
{
        ck_assert_int_eq(back->gps.t_ns, frame->gps.t_ns);
        SAME(gps.lat_rad, 0.9e-9);
        SAME(gps.lon_rad, 0.9e-9);
        SAME(gps.height_m, 0.5001e-3);
        SAME(gps.vel_ned_mps.y, 0.5001e-3);
        SAME(gps.h_acc_m, 0.5001e-2);
        ck_assert_int_eq(back->gps.fix, frame->gps.fix);
        ck_assert_int_eq(back->gps.satellites, frame->gps.satellites);
        ck_assert_int_eq(back->baro.t_ns, frame->baro.t_ns);
        SAME(baro.pressure_pa, 0.5001e-2);
        SAME(baro.temperature_k, 0.5001e-2);
        ck_assert_int_eq(back->baro.raw_temperature, frame->baro.raw_temperature);
        ck_assert_int_eq(back->baro.raw_pressure, frame->baro.raw_pressure);
        ck_assert_int_eq(back->mag.t_ns, frame->mag.t_ns);
}

static void compare_new_sensors(const struct sensor_frame *back,
                                const struct sensor_frame *frame)
{
        ck_assert_int_eq(back->flow.t_ns, frame->flow.t_ns);
        ck_assert_int_eq(back->flow.interval_ns, frame->flow.interval_ns);
        SAME(flow.flow_x_rad, 0.5001e-8);
        SAME(flow.flow_y_rad, 0.5001e-8);
        SAME(flow.gyro_x_rad, 0.5001e-8);
        SAME(flow.gyro_y_rad, 0.5001e-8);
        ck_assert_int_eq(back->flow.quality, frame->flow.quality);
        ck_assert_int_eq(back->power.t_ns, frame->power.t_ns);
        SAME(power.voltage_v, 0.5001e-6);
        SAME(power.current_a, 0.5001e-6);
        SAME(power.charge_used_c, 0.5001e-3);
        ck_assert_int_eq(back->ins.t_ns, frame->ins.t_ns);
        SAME(ins.pos_ned_m.x, 0.5001e-3);
        SAME(ins.pos_ned_m.y, 0.5001e-3);
        SAME(ins.pos_ned_m.z, 0.5001e-3);
        SAME(ins.euler_rad.x, 0.5001e-6);
        SAME(ins.euler_rad.y, 0.5001e-6);
        SAME(ins.euler_rad.z, 0.5001e-6);
}

TEST(a_frame_in_si_comes_back_within_half_a_unit)
{
        struct dice d = { 7 };
        const double lsb[SENSOR_COUNT] = { 0 };
        struct hilp_units units;

        hilp_si_units(&units, lsb, 0.0);
        for (int i = 0; i < 5000; i++) {
                double x = (double)dice_i32(&d) / INT32_MAX; /* -1 to 1 */
                struct sensor_frame sent = { .t_ns = (int64_t)dice_u32(&d) * 1000,
                                             .fresh = 0xEF };
                struct sensor_frame got = { 0 };
                const struct sensor_frame *frame = &sent, *back = &got;
                struct hilp_sensors wire;

                fill_slow_sensors(&sent, sent.t_ns - (int64_t)1000 * dice_u32(&d), x);
                sent.imu.t_ns = sent.t_ns - 1000 * dice_u16(&d);
                sent.imu.accel_body_mps2.x = 160.0 * x;
                sent.imu.gyro_body_radps.z = 35.0 * x;

                hilp_si_to_sensors(&wire, &units, 3, &sent);
                hilp_si_from_sensors(&got, &units, &wire);
                ck_assert_uint_eq(got.fresh, sent.fresh);
                ck_assert_int_eq(got.t_ns, sent.t_ns);
                ck_assert_int_eq(got.imu.t_ns, sent.imu.t_ns);
                SAME(imu.accel_body_mps2.x, 0.5001e-6);
                SAME(imu.gyro_body_radps.z, 0.5001e-6);
                compare_slow_sensors(&got, &sent);
                compare_new_sensors(&got, &sent);
        }
}

TEST(only_fresh_sonars_cross_and_the_others_stay_as_they_were)
{
        struct dice d = { 9 };
        const double lsb[SENSOR_COUNT] = { [SENSOR_SONAR] = 0.01 };
        struct hilp_units units;

        hilp_si_units(&units, lsb, 0.0);
        for (int k = 0; k < 2000; k++) {
                struct sensor_frame sent = { .t_ns = 5000000000 },
                                    got = { .fresh = 1, .t_ns = 77 };
                struct hilp_sonars wire;

                sent.fresh_sonars = 1 + dice_below(&d, 0xFFFF);
                for (int i = 0; i < SONARS_MAX; i++) {
                        sent.sonar[i].t_ns = sent.t_ns - 1000 * dice_u16(&d);
                        sent.sonar[i].range_m = dice_u8(&d) * 0.01;
                        sent.sonar[i].echo = dice_u8(&d) & 1;
                        got.sonar[i].range_m = -1.0;
                }
                hilp_si_to_sonars(&wire, &units, 3, &sent);
                ck_assert_uint_eq(wire.number, 3);
                ck_assert_uint_eq(hilp_si_from_sonars(&got, &units, &wire),
                                  sent.fresh_sonars);
                ck_assert_uint_eq(got.fresh, 1);
                ck_assert_int_eq(got.t_ns, 77);
                for (int i = 0; i < SONARS_MAX; i++) {
                        if (!(sent.fresh_sonars >> i & 1)) {
                                ck_assert_double_eq(got.sonar[i].range_m, -1.0);
                                continue;
                        }
                        ck_assert_int_eq(got.sonar[i].t_ns, sent.sonar[i].t_ns);
                        ck_assert_double_eq_tol(got.sonar[i].range_m,
                                                sent.sonar[i].range_m, 1e-15);
                        ck_assert_int_eq(got.sonar[i].echo, sent.sonar[i].echo);
                }
        }
}

TEST(the_sonars_bit_stands_for_a_message_with_sonars)
{
        static const struct hilp_units units = { 1, 1, 1, 1, 1 };
        struct sensor_frame frame = { .fresh = SENSOR_BIT(SENSOR_SONAR) };
        struct hilp_sensors wire;

        hilp_si_to_sensors(&wire, &units, 0, &frame);
        ck_assert_uint_eq(wire.fresh, 0);
        frame.fresh_sonars = 1;
        hilp_si_to_sensors(&wire, &units, 0, &frame);
        ck_assert_uint_eq(wire.fresh, HILP_SONAR);
        hilp_si_from_sensors(&frame, &units, &wire);
        ck_assert_uint_eq(frame.fresh | frame.fresh_sonars, 0);
}

TEST(the_new_samples_saturate_and_know_nan)
{
        static const struct hilp_units units = { 1, 1, 1, 1, 1 };
        struct sensor_frame back = { 0 };
        struct sensor_frame frame = {
                .fresh = SENSOR_BIT(SENSOR_FLOW) | SENSOR_BIT(SENSOR_POWER) |
                         SENSOR_BIT(SENSOR_INS) | SENSOR_BIT(SENSOR_RELATIVE),
                .flow = { .flow_x_rad = 1e9,
                          .flow_y_rad = NAN,
                          .gyro_x_rad = -INFINITY,
                          .interval_ns = INT64_C(1) << 62,
                          .quality = 300 },
                .power = { .voltage_v = NAN, .current_a = -1e9, .charge_used_c = 1e30 },
                .ins = { .pos_ned_m = { NAN, 1e9, -1e9 }, .euler_rad = { .z = NAN } },
                .relative = { .peer = 3, .has_range = true, .range_m = 12.345 },
        };
        struct hilp_sensors wire;

        hilp_si_to_sensors(&wire, &units, 0, &frame);
        ck_assert_int_eq(wire.flow.flow_10nrad[0], INT32_MAX);
        ck_assert_int_eq(wire.flow.flow_10nrad[1], INT32_MIN);
        ck_assert_int_eq(wire.flow.gyro_10nrad[0], -INT32_MAX);
        ck_assert_uint_eq(wire.flow.interval_us, UINT32_MAX);
        ck_assert_uint_eq(wire.flow.quality, 255);
        ck_assert_int_eq(wire.power.current_ua, -INT32_MAX);
        ck_assert_int_eq(wire.power.charge_used_mc, INT32_MAX);
        ck_assert_int_eq(wire.ins.pos_ned_mm[1], INT32_MAX);
        ck_assert_int_eq(wire.ins.pos_ned_mm[2], -INT32_MAX);
        hilp_si_from_sensors(&back, &units, &wire);
        ck_assert(isnan(back.flow.flow_y_rad));
        ck_assert(isnan(back.power.voltage_v));
        ck_assert(isnan(back.ins.pos_ned_m.x) && isnan(back.ins.euler_rad.z));
        ck_assert_int_eq(wire.relative.azimuth_urad, HILP_INVALID_I32);
        ck_assert_int_eq(back.relative.peer, 3);
        ck_assert(back.relative.has_range && !back.relative.has_bearing);
        ck_assert_double_eq_tol(back.relative.range_m, 12.345, 1e-12);
}

TEST(real_ranges_come_back_and_what_is_no_range_sees_nothing)
{
        double sent_m[SONARS_MAX], got_m[SONARS_MAX];
        struct hilp_real_ranges wire;

        for (int i = 0; i < SONARS_MAX; i++)
                sent_m[i] = INFINITY;
        hilp_si_to_real_ranges(&wire, sent_m);
        ck_assert_uint_eq(wire.count, 0);
        sent_m[1] = 0.8;
        sent_m[3] = NAN;
        sent_m[5] = -0.1;
        sent_m[15] = 0.0;
        hilp_si_to_real_ranges(&wire, sent_m);
        ck_assert_uint_eq(wire.count, 2);
        wire.range[wire.count++] = (struct hilp_real_range){ 15, HILP_INVALID_I32 };
        hilp_si_from_real_ranges(got_m, &wire);
        for (int i = 0; i < SONARS_MAX; i++)
                ck_assert(got_m[i] == (i == 1 ? 0.8 : i == 15 ? 0.0 : (double)INFINITY));
}

TEST(duty_crosses_exactly_and_nan_stops_the_motor)
{
        for (unsigned n = 0; n <= UINT16_MAX; n++)
                ck_assert_uint_eq(hilp_si_to_duty(hilp_si_from_duty((uint16_t)n)), n);
        ck_assert_uint_eq(hilp_si_to_duty(NAN), 0);
        ck_assert_uint_eq(hilp_si_to_duty(-0.1), 0);
        ck_assert_uint_eq(hilp_si_to_duty(1e30), UINT16_MAX);
        ck_assert_double_eq(hilp_si_from_duty(UINT16_MAX), 1.0);
}

TEST(pilot_input_comes_back_with_yaw_turned_into_half_a_turn)
{
        struct pilot_input in = { .setpoint = { MODE_GOTO, { 1.5, -2.25, -10.0 }, 7.0 },
                                  .rc_us = { 1000, 0, 2000 } };
        struct pilot_input out;
        struct hilp_input wire;

        hilp_si_to_input(&wire, &in);
        ck_assert_uint_eq(wire.channels, 3);
        hilp_si_from_input(&out, &wire);
        ck_assert_int_eq(out.setpoint.mode, MODE_GOTO);
        ck_assert_double_eq(out.setpoint.pos_ned_m.x, 1.5);
        ck_assert_double_eq(out.setpoint.pos_ned_m.y, -2.25);
        ck_assert_double_eq(out.setpoint.pos_ned_m.z, -10.0);
        ck_assert_double_eq_tol(sin(out.setpoint.yaw_rad), sin(7.0), 1e-3);
        ck_assert_double_eq_tol(cos(out.setpoint.yaw_rad), cos(7.0), 1e-3);
        ck_assert_mem_eq(out.rc_us, in.rc_us, sizeof in.rc_us);
}

TEST(an_estimate_comes_back_with_a_unit_quaternion)
{
        struct dice d = { 8 };

        for (int i = 0; i < 2000; i++) {
                double a = dice_u16(&d), b = dice_u16(&d), c = dice_u16(&d);
                struct fc_estimate in = { .q_body_to_ned = quat_from_euler(a, b, c),
                                          .pos_ned_m = { a, -b, c },
                                          .vel_ned_mps = { 1.25, -3.5, 0.5 } };
                struct fc_estimate out;
                struct hilp_state wire;
                struct quat q;

                hilp_si_to_state(&wire, &in);
                hilp_si_from_state(&out, &wire);
                q = quat_multiply(quat_conjugate(in.q_body_to_ned), out.q_body_to_ned);
                ck_assert_double_eq_tol(fabs(q.w), 1.0, 1e-7);
                ck_assert_double_eq(out.pos_ned_m.y, in.pos_ned_m.y);
                ck_assert_double_eq(out.vel_ned_mps.y, -3.5);
        }
}
