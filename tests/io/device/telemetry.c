/* Telemetry for ground stations: what is said how often, by whom, and what is answered. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "io/device/telemetry.h"
#include "io/codec/mavlink_values.h"

#include "tests/suites.h"

#define MS      1000000LL
#define KEPT    64
#define SYSTEMS 8

static const struct device_setup setup = {
        .period_ns = MS,
        .origin = { .lat_rad = 0.826,
                    .lon_rad = 0.149,
                    .height_m = 488.0,
                    .north_m_per_rad = 6.37e6,
                    .east_m_per_rad = 4.33e6,
                    .utc_ns = 1700000000LL * 1000000000LL },
        .start_ned_m = { 10.0, -20.0, -1.0 },
        .rotors = 4,
};

/* A device with its inputs, and what came out of it. */
struct stage {
        struct device *device;
        struct sensor_frame frame;
        struct pilot_input input;
        struct fc_report report;
        struct motor_command command;
        int64_t t_ns;
        struct mavlink_stream stream;
        int count[SYSTEMS][256]; /* by system and message */
        struct mavlink_frame last[SYSTEMS][256];
        struct mavlink_frame text[KEPT];
        int texts;
        size_t bytes;
};

static void hear(struct stage *s, const struct packets *out)
{
        ck_assert(out->count >= 0 && out->count <= CODEC_PACKETS_MAX);
        for (int i = 0; i < out->count; i++) {
                const struct packet *p = &out->packet[i];

                ck_assert(p->channel == 0 && p->len > 0 && p->len <= PACKET_MAX);
                s->bytes += p->len;
                for (size_t at = 0; at < p->len;) {
                        struct mavlink_frame f;
                        bool got;

                        at += mavlink_stream_take(&s->stream, p->bytes + at, p->len - at,
                                                  &f, &got);
                        ck_assert(got && f.version == 2 && f.system < SYSTEMS);
                        ck_assert(f.id < 256 && f.component == MAV_COMP_ID_AUTOPILOT1);
                        s->count[f.system][f.id]++;
                        s->last[f.system][f.id] = f;
                        if (f.id == MAVLINK_STATUSTEXT && s->texts < KEPT)
                                s->text[s->texts++] = f;
                }
                /* No frame in two datagrams. */
                ck_assert_uint_eq(s->stream.len, 0);
        }
}

static void setup_stage(struct stage *s, const struct device_setup *with)
{
        memset(s, 0, sizeof *s);
        s->device = device_create("telemetry", with);
        ck_assert_ptr_nonnull(s->device);
        s->frame.pose.q_body_to_ned.w = 1.0;
        s->frame.pose.pos_ned_m = with->start_ned_m;
}

static void tick(struct stage *s)
{
        struct device_feed feed = { s->t_ns, &s->frame, &s->input, &s->report,
                                    &s->command };
        struct packets out = { 0 };

        s->device->ops->feed(s->device, &feed, &out);
        hear(s, &out);
        s->t_ns += MS;
        s->frame.fresh = 0;
}

static void run_ms(struct stage *s, int ms)
{
        for (int i = 0; i < ms; i++)
                tick(s);
}

static void teardown(struct stage *s)
{
        ck_assert_uint_eq(s->stream.bad_crc + s->stream.unknown + s->stream.noise_bytes,
                          0);
        s->device->ops->destroy(s->device);
}

/* The newest message of this kind from a system. */
static void newest(const struct stage *s, int system, uint32_t id, void *values)
{
        ck_assert_int_gt(s->count[system][id], 0);
        ck_assert(mavlink_unpack(&s->last[system][id], mavlink_message_find(id), values));
}

TEST(messages_come_as_often_as_ground_stations_expect)
{
        struct stage s;

        setup_stage(&s, &setup);
        s.report.estimate.q_body_to_ned.w = 1.0;
        run_ms(&s, 10000);
        for (int system = 1; system <= 2; system++) {
                ck_assert_int_eq(s.count[system][MAVLINK_HEARTBEAT], 10);
                ck_assert_int_eq(s.count[system][MAVLINK_ATTITUDE], 200);
                ck_assert_int_eq(s.count[system][MAVLINK_LOCAL_POSITION_NED], 100);
                ck_assert_int_eq(s.count[system][MAVLINK_GLOBAL_POSITION_INT], 100);
                ck_assert_int_eq(s.count[system][MAVLINK_VFR_HUD], 50);
        }
        ck_assert_int_eq(s.count[1][MAVLINK_SERVO_OUTPUT_RAW], 50);
        ck_assert_int_eq(s.count[1][MAVLINK_RC_CHANNELS], 50);
        ck_assert_int_eq(s.count[1][MAVLINK_SYS_STATUS], 10);
        ck_assert_int_eq(s.count[1][MAVLINK_SYSTEM_TIME], 10);
        ck_assert_int_eq(s.count[1][MAVLINK_HOME_POSITION], 2);
        teardown(&s);
}

TEST(a_period_that_divides_nothing_keeps_the_rate)
{
        struct stage s;

        setup_stage(&s, &setup);
        for (s.t_ns = 0; s.t_ns < 10000 * MS;) {
                int64_t t_ns = s.t_ns;

                tick(&s);
                s.t_ns = t_ns + 2345678;
        }
        ck_assert_int_eq(s.count[1][MAVLINK_HEARTBEAT], 10);
        ck_assert_int_eq(s.count[1][MAVLINK_ATTITUDE], 200);
        teardown(&s);
}

TEST(an_estimate_is_a_system_of_its_own_once_it_is_told)
{
        struct mavlink_local_position_ned truth, estimate;
        struct stage s;

        setup_stage(&s, &setup);
        s.frame.pose.pos_ned_m = vec3_add(setup.start_ned_m, (struct vec3){ 1, 2, -3 });
        run_ms(&s, 2000);
        for (int id = 0; id < 256; id++)
                ck_assert_int_eq(s.count[2][id], 0);

        s.report.estimate.q_body_to_ned.w = 1.0;
        s.report.estimate.pos_ned_m = (struct vec3){ 4.0, 5.0, -6.0 };
        run_ms(&s, 2000);
        newest(&s, 1, MAVLINK_LOCAL_POSITION_NED, &truth);
        newest(&s, 2, MAVLINK_LOCAL_POSITION_NED, &estimate);
        /* Both count from where the vehicle started. */
        ck_assert(truth.x == 1.0f && truth.y == 2.0f && truth.z == -3.0f);
        ck_assert(estimate.x == 4.0f && estimate.y == 5.0f && estimate.z == -6.0f);
        teardown(&s);
}

TEST(every_vehicle_has_systems_of_its_own)
{
        struct device_setup third = setup;
        struct stage s;

        third.vehicle = 2;
        setup_stage(&s, &third);
        s.report.estimate.q_body_to_ned.w = 1.0;
        run_ms(&s, 100);
        for (int system = 0; system < SYSTEMS; system++)
                ck_assert_int_eq(s.count[system][MAVLINK_HEARTBEAT],
                                 system == 5 || system == 6);
        teardown(&s);
}

TEST(the_position_on_earth_is_the_origin_and_the_way_from_it)
{
        struct mavlink_global_position_int m;
        struct mavlink_home_position home;
        struct stage s;

        setup_stage(&s, &setup);
        s.frame.pose.pos_ned_m = (struct vec3){ 637.0, -433.0, -50.0 };
        s.frame.pose.vel_ned_mps = (struct vec3){ 1.5, -2.5, 0.25 };
        s.frame.pose.q_body_to_ned = quat_from_euler(0.0, 0.0, -0.5 * M_PI);
        tick(&s);
        newest(&s, 1, MAVLINK_GLOBAL_POSITION_INT, &m);
        ck_assert_int_eq(m.lat, lround((0.826 + 1e-4) * 180.0 / M_PI * 1e7));
        ck_assert_int_eq(m.lon, lround((0.149 - 1e-4) * 180.0 / M_PI * 1e7));
        ck_assert_int_eq(m.alt, 538000);
        ck_assert_int_eq(m.relative_alt, 49000);
        ck_assert(m.vx == 150 && m.vy == -250 && m.vz == 25);
        ck_assert_int_eq(m.hdg, 27000);

        newest(&s, 1, MAVLINK_HOME_POSITION, &home);
        ck_assert_int_eq(home.latitude,
                         lround((0.826 + 10.0 / 6.37e6) * 180.0 / M_PI * 1e7));
        ck_assert_int_eq(home.altitude, 489000);
        teardown(&s);
}

TEST(a_heading_is_never_a_whole_turn)
{
        struct mavlink_global_position_int m;
        struct mavlink_vfr_hud hud;
        struct stage s;

        setup_stage(&s, &setup);
        for (int i = -4000; i <= 4000; i++) {
                double yaw_rad = i * 1e-4;

                s.t_ns = (i + 4000) * 200 * MS;
                s.frame.pose.q_body_to_ned = quat_from_euler(0.0, 0.0, yaw_rad);
                tick(&s);
                newest(&s, 1, MAVLINK_GLOBAL_POSITION_INT, &m);
                newest(&s, 1, MAVLINK_VFR_HUD, &hud);
                ck_assert_uint_lt(m.hdg, 36000);
                ck_assert(hud.heading >= 0 && hud.heading < 360);
                ck_assert_double_le(
                        fabs(remainder(m.hdg * M_PI / 18000.0 - yaw_rad, 2.0 * M_PI)),
                        1e-4);
        }
        teardown(&s);
}

TEST(the_rate_is_that_of_a_steady_turn)
{
        struct vec3 rate_radps = { 0.5, -1.0, 2.0 };
        struct quat q = quat_from_euler(0.3, -0.2, 3.0);
        struct mavlink_attitude m;
        struct stage s;

        setup_stage(&s, &setup);
        for (int i = 0; i <= 2000; i++) {
                s.frame.pose.q_body_to_ned = q;
                tick(&s);
                /* The other sign is the same attitude. */
                q = quat_normalise(quat_axpy(q, 1e-3, quat_rate(q, rate_radps)));
                if (i % 37 == 0)
                        q = (struct quat){ -q.w, -q.x, -q.y, -q.z };
        }
        newest(&s, 1, MAVLINK_ATTITUDE, &m);
        ck_assert_double_eq_tol((double)m.rollspeed, rate_radps.x, 1e-3);
        ck_assert_double_eq_tol((double)m.pitchspeed, rate_radps.y, 1e-3);
        ck_assert_double_eq_tol((double)m.yawspeed, rate_radps.z, 1e-3);
        teardown(&s);
}

TEST(the_receiver_is_told_as_often_as_it_measures)
{
        struct mavlink_gps_raw_int m;
        struct stage s;

        setup_stage(&s, &setup);
        s.frame.gps = (struct gps_sample){ .lat_rad = 0.5,
                                           .lon_rad = -1.0,
                                           .height_m = 123.456,
                                           .vel_ned_mps = { 0.0, -3.0, 0.0 },
                                           .h_acc_m = 1.25,
                                           .satellites = 14,
                                           .fix = GPS_FIX_3D };
        for (int i = 0; i < 1000; i++) {
                s.frame.fresh = i % 100 == 0 ? SENSOR_BIT(SENSOR_GPS) : 0;
                tick(&s);
        }
        ck_assert_int_eq(s.count[1][MAVLINK_GPS_RAW_INT], 10);
        newest(&s, 1, MAVLINK_GPS_RAW_INT, &m);
        ck_assert_int_eq(m.lat, lround(0.5 * 180.0 / M_PI * 1e7));
        ck_assert_int_eq(m.lon, lround(-1.0 * 180.0 / M_PI * 1e7));
        ck_assert(m.alt == 123456 && m.vel == 300 && m.cog == 27000 && m.h_acc == 1250);
        ck_assert(m.fix_type == GPS_FIX_TYPE_3D_FIX && m.satellites_visible == 14);

        s.frame.gps.fix = GPS_NO_FIX;
        s.frame.fresh = SENSOR_BIT(SENSOR_GPS);
        tick(&s);
        newest(&s, 1, MAVLINK_GPS_RAW_INT, &m);
        ck_assert_int_eq(m.fix_type, GPS_FIX_TYPE_NO_FIX);
        teardown(&s);
}

TEST(the_battery_is_unknown_until_it_is_measured)
{
        struct mavlink_sys_status m;
        struct stage s;

        setup_stage(&s, &setup);
        run_ms(&s, 10);
        newest(&s, 1, MAVLINK_SYS_STATUS, &m);
        ck_assert(m.voltage_battery == UINT16_MAX && m.current_battery == -1);
        ck_assert(m.battery_remaining == -1);

        s.frame.fresh = SENSOR_BIT(SENSOR_POWER);
        s.frame.power.voltage_v = 15.2;
        s.frame.power.current_a = 12.34;
        run_ms(&s, 1000);
        newest(&s, 1, MAVLINK_SYS_STATUS, &m);
        ck_assert(m.voltage_battery == 15200 && m.current_battery == 1234);
        ck_assert(m.onboard_control_sensors_present & MAV_SYS_STATUS_SENSOR_BATTERY);
        teardown(&s);
}

TEST(motors_sticks_and_arming_are_told)
{
        struct mavlink_servo_output_raw servos;
        struct mavlink_heartbeat heartbeat;
        struct mavlink_rc_channels rc;
        struct mavlink_vfr_hud hud;
        struct stage s;

        setup_stage(&s, &setup);
        s.command = (struct motor_command){ { 0.0, 0.25, 0.75, 1.0 } };
        s.input.rc_us[0] = 1500;
        s.input.rc_us[5] = 1900;
        s.report.armed = true;
        tick(&s);
        newest(&s, 1, MAVLINK_SERVO_OUTPUT_RAW, &servos);
        ck_assert(servos.servo1_raw == 1000 && servos.servo2_raw == 1250);
        ck_assert(servos.servo3_raw == 1750 && servos.servo4_raw == 2000);
        ck_assert_uint_eq(servos.servo5_raw, 0);
        newest(&s, 1, MAVLINK_VFR_HUD, &hud);
        ck_assert_uint_eq(hud.throttle, 50);
        newest(&s, 1, MAVLINK_RC_CHANNELS, &rc);
        ck_assert(rc.chancount == 6 && rc.chan1_raw == 1500 && rc.chan6_raw == 1900);
        ck_assert(rc.chan2_raw == UINT16_MAX && rc.chan18_raw == UINT16_MAX);
        newest(&s, 1, MAVLINK_HEARTBEAT, &heartbeat);
        ck_assert(heartbeat.type == MAV_TYPE_QUADROTOR);
        ck_assert(heartbeat.base_mode & MAV_MODE_FLAG_SAFETY_ARMED);
        ck_assert_int_eq(heartbeat.system_status, MAV_STATE_ACTIVE);

        s.report.failsafe = true;
        run_ms(&s, 1000);
        newest(&s, 1, MAVLINK_HEARTBEAT, &heartbeat);
        ck_assert_int_eq(heartbeat.system_status, MAV_STATE_CRITICAL);
        teardown(&s);
}

/* All lengths that there are: whole once the pieces stand in a row, and said once. */
TEST(words_of_any_length_arrive_whole_and_once)
{
        struct stage s;

        setup_stage(&s, &setup);
        for (size_t len = 1; len < sizeof s.report.text; len++) {
                struct mavlink_statustext m;
                char whole[200] = "";
                size_t used = 0;

                memset(s.report.text, 0, sizeof s.report.text);
                for (size_t i = 0; i < len; i++)
                        s.report.text[i] = (char)('A' + (len + i) % 26);
                s.texts = 0;
                run_ms(&s, 600);
                for (int i = 0; i < s.texts; i++) {
                        ck_assert(mavlink_unpack(&s.text[i],
                                                 mavlink_message_find(MAVLINK_STATUSTEXT),
                                                 &m));
                        ck_assert_int_eq(m.chunk_seq, i);
                        ck_assert((m.id != 0) == (s.texts > 1));
                        memcpy(whole + used, m.text, sizeof m.text);
                        used += sizeof m.text;
                }
                ck_assert_str_eq(whole, s.report.text);
                ck_assert_int_eq(s.texts, (int)(len / sizeof m.text) + 1);
        }
        teardown(&s);
}

/* Bytes from a ground station. */
static void ask(struct stage *s, uint32_t id, const void *values)
{
        struct mavlink_sender station = { .version = 2, .system = 255, .component = 190 };
        uint8_t bytes[MAVLINK_FRAME_MAX];
        struct packets out = { 0 };
        size_t len = mavlink_send(&station, id, values, bytes);

        s->device->ops->take(s->device, bytes, len, &out);
        hear(s, &out);
}

TEST(commands_are_refused_by_the_system_that_they_are_for)
{
        struct mavlink_command_long arm = { .command = MAV_CMD_COMPONENT_ARM_DISARM,
                                            .param1 = 1.0f,
                                            .target_system = 1 };
        struct mavlink_command_int fly = { .command = MAV_CMD_DO_REPOSITION,
                                           .target_system = 1 };
        struct mavlink_command_ack ack;
        struct stage s;

        setup_stage(&s, &setup);
        tick(&s);
        ask(&s, MAVLINK_COMMAND_LONG, &arm);
        newest(&s, 1, MAVLINK_COMMAND_ACK, &ack);
        ck_assert_int_eq(ack.command, MAV_CMD_COMPONENT_ARM_DISARM);
        ck_assert_int_eq(ack.result, MAV_RESULT_UNSUPPORTED);
        ck_assert(ack.target_system == 255 && ack.target_component == 190);
        ask(&s, MAVLINK_COMMAND_INT, &fly);
        newest(&s, 1, MAVLINK_COMMAND_ACK, &ack);
        ck_assert_int_eq(ack.command, MAV_CMD_DO_REPOSITION);

        /* Nobody is there who could refuse. */
        arm.target_system = 2;
        ask(&s, MAVLINK_COMMAND_LONG, &arm);
        ck_assert_int_eq(s.count[1][MAVLINK_COMMAND_ACK], 2);
        ck_assert_int_eq(s.count[2][MAVLINK_COMMAND_ACK], 0);
        ck_assert_uint_eq(s.device->counts.messages_in, 2);
        teardown(&s);
}

TEST(the_list_of_parameters_is_complete_with_one)
{
        struct mavlink_param_request_list list = { .target_system = 1 };
        struct mavlink_param_value value;
        struct stage s;

        setup_stage(&s, &setup);
        ask(&s, MAVLINK_PARAM_REQUEST_LIST, &list);
        newest(&s, 1, MAVLINK_PARAM_VALUE, &value);
        ck_assert(value.param_count == 1 && value.param_index == 0);
        ck_assert(value.param_value == 1.0f);
        teardown(&s);
}

TEST(more_questions_than_fit_cost_answers_and_nothing_else)
{
        struct mavlink_command_long arm = { .command = MAV_CMD_COMPONENT_ARM_DISARM,
                                            .target_system = 1 };
        struct mavlink_sender station = { .version = 1, .system = 255 };
        static uint8_t bytes[1000 * MAVLINK_FRAME_MAX];
        struct packets out = { 0 };
        size_t len = 0;
        struct stage s;

        setup_stage(&s, &setup);
        for (int i = 0; i < 1000; i++)
                len += mavlink_send(&station, MAVLINK_COMMAND_LONG, &arm, bytes + len);
        s.device->ops->take(s.device, bytes, len, &out);
        ck_assert_int_eq(out.count, CODEC_PACKETS_MAX);
        hear(&s, &out);
        ck_assert_uint_eq(s.device->counts.messages_in, 1000);
        teardown(&s);
}

TEST(impossible_estimates_are_sent_within_the_fields)
{
        static const double bad[] = { NAN,      INFINITY, -INFINITY, DBL_MAX,
                                      -DBL_MAX, 1e20,     0.0 };
        struct stage s;

        setup_stage(&s, &setup);
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
                struct fc_estimate *e = &s.report.estimate;

                e->q_body_to_ned = (struct quat){ bad[i], bad[i], 1.0, bad[i] };
                e->pos_ned_m = (struct vec3){ bad[i], bad[i], bad[i] };
                e->vel_ned_mps = e->pos_ned_m;
                s.frame.gps.vel_ned_mps = e->pos_ned_m;
                s.frame.gps.lat_rad = s.frame.gps.h_acc_m = bad[i];
                s.frame.power.voltage_v = s.frame.power.current_a = bad[i];
                s.frame.fresh = SENSOR_BIT(SENSOR_GPS) | SENSOR_BIT(SENSOR_POWER);
                run_ms(&s, 1000);
        }
        ck_assert_int_eq(s.count[2][MAVLINK_HEARTBEAT], 7);
        teardown(&s);
}

/* What a serial telemetry radio carries: 57600 baud with ten bits a byte. */
TEST(a_telemetry_radio_can_carry_it)
{
        struct stage s;

        setup_stage(&s, &setup);
        s.report.estimate.q_body_to_ned.w = 1.0;
        s.report.estimate.pos_ned_m = (struct vec3){ 1.1, 2.2, -3.3 };
        for (int i = 0; i < 10000; i++) {
                s.frame.fresh = i % 100 == 0 ? SENSOR_BIT(SENSOR_GPS) : 0;
                s.frame.pose.vel_ned_mps.x = sin(i);
                tick(&s);
        }
        ck_assert_uint_lt(s.bytes / 10, 5760);
        teardown(&s);
}
