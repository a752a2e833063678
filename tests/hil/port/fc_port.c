/* One flight controller's port against a board: answers, silence, restarts, full links. */
#include "tests/hil/port/fc_port_stage.h"
#include "tests/suites.h"

FIXTURE(open_all, close_all)

TEST(an_answer_closes_its_frame_and_times_it)
{
        greet(0);
        ck_assert(fc_port_answered(&port));
        ck_assert(fc_port_send(&port, 10 * MS, &frame, NULL));
        ck_assert(!fc_port_answered(&port));
        ck_assert_int_eq(fc_talk_unanswered(&port.talk), 1);
        ck_assert_int_eq(board_serve(true), 1);
        fc_port_receive(&port, 12 * MS, true);
        ck_assert(fc_port_answered(&port));
        ck_assert_int_eq(port.talk.loop_ns, 2 * MS);
        ck_assert_int_eq((int64_t)port.talk.loop.count, 1);
        ck_assert_double_eq_tol(port.command.duty[1], 0.5, 1e-4);
        ck_assert(port.report.armed);
}

TEST(a_board_without_motors_is_gone_after_its_time_out_whatever_else_it_says)
{
        greet(0);
        ck_assert(fc_port_send(&port, MS, &frame, NULL));
        for (int64_t t = 2 * MS; t <= 101 * MS; t += 3 * MS) {
                fc_port_poll(&port, t); /* time sync among it, which the board answers */
                board_serve(false);
                fc_port_receive(&port, t, false);
                fc_port_check_silence(&port, t);
                ck_assert_int_eq(port.state, FC_PORT_READY);
        }
        fc_port_check_silence(&port, 102 * MS);
        ck_assert_int_eq(port.state, FC_PORT_GONE);
        ck_assert(!fc_port_send(&port, 103 * MS, &frame, NULL));
}

TEST(a_board_whose_pads_are_seen_need_not_report_its_motors)
{
        greet(0);
        port.mute = true;
        for (int64_t t = 1; t < 500; t++) {
                fc_port_send(&port, t * MS, &frame, NULL);
                board_serve(false);
                fc_port_receive(&port, t * MS, false);
                fc_port_check_silence(&port, t * MS);
        }
        ck_assert_int_eq(port.state, FC_PORT_READY);
}

TEST(a_lost_board_stops_the_motors_and_is_taken_back)
{
        greet(0);
        fc_port_send(&port, MS, &frame, NULL);
        board_serve(true);
        fc_port_receive(&port, 2 * MS, false);
        ck_assert_double_gt(port.command.duty[0], 0.2);

        link_close(board_link);
        board_link = NULL;
        fc_port_receive(&port, 3 * MS, false);
        ck_assert_int_eq(port.state, FC_PORT_GONE);
        ck_assert_double_eq(port.command.duty[0], 0.0);
        ck_assert(!port.report.armed);

        ck_assert(fc_port_reopen(&port, 4 * MS));
        ck_assert_int_eq(port.state, FC_PORT_GREETING);
        board_connect();
        greet(5 * MS);
        ck_assert(fc_port_answered(&port));
        ck_assert(fc_port_send(&port, 6 * MS, &frame, NULL));
        board_serve(true);
        fc_port_receive(&port, 7 * MS, false);
        ck_assert(fc_port_answered(&port));
}

TEST(a_full_link_loses_whole_frames_only)
{
        struct hilp_board_news news;
        uint8_t bytes[4096];
        uint64_t sent = 0, seen = 0;
        int n;

        greet(0);
        /* Nobody reads: the socket fills, then the outbox, then frames are not sent. */
        for (int i = 0; i < 100000 && port.talk.frames_blocked < 10; i++)
                sent += fc_port_send(&port, i * MS, &frame, NULL);
        ck_assert_int_eq((int64_t)port.talk.frames_blocked, 10);
        ck_assert_int_eq((int64_t)port.talk.frames_sent, (int64_t)sent);

        /* The board reads on: what was sent arrives whole and in order, nothing else does. */
        for (int quiet = 0; quiet < 3;) {
                fc_port_poll(&port, 0);
                n = link_read(board_link, bytes, sizeof bytes);
                quiet = n > 0 ? 0 : quiet + 1;
                for (size_t at = 0; n > 0 && at < (size_t)n;) {
                        at += hilp_board_receive(&board, bytes + at, (size_t)n - at, 0,
                                                 &news);
                        seen += news.event == HILP_BOARD_SENSORS;
                }
        }
        ck_assert_int_eq((int64_t)seen, (int64_t)sent);
        ck_assert_int_eq(board.receiver.crc_errors, 0);
}

TEST(silence_counts_only_while_an_answer_is_due)
{
        greet(0);
        fc_port_send(&port, MS, &frame, NULL);
        board_serve(true);
        fc_port_receive(&port, 2 * MS, false);

        /* The host stalls: the board has nothing to say until the next frame. */
        fc_port_check_silence(&port, 5000 * MS);
        ck_assert(fc_port_send(&port, 5000 * MS, &frame, NULL));
        fc_port_check_silence(&port, 5000 * MS);
        ck_assert_int_eq(port.state, FC_PORT_READY);
        fc_port_check_silence(&port, 5101 * MS);
        ck_assert_int_eq(port.state, FC_PORT_GONE);
}

/* It may be only we who hear nothing. */
TEST(a_board_that_has_fallen_silent_is_still_told_to_stop)
{
        uint8_t bytes[4096];
        bool told = false;
        int n;

        greet(0);
        fc_port_send(&port, MS, &frame, NULL);
        fc_port_check_silence(&port, 200 * MS);
        ck_assert_int_eq(port.state, FC_PORT_GONE);
        fc_port_goodbye(&port, 201 * MS);
        n = link_read(board_link, bytes, sizeof bytes);
        for (size_t at = 0; n > 0 && at < (size_t)n;) {
                struct hilp_board_news news;

                at += hilp_board_receive(&board, bytes + at, (size_t)n - at, 0, &news);
                told |= news.event == HILP_BOARD_GOODBYE;
        }
        ck_assert(told);
}

/* It may answer after all; what it then does is of no flight. */
TEST(a_board_that_had_fallen_silent_is_heard_to_disarm)
{
        uint64_t sent;

        greet(0);
        fc_port_send(&port, MS, &frame, NULL);
        board_serve(true);
        fc_port_receive(&port, 2 * MS, false);
        ck_assert(port.talk.arming.armed);
        fc_port_send(&port, 3 * MS, &frame, NULL);
        fc_port_check_silence(&port, 200 * MS);
        ck_assert_int_eq(port.state, FC_PORT_GONE);
        ck_assert(port.talk.arming.armed);

        sent = port.talk.frames_sent;
        fc_port_leave(&port);
        ck_assert_int_eq(port.state, FC_PORT_READY);
        ck_assert(fc_port_send(&port, 201 * MS, &frame, NULL));
        ck_assert_int_eq(board_serve(true), 2);
        fc_port_receive(&port, 202 * MS, false);
        ck_assert(port.talk.arming.answers);
        ck_assert_uint_eq(port.talk.arming.frame, port.talk.next_number - 1);
        ck_assert_int_eq((int64_t)port.talk.frames_sent, (int64_t)sent);
        ck_assert_int_eq((int64_t)port.talk.loop.count, 1);
}

TEST(a_board_whose_link_was_lost_is_told_goodbye_when_it_is_back)
{
        struct hilp_board_news news;
        uint8_t bytes[4096];
        int n;

        greet(0);
        link_close(board_link);
        board_link = NULL;
        fc_port_receive(&port, MS, false);
        ck_assert_int_eq(port.state, FC_PORT_GONE);
        fc_port_leave(&port);
        fc_port_goodbye(&port, 1000 * MS);
        board_connect();
        fc_port_goodbye(&port, 1020 * MS);
        fc_port_goodbye(&port, 1040 * MS);
        n = link_read(board_link, bytes, sizeof bytes);
        ck_assert_int_gt(n, 0);
        hilp_board_receive(&board, bytes, (size_t)n, 0, &news);
        ck_assert_int_eq(news.event, HILP_BOARD_GOODBYE);
}

TEST(a_board_that_restarts_has_its_motors_off_and_is_greeted_again)
{
        greet(0);
        fc_port_send(&port, MS, &frame, NULL);
        board_serve(true);
        fc_port_receive(&port, 2 * MS, false);
        ck_assert_double_gt(port.command.duty[0], 0.2);

        hilp_board_init(&board, "board", 4, 1, 8);
        fc_port_send(&port, 3 * MS, &frame, NULL);
        board_serve(true);
        fc_port_receive(&port, 4 * MS, false);
        ck_assert_int_eq(port.state, FC_PORT_GREETING);
        ck_assert_double_eq(port.command.duty[0], 0.0);
        ck_assert(!port.report.armed);
        ck_assert(fc_port_answered(&port));

        /* It may take as long as at the start of a run. */
        fc_port_check_silence(&port, 900 * MS);
        greet(900 * MS);
        fc_port_send(&port, 901 * MS, &frame, NULL);
        board_serve(true);
        fc_port_receive(&port, 902 * MS, false);
        ck_assert_double_gt(port.command.duty[0], 0.2);

        hilp_board_init(&board, "board", 4, 1, 9);
        fc_port_send(&port, 903 * MS, &frame, NULL);
        board_serve(true);
        fc_port_receive(&port, 904 * MS, false);
        fc_port_check_silence(&port, 1905 * MS);
        ck_assert_int_eq(port.state, FC_PORT_GONE);
}

static int endless_read(struct link *l, void *buf, size_t cap)
{
        (void)l;
        memset(buf, 0x55, cap);
        return (int)cap;
}

static int full_write(struct link *l, const void *buf, size_t len)
{
        (void)l, (void)buf, (void)len;
        return 0;
}

static void keep(struct link *l)
{
        (void)l;
}

TEST(a_board_that_sends_without_end_does_not_hold_the_loop)
{
        const struct link_ops ops = { .read = endless_read,
                                      .write = full_write,
                                      .close = keep };
        struct link endless = { .ops = &ops, .fd = -1 };

        link_close(port.links.link[0]);
        port.links.link[0] = &endless;
        fc_port_receive(&port, 0, false);
        fc_port_receive(&port, 0, true);
        ck_assert_int_gt((int64_t)port.links.bytes_received, 4096);
        fc_port_close(&port);
}

TEST(a_frame_that_a_full_link_refused_is_not_encoded)
{
        uint64_t encoded;

        greet(0);
        for (int i = 0; i < 100000 && port.talk.frames_blocked == 0; i++)
                fc_port_send(&port, i * MS, &frame, NULL);
        ck_assert(!fc_port_settled(&port));
        encoded = port.codec->counts.frames_encoded;
        ck_assert(!fc_port_send(&port, 0, &frame, NULL));
        ck_assert_int_eq((int64_t)port.codec->counts.frames_encoded, (int64_t)encoded);
        /* And a board that takes nothing is gone in the end. */
        port.talk.heard_ns = 0;
        fc_port_check_silence(&port, 101 * MS);
        ck_assert_int_eq(port.state, FC_PORT_GONE);
}

TEST(hellos_do_not_pile_up_while_nobody_reads)
{
        size_t first;

        link_close(board_link);
        board_link = NULL;
        ck_assert(fc_port_reopen(&port, 0));
        fc_port_poll(&port, 0);
        first = port.links.outbox[0].len;
        ck_assert_int_gt((int64_t)first, 0);
        for (int64_t t = 0; t < 10000 * MS; t += 50 * MS)
                fc_port_poll(&port, t);
        ck_assert_int_eq((int64_t)port.links.outbox[0].len, (int64_t)first);
}

TEST(goodbye_reaches_the_board)
{
        struct hilp_board_news news;
        uint8_t bytes[4096];
        int n;

        greet(0);
        fc_port_goodbye(&port, MS);
        n = link_read(board_link, bytes, sizeof bytes);
        ck_assert_int_gt(n, 0);
        hilp_board_receive(&board, bytes, (size_t)n, 0, &news);
        ck_assert_int_eq(news.event, HILP_BOARD_GOODBYE);
}
