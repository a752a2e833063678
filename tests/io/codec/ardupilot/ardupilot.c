/* The exchange with ArduPilot's SITL: who asks and when is answered, pulses, restarts, hostile bytes. */
#include "tests/boards/ardupilot_talk.h"
#include "tests/suites.h"

TEST(the_firmware_asks_first)
{
        struct talk t;

        talk_begin(&t, &setup_plain);
        ck_assert_int_eq(t.rig->ops->frame_every(t.rig), 0);
        ck_assert_str_ne(t.rig->ops->complaint(t.rig), "");
        ck_assert_ptr_null(tick(&t, NULL));
        ck_assert_uint_eq(request(&t, 0), FC_MOTORS | FC_ARMING | FC_HELLO);
        ck_assert(!t.report.answers_frame);
        ck_assert_int_eq(t.rig->ops->frame_every(t.rig), 1);
        ck_assert_str_eq(t.rig->ops->complaint(t.rig), "");
        ck_assert_ptr_nonnull(tick(&t, NULL));
        talk_end(&t);
}

TEST(in_real_time_each_request_is_answered_once)
{
        struct talk t;

        talk_ready(&t, &setup_plain);
        for (uint32_t n = 1; n < 1000; n++) {
                ck_assert_ptr_nonnull(tick(&t, NULL));
                ck_assert_ptr_null(tick(&t, NULL));
                ck_assert_ptr_null(tick(&t, NULL));
                ck_assert_uint_eq(request(&t, n), FC_MOTORS | FC_ARMING);
                ck_assert(t.report.answers_frame);
                ck_assert_uint_eq(t.report.answered_frame, n - 1);
        }
        ck_assert_uint_eq(t.rig->counts.lost, 0);
        talk_end(&t);
}

TEST(in_lockstep_every_tick_has_one_answer)
{
        struct codec_setup lockstep = setup_plain;
        struct talk t;

        lockstep.lockstep = true;
        talk_ready(&t, &lockstep);
        for (uint32_t n = 1; n < 1000; n++) {
                ck_assert_ptr_nonnull(tick(&t, NULL));
                /* Lost: the next one makes up for it. */
                if (n % 10 == 0)
                        ck_assert_ptr_nonnull(tick(&t, NULL));
                ck_assert_uint_eq(request(&t, n), FC_MOTORS | FC_ARMING);
                ck_assert_uint_eq(t.report.answered_frame, t.number - 1);
        }
        talk_end(&t);
}

TEST(a_repeated_request_is_answered_once)
{
        struct talk t;

        talk_ready(&t, &setup_plain);
        exchange(&t, NULL);
        /* Before the answer: the rig was stopped for three seconds. */
        for (int i = 0; i < 3; i++)
                ck_assert_uint_eq(request(&t, 1), 0);
        ck_assert_ptr_nonnull(tick(&t, NULL));
        ck_assert_ptr_null(tick(&t, NULL));
        /* On its way when the answer was: it has crossed that. */
        t.t_ns += 10 * MS;
        ck_assert_uint_eq(request(&t, 1), 0);
        ck_assert_ptr_null(tick(&t, NULL));
        /* The answer was lost. */
        t.t_ns += 1 * SECOND;
        ck_assert_uint_eq(request(&t, 1), 0);
        ck_assert_ptr_nonnull(tick(&t, NULL));
        ck_assert_ptr_null(tick(&t, NULL));
        ck_assert_uint_eq(request(&t, 2), FC_MOTORS | FC_ARMING);
        ck_assert_uint_eq(t.rig->counts.lost, 0);
        talk_end(&t);
}

TEST(in_lockstep_a_lost_answer_does_not_stop_the_rig)
{
        struct codec_setup lockstep = setup_plain;
        struct talk t;

        lockstep.lockstep = true;
        talk_ready(&t, &lockstep);
        exchange(&t, NULL);
        tick(&t, NULL);
        t.t_ns += 10 * MS;
        ck_assert_uint_eq(request(&t, 1), 0);
        t.t_ns += 1 * SECOND;
        ck_assert_uint_eq(request(&t, 1), FC_MOTORS);
        ck_assert_uint_eq(t.report.answered_frame, t.number - 1);
        /* Said again before the next tick: answered already. */
        ck_assert_uint_eq(request(&t, 1), 0);
        talk_end(&t);
}

TEST(pulses_are_duties_in_the_order_of_the_rotors)
{
        struct codec_setup far = setup_plain;
        uint8_t bytes[72];
        struct talk t;

        talk_ready(&t, &setup_plain);
        t.pulse_us[0] = 1250;
        t.pulse_us[1] = 1500;
        t.pulse_us[2] = 2000;
        t.pulse_us[3] = 2100;
        request(&t, 1);
        ck_assert_double_eq_tol(t.report.motors.duty[0], 0.25, 1e-15);
        ck_assert_double_eq(t.report.motors.duty[1], 1.0);
        ck_assert_double_eq_tol(t.report.motors.duty[2], 0.5, 1e-15);
        ck_assert_double_eq(t.report.motors.duty[3], 1.0);
        ck_assert(t.report.armed); /* without a console, who turns a motor is */
        memset(t.pulse_us, 0, sizeof t.pulse_us);
        request(&t, 2);
        for (int i = 0; i < 4; i++)
                ck_assert_double_eq(t.report.motors.duty[i], 0.0);
        ck_assert(!t.report.armed);
        talk_end(&t);

        /* An output that only 32 channels have. */
        far.motor_order[3] = 31;
        talk_begin(&t, &far);
        t.pulse_us[31] = 1100;
        request(&t, 0);
        ck_assert_int_eq(t.rig->ops->frame_every(t.rig), 0);
        ck_assert_uint_eq(t.rig->counts.malformed, 1);
        to_rig(&t, 0, bytes, request_bytes(&t, 0, 32, bytes));
        ck_assert_double_eq_tol(t.report.motors.duty[3], 0.1, 1e-15);
        talk_end(&t);
}

TEST(a_firmware_that_counts_from_the_start_has_restarted)
{
        double stamp_s;
        struct talk t;

        talk_ready(&t, &setup_plain);
        for (int i = 0; i < 500; i++)
                exchange(&t, NULL);
        ck_assert_uint_eq(request(&t, 0), FC_TEXT);
        ck_assert_str_eq(t.report.text, "flight controller restarted");
        ck_assert_int_eq(t.rig->ops->frame_every(t.rig), 0);
        ck_assert_ptr_null(tick(&t, NULL));
        t.rig->ops->poll(t.rig, t.t_ns, &t.out);
        ck_assert_int_eq(t.out.count, 0);
        ck_assert_int_eq(t.rig->ops->frame_every(t.rig), 1);
        /* Its time begins anew, too. */
        ck_assert(firmware_reads(tick(&t, NULL), "", "timestamp", 1, &stamp_s));
        ck_assert_double_eq_tol(stamp_s, 1e-3, 1e-9);
        talk_end(&t);
}

TEST(a_firmware_that_has_flown_before_says_so_by_its_numbers)
{
        struct talk t;

        talk_begin(&t, &setup_plain);
        request(&t, 3);
        ck_assert(!t.report.flown);
        request(&t, 4000);
        ck_assert(!t.report.flown);
        talk_end(&t);
        talk_begin(&t, &setup_plain);
        request(&t, 40000);
        ck_assert(t.report.flown);
        talk_end(&t);
}

TEST(gaps_in_its_numbers_are_counted)
{
        struct talk t;

        talk_ready(&t, &setup_plain);
        request(&t, 1);
        request(&t, 5);
        ck_assert_uint_eq(t.rig->counts.lost, 3);
        ck_assert_uint_eq(t.rig->counts.jumps, 0);
        /* A million packets were not lost between two. */
        request(&t, 1000005);
        request(&t, 1000007);
        ck_assert_uint_eq(t.rig->counts.lost, 4);
        ck_assert_uint_eq(t.rig->counts.jumps, 1);
        talk_end(&t);
}

TEST(what_is_no_request_is_counted_and_skipped)
{
        uint8_t bytes[200] = { 0x1A, 0x48 };
        struct talk t;

        talk_ready(&t, &setup_plain);
        /* Cut short. */
        ck_assert_uint_eq(to_rig(&t, 0, bytes, 39), 0);
        ck_assert_uint_eq(t.rig->counts.malformed, 1);
        ck_assert_uint_eq(t.rig->counts.bytes_skipped, 39);
        /* Behind noise. */
        memset(bytes, 0x55, 60);
        request_bytes(&t, 1, 16, bytes + 60);
        ck_assert_uint_eq(to_rig(&t, 0, bytes, 100), FC_MOTORS | FC_ARMING);
        ck_assert_uint_eq(t.rig->counts.bytes_skipped, 99);
        /* A pulse that no servo knows. */
        t.pulse_us[2] = 60000;
        ck_assert_uint_eq(request(&t, 2), 0);
        ck_assert_uint_eq(t.rig->counts.malformed, 2);
        ck_assert_double_eq(t.report.motors.duty[3], 0.0);
        talk_end(&t);
}

TEST(an_end_without_a_console_lets_time_go_on)
{
        struct talk t;
        double before_s = 0.0, stamp_s;

        talk_begin(&t, &setup_plain);
        t.rig->ops->goodbye(t.rig, &t.out);
        ck_assert_int_eq(t.out.count, 0);
        request(&t, 0);
        t.input.rc_us[2] = 1000;
        for (int i = 0; i < 20; i++) {
                firmware_reads(exchange(&t, &t.input), "", "timestamp", 1, &stamp_s);
                if (i > 0)
                        ck_assert_double_eq_tol(stamp_s - before_s, 1e-3, 1e-9);
                before_s = stamp_s;
                t.rig->ops->goodbye(t.rig, &t.out);
                ck_assert_int_eq(t.out.count, 0);
        }
        talk_end(&t);
}

TEST(frames_are_found_from_outside)
{
        uint8_t bytes[1024] = "noise";
        size_t len = 5, n;
        struct codec_frame f;
        struct talk t;

        talk_ready(&t, &setup_plain);
        t.count = 41;
        request(&t, t.count);
        ck_assert_ptr_nonnull(tick(&t, NULL));
        memcpy(bytes + len, t.out.packet[0].bytes, t.out.packet[0].len);
        len += t.out.packet[0].len;
        len += request_bytes(&t, 42, 16, bytes + len);
        len += request_bytes(&t, 43, 32, bytes + len);

        n = t.rig->ops->frame_find(bytes, len, &f);
        ck_assert_int_eq(f.type, -1);
        ck_assert_uint_le(n, 6);
        if (bytes[n] == '\n' || bytes[n] == '{')
                n += t.rig->ops->frame_find(bytes + n, len - n, &f);
        ck_assert_str_eq(t.rig->ops->frame_names[f.type], "sensors");
        ck_assert(f.asks && !f.answers && !f.unpaced);
        ck_assert_uint_eq(f.number, 42);
        n += t.rig->ops->frame_find(bytes + n, len - n, &f);
        ck_assert_str_eq(t.rig->ops->frame_names[f.type], "servos");
        ck_assert(f.answers && !f.asks);
        ck_assert_uint_eq(f.number, 42);
        ck_assert_uint_eq(t.rig->ops->frame_find(bytes + n, 71, &f), 0);
        n += t.rig->ops->frame_find(bytes + n, len - n, &f);
        ck_assert_uint_eq(f.number, 43);
        ck_assert_uint_eq(n, len);
        talk_end(&t);
}

TEST(restart_greets_anew)
{
        struct talk t;

        talk_ready(&t, &setup_plain);
        exchange(&t, NULL);
        t.rig->ops->restart(t.rig);
        ck_assert_int_eq(t.rig->ops->frame_every(t.rig), 0);
        request(&t, 7);
        ck_assert_int_eq(t.rig->ops->frame_every(t.rig), 1);
        ck_assert_uint_eq(t.rig->counts.lost, 0);
        talk_end(&t);
}
