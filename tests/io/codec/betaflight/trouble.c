/* The codec `betaflight` when things go wrong: a firmware that is not there, hangs, restarts, is another
 * one, will not arm; and bytes that are none of its. */
#include "tests/boards/betaflight_stage.h"
#include "tests/suites.h"

static const float idle[4] = { 0.07f, 0.07f, 0.07f, 0.07f };
static const float stopped[4] = { 0.0f, 0.0f, 0.0f, 0.0f };

static const char *complaint(const struct stage *s)
{
        return s->codec->ops->complaint(s->codec);
}

static int every(const struct stage *s)
{
        return s->codec->ops->frame_every(s->codec);
}

TEST(nothing_goes_out_before_it_has_been_on_for_3_s)
{
        struct stage s;

        stage_begin(&s, &setup_4_5);
        s.flags = 0x1304; /* grace among them */
        run_for(&s, 2900, true);
        ck_assert_int_eq(s.count[SENSORS] + s.count[STICKS], 0);
        ck_assert_ptr_nonnull(strstr(complaint(&s), "starting"));
        run_for(&s, 200, true);
        ck_assert_int_gt(s.count[SENSORS], 20);
        ck_assert_int_eq(every(&s), 1);
        stage_end(&s);
}

TEST(one_that_has_been_on_for_long_is_not_waited_for)
{
        struct stage s;

        stage_begin(&s, &setup_4_5);
        run_for(&s, 100, true);
        ck_assert_int_eq(every(&s), 1);
        stage_end(&s);
}

/* Packets that ask whether it is there come more than 500 ms apart, which it drops. */
TEST(one_that_comes_late_is_found_without_msp)
{
        struct stage s;

        stage_begin(&s, &setup_4_5);
        s.msp = false;
        run_for(&s, 20000, false);
        ck_assert_int_ge(s.count[SENSORS], 18);
        ck_assert_int_le(s.count[SENSORS], 20);
        ck_assert_int_eq(s.count[STICKS], 0);
        ck_assert_ptr_nonnull(strstr(complaint(&s), "no answer"));
        run_for(&s, 1000, true);
        ck_assert_int_le(s.count[SENSORS], 22);
        ck_assert_int_eq(every(&s), 0);
        run_for(&s, 3100, true);
        ck_assert_int_eq(every(&s), 1);
        stage_end(&s);
}

TEST(hung_scheduler_is_told_in_words_and_tried_again)
{
        struct stage s;

        stage_begin(&s, &setup_4_5);
        s.runs = false; /* its MSP port answers all the same */
        run_for(&s, 2500, true);
        ck_assert_int_eq(every(&s), 0);
        ck_assert_ptr_nonnull(strstr(complaint(&s), "scheduler hangs"));
        s.runs = true;
        run_for(&s, 5000, true);
        ck_assert_int_eq(every(&s), 1);
        ck_assert_str_eq(complaint(&s), "");
        stage_end(&s);
}

TEST(one_whose_control_loop_never_ran_is_refused_before_any_packet)
{
        struct stage s;

        stage_begin(&s, &setup_4_5);
        s.runs = false;
        s.loop_us = 0;
        s.flags = 0x1304;
        run_for(&s, 500, true);
        ck_assert(!s.report.refused);
        run_for(&s, 1500, true);
        ck_assert(s.report.refused);
        ck_assert_int_eq(s.count[SENSORS], 0);
        ck_assert_ptr_nonnull(strstr(complaint(&s), "control loop never ran"));
        stage_end(&s);
}

TEST(start_up_that_never_ends_is_told_in_words)
{
        struct stage s;

        stage_begin(&s, &setup_4_5);
        s.flags = 0x200;
        run_for(&s, 12000, true);
        ck_assert_str_eq(s.text, "");
        run_for(&s, 3000, true);
        ck_assert_ptr_nonnull(strstr(s.text, "boot grace"));
        ck_assert_ptr_nonnull(strstr(complaint(&s), "boot grace"));
        stage_end(&s);
}

TEST(firmware_of_another_version_or_make_is_refused_in_words)
{
        static const struct {
                uint8_t version[3];
                const char *dialect, *words;
        } all[] = {
                { { 4, 4, 3 }, "4.5", "Betaflight 4.4.3 takes other packets" },
                { { 4, 5, 1 }, "2025.12", "fc.dialect must be \"4.5\"" },
                { { 25, 12, 5 },
                  "4.5",
                  "Betaflight 2025.12.5: fc.dialect must be \"2025" },
                { { 26, 6, 2 },
                  "2025.12",
                  "Betaflight 2026.6.2: fc.dialect must be \"2026.6\"" },
                { { 25, 12, 6 }, "2026.6", "fc.dialect must be \"2025.12\"" },
                { { 26, 12, 0 }, "4.5", "fc.dialect must be \"2026.6\"" },
        };
        struct codec_setup setup = setup_4_5;
        struct stage s;

        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
                setup.dialect = all[i].dialect;
                stage_begin(&s, &setup);
                memcpy(s.version, all[i].version, 3);
                run_for(&s, 8000, true);
                ck_assert_int_eq(every(&s), 0);
                ck_assert_int_eq(s.count[SENSORS], 0);
                ck_assert(s.report.refused);
                ck_assert_ptr_nonnull(strstr(complaint(&s), all[i].words));
                stage_end(&s);
        }
        stage_begin(&s, &setup_4_5);
        s.variant = "INAV";
        run_for(&s, 8000, true);
        ck_assert_str_eq(complaint(&s), "the firmware is INAV, not Betaflight");
        ck_assert_uint_eq(s.codec->counts.lost, 0);
        stage_end(&s);
}

/* Its port was closed when the flight began. */
TEST(another_version_that_is_heard_late_is_refused)
{
        struct stage s;

        stage_begin(&s, &setup_4_5);
        s.msp = false;
        memcpy(s.version, (uint8_t[]){ 25, 12, 5 }, 3);
        run_for(&s, 6000, true);
        ck_assert_int_eq(every(&s), 1);
        s.msp = true;
        run_for(&s, 3000, true);
        ck_assert_int_eq(every(&s), 0);
        ck_assert(s.report.refused);
        ck_assert_str_eq(s.text, complaint(&s));
        stage_end(&s);
}

TEST(reasons_not_to_arm_are_told_in_words)
{
        struct stage s;

        stage_ready(&s, &setup_4_5);
        s.flags = 1U << 7 | 1U << 12 | 1U << 25;
        ask_mode(&s, MODE_ARMED);
        run_for(&s, 300, true);
        ck_assert_str_eq(s.text, "cannot arm: throttle not low, gyroscope calibrating");
        ck_assert_str_eq(complaint(&s), s.text);
        ck_assert(!s.report.can_arm);
        /* In the newer version the same bit is another one. */
        s.flags_count = 29;
        run_for(&s, 300, true);
        ck_assert_str_eq(s.text, "cannot arm: throttle not low, gyroscope calibrating, "
                                 "turtle switch on");
        s.flags_count = 30;
        s.flags = 1U << 28 | 1U << 29; /* the last is the switch's */
        run_for(&s, 300, true);
        ck_assert_str_eq(s.text, "cannot arm: autopilot switch on");
        s.flags_count = 27;
        s.flags = 1U << 25;
        run_for(&s, 300, true);
        ck_assert_str_eq(s.text, "cannot arm: flag 25");
        stage_end(&s);
}

TEST(arm_switch_waits_until_nothing_blocks)
{
        struct stage s;

        stage_ready(&s, &setup_4_5);
        s.flags = 1U << 12;
        run_for(&s, 600, true);
        ask_mode(&s, MODE_ARMED);
        for (int i = 0; i < 3000; i++) {
                tick_of(&s, &at_rest, true);
                ck_assert_int_eq(rc_us(&s, 4), 1000);
        }
        /* That it had been up too early does not block it. */
        s.flags = 1U << 25;
        run_for(&s, 200, true);
        ck_assert_int_eq(rc_us(&s, 4), 1800);
        ck_assert(s.report.can_arm);
        stage_end(&s);
}

TEST(arm_switch_is_tried_again_until_it_arms)
{
        int lowered = 0, before = 1000;
        struct stage s;

        stage_ready(&s, &setup_4_5);
        run_for(&s, 600, true);
        ask_mode(&s, MODE_ARMED);
        for (int i = 0; i < 10000; i++) {
                tick_of(&s, &at_rest, true);
                lowered += before == 1800 && rc_us(&s, 4) == 1000;
                before = rc_us(&s, 4);
        }
        ck_assert_int_eq(lowered, 4); /* up for 2 s, down for half of one */
        s.armed = true;
        run_for(&s, 3000, true);
        for (int i = 0; i < 10000; i++) {
                tick_of(&s, &at_rest, true);
                ck_assert_int_eq(rc_us(&s, 4), 1800);
        }
        ck_assert(s.report.armed);
        ck_assert_int_eq(s.report.mode, MODE_ARMED);
        stage_end(&s);
}

TEST(throttle_waits_until_it_is_armed)
{
        struct stage s;

        stage_ready(&s, &setup_4_5);
        run_for(&s, 600, true);
        s.input.rc_us[2] = 1600;
        ask_mode(&s, MODE_GOTO);
        run_for(&s, 500, true);
        ck_assert_int_eq(rc_us(&s, 2), 1000);
        s.armed = true;
        run_for(&s, 300, true);
        ck_assert_int_eq(rc_us(&s, 2), 1600);
        stage_end(&s);
}

/* Its own motors say it, where there is no MSP port. */
TEST(without_msp_turning_motors_are_armed)
{
        struct stage s;

        stage_begin(&s, &setup_4_5);
        s.msp = false;
        run_for(&s, 6000, true);
        ck_assert_int_eq(every(&s), 1);
        ck_assert(!s.report.can_arm);
        ask_mode(&s, MODE_ARMED);
        for (int i = 0; i < 16000 && rc_us(&s, 4) == 1000; i++)
                tick_of(&s, &at_rest, true);
        ck_assert(s.report.can_arm);
        ck_assert_int_eq(rc_us(&s, 4), 1800);
        memcpy(s.motor, idle, sizeof idle);
        run_for(&s, 10, true);
        ck_assert(s.report.armed);
        memcpy(s.motor, stopped, sizeof stopped);
        run_for(&s, 150, true);
        ck_assert(s.report.armed);
        run_for(&s, 100, true);
        ck_assert(!s.report.armed);
        ck_assert_ptr_nonnull(strstr(s.text, "its motors stopped"));
        stage_end(&s);
}

TEST(restart_in_flight_is_noticed)
{
        struct stage s;

        stage_ready(&s, &setup_4_5);
        run_for(&s, 600, true);
        ask_mode(&s, MODE_GOTO);
        s.armed = true;
        memcpy(s.motor, idle, sizeof idle);
        run_for(&s, 2000, true);
        ck_assert(s.report.armed);
        /* The new process has another connection, which the rig has not, and motors that stand. */
        s.msp = s.armed = false;
        memcpy(s.motor, stopped, sizeof stopped);
        for (int i = 0; i < 1600 && every(&s) > 0; i++)
                tick_of(&s, &at_rest, true);
        ck_assert_int_eq(every(&s), 0);
        ck_assert(!s.report.armed);
        ck_assert_ptr_nonnull(strstr(s.text, "restarted"));
        /* And nothing goes out to it for its first seconds. */
        memset(s.count, 0, sizeof s.count);
        run_for(&s, 2500, true);
        ck_assert_int_le(s.count[SENSORS], 3);
        stage_end(&s);
}

TEST(what_it_disarms_by_itself_is_told_and_stays_disarmed)
{
        struct stage s;

        stage_ready(&s, &setup_4_5);
        run_for(&s, 600, true);
        ask_mode(&s, MODE_GOTO);
        s.armed = true;
        run_for(&s, 2000, true);
        s.armed = false;
        run_for(&s, 300, true);
        ck_assert_str_eq(s.text, "it disarmed by itself");
        run_for(&s, 5000, true);
        ck_assert_int_eq(rc_us(&s, 4), 1800);
        stage_end(&s);
}

TEST(goodbye_lowers_the_arm_switch_and_the_throttle)
{
        struct stage s;

        stage_ready(&s, &setup_4_5);
        run_for(&s, 600, true);
        s.input.rc_us[2] = 1600;
        s.input.rc_us[5] = 1800;
        ask_mode(&s, MODE_GOTO);
        s.armed = true;
        run_for(&s, 1000, true);
        ck_assert_int_eq(rc_us(&s, 2), 1600);
        s.codec->ops->goodbye(s.codec, &s.out);
        s.armed = false;
        deliver(&s, true);
        ck_assert_int_eq(rc_us(&s, 2), 1000);
        ck_assert_int_eq(rc_us(&s, 4), 1000);
        ck_assert_int_eq(rc_us(&s, 5), 1800);
        /* It said at once that it is disarmed. */
        ck_assert(!s.report.armed);
        stage_end(&s);
}

TEST(wrong_packets_are_counted_and_survived)
{
        static const uint8_t zeros[200];
        struct stage s;
        float motor[4] = { 0.1f, NAN, 0.1f, 0.1f };
        uint64_t malformed;

        stage_ready(&s, &setup_4_5);
        malformed = s.codec->counts.malformed;
        for (size_t len = 1; len <= sizeof zeros; len++)
                if (len != 16)
                        ck_assert_uint_eq(to_rig(&s, MOTORS, zeros, len), 0);
        ck_assert_uint_eq(s.codec->counts.malformed, malformed + 199);
        ck_assert_uint_eq(motors_to_rig(&s, motor), 0);
        motor[1] = INFINITY;
        ck_assert_uint_eq(motors_to_rig(&s, motor), 0);
        ck_assert_uint_eq(s.codec->counts.malformed, malformed + 201);
        motor[1] = -0.5f; /* 3D */
        motors_to_rig(&s, motor);
        ck_assert_double_eq(s.report.motors.duty[2], 0.0);
        ck_assert_uint_eq(to_rig(&s, MOTORS_RAW, zeros, 67), 0);
        ck_assert_uint_eq(to_rig(&s, SENSORS, zeros, 10), 0);
        ck_assert_uint_eq(s.codec->counts.bytes_skipped, 10);
        stage_end(&s);
}

TEST(short_messages_of_its_msp_port_are_counted_and_survived)
{
        static const uint16_t commands[] = { 1, 2, 3, 4, 108, 119, 150, 104, 9999 };
        static const uint8_t zeros[64];
        struct stage s;

        for (size_t len = 0; len < 40; len++) {
                stage_ready(&s, &setup_4_5);
                for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
                        reply(&s, commands[i], zeros, len);
                run_for(&s, 100, true);
                ck_assert_int_eq(every(&s), 1);
                stage_end(&s);
        }
        stage_ready(&s, &setup_4_5);
        reply(&s, 150, zeros, 20);
        ck_assert_uint_eq(s.codec->counts.malformed, 1);
        to_rig(&s, MSP, "\r\nEntering CLI Mode", 19);
        run_for(&s, 1000, true);
        ck_assert_uint_ge(s.codec->counts.bytes_skipped, 19);
        stage_end(&s);
}

TEST(rig_that_cannot_serve_it_is_told_why)
{
        struct codec_setup setup = setup_4_5;
        struct stage s;

        setup.period_ns = 4 * MS;
        stage_begin(&s, &setup);
        ck_assert_ptr_nonnull(strstr(complaint(&s), "period_us"));
        run_for(&s, 5000, true);
        ck_assert_int_eq(every(&s), 0);
        stage_end(&s);

        setup = setup_4_5;
        setup.motor_order[2] = 4;
        stage_begin(&s, &setup);
        ck_assert_ptr_nonnull(strstr(complaint(&s), "motor_order"));
        run_for(&s, 5000, true);
        ck_assert_int_eq(every(&s), 0);
        stage_end(&s);

        setup = setup_4_5;
        setup.period_ns = MS / 4;
        stage_begin(&s, &setup);
        run_for(&s, 5000, true);
        ck_assert_int_eq(every(&s), 4);
        stage_end(&s);
}
