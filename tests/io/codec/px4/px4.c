/* Conversations with PX4, as a process in lockstep and as a board. */
#include <stdlib.h>

#include "tests/boards/px4_pair.h"
#include "tests/suites.h"

#define DEG_E7 (57.29577951308232 * 1e7)

TEST(nothing_is_sent_to_a_simulators_client_before_it_spoke)
{
        struct px4_pair p;

        pair_begin(&p, &setup_sitl);
        for (int i = 0; i < 100; i++) {
                pair_poll(&p, 100 * MS);
                pair_frame(&p, NULL);
        }
        ck_assert_int_eq(p.heard_count, 0);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        ck_assert_str_ne(p.rig->ops->complaint(p.rig), "");
        ck_assert_uint_eq(pair_heartbeat(&p, 0, 0, 0, 0), FC_HELLO);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        pair_end(&p);
}

TEST(an_answer_belongs_to_the_frame_of_its_time)
{
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        p.armed = true;
        for (int i = 0; i < 500; i++) {
                pair_frame(&p, NULL);
                ck_assert_uint_eq(pair_motors(&p, (uint64_t)p.frame.t_ns / 1000),
                                  FC_MOTORS | FC_ARMING);
                ck_assert(p.report.answers_frame && p.report.armed);
                ck_assert_uint_eq(p.report.answered_frame, p.number - 1);
        }
        /* Rotors 0 to 3 are driven by outputs 0, 3, 1, 2. */
        ck_assert_float_eq((float)p.report.motors.duty[0], 0.1F);
        ck_assert_float_eq((float)p.report.motors.duty[1], 0.4F);
        ck_assert_float_eq((float)p.report.motors.duty[2], 0.2F);
        ck_assert_float_eq((float)p.report.motors.duty[3], 0.3F);
        /* A late one, and one from before all that is kept. */
        pair_motors(&p, (uint64_t)p.frame.t_ns / 1000 - 8000);
        ck_assert_uint_eq(p.report.answered_frame, p.number - 3);
        ck_assert_uint_eq(pair_motors(&p, 4000), 0);
        pair_end(&p);
}

TEST(duties_are_0_to_1_whatever_comes)
{
        static const float values[] = { -1.0F, 2.0F, NAN, INFINITY, -INFINITY };
        struct mavlink_hil_actuator_controls m = { .mode = 129 };
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        for (int i = 0; i < 5; i++) {
                double duty;

                pair_frame(&p, NULL);
                m.time_usec = (uint64_t)p.frame.t_ns / 1000;
                m.controls[0] = values[i];
                ck_assert_uint_eq(pair_say(&p, 0, MAVLINK_HIL_ACTUATOR_CONTROLS, &m),
                                  FC_MOTORS | FC_ARMING);
                duty = p.report.motors.duty[0];
                ck_assert(duty == (values[i] > 0.0F ? 1.0 : 0.0));
        }
        pair_end(&p);
}

TEST(its_clock_never_stands_still_or_runs_back)
{
        struct mavlink_hil_sensor m;
        uint64_t last_us = 0;
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        for (int i = 0; i < 50; i++) {
                p.heard_count = 0;
                if (i % 5 == 0)
                        p.frame.t_ns -= 20 * MS;
                pair_frame(&p, NULL);
                pair_newest(&p, MAVLINK_HIL_SENSOR, &m);
                ck_assert_uint_gt(m.time_usec, last_us);
                last_us = m.time_usec;
        }
        pair_end(&p);
}

TEST(gps_goes_before_the_frame_that_moves_the_clock)
{
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        p.frame.fresh = SENSOR_BIT(SENSOR_GPS);
        pair_frame(&p, NULL);
        ck_assert_uint_eq(p.heard[p.heard_count - 2].id, MAVLINK_HIL_GPS);
        ck_assert_uint_eq(p.heard[p.heard_count - 1].id, MAVLINK_HIL_SENSOR);
        pair_frame(&p, NULL);
        ck_assert_int_eq(pair_count(&p, MAVLINK_HIL_GPS), 1);
        pair_end(&p);
}

TEST(in_lockstep_commands_go_out_when_px4_rests_and_there_is_time_for_them)
{
        struct pilot_input input = wanting(MODE_ARMED, 0.0);
        struct codec_patience plain, pausing;
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        pair_ticks(&p, 3);
        plain = p.rig->ops->patience(p.rig);
        p.heard_count = 0;
        pair_frame(&p, &input);
        ck_assert_int_eq(pair_count(&p, MAVLINK_COMMAND_LONG), 0);
        pausing = p.rig->ops->patience(p.rig);
        ck_assert_int_gt(pausing.least_ns, plain.least_ns);
        pair_poll(&p, 5 * MS); /* not before the answer */
        ck_assert_int_eq(pair_count(&p, MAVLINK_COMMAND_LONG), 0);
        pair_motors(&p, (uint64_t)p.frame.t_ns / 1000);
        pair_poll(&p, 1 * MS);
        ck_assert_int_eq(pair_count(&p, MAVLINK_COMMAND_LONG), 1);
        /* Where nobody polled, with the next frame. */
        p.armed = false;
        input = wanting(MODE_DISARMED, 0.0);
        pair_frame(&p, &input);
        input = wanting(MODE_ARMED, 0.0);
        pair_frame(&p, &input);
        pair_frame(&p, NULL);
        ck_assert_int_eq(pair_count(&p, MAVLINK_COMMAND_LONG), 2);
        pair_end(&p);
}

TEST(it_flies_as_the_pilot_wants)
{
        struct mavlink_command_long command;
        struct mavlink_command_int reposition;
        struct mavlink_command_ack ack = { .command = 192 };
        struct pilot_input input = wanting(MODE_ARMED, 0.0);
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        pair_status(&p, 4, 3, 1, true);
        pair_ticks(&p, 100);
        ck_assert(p.report.can_arm && p.report.mode == MODE_DISARMED);

        /* Armed, asked for once a second until it is. */
        p.heard_count = 0;
        pair_tick(&p, &input);
        ck_assert_int_eq(pair_newest(&p, MAVLINK_COMMAND_LONG, &command), 1);
        ck_assert_uint_eq(command.command, 400);
        ck_assert_float_eq(command.param1, 1.0F);
        pair_ticks(&p, 249 * 2);
        ck_assert_int_eq(pair_count(&p, MAVLINK_COMMAND_LONG), 2 + 1 /* its name */);
        p.armed = true;
        pair_ticks(&p, 1);
        ck_assert_int_eq(p.report.mode, MODE_ARMED);

        /* Up: 5 m above where it stood. */
        input = wanting(MODE_GOTO, 5.0);
        p.heard_count = 0;
        pair_tick(&p, &input);
        pair_newest(&p, MAVLINK_COMMAND_LONG, &command);
        ck_assert_uint_eq(command.command, 22);
        ck_assert_float_eq_tol(command.param7, 353.0F + 0.06F + 5.0F, 1e-3F);
        pair_status(&p, 4, 2, 3, true);
        pair_ticks(&p, 1000);
        ck_assert_int_eq(pair_count(&p, MAVLINK_COMMAND_INT), 0);

        /* There: to the place and heading, until it has accepted. */
        pair_status(&p, 4, 3, 2, true);
        pair_ticks(&p, 500);
        ck_assert_int_eq(p.report.mode, MODE_GOTO);
        ck_assert_int_ge(pair_count(&p, MAVLINK_COMMAND_INT), 1);
        pair_newest(&p, MAVLINK_COMMAND_INT, &reposition);
        ck_assert_uint_eq(reposition.command, 192);
        ck_assert_int_le(labs(reposition.x - lround((0.8 + 13.0 / 6.37e6) * DEG_E7)), 1);
        ck_assert_int_le(labs(reposition.y - lround((0.2 + 18.0 / 4.4e6) * DEG_E7)), 1);
        ck_assert_float_eq_tol(reposition.z, 358.06F, 1e-3F);
        ck_assert_float_eq(reposition.param4, 1.0F);
        ck_assert_float_eq(reposition.param2, 1.0F);
        pair_say(&p, 1, MAVLINK_COMMAND_ACK, &ack);
        pair_ticks(&p, 100);
        p.heard_count = 0;
        pair_ticks(&p, 300);
        ck_assert_int_eq(pair_count(&p, MAVLINK_COMMAND_INT), 0);

        /* Down. */
        input = wanting(MODE_LAND, 5.0);
        pair_tick(&p, &input);
        pair_newest(&p, MAVLINK_COMMAND_LONG, &command);
        ck_assert_uint_eq(command.command, 21);
        pair_status(&p, 4, 6, 4, true);
        pair_ticks(&p, 100);
        ck_assert_int_eq(p.report.mode, MODE_LAND);
        pair_end(&p);
}

TEST(set_points_count_from_where_px4_believes_that_it_armed)
{
        struct mavlink_home_position home = { .latitude = 458366000,
                                              .longitude = 114592000,
                                              .altitude = 355500,
                                              .x = 1.0F,
                                              .y = -2.0F,
                                              .z = 0.5F };
        struct mavlink_attitude_quaternion q = { .q1 = 1.0F };
        struct mavlink_local_position_ned at = { .x = 1.5F, .y = -2.0F, .z = -4.5F };
        struct pilot_input input = wanting(MODE_GOTO, 5.0);
        struct mavlink_command_int m;
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        p.armed = true;
        pair_say(&p, 1, MAVLINK_HOME_POSITION, &home);
        pair_status(&p, 4, 3, 2, true);
        pair_ticks(&p, 100);
        p.heard_count = 0;
        pair_tick(&p, &input);
        pair_newest(&p, MAVLINK_COMMAND_INT, &m);
        ck_assert_int_eq(m.x, 458366000 + lround(3.0 / 6.37e6 * DEG_E7));
        ck_assert_int_eq(m.y, 114592000 + lround(-2.0 / 4.4e6 * DEG_E7));
        ck_assert_float_eq_tol(m.z, 360.5F, 1e-3F);
        pair_say(&p, 1, MAVLINK_ATTITUDE_QUATERNION, &q);
        pair_say(&p, 1, MAVLINK_LOCAL_POSITION_NED, &at);
        pair_ticks(&p, 100);
        ck_assert_double_eq(p.report.estimate.pos_ned_m.x, 0.5);
        ck_assert_double_eq(p.report.estimate.pos_ned_m.y, 0.0);
        ck_assert_double_eq(p.report.estimate.pos_ned_m.z, -5.0);
        pair_end(&p);
}

/* At any host time in between. */
TEST(in_lockstep_an_estimate_comes_with_the_answer_at_a_multiple_of_250_ms)
{
        struct mavlink_attitude_quaternion q = { .q1 = 1.0F };
        struct px4_pair p;
        int told = 0;

        pair_ready(&p, &setup_sitl);
        for (int i = 0; i < 500; i++) {
                struct mavlink_local_position_ned at = { .x = (float)i };
                double before = p.report.estimate.pos_ned_m.x;
                uint32_t news;

                ck_assert_uint_eq(pair_say(&p, 1, MAVLINK_ATTITUDE_QUATERNION, &q), 0);
                ck_assert_uint_eq(pair_say(&p, 1, MAVLINK_LOCAL_POSITION_NED, &at), 0);
                ck_assert_double_eq(p.report.estimate.pos_ned_m.x, before);
                pair_frame(&p, NULL);
                news = pair_motors(&p, (uint64_t)p.frame.t_ns / 1000);
                ck_assert_uint_eq(news & FC_MOTORS, FC_MOTORS);
                if ((news & FC_STATE) == 0)
                        continue;
                /* The first frame at or after it: they are 4 ms apart. */
                ck_assert_int_lt(p.frame.t_ns % (250 * MS), 4 * MS);
                ck_assert_double_eq(p.report.estimate.pos_ned_m.x, i);
                told++;
        }
        ck_assert_int_eq(told, 8);
        pair_end(&p);
}

TEST(in_real_time_an_estimate_comes_at_once)
{
        struct codec_setup setup = in_dialect("board", false);
        struct mavlink_attitude_quaternion q = { .q1 = 1.0F };
        struct mavlink_local_position_ned at = { .x = 3.0F };
        struct px4_pair p;

        pair_ready(&p, &setup);
        pair_say(&p, 0, MAVLINK_ATTITUDE_QUATERNION, &q);
        ck_assert_uint_eq(pair_say(&p, 0, MAVLINK_LOCAL_POSITION_NED, &at), FC_STATE);
        ck_assert_double_eq(p.report.estimate.pos_ned_m.x, 3.0);
        pair_frame(&p, NULL);
        ck_assert_uint_eq(pair_motors(&p, (uint64_t)p.frame.t_ns / 1000),
                          FC_MOTORS | FC_ARMING);
        pair_end(&p);
}

TEST(goodbye_disarms_in_flight_and_lets_px4s_clock_go_on)
{
        struct mavlink_command_long m;
        struct mavlink_hil_sensor before, after;
        struct pilot_input input = { .setpoint.mode = MODE_GOTO };
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        p.armed = true;
        pair_tick(&p, &input);
        pair_newest(&p, MAVLINK_HIL_SENSOR, &before);
        input.setpoint.mode = MODE_DISARMED;
        p.heard_count = 0;
        for (int i = 0; i < 3; i++) {
                pair_frame(&p, &input);
                p.rig->ops->goodbye(p.rig, &p.out);
                pair_listen(&p);
                pair_newest(&p, MAVLINK_COMMAND_LONG, &m);
                ck_assert_uint_eq(m.command, 400);
                ck_assert_float_eq(m.param1, 0.0F);
                ck_assert_float_eq(m.param2, 21196.0F);
                pair_newest(&p, MAVLINK_HIL_SENSOR, &after);
                ck_assert_uint_ge(after.time_usec, before.time_usec + 4000);
                before = after;
        }
        /* And nothing arms it again. */
        p.armed = false;
        p.heard_count = 0;
        for (int i = 0; i < 1000; i++)
                pair_tick(&p, &input);
        pair_newest(&p, MAVLINK_COMMAND_LONG, &m);
        ck_assert_uint_eq(m.command, PX4_REQUEST_MESSAGE);
        ck_assert_int_le(pair_count(&p, MAVLINK_COMMAND_LONG), 2);
        pair_end(&p);
}

TEST(time_is_asked_and_answered)
{
        struct codec_setup setup = in_dialect("board", false);
        struct mavlink_timesync ask, answer = { .tc1 = 0, .ts1 = 12345 };
        struct px4_pair p;

        pair_begin(&p, &setup);
        pair_heartbeat(&p, 0, 32, 4, 3);
        p.host_ns = 1000 * MS;
        pair_poll(&p, 0);
        pair_newest(&p, MAVLINK_TIMESYNC, &ask);
        ck_assert_int_eq(ask.tc1, 0);
        ck_assert_int_eq(ask.ts1, 1000 * MS);
        p.host_ns += 700000;
        ask.tc1 = 5000 * MS + 350000;
        ck_assert_uint_eq(pair_say(&p, 0, MAVLINK_TIMESYNC, &ask), FC_TIME_SYNC);
        ck_assert_int_eq(p.report.sync_round_trip_ns, 700000);
        ck_assert_int_eq(p.report.sync_offset_ns, 4000 * MS);
        ck_assert_uint_eq(pair_say(&p, 0, MAVLINK_TIMESYNC, &ask), 0);

        p.heard_count = 0;
        pair_say(&p, 0, MAVLINK_TIMESYNC, &answer);
        pair_frame(&p, NULL);
        pair_newest(&p, MAVLINK_TIMESYNC, &ask);
        ck_assert_int_eq(ask.ts1, 12345);
        ck_assert_int_eq(ask.tc1, p.host_ns);
        pair_end(&p);
}

TEST(name_and_version_are_asked_for)
{
        struct mavlink_autopilot_version m = {
                .flight_sw_version = 0x010F04FF,
                .flight_custom_version = { 0x18, 0xad, 0xff, 0x07, 0x04, 0xc4, 0x99,
                                           0xaa },
                .vendor_id = 0x26ac,
                .product_id = 0x32,
                .board_version = 5,
        };
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        ck_assert_uint_eq(pair_say(&p, 1, MAVLINK_AUTOPILOT_VERSION, &m), FC_HELLO);
        ck_assert_str_eq(p.report.name,
                         "PX4 1.15.4 (aa99c404), USB 26ac:0032, board version 5");
        pair_end(&p);
}

TEST(a_frame_without_an_imu_is_not_waited_for)
{
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        pair_frame(&p, NULL);
        ck_assert_int_eq(p.rig->ops->patience(p.rig).most_ns, INT64_MAX);
        p.frame.t_ns += 4 * MS;
        p.frame.fresh = SENSOR_BIT(SENSOR_MAG);
        p.rig->ops->encode(p.rig, p.number++, p.host_ns, &p.frame, NULL, &p.out);
        ck_assert_int_lt(p.rig->ops->patience(p.rig).most_ns, 100 * MS);
        pair_end(&p);
}

TEST(frames_are_found_from_outside)
{
        struct px4_pair p;
        struct codec_frame frame;
        const struct packet *packet;
        uint8_t bytes[MAVLINK_FRAME_MAX];
        struct mavlink_hil_actuator_controls m = { .time_usec = 404000 };
        size_t len;

        pair_ready(&p, &setup_sitl);
        pair_frame(&p, NULL);
        packet = &p.out.packet[p.out.count - 1];
        for (size_t n = 0; n < packet->len; n++)
                ck_assert_uint_eq(codec_px4_frame_find(packet->bytes, n, &frame), 0);
        ck_assert_uint_eq(codec_px4_frame_find(packet->bytes, packet->len, &frame),
                          packet->len);
        ck_assert_str_eq(codec_px4_frame_names[frame.type], "sensors");
        ck_assert(frame.asks && !frame.unpaced);
        ck_assert_int_eq(frame.number, p.frame.t_ns / 1000);
        len = mavlink_send(&p.mouth, MAVLINK_HIL_ACTUATOR_CONTROLS, &m, bytes);
        ck_assert_uint_eq(codec_px4_frame_find(bytes, len, &frame), len);
        ck_assert_str_eq(codec_px4_frame_names[frame.type], "motors");
        ck_assert(frame.answers);
        ck_assert_uint_eq(frame.number, 404000);
        pair_end(&p);
}
