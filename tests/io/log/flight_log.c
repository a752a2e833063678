/* Logs of flights by their formats' own descriptions: ULog by the writer, DataFlash put together byte by byte. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/le.h"
#include "io/log/ulog.h"

#include "tests/io/log/made_log.h"
#include "tests/suites.h"

/* ULog */

static char *write_ulog(size_t *len, bool own, void (*fill)(struct ulog_writer *w))
{
        struct ulog_writer w;
        char *bytes;
        FILE *file = open_memstream(&bytes, len);

        ulog_begin(&w, file, 0);
        ulog_info_text(&w, "sys_name", own ? "hilrig" : "PX4");
        ulog_info_text(&w, "ver_sw", "v1.15");
        fill(&w);
        ck_assert(ulog_flush(&w));
        fclose(file);
        return bytes;
}

static void put_floats(uint8_t *to, const float *value, int count)
{
        for (int i = 0; i < count; i++)
                le_put_f32(to + 4 * i, value[i]);
}

static void fill_px4(struct ulog_writer *w)
{
        uint8_t data[64] = { 0 };
        uint16_t position, motors, gyro;

        ulog_format(w, "vehicle_local_position:uint64_t timestamp;uint64_t "
                       "timestamp_sample;float x;float y;float z;float vx;float "
                       "vy;float vz;bool xy_valid;bool z_valid;");
        ulog_format(w, "actuator_motors:uint64_t timestamp;float[12] control;");
        ulog_format(w, "actuator_outputs:uint64_t timestamp;float[12] control;");
        ulog_format(w, "sensor_combined:uint64_t timestamp;float[3] gyro_rad;float[3] "
                       "accelerometer_m_s2;");
        position = ulog_subscribe(w, "vehicle_local_position", 0);
        motors = ulog_subscribe(w, "actuator_motors", 0);
        gyro = ulog_subscribe(w, "sensor_combined", 0);
        le_put_u64(data, 2000);
        le_put_u64(data + 8, 1500);
        put_floats(data + 16, (float[]){ 1, 2, -3, 4, 5, -6 }, 6);
        data[40] = 1;
        ulog_data(w, position, data, 42); /* its height is no estimate */
        data[41] = 1;
        ulog_data(w, position, data, 42);
        put_floats(data + 8, (float[]){ 0.25F, 0.5F, NAN }, 3);
        ulog_data(w, motors, data, 56);
        put_floats(data + 8, (float[]){ 0.1F, 0.2F, 0.3F, 0, 0, -9.8F }, 6);
        ulog_data(w, gyro, data, 32);
        put_floats(data + 8, (float[]){ NAN, 0, 0, 0, 0, 0 }, 6);
        ulog_data(w, gyro, data, 32);
}

TEST(ulog_of_px4_says_what_is_valid_when_it_was_measured)
{
        struct flight_log_sample s;
        struct flight_log *log;
        size_t len;
        char *bytes = write_ulog(&len, false, fill_px4);

        expect_refused(bytes, len, 2, "there is no #2");
        log = open_log(bytes, len, 1);
        ck_assert_str_eq(flight_log_format(log), "ULog");
        ck_assert_str_eq(flight_log_firmware(log), "v1.15");
        ck_assert(!flight_log_is_own(log));
        ck_assert(flight_log_next(log, &s));
        ck_assert_uint_eq(s.has, FLIGHT_LOG_VELOCITY);
        ck_assert(flight_log_next(log, &s));
        ck_assert_uint_eq(s.has, FLIGHT_LOG_POSITION | FLIGHT_LOG_VELOCITY);
        ck_assert_int_eq(s.t_ns, 1500000);
        expect_vector(s.pos_ned_m, 1, 2, -3);
        expect_vector(s.vel_ned_mps, 4, 5, -6);
        ck_assert(flight_log_next(log, &s));
        ck_assert_uint_eq(s.has, FLIGHT_LOG_MOTORS);
        ck_assert_int_eq(s.motors, 2);
        ck_assert_double_eq_tol(s.motor_ratio[1], 0.5, 1e-9);
        ck_assert(flight_log_next(log, &s));
        ck_assert_uint_eq(s.has, FLIGHT_LOG_RATE | FLIGHT_LOG_ACCEL);
        expect_vector(s.rate_body_radps, 0.1F, 0.2F, 0.3F);
        /* The last record is no number. */
        ck_assert(!flight_log_next(log, &s));
        ck_assert_uint_eq(flight_log_skipped(log), 1);
        flight_log_close(log);
        free(bytes);
}

static void fill_own(struct ulog_writer *w)
{
        uint8_t data[72] = { 0 };
        uint16_t tick[2];

        ulog_format(w, "hilrig_tick:uint64_t timestamp;double[8] duty;");
        for (int i = 0; i < 2; i++)
                tick[i] = ulog_subscribe(w, "hilrig_tick", (uint8_t)i);
        for (int n = 1; n <= 3; n++)
                for (int i = 0; i < 2; i++) {
                        le_put_u64(data, (uint64_t)n * 1000);
                        le_put_f64(data + 8, 0.1 * n + 0.5 * i);
                        ulog_data(w, tick[i], data, sizeof data);
                }
}

/* A tick's record is written at its end, and the command had acted since the tick before. */
TEST(ulog_of_the_rig_has_commands_from_when_they_acted)
{
        struct flight_log_sample s;
        struct flight_log *log;
        size_t len;
        char *bytes = write_ulog(&len, true, fill_own);

        log = open_log(bytes, len, 2); /* the second vehicle */
        ck_assert(flight_log_is_own(log));
        for (int n = 1; n <= 3; n++) {
                ck_assert(flight_log_next(log, &s));
                ck_assert_int_eq(s.t_ns, (n - 1) * 1000000);
                ck_assert(s.motor_ratio[0] == 0.1 * n + 0.5); /* to the bit */
        }
        ck_assert(!flight_log_next(log, &s));
        flight_log_close(log);
        free(bytes);
}

/* DataFlash */

static void add_format(struct made *m, unsigned type, const char *name, const char *types,
                       const char *labels, unsigned size)
{
        uint8_t f[89] = { 0xA3, 0x95, 128, (uint8_t)type, (uint8_t)size };

        memcpy(f + 5, name, strlen(name));
        memcpy(f + 9, types, strlen(types));
        memcpy(f + 25, labels, strlen(labels));
        add(m, f, sizeof f);
}

static void add_parameter(struct made *m, const char *name, float value)
{
        uint8_t p[31] = { 0xA3, 0x95, 2 };

        memcpy(p + 11, name, strlen(name));
        le_put_f32(p + 27, value);
        add(m, p, sizeof p);
}

static void make_dataflash(struct made *m)
{
        uint8_t body[32] = { 0xA3, 0x95 };

        add_format(m, 128, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns", 89);
        add_format(m, 1, "ATT", "Qccc", "TimeUS,Roll,Pitch,Yaw", 17);
        add_format(m, 2, "PARM", "QNf", "TimeUS,Name,Value", 31);
        add_format(m, 3, "RCOU", "QHHHH", "TimeUS,C1,C2,C3,C4", 19);
        add_format(m, 4, "IMU", "QBffffff", "TimeUS,I,GyrX,GyrY,GyrZ,AccX,AccY,AccZ", 36);
        add_parameter(m, "SERVO1_FUNCTION", 34);
        add_parameter(m, "SERVO3_FUNCTION", 33);
        add_parameter(m, "SERVO2_FUNCTION", 0);
        add_parameter(m, "SERVO4_FUNCTION", 0);
        add_parameter(m, "MOT_PWM_MAX", 1900);
        body[2] = 1;
        le_put_u64(body + 3, 2500000);
        le_put_u16(body + 11, 1000);
        le_put_u16(body + 13, (uint16_t)-2000);
        le_put_u16(body + 15, 9000);
        add(m, body, 17);
        add_text(m, "not a message");
        body[2] = 3;
        le_put_u16(body + 11, 1450);
        le_put_u16(body + 13, 1900);
        le_put_u16(body + 15, 1900);
        le_put_u16(body + 17, 1999);
        add(m, body, 19);
}

TEST(dataflash_describes_itself_and_names_its_motors)
{
        struct made m = { .len = 0 };
        struct flight_log_sample s;
        struct flight_log *log;
        struct vec3 euler;

        make_dataflash(&m);
        expect_refused(m.bytes, m.len, 2, "there is no #2");
        log = open_log(m.bytes, m.len, 1);
        ck_assert(flight_log_next(log, &s));
        ck_assert_uint_eq(s.has, FLIGHT_LOG_ATTITUDE);
        ck_assert_int_eq(s.t_ns, 2500000000);
        euler = quat_to_euler(s.q_body_to_ned);
        expect_vector(vec3_scale(DEG, euler), 10, -20, 90);
        ck_assert(flight_log_next(log, &s));
        ck_assert_uint_eq(s.has, FLIGHT_LOG_MOTORS);
        ck_assert_int_eq(s.motors, 2);
        ck_assert_double_eq_tol(s.motor_ratio[0], 1.0, 1e-9); /* the third output */
        ck_assert_double_eq_tol(s.motor_ratio[1], 0.5, 1e-9);
        ck_assert(!flight_log_next(log, &s));
        ck_assert_uint_eq(flight_log_skipped(log), 1);
        flight_log_close(log);
}

TEST(dataflash_reads_the_first_imu_alone)
{
        struct made m = { .len = 0 };
        uint8_t imu[36] = { 0xA3, 0x95, 4 };
        struct flight_log_sample s;
        struct flight_log *log;

        make_dataflash(&m);
        for (uint8_t i = 0; i < 2; i++) {
                imu[11] = i;
                put_floats(imu + 12, (float[]){ 0.5F + i, 0, 0, 0, 0, -9 }, 6);
                add(&m, imu, sizeof imu);
        }
        log = open_log(m.bytes, m.len, 1);
        for (int i = 0; i < 3; i++)
                ck_assert(flight_log_next(log, &s));
        ck_assert_uint_eq(s.has, FLIGHT_LOG_RATE | FLIGHT_LOG_ACCEL);
        expect_vector(s.rate_body_radps, 0.5, 0, 0);
        ck_assert(!flight_log_next(log, &s));
        flight_log_close(log);
}
