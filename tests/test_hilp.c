/* HILP messages: layouts, what is refused, sequence numbers, the documented examples, and the
 * conversion between counts and SI. */
#include <check.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "io/hilp_si.h"
#include "tests/hilp_random.h"

/* A message as text, so that two can be compared field by field whatever their padding holds. */
static void describe(const struct hilp_message *m, char *text, size_t cap)
{
        FILE *f = fmemopen(text, cap, "w");

        ck_assert_ptr_nonnull(f);
        json_message(f, m);
        ck_assert_int_eq(fclose(f), 0);
}

#define DESCRIPTION_MAX 2048

START_TEST(random_messages_of_every_type_come_back)
{
        struct dice d = { 1 };
        int seen[HILP_GOODBYE + 1] = { 0 };

        for (int i = 0; i < 20000; i++) {
                char sent[DESCRIPTION_MAX], got[DESCRIPTION_MAX];
                uint8_t payload[HILP_PAYLOAD_MAX], again[HILP_PAYLOAD_MAX];
                struct hilp_message m;
                size_t len;

                random_message(&d, &m);
                describe(&m, sent, sizeof sent);
                seen[m.type]++;
                len = hilp_encode(&m, payload);
                ck_assert_uint_gt(len, 0);
                ck_assert_int_eq(hilp_decode(&m, payload, len), 1);
                describe(&m, got, sizeof got);
                ck_assert_str_eq(got, sent);
                ck_assert_uint_eq(hilp_encode(&m, again), len);
                ck_assert_mem_eq(again, payload, len);
        }
        for (int type = HILP_HELLO; type <= HILP_GOODBYE; type++)
                ck_assert_int_gt(seen[type], 1000);
}
END_TEST

START_TEST(a_shorter_or_longer_payload_is_refused)
{
        struct dice d = { 2 };

        for (int i = 0; i < 3000; i++) {
                uint8_t payload[HILP_PAYLOAD_MAX] = { 0 };
                struct hilp_message m;
                size_t len;

                random_message(&d, &m);
                if (m.type == HILP_TEXT)
                        continue;
                len = hilp_encode(&m, payload);
                for (size_t other = 0; other < sizeof payload; other++)
                        ck_assert_int_eq(hilp_decode(&m, payload, other), other == len);
        }
}
END_TEST

START_TEST(a_text_is_as_long_as_its_payload_up_to_its_limit)
{
        uint8_t payload[HILP_PAYLOAD_MAX];
        struct hilp_message m;

        memset(payload, 'x', sizeof payload);
        payload[0] = HILP_TEXT;
        payload[2] = 1;
        for (size_t len = 3; len <= sizeof payload; len++) {
                ck_assert_int_eq(hilp_decode(&m, payload, len), len <= 3 + HILP_TEXT_MAX);
                if (len <= 3 + HILP_TEXT_MAX)
                        ck_assert_uint_eq(strlen(m.u.text.text), len - 3);
        }
}
END_TEST

START_TEST(a_decoded_payload_is_possible_whatever_it_was)
{
        struct dice d = { 3 };
        int decoded = 0;

        for (int i = 0; i < 200000; i++) {
                uint8_t payload[HILP_PAYLOAD_MAX], again[HILP_PAYLOAD_MAX];
                struct hilp_message m;
                size_t len;

                random_message(&d, &m);
                len = hilp_encode(&m, payload);
                payload[dice_below(&d, (uint32_t)len)] = dice_u8(&d);
                if (!hilp_decode(&m, payload, len))
                        continue;
                decoded++;
                ck_assert_uint_gt(hilp_encode(&m, again), 0);
        }
        ck_assert_int_gt(decoded, 1000);
}
END_TEST

/* A message of a type that is possible, for a test to spoil. */
static struct hilp_message example_of(uint8_t type)
{
        struct dice d = { 4 };
        struct hilp_message m;

        do
                random_message(&d, &m);
        while (m.type != type);
        return m;
}

static void refused(const struct hilp_message *m)
{
        uint8_t payload[HILP_PAYLOAD_MAX], frame[HILP_FRAME_MAX];

        ck_assert_uint_eq(hilp_encode(m, payload), 0);
        ck_assert_uint_eq(hilp_write(m, frame), 0);
}

START_TEST(what_cannot_be_is_not_encoded)
{
        struct hilp_message m = example_of(HILP_MOTORS);

        m.u.motors.count = HILP_ROTORS_MAX + 1;
        refused(&m);
        m.u.motors.count = 0;
        refused(&m);
        m = example_of(HILP_MOTORS);
        m.u.motors.mode = HILP_MODE_LAND + 1;
        refused(&m);
        m = example_of(HILP_INPUT);
        m.u.input.channels = HILP_RC_MAX + 1;
        refused(&m);
        m = example_of(HILP_SENSORS);
        m.u.sensors.fresh = 1 << HILP_SENSOR_COUNT;
        refused(&m);
        m = example_of(HILP_SENSORS);
        m.u.sensors.time_us = HILP_TIME_MAX_US + 1;
        refused(&m);
        m = example_of(HILP_STATE);
        memset(m.u.state.q_1e4, 0, sizeof m.u.state.q_1e4);
        refused(&m);
        m = example_of(HILP_HELLO);
        m.u.hello.version_min = (uint8_t)(m.u.hello.version_max + 1);
        refused(&m);
        m = example_of(HILP_GOODBYE);
        m.type = HILP_GOODBYE + 1;
        refused(&m);
        m.type = 0;
        refused(&m);
}
END_TEST

START_TEST(gaps_in_the_sequence_are_counted_as_lost)
{
        struct dice d = { 5 };
        struct hilp_sequence s = { 0 };
        uint32_t lost = 0;
        uint8_t next = 200; /* any start */

        for (int i = 0; i < 5000; i++) {
                uint8_t payload[3] = { HILP_GOODBYE, next, dice_u8(&d) };
                uint8_t gap =
                        (uint8_t)(dice_below(&d, 10) == 0 ? dice_below(&d, 239) : 0);

                ck_assert_int_eq(hilp_sequence_take(&s, payload, 3), 1);
                ck_assert_uint_eq(s.lost, lost);
                next = (uint8_t)(next + 1 + gap);
                lost += gap;
        }
}
END_TEST

START_TEST(repetitions_are_told_from_messages_and_cost_nothing)
{
        struct hilp_sequence s = { 0 };
        const uint8_t first[2] = { HILP_GOODBYE, 7 }, second[2] = { HILP_GOODBYE, 8 };
        const uint8_t changed[2] = { HILP_MOTORS, 8 };

        ck_assert_int_eq(hilp_sequence_take(&s, first, 2), 1);
        ck_assert_int_eq(hilp_sequence_take(&s, first, 2), 0);
        ck_assert_int_eq(hilp_sequence_take(&s, second, 2), 1);
        /* A board that never counts is still heard. */
        ck_assert_int_eq(hilp_sequence_take(&s, changed, 2), 1);
        /* One that was overtaken. */
        ck_assert_int_eq(hilp_sequence_take(&s, first, 2), 1);
        ck_assert_uint_eq(s.lost, 0);
}
END_TEST

/* The examples of docs/protocol.md, in its order. */
#define EXAMPLES 10

static void examples(struct hilp_message m[EXAMPLES])
{
        memset(m, 0, EXAMPLES * sizeof m[0]);

        /* Framing */
        m[0].type = HILP_MOTORS;
        m[0].sequence = 5;
        m[0].u.motors = (struct hilp_motors){ .answers = 7,
                                              .flags = HILP_ARMED,
                                              .mode = HILP_MODE_GOTO,
                                              .count = 4,
                                              .duty = { 32768, 32768, 32000, 0 } };
        /* Messages */
        m[1].type = HILP_HELLO;
        m[1].u.hello = (struct hilp_hello){
                .version_min = 1,
                .version_max = 1,
                .flags = HILP_FLAG_LOCKSTEP,
                .rotors = 4,
                .frame_period_us = 1000,
                .sensor_period_us = { 1000, 100000, 20000, 10000, 0 },
                .units = { 4790000, 1064000, 10000000, 150, 1000000 },
                .name = "hilrig"
        };
        m[2].type = HILP_HELLO_ACK;
        m[2].u.hello_ack = (struct hilp_hello_ack){ .version = 1,
                                                    .frame_every = 1,
                                                    .rotors = 4,
                                                    .sensors_used = 0x0F,
                                                    .unique = 0xC0FFEE01,
                                                    .name = "myboard 0.3" };
        m[3].type = HILP_SENSORS;
        m[3].sequence = 9;
        m[3].u.sensors = (struct hilp_sensors){
                .number = 7,
                .time_us = 8000,
                .fresh = HILP_IMU,
                .imu = { .age_us = 250, .accel = { 0, 2, -2047 }, .gyro = { -1, 0, 3 } }
        };
        m[4] = m[0];
        m[5].type = HILP_INPUT;
        m[5].sequence = 8;
        m[5].u.input = (struct hilp_input){ .mode = HILP_MODE_GOTO,
                                            .pos_ned_mm = { 0, 1500, -5000 },
                                            .yaw_mrad = 1571,
                                            .channels = 5,
                                            .rc_us = { 1500, 1500, 1000, 1500, 1800 } };
        m[6].type = HILP_TIME_SYNC;
        m[6].sequence = 6;
        m[6].u.time_sync = (struct hilp_time_sync){ .id = 3,
                                                    .reply = 1,
                                                    .rig_transmit_us = 81000000,
                                                    .board_receive_us = 2500400,
                                                    .board_transmit_us = 2500430 };
        m[7].type = HILP_STATE;
        m[7].sequence = 7;
        m[7].u.state = (struct hilp_state){ .q_1e4 = { 10000, 0, -87, 0 },
                                            .pos_ned_mm = { 12, -40, -4987 },
                                            .vel_ned_cmps = { 0, 3, -1 } };
        m[8].type = HILP_TEXT;
        m[8].sequence = 8;
        m[8].u.text = (struct hilp_text){ .severity = 1, .text = "no GPS" };
        m[9].type = HILP_GOODBYE;
        m[9].sequence = 10;
}

static char *load(const char *path)
{
        FILE *f = fopen(path, "r");
        char *text = calloc(1, 1 << 17);
        size_t n;

        ck_assert_msg(f != NULL, "%s: run the tests in the repository's root", path);
        ck_assert_ptr_nonnull(text);
        n = fread(text, 1, (1 << 17) - 1, f);
        ck_assert_uint_gt(n, 0);
        fclose(f);
        return text;
}

/* The bytes of a fenced block of hex, in lower case, without its white space. */
static void block_hex(const char *block, char *hex, size_t cap)
{
        const char *end = strstr(block, "```");
        size_t n = 0;

        ck_assert_ptr_nonnull(end);
        for (; block < end; block++) {
                if (isxdigit((unsigned char)*block) && n + 1 < cap)
                        hex[n++] = *block;
                else
                        ck_assert(isspace((unsigned char)*block));
        }
        hex[n] = '\0';
}

START_TEST(every_hex_block_of_the_protocol_document_is_what_the_encoder_writes)
{
        struct hilp_message m[EXAMPLES];
        char *text = load("docs/protocol.md"), *at = text;

        examples(m);
        for (int i = 0; i < EXAMPLES; i++) {
                uint8_t frame[HILP_FRAME_MAX];
                char expected[2 * HILP_FRAME_MAX + 1], found[2 * HILP_FRAME_MAX + 1];
                size_t len = hilp_write(&m[i], frame);

                for (size_t k = 0; k < len; k++)
                        snprintf(expected + 2 * k, 3, "%02x", frame[k]);
                at = strstr(at, "```hex\n");
                ck_assert_msg(at != NULL, "example %d, %s, is missing", i, expected);
                at += strlen("```hex\n");
                block_hex(at, found, sizeof found);
                ck_assert_str_eq(found, expected);
        }
        ck_assert_ptr_null(strstr(at, "```hex\n"));
        free(text);
}
END_TEST

START_TEST(counts_are_exact_for_whole_multiples_of_the_lsb)
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
END_TEST

START_TEST(units_follow_the_lsb_and_have_limits)
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
END_TEST

START_TEST(out_of_range_saturates_and_nan_is_invalid)
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
END_TEST

START_TEST(a_frame_in_si_comes_back_within_half_a_unit)
{
        struct dice d = { 7 };
        const double lsb[SENSOR_COUNT] = { 0 };
        struct hilp_units units;

        hilp_si_units(&units, lsb, 0.0);
        for (int i = 0; i < 5000; i++) {
                double x = (double)dice_i32(&d) / INT32_MAX; /* -1 to 1 */
                struct sensor_frame frame = { .t_ns = (int64_t)dice_u32(&d) * 1000,
                                              .fresh = 0x1F };
                struct sensor_frame back = { 0 };
                struct hilp_sensors wire;

                frame.imu.t_ns = frame.t_ns - 1000 * dice_u16(&d);
                frame.gps.t_ns = frame.t_ns - (int64_t)1000 * dice_u32(&d);
                frame.baro.t_ns = frame.mag.t_ns = frame.sonar.t_ns = frame.gps.t_ns;
                frame.imu.accel_body_mps2.x = 160.0 * x;
                frame.imu.gyro_body_radps.z = 35.0 * x;
                frame.gps.lat_rad = 1.5 * x;
                frame.gps.lon_rad = -3.1 * x;
                frame.gps.height_m = 9000.0 * x;
                frame.gps.vel_ned_mps.y = 300.0 * x;
                frame.gps.h_acc_m = 100.0 * fabs(x);
                frame.gps.fix = GPS_FIX_3D;
                frame.gps.satellites = dice_u8(&d);
                frame.baro.pressure_pa = 101325.0 + 1000.0 * x;
                frame.baro.temperature_k = 288.15 + 40.0 * x;
                frame.sonar.range_m = 5.0 + 4.0 * x;
                frame.sonar.echo = x > 0.0;

                hilp_si_to_sensors(&wire, &units, 3, &frame);
                hilp_si_from_sensors(&back, &units, &wire);
                ck_assert_int_eq(back.t_ns, frame.t_ns);
                ck_assert_int_eq(back.imu.t_ns, frame.imu.t_ns);
                ck_assert_int_eq(back.gps.t_ns, frame.gps.t_ns);
                ck_assert_int_eq(back.baro.t_ns, frame.baro.t_ns);
                ck_assert_int_eq(back.mag.t_ns, frame.mag.t_ns);
                ck_assert_int_eq(back.sonar.t_ns, frame.sonar.t_ns);
                ck_assert_double_eq_tol(back.imu.accel_body_mps2.x,
                                        frame.imu.accel_body_mps2.x, 0.5001e-6);
                ck_assert_double_eq_tol(back.imu.gyro_body_radps.z,
                                        frame.imu.gyro_body_radps.z, 0.5001e-6);
                ck_assert_double_eq_tol(back.gps.lat_rad, frame.gps.lat_rad, 0.9e-9);
                ck_assert_double_eq_tol(back.gps.lon_rad, frame.gps.lon_rad, 0.9e-9);
                ck_assert_double_eq_tol(back.gps.height_m, frame.gps.height_m, 0.5001e-3);
                ck_assert_double_eq_tol(back.gps.vel_ned_mps.y, frame.gps.vel_ned_mps.y,
                                        0.5001e-3);
                ck_assert_double_eq_tol(back.gps.h_acc_m, frame.gps.h_acc_m, 0.5001e-2);
                ck_assert_int_eq(back.gps.fix, frame.gps.fix);
                ck_assert_int_eq(back.gps.satellites, frame.gps.satellites);
                ck_assert_double_eq_tol(back.baro.pressure_pa, frame.baro.pressure_pa,
                                        0.5001e-2);
                ck_assert_double_eq_tol(back.baro.temperature_k, frame.baro.temperature_k,
                                        0.5001e-2);
                ck_assert_double_eq_tol(back.sonar.range_m, frame.sonar.range_m,
                                        0.5001e-3);
                ck_assert_int_eq(back.sonar.echo, frame.sonar.echo);
        }
}
END_TEST

START_TEST(duty_crosses_exactly_and_nan_stops_the_motor)
{
        for (unsigned n = 0; n <= UINT16_MAX; n++)
                ck_assert_uint_eq(hilp_si_to_duty(hilp_si_from_duty((uint16_t)n)), n);
        ck_assert_uint_eq(hilp_si_to_duty(NAN), 0);
        ck_assert_uint_eq(hilp_si_to_duty(-0.1), 0);
        ck_assert_uint_eq(hilp_si_to_duty(1e30), UINT16_MAX);
        ck_assert_double_eq(hilp_si_from_duty(UINT16_MAX), 1.0);
}
END_TEST

START_TEST(pilot_input_comes_back_with_yaw_turned_into_half_a_turn)
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
END_TEST

START_TEST(an_estimate_comes_back_with_a_unit_quaternion)
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
END_TEST

int main(void)
{
        Suite *suite = suite_create("hilp");
        TCase *tc = tcase_create("hilp");
        SRunner *sr;
        int failures;

        tcase_set_timeout(tc, 60);
        tcase_add_test(tc, random_messages_of_every_type_come_back);
        tcase_add_test(tc, a_shorter_or_longer_payload_is_refused);
        tcase_add_test(tc, a_text_is_as_long_as_its_payload_up_to_its_limit);
        tcase_add_test(tc, a_decoded_payload_is_possible_whatever_it_was);
        tcase_add_test(tc, what_cannot_be_is_not_encoded);
        tcase_add_test(tc, gaps_in_the_sequence_are_counted_as_lost);
        tcase_add_test(tc, repetitions_are_told_from_messages_and_cost_nothing);
        tcase_add_test(
                tc, every_hex_block_of_the_protocol_document_is_what_the_encoder_writes);
        tcase_add_test(tc, counts_are_exact_for_whole_multiples_of_the_lsb);
        tcase_add_test(tc, units_follow_the_lsb_and_have_limits);
        tcase_add_test(tc, out_of_range_saturates_and_nan_is_invalid);
        tcase_add_test(tc, a_frame_in_si_comes_back_within_half_a_unit);
        tcase_add_test(tc, duty_crosses_exactly_and_nan_stops_the_motor);
        tcase_add_test(tc, pilot_input_comes_back_with_yaw_turned_into_half_a_turn);
        tcase_add_test(tc, an_estimate_comes_back_with_a_unit_quaternion);
        suite_add_tcase(suite, tc);
        sr = srunner_create(suite);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
