/* The sensor text: as JSON (read with cJSON), as the firmware's own parser finds it, and its stamps as that
 * firmware's clock takes them. Then a conversation of the real firmware, from its bytes. */
#include "tests/boards/ardupilot_talk.h"
#include "tests/io/cap_file.h"
#include "tests/suites.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

static struct codec_setup full(void)
{
        struct codec_setup s = setup_plain;

        s.sonars = 6;
        s.sensor_period_ns[SENSOR_POWER] = 100 * MS;
        return s;
}

static void fill(struct talk *t, double x)
{
        struct sensor_frame *f = &t->frame;

        f->imu.gyro_body_radps = (struct vec3){ x, -2 * x, 3 * x };
        f->imu.accel_body_mps2 = (struct vec3){ 4 * x, 5 * x, -6 * x };
        f->pose.vel_ned_mps = (struct vec3){ 7 * x, -8 * x, 9 * x };
        f->pose.pos_ned_m = (struct vec3){ -10 * x, 11 * x, -12 * x };
        f->pose.q_body_to_ned = (struct quat){ 0.5, -0.5, 0.1, 0.7 };
        for (int i = 0; i < 6; i++)
                f->sonar[i].range_m = 0.5 + i + x;
        f->power.voltage_v = 16.8 - x;
        f->power.current_a = 13 * x;
        for (int i = 0; i < RC_CHANNELS_MAX; i++)
                t->input.rc_us[i] = (uint16_t)(1100 + i);
}

static void check_array(const cJSON *array, int count, const double *expected, double tol)
{
        ck_assert_int_eq(cJSON_GetArraySize(array), count);
        for (int i = 0; i < count; i++)
                ck_assert_double_eq_tol(cJSON_GetArrayItem(array, i)->valuedouble,
                                        expected[i], tol);
}

static const cJSON *member(const cJSON *o, const char *key)
{
        const cJSON *m = cJSON_GetObjectItemCaseSensitive(o, key);

        ck_assert_msg(m != NULL, "no %s", key);
        return m;
}

static void check_vec3(const cJSON *o, const char *key, struct vec3 v, double tol)
{
        const double expected[] = { v.x, v.y, v.z };

        check_array(member(o, key), 3, expected, tol);
}

TEST(the_text_is_json_with_every_value)
{
        const struct codec_setup setup = full();
        struct talk t;

        talk_ready(&t, &setup);
        for (int i = 1; i < 300; i++) {
                const struct sensor_frame *f = &t.frame;
                const double q[] = { 0.5, -0.5, 0.1, 0.7 };
                const char *text;
                cJSON *o;

                fill(&t, i * 0.0123456789);
                text = exchange(&t, &t.input);
                ck_assert_int_eq(text[0], '\n');
                ck_assert_ptr_eq(strchr(text + 1, '\n'), text + strlen(text) - 1);
                o = cJSON_Parse(text);
                ck_assert_ptr_nonnull(o);
                check_vec3(member(o, "imu"), "gyro", f->imu.gyro_body_radps, 5.1e-7);
                check_vec3(member(o, "imu"), "accel_body", f->imu.accel_body_mps2,
                           5.1e-6);
                check_vec3(o, "velocity", f->pose.vel_ned_mps, 5.1e-6);
                check_vec3(o, "position", f->pose.pos_ned_m, 5.1e-5);
                check_array(member(o, "quaternion"), 4, q, 5.1e-8);
                ck_assert_double_eq_tol(member(o, "rng_6")->valuedouble,
                                        f->sonar[5].range_m, 5.1e-4);
                ck_assert_double_eq_tol(
                        member(member(o, "battery"), "voltage")->valuedouble,
                        f->power.voltage_v, 5.1e-4);
                ck_assert_double_eq(member(member(o, "rc"), "rc_5")->valuedouble, 1104);
                ck_assert_double_eq_tol(member(o, "timestamp")->valuedouble, i * 1e-3,
                                        1e-8);
                cJSON_Delete(o);
        }
        talk_end(&t);
}

TEST(the_firmware_finds_every_key_and_no_other)
{
        static const char *const absent[] = { "latitude",   "longitude",
                                              "altitude",   "velocity_wind",
                                              "airspeed",   "no_time_sync",
                                              "no_lockstep" };
        const struct codec_setup setup = full();
        char key[8];
        double v[4];
        const char *text;
        struct talk t;

        talk_ready(&t, &setup);
        fill(&t, 1.5);
        text = exchange(&t, &t.input);
        ck_assert(firmware_reads(text, "", "timestamp", 1, v));
        ck_assert(firmware_reads(text, "imu", "gyro", 3, v));
        ck_assert_double_eq_tol(v[1], -3.0, 1e-9);
        ck_assert(firmware_reads(text, "imu", "accel_body", 3, v));
        ck_assert_double_eq_tol(v[2], -9.0, 1e-9);
        ck_assert(firmware_reads(text, "", "velocity", 3, v));
        ck_assert_double_eq_tol(v[0], 10.5, 1e-9);
        ck_assert(firmware_reads(text, "", "position", 3, v));
        ck_assert_double_eq_tol(v[2], -18.0, 1e-9);
        ck_assert(firmware_reads(text, "", "quaternion", 4, v));
        ck_assert_double_eq_tol(v[3], 0.7, 1e-9);
        ck_assert(firmware_reads(text, "", "attitude", 3, v));
        for (int i = 0; i < 6; i++) {
                snprintf(key, sizeof key, "rng_%d", i + 1);
                ck_assert(firmware_reads(text, "", key, 1, v));
                ck_assert_double_eq_tol(v[0], 2.0 + i, 1e-9);
        }
        for (int i = 0; i < 5; i++) {
                snprintf(key, sizeof key, "rc_%d", i + 1);
                ck_assert(firmware_reads(text, "rc", key, 1, v));
                ck_assert_double_eq(v[0], 1100.0 + i);
        }
        ck_assert(firmware_reads(text, "battery", "voltage", 1, v));
        ck_assert_double_eq_tol(v[0], 15.3, 1e-9);
        ck_assert(firmware_reads(text, "battery", "current", 1, v));
        ck_assert_double_eq_tol(v[0], 19.5, 1e-9);
        for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
                ck_assert_msg(strstr(text, absent[i]) == NULL, "%s", absent[i]);
        talk_end(&t);
}

TEST(what_is_not_fitted_is_not_said)
{
        const char *text;
        struct talk t;

        talk_ready(&t, &setup_plain);
        fill(&t, 1.0);
        text = exchange(&t, NULL);
        ck_assert_ptr_null(strstr(text, "rng_"));
        ck_assert_ptr_null(strstr(text, "attitude"));
        ck_assert_ptr_null(strstr(text, "battery"));
        ck_assert_ptr_null(strstr(text, "\"rc\""));
        /* All twelve channels that the firmware knows, or up to the first that is not sent. */
        text = exchange(&t, &t.input);
        ck_assert_ptr_nonnull(strstr(text, "\"rc_12\":1111}"));
        ck_assert_ptr_null(strstr(text, "rc_13"));
        t.input.rc_us[4] = 0;
        text = exchange(&t, &t.input);
        ck_assert_ptr_nonnull(strstr(text, "\"rc_4\":1103}"));
        ck_assert_ptr_null(strstr(text, "rc_5"));
        talk_end(&t);
}

TEST(any_values_fit_into_a_packet)
{
        const double worst[] = { -1e300, -(double)INFINITY, (double)NAN, -99.9999999,
                                 1e9 };
        struct codec_setup setup = full();
        struct talk t;

        for (setup.sonars = 0; setup.sonars <= SONARS_MAX; setup.sonars++) {
                talk_ready(&t, &setup);
                for (size_t i = 0; i < sizeof worst / sizeof worst[0]; i++) {
                        const char *text;
                        cJSON *o;

                        fill(&t, worst[i]);
                        t.frame.pose.q_body_to_ned =
                                (struct quat){ worst[i], worst[i], worst[i], worst[i] };
                        for (int k = 0; k < RC_CHANNELS_MAX; k++)
                                t.input.rc_us[k] = 65535;
                        t.frame.t_ns = 9000000 * SECOND;
                        text = exchange(&t, &t.input);
                        ck_assert_uint_le(strlen(text), PACKET_MAX);
                        ck_assert_ptr_nonnull(strstr(text, "\"rc_5\""));
                        o = cJSON_Parse(text);
                        ck_assert_ptr_nonnull(o);
                        cJSON_Delete(o);
                }
                talk_end(&t);
        }
}

/* Its sign would not fit beside everything else. */
TEST(no_range_is_negative)
{
        const struct codec_setup setup = full();
        const char *text;
        struct talk t;
        double range_m;

        talk_ready(&t, &setup);
        for (int i = 0; i < SONARS_MAX; i++)
                t.frame.sonar[i].range_m = -99.0 - i;
        text = exchange(&t, &t.input);
        ck_assert(firmware_reads(text, "", "rng_1", 1, &range_m));
        ck_assert_double_eq(range_m, 0.0);
        ck_assert(firmware_reads(text, "", "rng_6", 1, &range_m));
        ck_assert_double_eq(range_m, 0.0);
        talk_end(&t);
}

/* SIM_JSON.cpp: uint64_t time_now_us += deltat * 1.0e6, with deltat the difference of two stamps as
 * doubles. A plain stamp of nine places fails this at the first frames. */
TEST(the_firmware_s_clock_goes_by_whole_periods)
{
        const int64_t period_ns[] = { 1000000, 1250000, 2500000 };
        const int64_t from_s[] = { 0, 100, 3600 };

        for (int p = 0; p < 3; p++) {
                for (int k = 0; k < 3; k++) {
                        struct codec_setup setup = setup_plain;
                        double last_s = 0.0, s = 0.0;
                        uint64_t time_us = 0, before_us;
                        struct talk t;

                        setup.period_ns = period_ns[p];
                        talk_ready(&t, &setup);
                        t.frame.t_ns = period_ns[p] - 1 * MS;
                        firmware_reads(exchange(&t, NULL), "", "timestamp", 1, &last_s);
                        t.frame.t_ns += from_s[k] * SECOND;
                        for (int i = 0; i < 4000; i++) {
                                t.frame.t_ns += period_ns[p] - 1 * MS;
                                firmware_reads(exchange(&t, NULL), "", "timestamp", 1,
                                               &s);
                                before_us = time_us;
                                time_us = (uint64_t)((double)time_us +
                                                     (s - last_s) * 1.0e6);
                                last_s = s;
                                if (i > 0)
                                        ck_assert_uint_eq(time_us - before_us,
                                                          (uint64_t)period_ns[p] / 1000);
                        }
                        talk_end(&t);
                }
        }
}

static struct vec3 vec3_from(const cJSON *array)
{
        return (struct vec3){ cJSON_GetArrayItem(array, 0)->valuedouble,
                              cJSON_GetArrayItem(array, 1)->valuedouble,
                              cJSON_GetArrayItem(array, 2)->valuedouble };
}

/* What the rig said then, read with cJSON. */
static uint32_t frame_from(struct sensor_frame *f, const uint8_t *bytes, size_t len)
{
        cJSON *o = cJSON_ParseWithLength((const char *)bytes, len);
        const cJSON *q;
        uint32_t number;

        ck_assert_ptr_nonnull(o);
        q = member(o, "quaternion");
        f->imu.gyro_body_radps = vec3_from(member(member(o, "imu"), "gyro"));
        f->imu.accel_body_mps2 = vec3_from(member(member(o, "imu"), "accel_body"));
        f->pose.vel_ned_mps = vec3_from(member(o, "velocity"));
        f->pose.pos_ned_m = vec3_from(member(o, "position"));
        f->pose.q_body_to_ned = (struct quat){ cJSON_GetArrayItem(q, 0)->valuedouble,
                                               cJSON_GetArrayItem(q, 1)->valuedouble,
                                               cJSON_GetArrayItem(q, 2)->valuedouble,
                                               cJSON_GetArrayItem(q, 3)->valuedouble };
        f->power.voltage_v = member(member(o, "battery"), "voltage")->valuedouble;
        f->power.current_a = member(member(o, "battery"), "current")->valuedouble;
        number = (uint32_t)member(o, "frame")->valuedouble;
        cJSON_Delete(o);
        return number;
}

/* The same frame, encoded anew, is the same text but for its time. */
static void check_sent(struct talk *t, const struct cap_record *r)
{
        const char *then = memchr(r->bytes, ',', r->len), *now;
        uint32_t number = frame_from(&t->frame, r->bytes, r->len);

        t->t_ns += 1 * MS;
        now = tick(t, NULL);
        ck_assert_ptr_nonnull(now);
        ck_assert_uint_eq(number, t->count);
        now = strchr(now, ',');
        ck_assert_uint_eq(strlen(now), r->len - (size_t)(then - (const char *)r->bytes));
        ck_assert_mem_eq(now, then, strlen(now));
}

/* tests/captures/ardupilot.cap: 0.73 s of a flight in lockstep around the command to arm, cut out of a
 * run's wire.cap. The firmware was ArduCopter 4.7.0-dev (b1571a08). */
TEST(a_flight_of_the_real_firmware_is_understood)
{
        struct cap_file c;
        struct codec_setup lockstep = setup_plain;
        int requests = 0, texts = 0, armed_at = -1, ready_at = -1;
        bool turned = false;
        struct cap_record r;
        struct talk t;

        lockstep.lockstep = true;
        lockstep.sensor_period_ns[SENSOR_POWER] = 100 * MS;
        talk_begin(&t, &lockstep);
        cap_open(&c, "tests/captures/ardupilot.cap");
        while (cap_next(&c, &r)) {
                uint32_t news;

                if (!r.from_fc) {
                        if (r.channel == 0)
                                check_sent(&t, &r);
                        continue;
                }
                news = to_rig(&t, r.channel, r.bytes, r.len);
                if (r.channel == 0) {
                        requests++;
                        t.count = le_get_u32(r.bytes + 4) + 1;
                        ck_assert((news & FC_MOTORS) != 0);
                }
                texts += (news & FC_TEXT) != 0;
                if (t.report.armed && armed_at < 0)
                        armed_at = requests;
                if (t.report.can_arm && ready_at < 0)
                        ready_at = requests;
                for (int i = 0; i < 4; i++)
                        turned |= t.report.motors.duty[i] > 0.0;
        }
        ck_assert_int_gt(requests, 700);
        ck_assert_int_ge(texts, 1);
        ck_assert_int_gt(ready_at, 0);
        ck_assert_int_gt(armed_at, ready_at);
        ck_assert_uint_eq(t.rig->counts.lost, 0);
        ck_assert_uint_eq(t.rig->counts.malformed, 0);
        ck_assert_uint_eq(t.rig->counts.crc_errors, 0);
        ck_assert_uint_eq(t.rig->counts.bytes_skipped, 0);
        ck_assert_double_eq_tol(t.report.estimate.pos_ned_m.z, 0.0, 0.5);
        ck_assert_double_eq_tol(t.report.estimate.q_body_to_ned.w, 1.0, 0.01);
        ck_assert_int_eq(turned, t.report.motors.duty[0] > 0.0);
        talk_end(&t);
        cap_close(&c);
}
