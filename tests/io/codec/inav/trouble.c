/* The codec when things are not as they should be: what keeps a board from arming, lost answers, slow boards,
 * restarts, nonsense. */
#include "tests/boards/inav_pair.h"
#include "tests/suites.h"

static const struct pilot_input disarm = { .setpoint.mode = MODE_DISARMED };
static const struct pilot_input arm = { .setpoint.mode = MODE_ARMED };

TEST(it_arms_when_it_is_asked_and_disarms)
{
        struct pilot_input fly = { .setpoint.mode = MODE_GOTO,
                                   .rc_us = { 1600, 1400, 1550, 1450 } };
        struct pair p;

        pair_ready(&p, &setup_quad);
        pair_ticks(&p, 400);
        ck_assert(p.report.can_arm && !p.report.armed);
        pair_tick(&p, &arm);
        pair_ticks(&p, 20);
        ck_assert(p.report.armed);
        ck_assert_int_eq(p.report.mode, MODE_ARMED);
        pair_tick(&p, &fly);
        pair_ticks(&p, 8);
        ck_assert_uint_eq(p.board.rc_us[0], 1600);
        ck_assert_uint_eq(p.board.rc_us[2], 1550);
        ck_assert_int_eq(p.report.mode, MODE_GOTO);
        pair_tick(&p, &disarm);
        pair_ticks(&p, 20);
        ck_assert(!p.report.armed);
        ck_assert_int_eq(p.report.mode, MODE_DISARMED);
        pair_end(&p);
}

TEST(the_switch_waits_until_nothing_blocks)
{
        struct pair p;

        pair_ready(&p, &setup_quad);
        p.board.blockers = 1U << 8 | 1U << 9;
        pair_ticks(&p, 300);
        ck_assert(!p.report.can_arm);
        pair_tick(&p, &arm);
        pair_ticks(&p, 600);
        ck_assert_uint_lt(p.board.rc_us[4], 1300);
        ck_assert_str_eq(p.text, "cannot arm: not level, sensors calibrating");
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), p.text);
        p.board.blockers = 0;
        pair_ticks(&p, 600);
        ck_assert(p.report.armed);
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), "");
        pair_end(&p);
}

TEST(a_switch_that_was_too_early_is_tried_again)
{
        struct pair p;

        pair_ready(&p, &setup_quad);
        pair_ticks(&p, 300);
        /* It blocks just as the switch goes up, and says so later. */
        p.board.blockers = 1U << 10;
        pair_tick(&p, &arm);
        pair_ticks(&p, 40);
        ck_assert_uint_ge(p.board.rc_us[4], 1700);
        p.board.blockers = 0;
        pair_ticks(&p, 100);
        ck_assert(!p.report.armed);
        pair_ticks(&p, 2500);
        ck_assert(p.report.armed);
        pair_end(&p);
}

TEST(every_blocker_has_words)
{
        struct pair p;

        pair_ready(&p, &setup_quad);
        pair_tick(&p, &arm);
        for (int bit = 6; bit < 31; bit++) {
                if (bit == 14 || bit == 17)
                        continue;
                p.board.arming_flags &= ~(1U << 2);
                p.board.blockers = 1U << bit;
                p.text[0] = '\0';
                pair_tick(&p, &disarm);
                pair_tick(&p, &arm);
                pair_ticks(&p, 600);
                ck_assert_ptr_nonnull(strstr(p.text, "cannot arm: "));
        }
        pair_end(&p);
}

TEST(all_of_them_at_once_fit)
{
        struct pair p;

        pair_ready(&p, &setup_quad);
        p.board.blockers = 0x7FFDFFC0;
        pair_tick(&p, &arm);
        pair_ticks(&p, 600);
        ck_assert_uint_gt(strlen(p.text), 100);
        ck_assert_uint_lt(strlen(p.text), sizeof p.text);
        pair_end(&p);
}

TEST(what_disarms_by_itself_stays_disarmed_and_is_told)
{
        struct pair p;

        pair_ready(&p, &setup_quad);
        pair_tick(&p, &arm);
        pair_ticks(&p, 600);
        ck_assert(p.report.armed);
        p.board.blockers = 1U << 7;
        p.board.arming_flags &= ~(1U << 2);
        pair_ticks(&p, 600);
        ck_assert_str_eq(p.text, "it disarmed by itself");
        p.board.blockers = 0;
        pair_ticks(&p, 3000);
        ck_assert_uint_ge(p.board.rc_us[4], 1700);
        ck_assert(!p.report.armed);
        pair_end(&p);
}

TEST(the_failsafe_box_is_told)
{
        struct pair p;

        pair_ready(&p, &setup_quad);
        pair_tick(&p, &arm);
        pair_ticks(&p, 600);
        ck_assert(!p.report.failsafe);
        p.board.boxes |= 1 << 6 | 1 << 2 | 1 << 4;
        pair_ticks(&p, 600);
        ck_assert(p.report.failsafe);
        ck_assert_int_eq(p.report.mode, MODE_LAND);
        ck_assert_str_eq(p.text, "flight modes: ANGLE, NAV POSHOLD, FAILSAFE");
        pair_end(&p);
}

TEST(a_lost_answer_costs_one_frame)
{
        struct pair p;
        int frames;

        pair_ready(&p, &setup_quad);
        pair_ticks(&p, 100);
        for (int n = 0; n < 50; n++) {
                p.board.swallow = 1;
                frames = p.board.frames;
                pair_ticks(&p, 200);
                ck_assert_int_ge(p.board.frames, frames + 45);
        }
        ck_assert_uint_eq(p.rig->counts.lost, 50);
        pair_end(&p);
}

TEST(a_silent_board_is_left_alone_and_taken_back)
{
        struct pair p;
        int frames, requests;

        pair_ready(&p, &setup_quad);
        pair_ticks(&p, 100);
        p.board.mute = true;
        pair_ticks(&p, 1000);
        frames = p.board.frames;
        requests = p.board.requests;
        ck_assert_str_ne(p.rig->ops->complaint(p.rig), "");
        pair_ticks(&p, 4000);
        ck_assert_int_eq(p.board.frames, frames);
        ck_assert_int_le(p.board.requests, requests + 17);
        p.board.mute = false;
        p.board.uptime_s += 6;
        pair_ticks(&p, 300);
        ck_assert_int_gt(p.board.frames, frames);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        pair_end(&p);
}

TEST(a_board_that_restarted_is_noticed_by_its_uptime)
{
        struct pair p;
        int frames;

        pair_ready(&p, &setup_quad);
        pair_ticks(&p, 100);
        p.board.mute = true;
        pair_ticks(&p, 700);
        p.board.mute = false;
        p.board.uptime_s = 1;
        frames = p.board.frames;
        pair_ticks(&p, 600);
        ck_assert_str_eq(p.text, "flight controller restarted: its uptime went back");
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        ck_assert_int_eq(p.board.frames, frames);
        p.board.uptime_s = 6;
        pair_ticks(&p, 600);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        ck_assert_int_gt(p.board.frames, frames);
        pair_end(&p);
}

TEST(a_board_that_was_armed_before_says_so)
{
        struct pair p;

        pair_begin(&p, &setup_quad);
        pair_ticks(&p, 7000);
        ck_assert(!p.report.flown);
        pair_tick(&p, &arm);
        pair_ticks(&p, 600);
        ck_assert(p.report.armed && !p.report.flown);
        pair_end(&p);

        pair_begin(&p, &setup_quad);
        p.board.arming_flags = 1U << 3;
        pair_ticks(&p, 7000);
        ck_assert(p.report.flown);
        pair_end(&p);
}

TEST(a_board_that_restarted_in_flight_is_noticed_by_its_flags)
{
        struct pair p;

        pair_ready(&p, &setup_quad);
        pair_tick(&p, &arm);
        pair_ticks(&p, 600);
        ck_assert(p.report.armed);
        p.board.arming_flags = 0;
        p.board.blockers = 1U << 9;
        for (int n = 0; n < 400 && p.rig->ops->frame_every(p.rig) > 0; n++)
                pair_tick(&p, NULL);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        ck_assert(!p.report.armed);
        ck_assert_ptr_nonnull(strstr(p.text, "restarted"));
        pair_end(&p);
}

TEST(microseconds_that_wrap_are_no_restart)
{
        struct pair p;

        pair_begin(&p, &setup_quad);
        p.board.uptime_s = 4293;
        pair_ticks(&p, 1500);
        p.board.uptime_s = 0;
        pair_ticks(&p, 1500);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        pair_end(&p);
}

/* A board that answers one request each 10 ms, as its serial task does. */
TEST(a_board_of_100_hz_is_not_drowned)
{
        struct pair p;
        uint8_t waiting[4096], back[MSP_FRAME_MAX];
        size_t len = 0;
        int most = 0;

        pair_ready(&p, &setup_quad);
        p.board.polls = p.board.frames = p.board.requests = 0;
        for (int ms = 0; ms < 4000; ms++) {
                size_t used = 0;

                p.t_ns += MS;
                p.frame.t_ns += MS;
                if (ms % 4 == 0)
                        p.rig->ops->encode(p.rig, p.number, p.t_ns, &p.frame, NULL,
                                           &p.out);
                for (int round = 0; round < 2; round++) {
                        for (int i = 0; i < p.out.count; i++) {
                                memcpy(waiting + len, p.out.packet[i].bytes,
                                       p.out.packet[i].len);
                                len += p.out.packet[i].len;
                        }
                        p.out.count = 0;
                        if (round == 0)
                                p.rig->ops->poll(p.rig, p.t_ns, &p.out);
                }
                if ((int)len > most)
                        most = (int)len;
                if (ms % 10 == 0 && len > 0) {
                        struct msp_frame m;
                        bool got;
                        struct msp_stream s = { .len = 0 };
                        size_t n = msp_stream_take(&s, waiting, len, &m, &got), answer;

                        ck_assert(got);
                        answer = board_take(&p.board, waiting, n, back);
                        memmove(waiting, waiting + n, len -= n);
                        while (used < answer)
                                used += p.rig->ops->decode(p.rig, 0, p.t_ns, back + used,
                                                           answer - used, &p.report);
                }
        }
        /* A frame and a poll at most are under way. */
        ck_assert_int_le(most, 80 + 9 + 9);
        ck_assert_int_ge(p.board.frames, 150);
        ck_assert_int_ge(p.board.polls, 150);
        ck_assert_uint_eq(p.rig->counts.lost, 0);
        pair_end(&p);
}

TEST(an_answer_of_a_wrong_length_is_malformed)
{
        static const uint16_t commands[] = { 1, 3, 4, 0x2000, 0x203A };
        struct pair p;

        for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
                struct msp_frame m = { .version = MSP_V2,
                                       .kind = MSP_REPLY,
                                       .command = commands[i] };
                uint8_t bytes[MSP_FRAME_MAX];

                pair_begin(&p, &setup_quad);
                for (int n = 0; n < 60; n++) {
                        bool asked = false;
                        size_t len = msp_encode(&m, bytes);

                        p.t_ns += MS;
                        p.rig->ops->poll(p.rig, p.t_ns, &p.out);
                        for (int k = 0; k < p.out.count; k++)
                                asked |= le_get_u16(p.out.packet[k].bytes + 4) ==
                                         commands[i];
                        if (asked) {
                                p.rig->ops->decode(p.rig, 0, p.t_ns, bytes, len,
                                                   &p.report);
                                p.out.count = 0;
                                break;
                        }
                        pair_exchange(&p);
                }
                ck_assert_uint_eq(p.rig->counts.malformed, 1);
                ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
                pair_end(&p);
        }
}

TEST(its_own_requests_come_back_are_an_echo)
{
        struct pair p;

        pair_begin(&p, &setup_quad);
        for (int ms = 0; ms < 1000; ms++) {
                p.t_ns += MS;
                p.rig->ops->poll(p.rig, p.t_ns, &p.out);
                for (int i = 0; i < p.out.count; i++)
                        p.rig->ops->decode(p.rig, 0, p.t_ns, p.out.packet[i].bytes,
                                           p.out.packet[i].len, &p.report);
        }
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "hears itself"));
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        pair_end(&p);
}

TEST(an_answer_that_nothing_asked_for_is_no_answer)
{
        struct msp_frame nothing = { .version = MSP_V2, .kind = MSP_REPLY };
        uint8_t bytes[MSP_FRAME_MAX];
        size_t len;
        struct pair p;

        pair_begin(&p, &setup_quad);
        /* An uptime, after which the board's own would be a restart. */
        le_put_u32(nothing.payload, 1000);
        nothing.len = 4;
        len = msp_encode(&nothing, bytes);
        p.rig->ops->decode(p.rig, 0, p.t_ns, bytes, len, &p.report);
        nothing.kind = MSP_ERROR;
        len = msp_encode(&nothing, bytes);
        p.rig->ops->decode(p.rig, 0, p.t_ns, bytes, len, &p.report);
        ck_assert_ptr_null(strstr(p.rig->ops->complaint(p.rig), "MSP command 0"));
        pair_ticks(&p, 20);
        ck_assert_str_eq(p.text, "");
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        pair_end(&p);
}

TEST(frames_on_the_wire_are_known_from_outside)
{
        const struct codec_ops *ops = codec_find("inav");
        struct codec_frame f;
        uint8_t bytes[MSP_FRAME_MAX], payload[80] = { 3, 1 };
        struct msp_frame motors = {
                .version = MSP_V2, .kind = MSP_REPLY, .command = 104, .len = 16
        };
        size_t len = msp_request(0x201F, payload, sizeof payload, bytes);

        ck_assert_uint_eq(ops->frame_find(bytes, len, &f), len);
        ck_assert_str_eq(ops->frame_names[f.type], "sensors");
        ck_assert(f.asks && !f.answers && !f.unpaced);
        ck_assert_uint_eq(ops->frame_find(bytes, len - 1, &f), 0);
        payload[1] = 0;
        len = msp_request(0x201F, payload, 3, bytes);
        ops->frame_find(bytes, len, &f);
        ck_assert_str_eq(ops->frame_names[f.type], "stop");
        ck_assert(!f.asks && f.unpaced);
        len = msp_encode(&motors, bytes);
        ops->frame_find(bytes, len, &f);
        ck_assert_str_eq(ops->frame_names[f.type], "motors");
        ck_assert(f.answers);
        len = msp_request(0x2000, NULL, 0, bytes);
        ops->frame_find(bytes, len, &f);
        ck_assert_str_eq(ops->frame_names[f.type], "poll");
        ck_assert(f.unpaced);
        ck_assert_uint_eq(ops->frame_find((const uint8_t *)"abc$", 4, &f), 3);
        ck_assert_int_eq(f.type, -1);
}
