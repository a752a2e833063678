/* ArduPilot as shipped: nothing but its MAVLink, on the one link that there is. */
#include "tests/boards/ardupilot_talk.h"
#include "tests/suites.h"

#include <stdio.h>

#include "io/codec/mavlink_pose_messages.h"

static const struct codec_setup setup_shipped = {
        .dialect = "shipped",
        .period_ns = 1 * MS,
        .rotors = 4,
        .motor_order = { 0, 3, 1, 2 },
};

static void heartbeat(struct talk *t, bool armed)
{
        struct mavlink_heartbeat m = { .type = 2,
                                       .autopilot = 3,
                                       .base_mode = armed ? 128 : 0 };

        message_to_rig(t, MAVLINK_HEARTBEAT, &m);
}

static void attitude(struct talk *t, uint32_t boot_ms)
{
        struct mavlink_attitude_quaternion m = { .time_boot_ms = boot_ms, .q1 = 1.0F };

        message_to_rig(t, MAVLINK_ATTITUDE_QUATERNION, &m);
}

static struct mavlink_servo_output_raw outputs(uint16_t first_us)
{
        struct mavlink_servo_output_raw m = { .servo_raw = { first_us, 1200, 1300,
                                                             1400 } };

        return m;
}

static void begin(struct talk *t)
{
        talk_begin(t, &setup_shipped);
        ck_assert_int_eq(t->rig->ops->frame_every(t->rig), 0);
        ck_assert_ptr_nonnull(
                strstr(t->rig->ops->complaint(t->rig), "no heartbeat of ArduPilot"));
        heartbeat(t, false);
        ck_assert_int_eq(t->rig->ops->frame_every(t->rig), 1);
}

TEST(its_heartbeat_is_its_hello)
{
        struct mavlink_autopilot_version version = { .flight_sw_version = 0x04060300,
                                                     .flight_custom_version =
                                                             "b147a189" };
        struct talk t;

        begin(&t);
        ck_assert_uint_eq(t.report.fresh, FC_HELLO | FC_ARMING);
        message_to_rig(&t, MAVLINK_AUTOPILOT_VERSION, &version);
        ck_assert_str_eq(t.report.name, "ArduCopter 4.6.3-dev (b147a189)");
        talk_end(&t);
}

/* Its time is its own: it needs nothing from the rig to go on. */
TEST(it_is_told_and_asked_on_its_one_link_and_given_no_frames)
{
        bool outputs_asked = false;
        struct talk t;

        begin(&t);
        for (int ms = 0; ms < 3000; ms++) {
                struct mavlink_param_request_read read;
                struct mavlink_command_long c;
                struct mavlink_frame f;

                ck_assert_ptr_null(tick(&t, &t.input));
                for (int i = 0; message_said(&t, i, &f); i++) {
                        if (mavlink_unpack(&f, mavlink_message_find(76), &c))
                                outputs_asked |= c.command == 511 && c.param1 == 36.0F;
                        if (mavlink_unpack(&f, mavlink_message_find(20), &read)) {
                                ck_assert_int_ne(strncmp(read.param_id, "SIM_", 4), 0);
                                ck_assert_int_ne(strncmp(read.param_id, "LOG_", 4), 0);
                        }
                }
        }
        ck_assert(outputs_asked);
        talk_end(&t);
}

TEST(its_outputs_are_its_motors_in_the_vehicles_order)
{
        struct mavlink_servo_output_raw m = outputs(1100);
        struct talk t;

        begin(&t);
        ck_assert_uint_eq(message_to_rig(&t, MAVLINK_SERVO_OUTPUT_RAW, &m), FC_MOTORS);
        ck_assert(!t.report.answers_frame);
        ck_assert_double_eq_tol(t.report.motors.duty[0], 0.1, 1e-12);
        ck_assert_double_eq_tol(t.report.motors.duty[1], 0.4, 1e-12);
        ck_assert_double_eq_tol(t.report.motors.duty[2], 0.2, 1e-12);
        ck_assert_double_eq_tol(t.report.motors.duty[3], 0.3, 1e-12);
        /* Whether it is armed it says itself: outputs may have another least pulse. */
        ck_assert(!t.report.armed);
        heartbeat(&t, true);
        ck_assert(t.report.armed);
        talk_end(&t);
}

TEST(outputs_that_are_none_are_counted_and_not_used)
{
        struct mavlink_servo_output_raw m = outputs(3001);
        struct talk t;

        begin(&t);
        ck_assert_uint_eq(message_to_rig(&t, MAVLINK_SERVO_OUTPUT_RAW, &m), 0);
        ck_assert_uint_eq(t.rig->counts.malformed, 1);
        m = outputs(1100);
        m.port = 1; /* auxiliary */
        ck_assert_uint_eq(message_to_rig(&t, MAVLINK_SERVO_OUTPUT_RAW, &m), 0);
        talk_end(&t);
}

TEST(a_simulations_outputs_come_by_its_frames_alone)
{
        struct mavlink_servo_output_raw m = outputs(1100);
        struct talk t;

        talk_ready(&t, &setup_plain);
        heartbeat(&t, false);
        ck_assert_uint_eq(message_to_rig(&t, MAVLINK_SERVO_OUTPUT_RAW, &m), 0);
        talk_end(&t);
}

TEST(a_clock_that_went_back_is_a_restart)
{
        struct packets out;
        struct talk t;

        begin(&t);
        attitude(&t, 50000);
        attitude(&t, 49900);
        attitude(&t, 50000);
        ck_assert_int_eq(t.rig->ops->frame_every(t.rig), 1);
        attitude(&t, 3000);
        ck_assert_str_eq(t.report.text, "flight controller restarted");
        ck_assert_int_eq(t.rig->ops->frame_every(t.rig), 0);
        t.rig->ops->poll(t.rig, t.t_ns, &out);
        heartbeat(&t, false);
        attitude(&t, 4000);
        ck_assert_int_eq(t.rig->ops->frame_every(t.rig), 1);
        talk_end(&t);
}

TEST(at_the_end_it_is_told_to_disarm_on_its_one_link)
{
        struct mavlink_command_long c;
        struct mavlink_frame f;
        struct talk t;

        begin(&t);
        t.rig->ops->goodbye(t.rig, &t.out);
        ck_assert(message_said(&t, 0, &f));
        ck_assert(mavlink_unpack(&f, mavlink_message_find(76), &c));
        ck_assert_int_eq(c.command, 400);
        ck_assert(c.param1 == 0.0F);
        talk_end(&t);
}
