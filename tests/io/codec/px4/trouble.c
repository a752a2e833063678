/* PX4 that does not do as the pilot wants: its own fail-safes, restarts, others on its wire, refusals, damage. */
#include "tests/boards/px4_pair.h"
#include "tests/suites.h"

static const struct {
        uint8_t main_mode, sub_mode;
        bool armed;
        enum flight_mode told;
} own_ways[] = {
        { 4, 5, true, MODE_RETURN }, /* battery, radio, ground station */
        { 4, 6, true, MODE_LAND }, /* position lost: descends */
        { 2, 0, true, MODE_OTHER }, /* ALTCTL */
        { 4, 3, false, MODE_DISARMED }, /* a failure detector */
};

static void say_landed(struct px4_pair *p, uint8_t state)
{
        struct mavlink_extended_sys_state m = { .landed_state = state };

        pair_say(p, 1, MAVLINK_EXTENDED_SYS_STATE, &m);
}

/* Commands but for the question who it is. */
static int orders(const struct px4_pair *p)
{
        int count = pair_count(p, MAVLINK_COMMAND_INT);

        for (int i = 0; i < p->heard_count; i++) {
                struct mavlink_command_long m;

                if (p->heard[i].id == MAVLINK_COMMAND_LONG &&
                    mavlink_unpack(&p->heard[i].frame,
                                   mavlink_message_find(MAVLINK_COMMAND_LONG), &m))
                        count += m.command != PX4_REQUEST_MESSAGE;
        }
        return count;
}

static int orders_in(struct px4_pair *p, const struct pilot_input *input, int ticks)
{
        p->heard_count = 0;
        pair_tick(p, input);
        pair_ticks(p, ticks - 1);
        return orders(p);
}

TEST_EACH(a_fail_safe_of_its_own_is_not_argued_with, sizeof own_ways / sizeof own_ways[0])
{
        struct mavlink_command_ack taken = { .command = PX4_DO_REPOSITION };
        struct pilot_input input = { .setpoint = { .mode = MODE_GOTO,
                                                   .pos_ned_m = { 1, 2, -5 } } };
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        p.armed = true;
        say_landed(&p, 2);
        ck_assert_int_ge(orders_in(&p, &input, 300), 1);
        pair_say(&p, 1, MAVLINK_COMMAND_ACK, &taken);
        pair_ticks(&p, 100);
        ck_assert_int_eq(p.report.mode, MODE_GOTO);
        /* The descent ends on the ground, where nothing takes off again. */
        p.armed = own_ways[_i].armed;
        pair_heartbeat(&p, 1, 32, own_ways[_i].main_mode, own_ways[_i].sub_mode);
        pair_ticks(&p, 100);
        ck_assert_int_eq(p.report.mode, own_ways[_i].told);
        say_landed(&p, 1);
        ck_assert_int_eq(orders_in(&p, &input, 800), 0);
        input.setpoint.pos_ned_m.x = 3;
        ck_assert_int_eq(orders_in(&p, &input, 800), 0);
        input.setpoint.mode = MODE_DISARMED;
        ck_assert_int_eq(orders_in(&p, &input, 100) > 0, own_ways[_i].armed);
        p.armed = false;
        pair_ticks(&p, 10);
        input.setpoint.mode = MODE_ARMED;
        ck_assert_int_ge(orders_in(&p, &input, 300), 1);
        pair_end(&p);
}

TEST(a_board_is_woken_and_refused_until_it_is_in_hil_mode)
{
        struct codec_setup setup = in_dialect("board", false);
        struct px4_pair p;

        pair_begin(&p, &setup);
        for (int i = 0; i < 50; i++)
                pair_poll(&p, 100 * MS);
        ck_assert_int_eq(pair_count(&p, MAVLINK_HEARTBEAT), 5);
        ck_assert_uint_eq(pair_heartbeat(&p, 0, 0, 4, 3), 0);
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "SYS_HITL"));
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        ck_assert_uint_eq(pair_heartbeat(&p, 0, 32, 4, 3), FC_HELLO | FC_ARMING);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 1); /* its IMU's 1 ms */
        pair_end(&p);
}

TEST(a_board_that_restarts_is_noticed_by_its_clock)
{
        struct codec_setup setup = in_dialect("board", false);
        struct mavlink_system_time time = { .time_boot_ms = 2000 };
        struct px4_pair p;

        pair_begin(&p, &setup);
        pair_heartbeat(&p, 0, 32, 4, 3);
        p.armed = true;
        pair_frame(&p, NULL);
        ck_assert_uint_eq(pair_motors(&p, 60000000), FC_MOTORS | FC_ARMING);
        ck_assert(!p.report.answers_frame && p.report.armed);
        ck_assert_uint_eq(pair_motors(&p, 59500000), FC_MOTORS | FC_ARMING);
        ck_assert_uint_eq(pair_say(&p, 0, MAVLINK_SYSTEM_TIME, &time), FC_TEXT);
        ck_assert_str_eq(p.report.text, "flight controller restarted");
        ck_assert(!p.report.armed);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        pair_heartbeat(&p, 0, 32, 4, 3);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 1);
        pair_frame(&p, NULL);
        ck_assert_uint_eq(pair_motors(&p, 2100000), FC_MOTORS | FC_ARMING);
        pair_end(&p);
}

/* Said by somebody else on the same wire. */
static uint32_t pair_say_as(struct px4_pair *p, int channel, uint8_t system,
                            uint8_t component, uint32_t id, const void *values)
{
        struct mavlink_sender other = { .version = 2,
                                        .system = system,
                                        .component = component };
        uint8_t bytes[MAVLINK_FRAME_MAX];

        return pair_bytes(p, channel, bytes, mavlink_send(&other, id, values, bytes));
}

/* In place of the autopilot's component 1 of system 1. */
static const uint8_t others[][2] = { { 1, 191 }, { 2, 1 }, { 255, 190 } };

TEST_EACH(another_components_clock_is_no_restart_of_the_board, 3)
{
        struct codec_setup setup = in_dialect("board", false);
        struct mavlink_system_time time = { .time_boot_ms = 2000 };
        struct mavlink_hil_actuator_controls motors = { .time_usec = 60004000,
                                                        .mode = 129 };
        struct px4_pair p;

        pair_begin(&p, &setup);
        pair_heartbeat(&p, 0, 32, 4, 3);
        pair_frame(&p, NULL);
        ck_assert_uint_eq(pair_motors(&p, 60000000), FC_MOTORS | FC_ARMING);
        ck_assert_uint_eq(pair_say_as(&p, 0, others[_i][0], others[_i][1],
                                      MAVLINK_SYSTEM_TIME, &time),
                          0);
        ck_assert_uint_eq(pair_say_as(&p, 0, others[_i][0], others[_i][1],
                                      MAVLINK_HIL_ACTUATOR_CONTROLS, &motors),
                          0);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 1);
        ck_assert_uint_eq(p.rig->counts.lost, 0);
        pair_end(&p);
}

/* Numbers of the autopilot's messages as they come: its threads share them, and overtake one another. */
TEST(a_message_that_was_overtaken_is_not_lost_and_one_that_never_comes_is)
{
        static const struct {
                uint8_t number[6];
                unsigned lost, jumps;
        } ways[] = {
                { { 10, 11, 12, 13, 14, 15 }, 0, 0 },
                { { 10, 12, 11, 13, 14, 15 }, 0, 0 },
                { { 254, 0, 255, 1, 2, 3 }, 0, 0 },
                { { 10, 13, 11, 12, 14, 16 }, 1, 0 },
                { { 10, 12, 14, 15, 16, 18 }, 3, 0 },
                { { 100, 101, 201, 202, 203, 204 }, 99, 1 },
                { { 100, 101, 90, 91, 92, 93 }, 244, 1 },
        };
        struct mavlink_heartbeat heartbeat = {
                .type = 2, .autopilot = 12, .base_mode = 32, .system_status = 3
        };

        for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
                struct px4_pair p;

                pair_begin(&p, &setup_sitl);
                for (int k = 0; k < 6; k++) {
                        struct mavlink_sender autopilot = { .version = 2,
                                                            .system = 1,
                                                            .component = 1,
                                                            .sequence =
                                                                    ways[i].number[k] };
                        uint8_t bytes[MAVLINK_FRAME_MAX];

                        pair_bytes(&p, 1, bytes,
                                   mavlink_send(&autopilot, MAVLINK_HEARTBEAT, &heartbeat,
                                                bytes));
                }
                ck_assert_uint_eq(p.rig->counts.lost, ways[i].lost);
                ck_assert_uint_eq(p.rig->counts.jumps, ways[i].jumps);
                pair_end(&p);
        }
}

TEST_EACH(another_systems_words_change_nothing, 3)
{
        struct mavlink_heartbeat heartbeat = {
                .type = 2, .autopilot = 12, .base_mode = 32, .system_status = 5
        };
        struct mavlink_sys_status status = { 0 };
        struct pilot_input input = wanting(MODE_ARMED, 0.0);
        struct mavlink_command_long command;
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        pair_status(&p, 4, 3, 1, true);
        pair_say_as(&p, 1, others[_i][0], others[_i][1], MAVLINK_HEARTBEAT, &heartbeat);
        pair_say_as(&p, 1, others[_i][0], others[_i][1], MAVLINK_SYS_STATUS, &status);
        pair_ticks(&p, 100);
        ck_assert(p.report.can_arm && !p.report.failsafe);
        pair_tick(&p, &input);
        pair_newest(&p, MAVLINK_COMMAND_LONG, &command);
        ck_assert_uint_eq(command.command, PX4_ARM_DISARM);
        ck_assert_uint_eq(command.target_system, 1);
        pair_end(&p);
}

TEST(a_board_that_is_another_autopilot_is_refused_when_it_says_so)
{
        struct mavlink_heartbeat heartbeat = { .type = 2, .autopilot = 3 };
        struct codec_setup setup = setup_sitl;
        struct px4_pair p;

        setup.dialect = "board";
        pair_begin(&p, &setup);
        pair_say_as(&p, 0, 1, 1, MAVLINK_HEARTBEAT, &heartbeat);
        ck_assert(p.report.refused);
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "it is not PX4"));
        pair_heartbeat(&p, 0, 32, 4, 3);
        ck_assert(!p.report.refused);
        pair_say_as(&p, 0, 7, 1, MAVLINK_HEARTBEAT, &heartbeat);
        ck_assert(!p.report.refused);
        pair_end(&p);
}

TEST(a_px4_of_any_number_is_spoken_to)
{
        struct pilot_input input = wanting(MODE_ARMED, 0.0);
        struct mavlink_command_long command;
        struct px4_pair p;

        pair_begin(&p, &setup_sitl);
        p.mouth.system = 7;
        pair_heartbeat(&p, 0, 32, 4, 3);
        pair_status(&p, 4, 3, 1, true);
        pair_ticks(&p, 100);
        ck_assert(p.report.can_arm);
        pair_tick(&p, &input);
        pair_newest(&p, MAVLINK_COMMAND_LONG, &command);
        ck_assert_uint_eq(command.target_system, 7);
        pair_end(&p);
}

TEST(refusals_and_reasons_are_told_in_words)
{
        struct mavlink_command_ack ack = { .command = 400, .result = 1 };
        struct mavlink_statustext text = { .severity = 2, .id = 7 };
        struct px4_pair p;

        pair_ready(&p, &setup_sitl);
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), "");
        ck_assert_uint_eq(pair_say(&p, 1, MAVLINK_COMMAND_ACK, &ack), FC_TEXT);
        ck_assert_str_eq(p.report.text, "arming or disarming refused: not now");
        ck_assert_str_ne(p.rig->ops->complaint(p.rig), "");
        /* Two chunks, and the tab with which PX4 marks what it says as an event, too. */
        memcpy(text.text, "Arming denied: Resolve system health failures firs", 50);
        ck_assert_uint_eq(pair_say(&p, 1, MAVLINK_STATUSTEXT, &text), 0);
        memset(text.text, 0, 50);
        memcpy(text.text, "t\t", 2);
        text.chunk_seq = 1;
        ck_assert_uint_eq(pair_say(&p, 1, MAVLINK_STATUSTEXT, &text), FC_TEXT);
        ck_assert_int_eq(p.report.severity, FC_SAYS_CRITICAL);
        ck_assert_str_eq(p.report.text,
                         "Arming denied: Resolve system health failures first");
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), p.report.text);
        p.armed = true;
        pair_ticks(&p, 1);
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), "");
        pair_end(&p);
}

TEST(noise_and_damage_are_counted_and_survived)
{
        struct mavlink_hil_actuator_controls m = { .mode = 1 };
        uint8_t bytes[MAVLINK_FRAME_MAX + 3] = { 1, 2, 3 };
        struct px4_pair p;
        size_t len;

        pair_ready(&p, &setup_sitl);
        pair_frame(&p, NULL);
        m.time_usec = (uint64_t)p.frame.t_ns / 1000;
        len = 3 + mavlink_send(&p.mouth, MAVLINK_HIL_ACTUATOR_CONTROLS, &m, bytes + 3);
        ck_assert_uint_eq(pair_bytes(&p, 0, bytes, len), FC_MOTORS | FC_ARMING);
        ck_assert_uint_eq(p.rig->counts.bytes_skipped, 3);
        bytes[20] ^= 0x10;
        ck_assert_uint_eq(pair_bytes(&p, 0, bytes + 3, len - 3), 0);
        mavlink_send(&p.mouth, MAVLINK_HIL_ACTUATOR_CONTROLS, &m, bytes);
        ck_assert_uint_eq(pair_motors(&p, m.time_usec), FC_MOTORS | FC_ARMING);
        ck_assert_uint_eq(p.rig->counts.crc_errors, 1);
        pair_end(&p);
}
