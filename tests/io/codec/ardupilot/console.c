/* ArduPilot's console: what it is asked, in which order, and what its words and states become. */
#include "tests/boards/ardupilot_talk.h"
#include "tests/suites.h"

#include <stdio.h>

#define GUIDED     4
#define LAND       9
#define ARMED      128
#define ON_GROUND  1
#define IN_AIR     2
#define TAKING_OFF 3

static const uint32_t prearm = 0x10000000;

static void heartbeat(struct talk *t, uint32_t mode, bool armed)
{
        struct mavlink_heartbeat m = { .custom_mode = mode,
                                       .type = 2,
                                       .autopilot = 3,
                                       .base_mode = armed ? ARMED : 0 };

        message_to_rig(t, MAVLINK_HEARTBEAT, &m);
}

static void landed(struct talk *t, uint8_t state)
{
        struct mavlink_extended_sys_state m = { .landed_state = state };

        message_to_rig(t, MAVLINK_EXTENDED_SYS_STATE, &m);
}

static void ekf(struct talk *t, uint16_t flags)
{
        struct mavlink_ekf_status_report m = { .flags = flags };

        message_to_rig(t, MAVLINK_EKF_STATUS_REPORT, &m);
}

static void health(struct talk *t, uint32_t good)
{
        struct mavlink_sys_status m = { .onboard_control_sensors_health = good };

        message_to_rig(t, MAVLINK_SYS_STATUS, &m);
}

static void says(struct talk *t, const char *words)
{
        struct mavlink_statustext m = { .severity = 4 };

        memcpy(m.text, words, strnlen(words, sizeof m.text));
        message_to_rig(t, MAVLINK_STATUSTEXT, &m);
}

/* What it was asked in ms of simulated time, but for greetings and questions. */
struct asked {
        int commands, targets;
        struct mavlink_command_long last;
        struct mavlink_set_position_target_local_ned target;
};

static void note(struct asked *a, const struct mavlink_frame *frame)
{
        struct mavlink_command_long c;

        if (mavlink_unpack(frame, mavlink_message_find(MAVLINK_COMMAND_LONG), &c) &&
            c.command != 511 && c.command != 512) {
                a->commands++;
                a->last = c;
        }
        if (mavlink_unpack(frame,
                           mavlink_message_find(MAVLINK_SET_POSITION_TARGET_LOCAL_NED),
                           &a->target))
                a->targets++;
}

static struct asked pass(struct talk *t, int ms)
{
        struct asked a = { 0 };

        for (int k = 0; k < ms; k++) {
                struct mavlink_frame frame;

                exchange(t, &t->input);
                for (int i = 0; message_said(t, i, &frame); i++)
                        note(&a, &frame);
        }
        return a;
}

static void console_ready(struct talk *t, const char *dialect)
{
        struct codec_setup s = setup_plain;

        s.dialect = dialect;
        talk_ready(t, &s);
        heartbeat(t, 0, false);
        pass(t, 10);
}

TEST(nothing_is_asked_of_a_console_that_says_nothing)
{
        struct talk t;

        talk_ready(&t, &setup_plain);
        t.input.setpoint.mode = MODE_ARMED;
        for (int i = 0; i < 3000; i++) {
                exchange(&t, &t.input);
                ck_assert_int_eq(t.out.count, 1);
        }
        talk_end(&t);
}

TEST(messages_stand_before_the_frame)
{
        struct talk t;
        int with_console = 0;

        console_ready(&t, NULL);
        for (int i = 0; i < 2000; i++) {
                exchange(&t, &t.input);
                ck_assert_int_eq(t.out.packet[t.out.count - 1].channel, 0);
                for (int k = 0; k < t.out.count - 1; k++)
                        ck_assert_int_eq(t.out.packet[k].channel, 1);
                with_console += t.out.count > 1;
        }
        /* At 20 per second at most. */
        ck_assert_int_gt(with_console, 10);
        ck_assert_int_le(with_console, 41);
        talk_end(&t);
}

TEST(everything_is_asked_for_until_it_comes)
{
        struct mavlink_autopilot_version version = { .flight_sw_version = 0x04070000,
                                                     .flight_custom_version =
                                                             "b1571a08" };
        struct mavlink_param_value param = { .param_value = 0.0F };
        struct talk t;
        int asked = 0;

        console_ready(&t, NULL);
        message_to_rig(&t, MAVLINK_AUTOPILOT_VERSION, &version);
        ck_assert_uint_ne(t.report.fresh & FC_HELLO, 0);
        ck_assert_str_eq(t.report.name, "ArduCopter 4.7.0-dev (b1571a08), SITL");
        memcpy(param.param_id, "LOG_BACKEND_TYPE", 16);
        message_to_rig(&t, MAVLINK_PARAM_VALUE, &param);
        for (int ms = 0; ms < 2000; ms++) {
                struct mavlink_command_long c;
                struct mavlink_param_request_read r;
                struct mavlink_frame f;

                exchange(&t, &t.input);
                for (int i = 0; message_said(&t, i, &f); i++) {
                        if (mavlink_unpack(&f, mavlink_message_find(76), &c)) {
                                ck_assert_int_ne(c.command, 512);
                                asked |= 1 << ((int)c.param1 % 31);
                        }
                        if (mavlink_unpack(&f, mavlink_message_find(20), &r))
                                ck_assert_int_ne(
                                        strncmp(r.param_id, "LOG_BACKEND_TYPE", 16), 0);
                }
        }
        ck_assert_int_ne(asked & 1 << (193 % 31), 0); /* EKF_STATUS_REPORT */
        ck_assert_int_ne(asked & 1 << 1, 0); /* SYS_STATUS */
        ck_assert_int_ne(asked & 1 << (245 % 31), 0); /* EXTENDED_SYS_STATE */
        talk_end(&t);
}

TEST(it_can_arm_when_its_estimator_and_its_checks_say_so)
{
        struct talk t;

        console_ready(&t, NULL);
        ck_assert(!t.report.can_arm);
        health(&t, prearm);
        ekf(&t, 0xA7);
        ck_assert(!t.report.can_arm);
        ck_assert_ptr_nonnull(strstr(t.rig->ops->complaint(t.rig), "estimator"));
        ekf(&t, 0x33F);
        ck_assert(t.report.can_arm);
        ck_assert_str_eq(t.rig->ops->complaint(t.rig), "");
        says(&t, "PreArm: Compass not calibrated\n");
        health(&t, 0);
        ck_assert(!t.report.can_arm);
        ck_assert_str_eq(t.rig->ops->complaint(t.rig), "PreArm: Compass not calibrated?");
        talk_end(&t);
}

TEST(arming_is_repeated_each_second_and_its_refusal_told)
{
        struct mavlink_command_ack refused = { .command = 400, .result = 4 };
        struct mavlink_command_ack taken = { .command = 400, .result = 0 };
        struct asked a;
        struct talk t;

        console_ready(&t, NULL);
        t.input.setpoint.mode = MODE_ARMED;
        a = pass(&t, 2900);
        ck_assert_int_eq(a.commands, 3);
        ck_assert_int_eq(a.last.command, 176);
        ck_assert_double_eq((double)a.last.param2, GUIDED);
        heartbeat(&t, GUIDED, false);
        a = pass(&t, 2900);
        ck_assert_int_eq(a.commands, 3);
        ck_assert_int_eq(a.last.command, 400);
        ck_assert_double_eq((double)a.last.param1, 1);
        ck_assert_double_eq((double)a.last.param2, 0); /* its checks stay on */
        message_to_rig(&t, MAVLINK_COMMAND_ACK, &refused);
        ck_assert_uint_ne(t.report.fresh & FC_TEXT, 0);
        ck_assert_str_eq(t.report.text, "asked to arm or disarm: failed");
        ck_assert(!t.report.armed);
        message_to_rig(&t, MAVLINK_COMMAND_ACK, &taken);
        ck_assert(t.report.armed);
        ck_assert_int_eq(pass(&t, 2000).commands, 0);
        talk_end(&t);
}

TEST(goto_takes_off_first_and_then_goes)
{
        struct asked a;
        struct talk t;

        console_ready(&t, NULL);
        heartbeat(&t, GUIDED, true);
        landed(&t, ON_GROUND);
        t.input.setpoint = (struct setpoint){ .mode = MODE_GOTO,
                                              .pos_ned_m = { 3, 4, -5 },
                                              .yaw_rad = 1 };
        a = pass(&t, 500);
        ck_assert_int_eq(a.commands, 1);
        ck_assert_int_eq(a.last.command, 22);
        ck_assert_double_eq((double)a.last.param7, 5);
        landed(&t, TAKING_OFF);
        a = pass(&t, 3000);
        ck_assert_int_eq(a.commands + a.targets, 0);
        landed(&t, IN_AIR);
        a = pass(&t, 500);
        ck_assert_int_eq(a.targets, 1);
        ck_assert_int_eq(a.target.coordinate_frame, 1); /* MAV_FRAME_LOCAL_NED */
        ck_assert_int_eq(a.target.type_mask, 0x9F8);
        ck_assert_double_eq((double)a.target.x, 3);
        ck_assert_double_eq((double)a.target.y, 4);
        ck_assert_double_eq((double)a.target.z, -5);
        ck_assert_double_eq((double)a.target.yaw, 1);
        /* At once when it changes. */
        t.input.setpoint.pos_ned_m.x = 0;
        a = pass(&t, 60);
        ck_assert_int_eq(a.targets, 1);
        ck_assert_double_eq((double)a.target.x, 0);
        ck_assert_int_eq(t.report.mode, MODE_GOTO);
        talk_end(&t);
}

TEST(landing_and_disarming)
{
        struct asked a;
        struct talk t;

        console_ready(&t, NULL);
        heartbeat(&t, GUIDED, true);
        landed(&t, IN_AIR);
        t.input.setpoint.mode = MODE_LAND;
        a = pass(&t, 500);
        ck_assert_int_eq(a.commands, 1);
        ck_assert_int_eq(a.last.command, 176);
        ck_assert_double_eq((double)a.last.param2, LAND);
        heartbeat(&t, LAND, true);
        ck_assert_int_eq(t.report.mode, MODE_LAND);
        ck_assert_int_eq(pass(&t, 3000).commands, 0);
        t.input.setpoint.mode = MODE_DISARMED;
        a = pass(&t, 500);
        ck_assert_int_eq(a.last.command, 400);
        ck_assert_double_eq((double)a.last.param1, 0);
        ck_assert_double_eq((double)a.last.param2, 21196);
        heartbeat(&t, LAND, false);
        ck_assert_int_eq(pass(&t, 3000).commands, 0);
        ck_assert_int_eq(t.report.mode, MODE_DISARMED);
        talk_end(&t);
}

static void begin_goto(struct talk *t)
{
        console_ready(t, NULL);
        t->input.setpoint =
                (struct setpoint){ .mode = MODE_GOTO, .pos_ned_m = { 3, 4, -5 } };
        heartbeat(t, GUIDED, true);
        landed(t, IN_AIR);
        ck_assert_int_eq(pass(t, 500).targets, 1);
}

static const struct {
        uint32_t mode;
        bool armed;
        enum flight_mode told;
} own_ways[] = {
        { 6, true, MODE_RETURN }, /* RTL: battery, radio, ground station */
        { 21, true, MODE_RETURN },        { LAND, true, MODE_LAND }, /* GPS, estimator */
        { 2, true, MODE_OTHER }, /* ALT_HOLD */
        { GUIDED, false, MODE_DISARMED }, /* crash */
};

TEST_EACH(a_fail_safe_of_its_own_is_not_argued_with, sizeof own_ways / sizeof own_ways[0])
{
        struct asked a;
        struct talk t;

        begin_goto(&t);
        heartbeat(&t, own_ways[_i].mode, own_ways[_i].armed);
        ck_assert_int_eq(t.report.mode, own_ways[_i].told);
        a = pass(&t, 10000);
        ck_assert_int_eq(a.commands + a.targets, 0);
        /* Nor with a new place of the same mode. */
        t.input.setpoint.pos_ned_m.x = 0;
        a = pass(&t, 3000);
        ck_assert_int_eq(a.commands + a.targets, 0);
        /* Disarming goes before all, and another mode is asked for again. */
        t.input.setpoint.mode = MODE_DISARMED;
        ck_assert_int_eq(pass(&t, 500).commands, own_ways[_i].armed);
        heartbeat(&t, own_ways[_i].mode, false);
        t.input.setpoint.mode = MODE_ARMED;
        ck_assert_int_eq(pass(&t, 500).commands, 1);
        talk_end(&t);
}

/* As it starts: the mode switch of a transmitter that is not there. */
TEST(a_mode_that_it_leaves_before_it_is_armed_is_asked_for_again)
{
        struct talk t;

        console_ready(&t, NULL);
        t.input.setpoint.mode = MODE_ARMED;
        heartbeat(&t, GUIDED, false);
        pass(&t, 3000);
        heartbeat(&t, 0, false);
        ck_assert_int_eq(pass(&t, 1000).last.command, 176);
        heartbeat(&t, GUIDED, false);
        ck_assert_int_eq(pass(&t, 1000).last.command, 400);
        talk_end(&t);
}

TEST(a_target_is_told_once)
{
        struct talk t;

        begin_goto(&t);
        ck_assert_int_eq(pass(&t, 10000).targets, 0);
        talk_end(&t);
}

/* It was in GUIDED for less than a heartbeat. */
TEST(a_mode_that_was_confirmed_counts_as_reached)
{
        struct mavlink_command_ack taken = { .command = 176, .result = 0 };
        struct talk t;

        console_ready(&t, NULL);
        heartbeat(&t, 0, true);
        t.input.setpoint.mode = MODE_GOTO;
        ck_assert_int_eq(pass(&t, 500).commands, 1);
        message_to_rig(&t, MAVLINK_COMMAND_ACK, &taken);
        pass(&t, 60);
        heartbeat(&t, LAND, true);
        ck_assert_int_eq(pass(&t, 3000).commands, 0);
        talk_end(&t);
}

TEST(who_flies_by_sticks_is_armed_and_landed_but_not_flown)
{
        struct asked a;
        struct talk t;

        console_ready(&t, "sticks");
        t.input.setpoint.mode = MODE_GOTO;
        a = pass(&t, 500);
        ck_assert_int_eq(a.commands, 1);
        ck_assert_int_eq(a.last.command, 400);
        heartbeat(&t, 2, true);
        landed(&t, ON_GROUND);
        ck_assert_int_eq(pass(&t, 2000).commands, 0);
        landed(&t, IN_AIR);
        ck_assert_int_eq(pass(&t, 2000).targets, 0);
        talk_end(&t);
}

TEST(goodbye_disarms_by_force_and_gives_it_time)
{
        struct asked a = { 0 };
        struct mavlink_frame frame;
        struct talk t;

        console_ready(&t, NULL);
        t.input.setpoint.mode = MODE_GOTO;
        heartbeat(&t, GUIDED, true);
        pass(&t, 100);
        t.input.setpoint.mode = MODE_DISARMED;
        for (int i = 0; i < 3; i++) {
                t.rig->ops->goodbye(t.rig, &t.out);
                ck_assert_int_eq(t.out.count, 1);
                ck_assert(message_said(&t, 0, &frame));
                note(&a, &frame);
                ck_assert_int_eq(a.last.command, 400);
                ck_assert_double_eq((double)a.last.param1, 0);
                ck_assert_double_eq((double)a.last.param2, 21196);
                ck_assert_int_eq(t.out.packet[0].channel, 1);
                /* Time goes on with the frames, and nothing arms it again. */
                exchange(&t, &t.input);
        }
        heartbeat(&t, GUIDED, false);
        ck_assert_uint_ne(t.report.fresh & FC_ARMING, 0);
        ck_assert(!t.report.armed);
        ck_assert_int_eq(pass(&t, 3000).commands, 0);
        talk_end(&t);
}

TEST(words_are_made_printable_and_strangers_are_not_heard)
{
        struct mavlink_heartbeat other = { .type = 2, .autopilot = 12 };
        struct talk t;

        talk_ready(&t, &setup_plain);
        message_to_rig(&t, MAVLINK_HEARTBEAT, &other);
        says(&t, "before it introduced itself");
        ck_assert_str_eq(t.report.text, "");
        heartbeat(&t, 0, false);
        ck_assert_str_eq(t.report.name, "ArduCopter");
        says(&t, "a\tb\x80");
        ck_assert_uint_eq(t.report.fresh, FC_TEXT);
        ck_assert_str_eq(t.report.text, "a?b?");
        t.firmware.system = 42;
        says(&t, "from another vehicle");
        heartbeat(&t, LAND, true);
        ck_assert_str_eq(t.report.text, "a?b?");
        ck_assert(!t.report.armed);
        ck_assert_int_eq(t.report.mode, MODE_DISARMED);
        talk_end(&t);
}

TEST(words_in_pieces_are_put_together)
{
        struct mavlink_statustext m = { .id = 7 };
        struct talk t;

        console_ready(&t, NULL);
        memcpy(m.text, "PreArm: AHRS: EKF3 Yaw inconsistent 38 deg. Wait o", 50);
        message_to_rig(&t, MAVLINK_STATUSTEXT, &m);
        ck_assert_uint_eq(t.report.fresh, 0);
        memset(m.text, 0, sizeof m.text);
        memcpy(m.text, "r reboot", 8);
        m.chunk_seq = 1;
        message_to_rig(&t, MAVLINK_STATUSTEXT, &m);
        ck_assert_uint_eq(t.report.fresh, FC_TEXT);
        ck_assert_str_eq(t.report.text,
                         "PreArm: AHRS: EKF3 Yaw inconsistent 38 deg. Wait or reboot");
        ck_assert_int_eq(t.report.severity, FC_SAYS_EMERGENCY);
        says(&t, "short");
        ck_assert_str_eq(t.report.text, "short");
        ck_assert_int_eq(t.report.severity, FC_SAYS_WARNING);
        talk_end(&t);
}

TEST(its_estimate_is_reported)
{
        struct mavlink_local_position_ned p = { .x = 1, .y = 2, .z = -3, .vx = 4 };
        struct mavlink_attitude_quaternion q = { .q1 = 0.5F, .q4 = -0.5F };
        struct talk t;

        console_ready(&t, NULL);
        message_to_rig(&t, MAVLINK_LOCAL_POSITION_NED, &p);
        ck_assert_uint_eq(t.report.fresh, FC_STATE);
        message_to_rig(&t, MAVLINK_ATTITUDE_QUATERNION, &q);
        ck_assert_double_eq(t.report.estimate.pos_ned_m.z, -3);
        ck_assert_double_eq(t.report.estimate.vel_ned_mps.x, 4);
        ck_assert_double_eq(t.report.estimate.q_body_to_ned.z, -0.5);
        talk_end(&t);
}

TEST(what_spoils_equal_bits_or_the_place_is_told)
{
        struct mavlink_param_value log = { .param_value = 1.0F };
        struct mavlink_param_value speed = { .param_value = 1.0F };
        struct mavlink_gps_raw_int far = {
                .lat = -353632610, .lon = 1491652300, .alt = 584000, .fix_type = 3
        };
        struct codec_setup s = setup_plain;
        struct talk t;

        s.lockstep = true;
        s.origin = (struct codec_origin){ 0.82154, 0.26947, 353.0, 6.37e6, 4.34e6, 0 };
        talk_ready(&t, &s);
        heartbeat(&t, 0, false);
        memcpy(log.param_id, "LOG_BACKEND_TYPE", 16);
        message_to_rig(&t, MAVLINK_PARAM_VALUE, &log);
        ck_assert_ptr_nonnull(strstr(t.report.text, "LOG_BACKEND_TYPE is 1"));
        memcpy(speed.param_id, "SIM_SPEEDUP", 11);
        message_to_rig(&t, MAVLINK_PARAM_VALUE, &speed);
        ck_assert_ptr_nonnull(strstr(t.report.text, "--speedup=100"));
        message_to_rig(&t, MAVLINK_GPS_RAW_INT, &far);
        ck_assert_ptr_nonnull(strstr(t.report.text, "--home=47.07"));
        /* Once. */
        message_to_rig(&t, MAVLINK_GPS_RAW_INT, &far);
        ck_assert_uint_eq(t.report.fresh, 0);
        talk_end(&t);
}
