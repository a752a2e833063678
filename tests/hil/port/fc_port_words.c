/* What a flight controller says in words keeps its severity, in the log and in the port. */
#include "tests/hil/port/fc_port_stage.h"
#include "tests/hil/record/record_log.h"
#include "tests/suites.h"

static void say(int ms, int severity, const char *words)
{
        uint8_t out[HILP_FRAME_MAX];

        port.sim_ns = ms * MS;
        link_write(board_link, out, hilp_board_text(&board, severity, words, out));
        fc_port_receive(&port, ms * MS, false);
}

static void answer(int ms, bool armed)
{
        const struct motor_command command = { { 0 } };
        uint8_t out[HILP_FRAME_MAX];

        ck_assert(fc_port_send(&port, ms * MS, &frame, NULL));
        board_serve(false);
        link_write(board_link, out,
                   hilp_board_motors(&board, &command, 4, armed, false, MODE_ARMED, out));
        fc_port_receive(&port, ms * MS, false);
}

FIXTURE(open_all, close_all)

TEST(words_are_logged_with_their_severity)
{
        static const char level[] = { '6', '4', '3' };
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;
        int lines = 0;

        folder_make(&f);
        folder_open(&f);
        greet(0);
        port.recorder = f.recorder;
        for (int i = 0; i < 3; i++)
                say(10 * (i + 1), i, "words");
        port.recorder = NULL;
        folder_close(&f);
        r = log_open(&f);
        while (ulog_next(&r, &rec))
                if (rec.type == 'L' && rec.len == 5 && memcmp(rec.data, "words", 5) == 0)
                        ck_assert_int_eq(rec.level, level[lines++]);
        ck_assert_int_eq(lines, 3);
        log_close(&r);
        folder_remove(&f);
}

TEST(words_of_one_of_several_follow_its_name)
{
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;
        int lines = 0;

        folder_make(&f);
        folder_open(&f);
        greet(0);
        fc_port_record(&port, f.recorder, "left", false, 0);
        say(10, 0, "taking off");
        fc_port_record(&port, NULL, NULL, false, 0);
        folder_close(&f);
        r = log_open(&f);
        while (ulog_next(&r, &rec))
                lines += rec.type == 'L' && rec.len == 16 &&
                         memcmp(rec.data, "left: taking off", 16) == 0;
        ck_assert_int_eq(lines, 1);
        log_close(&r);
        folder_remove(&f);
}

TEST(the_first_of_the_gravest_since_it_was_armed_is_kept)
{
        greet(0);
        say(1, 2, "not armed yet");
        answer(2, false);
        answer(3, true);
        ck_assert_str_eq(port.gravest.text, "");
        say(4, 0, "taking off");
        ck_assert_str_eq(port.gravest.text, "");
        say(5, 1, "battery low");
        say(6, 2, "battery empty");
        answer(7, false);
        say(8, 2, "crash: disarming");
        say(9, 1, "no position");
        ck_assert_str_eq(port.gravest.text, "battery empty");
        ck_assert_int_eq(port.gravest.severity, FC_SAYS_ERROR);
        ck_assert_int_eq(port.gravest.t_ns, 6 * MS);
}
