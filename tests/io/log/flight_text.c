/* Logs of flights that begin as text: blackbox put together byte by byte, CSV as people write it; and where a log is. */
#include <string.h>

#include "tests/io/log/made_log.h"
#include "tests/suites.h"

/* Blackbox */

static void add_unsigned(struct made *m, uint32_t value)
{
        for (; value > 127; value >>= 7)
                add_byte(m, value | 0x80);
        add_byte(m, value);
}

static void add_signed(struct made *m, int32_t value)
{
        add_unsigned(m, ((uint32_t)value << 1) ^ (uint32_t)(value >> 31));
}

#define PRODUCT "H Product:Blackbox flight data recorder by Nicholas Sherlock\n"

static void add_blackbox_header(struct made *m)
{
        add_text(m, PRODUCT "H Data version:2\nH I interval:4\nH P interval:1/1\n");
        add_text(m, "H Field I name:loopIteration,time,gyroADC[0],gyroADC[1],gyroADC[2],"
                    "motor[0],motor[1]\n"
                    "H Field I predictor:0,0,0,0,0,11,5\n"
                    "H Field I encoding:1,1,0,0,0,1,0\n"
                    "H Field P predictor:6,2,3,3,3,3,3\n"
                    "H Field P encoding:9,0,7,7,7,0,0\n"
                    "H Firmware revision:Betaflight 4.4.0 (1234567) STM32F405\n"
                    "H gyro_scale:0x3f800000\nH motorOutput:148,2047\n"
                    "H motor_pwm_protocol:6\n");
}

/* gyro 10, -20, 30 deg/s, motors 1048 and 1148 at 5000 us */
static void add_intra(struct made *m, uint32_t iteration, uint32_t t_us)
{
        add_byte(m, 'I');
        add_unsigned(m, iteration);
        add_unsigned(m, t_us);
        add_signed(m, 10);
        add_signed(m, -20);
        add_signed(m, 30);
        add_unsigned(m, 900);
        add_signed(m, 100);
}

static void expect_frame(struct flight_log *log, int64_t t_us, double x, double y,
                         double z, double motor0)
{
        struct flight_log_sample s;

        ck_assert(flight_log_next(log, &s));
        ck_assert_uint_eq(s.has, FLIGHT_LOG_RATE | FLIGHT_LOG_MOTORS);
        ck_assert_int_eq(s.t_ns, t_us * 1000);
        /* Forward, left, up becomes forward, right, down. */
        expect_vector(vec3_scale(DEG, s.rate_body_radps), x, -y, -z);
        ck_assert_int_eq(s.motors, 2);
        ck_assert_double_eq_tol(s.motor_ratio[0], (motor0 - 48) / 1999, 1e-9);
        ck_assert_double_eq_tol(s.motor_ratio[1], (motor0 + 100 - 48) / 1999, 1e-9);
}

TEST(blackbox_predicts_each_frame_from_those_before)
{
        struct made m = { .len = 0 };
        struct flight_log_sample s;
        struct flight_log *log;

        add_blackbox_header(&m);
        add_intra(&m, 0, 5000);
        /* 250 us later; in three fields of 4 bits +1, -2, +3; the motors 4 faster. */
        add_byte(&m, 'P');
        add_signed(&m, 250);
        add_byte(&m, 0x41);
        add_byte(&m, 0xE3);
        add_signed(&m, 4);
        add_signed(&m, 4);
        /* On the line of the two before; fields of 16 and 8 bits: +1000, -1, 0. */
        add_byte(&m, 'P');
        add_signed(&m, 0);
        add(&m, (uint8_t[]){ 0xC1, 0xE8, 0x03, 0xFF, 0x00 }, 5);
        add_signed(&m, 0);
        add_signed(&m, 0);
        add_text(&m, "E\xff"
                     "End of log");
        log = open_log(m.bytes, m.len, 1);
        ck_assert_str_eq(flight_log_firmware(log),
                         "Betaflight 4.4.0 (1234567) STM32F405");
        expect_frame(log, 5000, 10, -20, 30, 1048);
        expect_frame(log, 5250, 11, -22, 33, 1052);
        expect_frame(log, 5500, 10 + 1000, -21 - 1, 31, 1050);
        ck_assert(!flight_log_next(log, &s));
        ck_assert_uint_eq(flight_log_skipped(log), 0);
        flight_log_close(log);
}

TEST(blackbox_believes_nothing_after_damage_until_a_whole_frame)
{
        struct made m = { .len = 0 };
        struct flight_log_sample s;
        struct flight_log *log;

        add_blackbox_header(&m);
        add_intra(&m, 0, 5000);
        add_text(&m, "damage");
        add_byte(&m, 'P');
        add_signed(&m, 250);
        add(&m, (uint8_t[]){ 0, 0, 0 }, 3);
        add_intra(&m, 8, 7000);
        log = open_log(m.bytes, m.len, 1);
        /* What is not followed by a frame is no frame either. */
        expect_frame(log, 7000, 10, -20, 30, 1048);
        ck_assert(!flight_log_next(log, &s));
        ck_assert_uint_gt(flight_log_skipped(log), 0);
        flight_log_close(log);
}

TEST(blackbox_has_several_logs)
{
        struct made m = { .len = 0 };
        struct flight_log *log;

        for (uint32_t i = 0; i < 2; i++) {
                add_blackbox_header(&m);
                add_intra(&m, 0, 5000 + 1000 * i);
                add_text(&m, "E\xff"
                             "End of log");
                add_byte(&m, 0);
        }
        log = open_log(m.bytes, m.len, 2);
        expect_frame(log, 6000, 10, -20, 30, 1048);
        flight_log_close(log);
        expect_refused(m.bytes, m.len, 3, "holds 2 logs: there is no #3");
}

TEST(blackbox_without_its_fields_is_refused)
{
        static const char bare[] = PRODUCT "H Data version:2\n";
        static const char odd[] = PRODUCT "H Field I name:time\nH Field I encoding:4\n";

        expect_refused(bare, sizeof bare - 1, 1, "no field \"time\"");
        expect_refused(odd, sizeof odd - 1, 1, "encoding");
}

/* CSV */

TEST(csv_says_its_units_in_the_header)
{
        static const char text[] = "t_s,north_m,east_m,up_m,roll_deg,pitch_deg,yaw_deg,"
                                   "note,motor_0,motor_1\r\n"
                                   "0.5,1,2,3,10,20,30,hello,0.25,0.5\r\n"
                                   "\r\n"
                                   "0.6,,,,,,,\"a\",0.75,1\r\n";
        struct flight_log *log = open_log(text, sizeof text - 1, 1);
        struct flight_log_sample s;

        ck_assert(flight_log_next(log, &s));
        ck_assert_uint_eq(s.has,
                          FLIGHT_LOG_POSITION | FLIGHT_LOG_ATTITUDE | FLIGHT_LOG_MOTORS);
        ck_assert_int_eq(s.t_ns, 500000000);
        expect_vector(s.pos_ned_m, 1, 2, -3);
        expect_vector(vec3_scale(DEG, quat_to_euler(s.q_body_to_ned)), 10, 20, 30);
        ck_assert(flight_log_next(log, &s));
        ck_assert_uint_eq(s.has, FLIGHT_LOG_MOTORS);
        ck_assert_double_eq(s.motor_ratio[0], 0.75);
        ck_assert(!flight_log_next(log, &s));
        flight_log_close(log);
}

TEST(csv_of_others_is_known_by_their_names)
{
        static const char px4[] = "timestamp,x,y,z,vx,vy,vz\n2000000,1,2,3,4,5,6\n";
        static const char decoded[] =
                "loopIteration, time (us), gyroADC[0] (deg/s), gyroADC[1] (deg/s), "
                "gyroADC[2] (deg/s)\n0, 3000000, 10, 20, 30\n";
        struct flight_log *log = open_log(px4, sizeof px4 - 1, 1);
        struct flight_log_sample s;

        ck_assert(flight_log_next(log, &s));
        ck_assert_int_eq(s.t_ns, 2000000000);
        expect_vector(s.vel_ned_mps, 4, 5, 6);
        flight_log_close(log);
        log = open_log(decoded, sizeof decoded - 1, 1);
        ck_assert(flight_log_next(log, &s));
        expect_vector(vec3_scale(DEG, s.rate_body_radps), 10, -20, -30);
        flight_log_close(log);
}

TEST(csv_error_names_line_and_column)
{
        static const struct {
                const char *text, *words;
        } wrong[] = {
                { "north_m,east_m,down_m\n", "must name a column t_s" },
                { "t_s,north_m,east_m\n", "all of north_m, east_m and down_m" },
                { "t_s,note\n1,2\n", "names no column of a flight" },
                { "t_s,t_us,motor_0\n", "t_us and t_s say the same" },
                { "t_s,motor_0,motor_2\n", "motor_2 must have motor_1" },
                { "t_s,motor_0\n1,0.5\n2,abc\n",
                  "line 3, column motor_0: must be a number, is \"abc\"" },
                { "t_s,motor_0\n1\n", "line 2: must have 2 columns" },
                { "t_s,motor_0\n2,0\n1,0\n", "line 3, column t_s: must be a time" },
        };

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
                expect_refused(wrong[i].text, strlen(wrong[i].text), 1, wrong[i].words);
}

TEST(what_is_no_log_is_refused)
{
        static const uint8_t other[] = { 0x7F, 'E', 'L', 'F', 2, 1, 1, 0 };

        expect_refused(other, sizeof other, 1, "no log of a flight");
        expect_refused("", 0, 1, "no log of a flight");
}

TEST(place_names_file_number_and_moment)
{
        struct flight_log_place p;
        char why[200];

        ck_assert(flight_log_place_parse(&p, "a#b/LOG#2@12.5", why, sizeof why));
        ck_assert_str_eq(p.path, "a#b/LOG");
        ck_assert_int_eq(p.number, 2);
        ck_assert_double_eq(p.from_s, 12.5);
        ck_assert(flight_log_place_parse(&p, "log.bin", why, sizeof why));
        ck_assert_int_eq(p.number, 1);
        ck_assert(!flight_log_place_parse(&p, "log#0", why, sizeof why));
        ck_assert(!flight_log_place_parse(&p, "log#1.5", why, sizeof why));
        ck_assert(!flight_log_place_parse(&p, "log@-1", why, sizeof why));
        ck_assert(!flight_log_place_parse(&p, "#2", why, sizeof why));
}
