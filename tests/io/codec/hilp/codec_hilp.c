/* Whole conversations between the rig's codec and the board's side of HILP: hello, frames and their
 * answers, input, what a board says. */
#include "tests/boards/hilp_pair.h"
#include "tests/io/codec/hilp/hilp_random.h"
#include "tests/suites.h"

TEST(every_codec_is_made_by_its_name)
{
        const char *const *names = codec_names();

        ck_assert_ptr_nonnull(names[0]);
        for (int i = 0; names[i] != NULL; i++) {
                struct codec *c = codec_create(names[i], &setup_plain);

                ck_assert_ptr_nonnull(c);
                ck_assert_str_eq(c->ops->name, names[i]);
                c->ops->destroy(c);
        }
        ck_assert_ptr_null(codec_create("hilp2", &setup_plain));
        ck_assert_ptr_null(codec_create("", &setup_plain));
}

TEST(hello_is_said_at_once_and_then_every_100_ms)
{
        struct pair p;
        int said = 0;

        pair_begin(&p, &setup_plain, 4);
        for (int ms = 0; ms < 1000; ms++) {
                p.rig->ops->poll(p.rig, p.t_ns + ms * MS, &p.out);
                ck_assert_int_eq(p.out.count, ms % 100 == 0);
                said += p.out.count;
        }
        ck_assert_int_eq(said, 10);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        ck_assert_str_ne(p.rig->ops->complaint(p.rig), "");
        pair_end(&p);
}

TEST(hello_carries_the_setup_and_brings_the_name)
{
        struct codec_setup lockstep = setup_plain;
        struct pair p;

        lockstep.lockstep = true;
        pair_ready(&p, &lockstep);
        ck_assert(hilp_board_lockstep(&p.board));
        ck_assert_uint_eq(p.board.hello.rotors, 4);
        ck_assert_uint_eq(p.board.hello.frame_period_us, 1000);
        ck_assert_uint_eq(p.board.hello.sensor_period_us[SENSOR_GPS], 100000);
        ck_assert_uint_eq(p.board.hello.sensor_period_us[SENSOR_SONAR], 50000);
        ck_assert_uint_eq(p.board.hello.units.accel, 4790000);
        ck_assert_uint_eq(p.board.hello.units.gyro, 1064000);
        ck_assert_uint_eq(p.board.hello.units.mag, 150);
        ck_assert_str_eq(p.report.name, "test board");
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), "");
        pair_end(&p);
}

TEST(each_frame_is_answered_once_with_its_number)
{
        struct pair p;

        pair_ready(&p, &setup_plain);
        for (uint32_t n = 0; n < 2000; n++) {
                ck_assert_uint_eq(tick(&p, n, NULL), FC_MOTORS | FC_ARMING);
                ck_assert(p.report.answers_frame);
                ck_assert_uint_eq(p.report.answered_frame, n);
                ck_assert_int_eq(p.frames, (int)n + 1);
        }
        ck_assert(p.report.armed && !p.report.failsafe);
        ck_assert_int_eq(p.report.mode, MODE_GOTO);
        ck_assert_double_eq_tol(p.seen.imu.accel_body_mps2.z, -2047 * 4.79e-3, 1e-14);
        ck_assert_int_eq(p.seen.imu.t_ns, 1999 * MS - 200000);
        ck_assert_uint_eq(p.rig->counts.lost + p.rig->counts.malformed, 0);
        ck_assert_uint_eq(p.rig->counts.frames_decoded, 2001);
        ck_assert_uint_eq(p.rig->counts.frames_encoded, 2001 + 8); /* parts, too */
        ck_assert_uint_eq(p.board.heard.lost + p.board.malformed, 0);
        pair_end(&p);
}

TEST(frame_numbers_may_wrap_and_skip)
{
        struct pair p;
        uint32_t n = UINT32_MAX - 20;

        pair_ready(&p, &setup_plain);
        for (int i = 0; i < 40; i++, n += (uint32_t)(1 + i % 3)) {
                ck_assert_uint_eq(tick(&p, n, NULL), FC_MOTORS | FC_ARMING);
                ck_assert_uint_eq(p.report.answered_frame, n);
        }
        pair_end(&p);
}

TEST(motors_come_in_the_order_of_the_rotors)
{
        struct pair p;

        pair_ready(&p, &setup_plain);
        tick(&p, 0, NULL);
        for (int i = 0; i < 4; i++)
                ck_assert_double_eq_tol(p.report.motors.duty[i],
                                        p.duty.duty[setup_plain.motor_order[i]],
                                        0.5 / 65535);
        for (int i = 4; i < ROTORS_MAX; i++)
                ck_assert_double_eq(p.report.motors.duty[i], 0.0);
        pair_end(&p);
}

TEST(input_given_before_the_hello_arrives_with_the_first_frame)
{
        struct pilot_input input = { .setpoint = { MODE_GOTO, { 1.0, 2.0, -3.0 }, 0.5 },
                                     .rc_us = { 1500, 1600 } };
        struct pair p;

        pair_begin(&p, &setup_plain, 4);
        tick(&p, 0, &input);
        ck_assert_int_eq(p.frames + p.inputs, 0);
        poll_once(&p);
        tick(&p, 1, NULL);
        ck_assert_int_eq(p.inputs, 1);
        ck_assert_int_eq(p.frames, 1);
        ck_assert_int_eq(p.input.setpoint.mode, MODE_GOTO);
        ck_assert_double_eq(p.input.setpoint.pos_ned_m.z, -3.0);
        ck_assert_uint_eq(p.input.rc_us[1], 1600);
        pair_end(&p);
}

TEST(input_stands_before_the_frame_in_the_same_packet)
{
        struct sensor_frame frame = { .fresh = 0xFF, .fresh_sonars = 0xFFFF };
        struct pilot_input input = { .rc_us[RC_CHANNELS_MAX - 1] = 1000 };
        struct hilp_board_news news;
        struct pair p;
        size_t used;

        pair_ready(&p, &setup_plain);
        p.rig->ops->encode(p.rig, 0, 0, &frame, &input, &p.out);
        ck_assert_int_eq(p.out.count, 1);
        used = hilp_board_receive(&p.board, p.out.packet[0].bytes, p.out.packet[0].len, 0,
                                  &news);
        ck_assert_int_eq(news.event, HILP_BOARD_INPUT);
        used += hilp_board_receive(&p.board, p.out.packet[0].bytes + used,
                                   p.out.packet[0].len - used, 0, &news);
        ck_assert_int_eq(news.event, HILP_BOARD_SENSORS);
        ck_assert_uint_eq(used, p.out.packet[0].len);
        pair_end(&p);
}

TEST(input_is_repeated_every_250_frames)
{
        struct pilot_input land = { .setpoint.mode = MODE_LAND };
        struct pair p;

        pair_ready(&p, &setup_plain);
        for (uint32_t n = 0; n < 100; n++)
                tick(&p, n, NULL);
        ck_assert_int_eq(p.inputs, 0);
        for (uint32_t n = 100; n < 1100; n++) {
                tick(&p, n, n == 100 ? &land : NULL);
                ck_assert_int_eq(p.inputs, 1 + (int)(n - 100) / 250);
        }
        pair_end(&p);
}

TEST(the_board_takes_the_highest_common_version_or_none)
{
        static const struct {
                uint8_t min, max, version;
        } offers[] = { { 2, 2, 2 }, { 2, 3, 3 }, { 3, 3, 3 }, { 2, 4, 4 },
                       { 1, 9, 4 }, { 1, 1, 0 }, { 5, 9, 0 } };

        for (size_t i = 0; i < sizeof offers / sizeof offers[0]; i++) {
                struct dice d = { 3 };
                struct hilp_message m = { .type = HILP_HELLO };
                struct hilp_receiver r = { .len = 0 };
                struct hilp_board board;
                struct hilp_board_news news;
                uint8_t frame[HILP_FRAME_MAX], payload[HILP_PAYLOAD_MAX];
                size_t n;

                random_hello(&d, &m.u.hello);
                m.u.hello.version_min = offers[i].min;
                m.u.hello.version_max = offers[i].max;
                hilp_board_init(&board, "b", 4, 1, 1);
                hilp_board_receive(&board, frame, hilp_write(&m, frame), 0, &news);
                hilp_receive(&r, news.out, news.out_len, payload, &n);
                ck_assert_int_eq(hilp_decode(&m, payload, n), 1);
                ck_assert_uint_eq(m.u.hello_ack.version, offers[i].version);
                ck_assert_int_eq(news.event == HILP_BOARD_HELLO, offers[i].version != 0);
        }
}

TEST(state_and_text_arrive_and_text_is_made_printable)
{
        struct fc_estimate estimate = { { 0.6, 0.0, 0.8, 0.0 },
                                        { 1.0, 2.0, -3.0 },
                                        { 0 } };
        uint8_t frame[HILP_FRAME_MAX];
        char longest[300];
        struct pair p;

        pair_ready(&p, &setup_plain);
        ck_assert_uint_eq(to_rig(&p, frame, hilp_board_state(&p.board, &estimate, frame)),
                          FC_STATE);
        ck_assert_double_eq_tol(p.report.estimate.q_body_to_ned.y, 0.8, 1e-12);
        ck_assert_double_eq(p.report.estimate.pos_ned_m.z, -3.0);
        estimate.q_body_to_ned.w = NAN;
        ck_assert_uint_eq(hilp_board_state(&p.board, &estimate, frame), 0);

        ck_assert_uint_eq(
                to_rig(&p, frame, hilp_board_text(&p.board, 2, "a\x1b[2J\xff\n", frame)),
                FC_TEXT);
        ck_assert_str_eq(p.report.text, "a?[2J??");
        ck_assert_int_eq(p.report.severity, FC_SAYS_ERROR);
        memset(longest, 'x', sizeof longest);
        longest[sizeof longest - 1] = '\0';
        to_rig(&p, frame, hilp_board_text(&p.board, 0, longest, frame));
        ck_assert_uint_eq(strlen(p.report.text), HILP_TEXT_MAX);
        pair_end(&p);
}

TEST(goodbye_is_said_in_three_packets)
{
        struct pair p;

        pair_ready(&p, &setup_plain);
        p.rig->ops->goodbye(p.rig, &p.out);
        ck_assert_int_eq(p.out.count, 3);
        exchange(&p);
        ck_assert_int_eq(p.goodbyes, 3);
        pair_end(&p);
}

TEST(decode_stops_behind_each_piece_of_news_however_the_bytes_are_split)
{
        struct dice d = { 5 };
        uint8_t bytes[3 * HILP_FRAME_MAX];
        struct pair p;

        for (int round = 0; round < 300; round++) {
                uint32_t news[3] = { FC_MOTORS | FC_ARMING, FC_STATE, FC_TEXT };
                struct fc_estimate level = { .q_body_to_ned = { 1, 0, 0, 0 } };
                size_t len, at = 0;
                int heard = 0;

                pair_ready(&p, &setup_plain);
                tick(&p, 0, NULL);
                len = hilp_board_motors(&p.board, &p.duty, 4, true, false, MODE_GOTO,
                                        bytes);
                len += hilp_board_state(&p.board, &level, bytes + len);
                len += hilp_board_text(&p.board, 0, "hi", bytes + len);
                while (at < len) {
                        size_t piece = 1 + dice_below(&d, (uint32_t)(len - at));

                        p.report.fresh = 0;
                        at += p.rig->ops->decode(p.rig, 0, p.t_ns, bytes + at, piece,
                                                 &p.report);
                        if (p.report.fresh != 0)
                                ck_assert_uint_eq(p.report.fresh, news[heard++]);
                }
                ck_assert_int_eq(heard, 3);
                pair_end(&p);
        }
}
