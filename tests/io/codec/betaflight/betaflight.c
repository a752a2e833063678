/* The codec `betaflight`: the bytes of its packets, written out by hand from target.h and sitl.c, its
 * start-up, sticks and arm switch, and what it makes of what comes back. */
#include "tests/boards/betaflight_stage.h"
#include "tests/suites.h"

/* An fdm_packet of 1.0 s, rates 0.5 -0.25 2, acceleration of level rest, turned a quarter to the east,
 * 1000 hPa, at 1 -2 3 m with 4 -5 6 m/s: doubles as IEEE 754 writes them. */
static const uint8_t fdm_by_hand[144] = {
        0, 0, 0, 0, 0, 0,    0xF0, 0x3F, /* 1.0 s */
        0, 0, 0, 0, 0, 0,    0xE0, 0x3F, /* p 0.5 */
        0, 0, 0, 0, 0, 0,    0xD0, 0xBF, /* q -0.25 */
        0, 0, 0, 0, 0, 0,    0x00, 0x40, /* r 2 */
        0, 0, 0, 0, 0, 0,    0xF0, 0xBF, /* x: -1, of +1 forward */
        0, 0, 0, 0, 0, 0,    0xE0, 0x3F, /* y 0.5 */
        0, 0, 0, 0, 0, 0,    0x24, 0xC0, /* z -10 */
        0, 0, 0, 0, 0, 0,    0xE0, 0x3F, /* w 0.5 */
        0, 0, 0, 0, 0, 0,    0xE0, 0x3F, /* x */
        0, 0, 0, 0, 0, 0,    0xE0, 0xBF, /* y -0.5 */
        0, 0, 0, 0, 0, 0,    0xE0, 0x3F, /* z */
        0, 0, 0, 0, 0, 0,    0x10, 0x40, /* north 4 m/s */
        0, 0, 0, 0, 0, 0,    0x14, 0xC0, /* east -5 */
        0, 0, 0, 0, 0, 0,    0x18, 0x40, /* down 6 */
        0, 0, 0, 0, 0, 0,    0xF0, 0x3F, /* north 1 m */
        0, 0, 0, 0, 0, 0,    0x00, 0xC0, /* east -2 */
        0, 0, 0, 0, 0, 0,    0x08, 0x40, /* down 3 */
        0, 0, 0, 0, 0, 0x6A, 0xF8, 0x40, /* 100000 Pa */
};

static const struct sensor_frame in_motion = {
        .fresh = SENSOR_BIT(SENSOR_BARO),
        .imu = { .accel_body_mps2 = { 1.0, 0.5, -10.0 },
                 .gyro_body_radps = { 0.5, -0.25, 2.0 } },
        .baro = { .pressure_pa = 100000.0 },
        .gps = { .lat_rad = 0.8,
                 .lon_rad = -0.15,
                 .height_m = 490.0,
                 .vel_ned_mps = { 3.0, 4.0, -1.0 },
                 .fix = GPS_FIX_3D },
        .pose = { .pos_ned_m = { 1.0, -2.0, 3.0 },
                  .vel_ned_mps = { 4.0, -5.0, 6.0 },
                  .q_body_to_ned = { 0.5, 0.5, -0.5, 0.5 } },
};

TEST(sensor_packet_is_byte_for_byte_the_one_of_its_header)
{
        struct stage s;

        stage_ready(&s, &setup_4_5);
        tick_of(&s, &in_motion, true);
        for (size_t i = 0; i < sizeof fdm_by_hand; i++)
                ck_assert_msg(s.sensors[i] == fdm_by_hand[i], "byte %zu", i);
        stage_end(&s);
}

/* Before the first sample sea level stands there, then whatever the newest one said, and goes on to stand there. */
TEST(a_pressure_of_zero_goes_out_as_that)
{
        struct sensor_frame f = { .pose.q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        const double said_pa[] = { 101325.0, 90000.0, 90000.0, 0.0, 0.0, -5.0 };
        const bool fresh[] = { false, true, false, true, false, true };
        struct stage s;

        stage_begin(&s, &setup_4_5);
        for (int i = 0; i < 8000 && s.codec->ops->frame_every(s.codec) == 0; i++)
                tick_of(&s, &f, true);
        for (int i = 0; i < 6; i++) {
                f.fresh = fresh[i] ? SENSOR_BIT(SENSOR_BARO) : 0;
                f.baro.pressure_pa = fresh[i] ? said_pa[i] : 1.0;
                tick_of(&s, &f, true);
                ck_assert_double_eq(le_get_f64(s.sensors + 136), said_pa[i]);
        }
        stage_end(&s);
}

/* What sitl.c makes of it is what a real board's driver says: x forward, y left, z up in 1/256 g, and
 * rates about those axes; its attitude's pitch is nose down. */
TEST(firmware_sees_a_boards_own_axes)
{
        const double acc_scale = 256 / 9.80665;
        struct stage s;

        stage_ready(&s, &setup_4_5);
        tick_of(&s, &in_motion, true);
        ck_assert_double_eq(-sent(&s, 4) * acc_scale, 1.0 * acc_scale);
        ck_assert_double_eq(-sent(&s, 5) * acc_scale, -0.5 * acc_scale);
        ck_assert_double_eq(-sent(&s, 6) * acc_scale, 10.0 * acc_scale);
        stage_end(&s);
}

TEST(clock_of_its_packets_stands_still)
{
        struct stage s;

        stage_ready(&s, &setup_4_5);
        for (int i = 0; i < 5000; i++) {
                tick_of(&s, &at_rest, true);
                ck_assert_double_eq(sent(&s, 0), 1.0);
                ck_assert_double_eq(le_get_f64(s.sticks), 1.0);
        }
        stage_end(&s);
}

TEST(newer_dialect_has_east_north_up_and_degrees_of_gps)
{
        struct codec_setup newer = setup_4_5;
        struct stage s;

        newer.dialect = "2025.12";
        stage_begin(&s, &newer);
        memcpy(s.version, (uint8_t[]){ 25, 12, 5 }, 3);
        run_for(&s, 4000, true);
        ck_assert_int_eq(s.codec->ops->frame_every(s.codec), 1);
        tick_of(&s, &in_motion, true);
        ck_assert_double_eq(sent(&s, 11), 4.0);
        ck_assert_double_eq(sent(&s, 12), 3.0);
        ck_assert_double_eq(sent(&s, 13), 1.0);
        ck_assert_double_eq_tol(sent(&s, 14), -0.15 * 180 / M_PI, 1e-12);
        ck_assert_double_eq_tol(sent(&s, 15), 0.8 * 180 / M_PI, 1e-12);
        ck_assert_double_eq(sent(&s, 16), 490.0);
        ck_assert_mem_eq(s.sensors, fdm_by_hand, 11 * 8);
        stage_end(&s);
}

TEST(newer_dialect_keeps_the_last_fix_when_gps_is_lost)
{
        struct codec_setup newer = setup_4_5;
        struct sensor_frame lost = in_motion;
        struct stage s;

        newer.dialect = "2025.12";
        stage_begin(&s, &newer);
        s.version[0] = 25;
        run_for(&s, 4000, true);
        /* Before the first fix: where it is. */
        ck_assert_double_eq_tol(sent(&s, 15), 0.8 * 180 / M_PI, 1e-12);
        ck_assert_double_eq(sent(&s, 16), 488.0);
        tick_of(&s, &in_motion, true);
        lost.gps = (struct gps_sample){ .lat_rad = 7.0, .fix = GPS_NO_FIX };
        tick_of(&s, &lost, true);
        ck_assert_double_eq(sent(&s, 16), 490.0);
        ck_assert_double_eq(sent(&s, 12), 3.0);
        stage_end(&s);
}

static void newest_ready(struct stage *s)
{
        struct codec_setup newest = setup_4_5;

        newest.dialect = "2026.6";
        stage_begin(s, &newest);
        memcpy(s->version, (uint8_t[]){ 26, 6, 2 }, 3);
        run_for(s, 4000, true);
        ck_assert_int_eq(s->codec->ops->frame_every(s->codec), 1);
}

/* What 2026.6.2 makes of a packet: sitl.c, updateState(), with ENABLE_GAZEBO_BRIDGE. */
struct seen {
        struct quat q_flu_to_nwu;
        struct vec3 rate_flu_radps;
        double pressure_pa, lon_deg, lat_deg;
};

static struct seen firmware_sees(const struct stage *s, double first_lon_deg,
                                 double first_lat_deg)
{
        double w = sent(s, 7), x = sent(s, 8), y = -sent(s, 9), z = -sent(s, 10);
        double k = sqrt(0.5);

        return (struct seen){
                { k * (w - z), k * (x - y), k * (y + x), k * (z + w) },
                { sent(s, 1), -sent(s, 2), sent(s, 3) },
                101325.0 * pow(1.0 - 2.25577e-5 * sent(s, 16), 5.25588),
                2.0 * first_lon_deg - sent(s, 14),
                2.0 * first_lat_deg - sent(s, 15),
        };
}

TEST(newest_dialect_is_as_the_bridge_of_its_simulator_has_it)
{
        const double first_lon_deg = 0.15 * 180 / M_PI, first_lat_deg = 0.8 * 180 / M_PI;
        struct seen seen;
        struct stage s;

        newest_ready(&s);
        /* Until the first fix it is where it began, about which the others are mirrored. */
        ck_assert_double_eq_tol(sent(&s, 14), first_lon_deg, 1e-12);
        ck_assert_double_eq_tol(sent(&s, 15), first_lat_deg, 1e-12);
        tick_of(&s, &in_motion, true);
        seen = firmware_sees(&s, first_lon_deg, first_lat_deg);
        /* in_motion's attitude with x forward, y left, z up in north, west, up */
        ck_assert_double_eq_tol(seen.q_flu_to_nwu.w, 0.5, 1e-12);
        ck_assert_double_eq_tol(seen.q_flu_to_nwu.x, 0.5, 1e-12);
        ck_assert_double_eq_tol(seen.q_flu_to_nwu.y, 0.5, 1e-12);
        ck_assert_double_eq_tol(seen.q_flu_to_nwu.z, -0.5, 1e-12);
        ck_assert_double_eq(seen.rate_flu_radps.x, 0.5);
        ck_assert_double_eq(seen.rate_flu_radps.y, 0.25);
        ck_assert_double_eq(seen.rate_flu_radps.z, -2.0);
        ck_assert_double_eq_tol(seen.pressure_pa, 100000.0, 1e-6);
        ck_assert_double_eq_tol(seen.lon_deg, -0.15 * 180 / M_PI, 1e-9);
        ck_assert_double_eq_tol(seen.lat_deg, 0.8 * 180 / M_PI, 1e-9);
        ck_assert_mem_eq(s.sensors + 32, fdm_by_hand + 32, 3 * 8);
        ck_assert_double_eq(sent(&s, 11), 4.0);
        ck_assert_double_eq(sent(&s, 12), 3.0);
        ck_assert_double_eq(sent(&s, 13), 1.0);
        stage_end(&s);
}

TEST(newest_dialect_tells_that_the_fix_is_lost)
{
        struct sensor_frame lost = in_motion;
        struct stage s;

        newest_ready(&s);
        tick_of(&s, &in_motion, true);
        lost.gps.fix = GPS_NO_FIX;
        tick_of(&s, &lost, true);
        ck_assert_double_gt(sent(&s, 14), 180.0);
        ck_assert_double_gt(sent(&s, 15), 90.0);
        tick_of(&s, &in_motion, true);
        ck_assert_double_lt(fabs(sent(&s, 15)), 90.0);
        stage_end(&s);
}

/* Motors come as 1, 2, 3, 4 and are in the rig what they were: 2, 3, 4, 1; the pulses beside them are as before. */
TEST(newest_dialect_has_motors_in_their_own_order)
{
        const float motor[4] = { 1.0f, 0.25f, 0.5f, 0.75f };
        uint8_t raw[68] = { 4 };
        struct stage s;

        newest_ready(&s);
        motors_to_rig(&s, motor);
        ck_assert_double_eq(s.report.motors.duty[0], 0.25);
        ck_assert_double_eq(s.report.motors.duty[1], 1.0);
        ck_assert_double_eq(s.report.motors.duty[2], 0.5);
        ck_assert_double_eq(s.report.motors.duty[3], 0.75);
        for (int i = 0; i < 4; i++)
                le_put_f32(raw + 4 + 4 * i, 1000.0f + 1000.0f * motor[i]);
        to_rig(&s, MOTORS_RAW, raw, sizeof raw);
        ck_assert_uint_eq(s.codec->counts.malformed, 0);
        stage_end(&s);
}

TEST(sticks_are_sixteen_pulses_behind_a_time)
{
        struct stage s;

        stage_ready(&s, &setup_4_5);
        for (int i = 0; i < 16; i++)
                s.input.rc_us[i] = (uint16_t)(1100 + 10 * i);
        s.input.rc_us[4] = 1000;
        s.input_new = true;
        run_for(&s, 30, true);
        ck_assert_int_eq(rc_us(&s, 0), 1100);
        ck_assert_int_eq(rc_us(&s, 2), 1000); /* not armed: waits */
        ck_assert_int_eq(rc_us(&s, 4), 1000);
        ck_assert_int_eq(rc_us(&s, 15), 1250);
        ck_assert_uint_eq(s.sticks[8], 0x4C); /* 1100 is 0x044C */
        ck_assert_uint_eq(s.sticks[9], 0x04);
        stage_end(&s);
}

TEST(sticks_go_out_50_times_a_second_and_sensors_1000)
{
        struct stage s;

        stage_ready(&s, &setup_4_5);
        memset(s.count, 0, sizeof s.count);
        run_for(&s, 10000, true);
        ck_assert_int_eq(s.count[SENSORS], 10000);
        ck_assert_int_eq(s.count[STICKS], 500);
        stage_end(&s);
}

/* Motors come as 2, 3, 4, 1: front right, rear left, front left, rear right. */
TEST(motors_come_in_the_order_of_the_rotors)
{
        static const uint8_t by_hand[16] = {
                0, 0, 0x80, 0x3E, /* 0.25 */
                0, 0, 0x00, 0x3F, /* 0.5 */
                0, 0, 0x40, 0x3F, /* 0.75 */
                0, 0, 0x80, 0x3F, /* 1 */
        };
        struct stage s;

        stage_ready(&s, &setup_4_5);
        ck_assert_uint_eq(to_rig(&s, MOTORS, by_hand, 16) & FC_MOTORS, FC_MOTORS);
        ck_assert_double_eq(s.report.motors.duty[0], 0.25);
        ck_assert_double_eq(s.report.motors.duty[1], 1.0);
        ck_assert_double_eq(s.report.motors.duty[2], 0.5);
        ck_assert_double_eq(s.report.motors.duty[3], 0.75);
        ck_assert_double_eq(s.report.motors.duty[4], 0.0);
        stage_end(&s);
}

TEST(motors_answer_a_frame_only_where_one_is_under_way)
{
        const float idle[4] = { 0.07f, 0.07f, 0.07f, 0.07f };
        struct stage s;

        stage_ready(&s, &setup_4_5);
        s.runs = false;
        tick_of(&s, &at_rest, true);
        motors_to_rig(&s, idle);
        ck_assert(s.report.answers_frame);
        ck_assert_uint_eq(s.report.answered_frame, s.number - 1);
        motors_to_rig(&s, idle); /* late, of whatever frame */
        ck_assert(!s.report.answers_frame);
        tick_of(&s, &at_rest, true);
        tick_of(&s, &at_rest, true);
        motors_to_rig(&s, idle); /* of one or both */
        ck_assert(!s.report.answers_frame);
        /* It drops the one after a gap, and tells its motors as they are. */
        s.t_ns += 600 * MS;
        tick_of(&s, &at_rest, true);
        ck_assert(!s.report.answers_frame);
        stage_end(&s);
}

static size_t raw_of(const float servo[4], uint8_t raw[68])
{
        memset(raw, 0, 68);
        raw[0] = 4;
        for (int i = 0; i < 4; i++)
                le_put_f32(raw + 4 + 4 * ((i + 1) % 4), 1000.0f + 1000.0f * servo[i]);
        return 68;
}

TEST(raw_motors_are_checked_against_the_others)
{
        const float a[4] = { 0.1f, 0.2f, 0.3f, 0.4f }, b[4] = { 0.1f, 0.2f, 0.4f, 0.3f };
        uint8_t raw[68];
        struct stage s;

        stage_ready(&s, &setup_4_5);
        motors_to_rig(&s, a);
        to_rig(&s, MOTORS_RAW, raw, raw_of(a, raw));
        ck_assert_uint_eq(s.codec->counts.malformed, 0);
        /* The pulses of the packet before come late. */
        motors_to_rig(&s, b);
        to_rig(&s, MOTORS_RAW, raw, raw_of(a, raw));
        ck_assert_uint_eq(s.codec->counts.malformed, 0);
        raw[7] = 0; /* motor 1: next to nothing */
        ck_assert_uint_eq(to_rig(&s, MOTORS_RAW, raw, 68) & FC_TEXT, FC_TEXT);
        ck_assert_str_eq(s.text, "motors on its port 9001 are not those on port 9002");
        ck_assert_uint_eq(to_rig(&s, MOTORS_RAW, raw, 68), 0); /* said once */
        ck_assert_uint_eq(s.codec->counts.malformed, 2);
        stage_end(&s);
}

TEST(name_comes_from_its_msp_port)
{
        struct stage s;

        stage_ready(&s, &setup_4_5);
        ck_assert_str_eq(s.report.name, "Betaflight 4.5.6, SITL, MSP 1.46");
        stage_end(&s);
}

TEST(attitude_is_told_with_the_nose_up_positive)
{
        struct vec3 euler;
        struct stage s;

        stage_ready(&s, &setup_4_5);
        run_for(&s, 500, true);
        euler = quat_to_euler(s.report.estimate.q_body_to_ned);
        ck_assert_double_eq_tol(euler.x * 180 / M_PI, 20.0, 1e-9);
        ck_assert_double_eq_tol(euler.y * 180 / M_PI, 10.0, 1e-9);
        ck_assert_double_eq_tol(euler.z * 180 / M_PI, 90.0, 1e-9);
        stage_end(&s);
}

TEST(frames_are_named_by_their_length)
{
        static const char *const expected[] = { "sensors", "sticks", "motors",
                                                "motors_raw" };
        static const size_t length[] = { 144, 40, 16, 68 };
        const struct codec_ops *ops = codec_find("betaflight");
        uint8_t bytes[200] = { 0 };
        struct codec_frame f;

        for (size_t i = 0; i < 4; i++) {
                ck_assert_uint_eq(ops->frame_find(bytes, length[i], &f), length[i]);
                ck_assert_str_eq(ops->frame_names[f.type], expected[i]);
                ck_assert_int_eq(f.asks, i == 0);
                ck_assert_int_eq(f.answers, i == 2);
        }
        ck_assert_uint_eq(ops->frame_find(bytes, 150, &f), 150);
        ck_assert_int_eq(f.type, -1);
        ck_assert_uint_eq(ops->frame_find(bytes, msp_request(150, NULL, 0, bytes), &f),
                          9);
        ck_assert_str_eq(ops->frame_names[f.type], "msp_ask");
        ck_assert(f.unpaced);
        ck_assert_uint_eq(ops->frame_find(bytes, 5, &f), 0);
}
