/* What a scenario makes of the flight controller's own settings, on top of the rig file. */
#include "tests/hil/port/fc_port_stage.h"
#include "tests/suites.h"

/* What the board was told since the last look, "KEY=VALUE " each; it answers all of it. */
static const char *told(void)
{
        static char text[400];
        const struct motor_command command = { { 0.0 } };
        uint8_t bytes[4096], out[HILP_FRAME_MAX];
        int n = link_read(board_link, bytes, sizeof bytes);
        size_t used = 0;

        text[0] = '\0';
        for (size_t at = 0; n > 0 && at < (size_t)n;) {
                struct hilp_board_news news;

                at += hilp_board_receive(&board, bytes + at, (size_t)n - at, 0, &news);
                link_write(board_link, news.out, news.out_len);
                if (news.event == HILP_BOARD_OPTION) {
                        used += (size_t)snprintf(text + used, sizeof text - used,
                                                 "%s=%s ", news.option.key,
                                                 news.option.value);
                        link_write(board_link, out,
                                   hilp_board_option_ack(&board, news.option.key, true,
                                                         out));
                }
                if (news.event == HILP_BOARD_SENSORS)
                        link_write(board_link, out,
                                   hilp_board_motors(&board, &command, 4, false, false,
                                                     MODE_DISARMED, out));
        }
        return text;
}

/* One frame, with what goes before it. */
static const char *fly(void)
{
        const char *text;

        ck_assert(fc_port_send(&port, MS, &frame, NULL));
        text = told();
        fc_port_receive(&port, MS, true);
        return text;
}

static void open_with(int options, const struct fc_option *option)
{
        struct link_error why;

        open_all();
        close_all();
        config.options = options;
        for (int i = 0; i < options; i++)
                config.option[i] = option[i];
        ck_assert_msg(fc_port_open(&port, &config, &setup, 0, &why), "%s", why.text);
        board_connect();
        fc_port_poll(&port, 0);
        ck_assert_str_eq(told(), "");
        fc_port_receive(&port, 0, false);
}

static const struct fc_option rig_file[2] = { { "law", "pid" }, { "gain", "2" } };
static const struct fc_option pd = { "law", "pd" }, dikmen = { "law", "dikmen" },
                              plain = { "law", "" }, fault = { "fault", "late" };

TEST(the_rig_files_options_go_before_the_first_frame)
{
        open_with(2, rig_file);
        ck_assert_int_eq(port.state, FC_PORT_GREETING);
        ck_assert(!fc_port_send(&port, 0, &frame, NULL));
        fc_port_poll(&port, 0);
        ck_assert_str_eq(told(), "law=pid gain=2 ");
        fc_port_receive(&port, 0, false);
        ck_assert_int_eq(port.state, FC_PORT_READY);
        ck_assert_str_eq(fly(), "");
        ck_assert_ptr_null(fc_options_unheard(&port.options));
        close_all();
}

TEST(what_is_over_gives_way_to_what_is_in_force_and_then_to_the_rig_file)
{
        open_with(2, rig_file);
        fc_port_poll(&port, 0);
        told();
        fc_port_receive(&port, 0, false);
        ck_assert(fc_options_begin(&port.options, &pd, 0, 100));
        ck_assert_str_eq(fly(), "law=pd ");
        ck_assert(fc_options_begin(&port.options, &dikmen, 1, 50));
        ck_assert(fc_options_begin(&port.options, &fault, 2, 60));
        ck_assert_str_eq(fly(), "law=dikmen fault=late ");
        ck_assert_int_eq(fc_options_end_due(&port.options, 49), -1);
        ck_assert_int_eq(fc_options_end_due(&port.options, 50), 1);
        ck_assert_int_eq(fc_options_end_due(&port.options, 50), -1);
        ck_assert_str_eq(fly(), "law=pd ");
        ck_assert_int_eq(fc_options_end_due(&port.options, 200), 0);
        ck_assert_int_eq(fc_options_end_due(&port.options, 200), 2);
        ck_assert_int_eq(fc_options_end_due(&port.options, 200), -1);
        ck_assert_str_eq(fly(), "law=pid fault= ");
        close_all();
}

TEST(a_step_without_a_value_takes_back_what_earlier_ones_set)
{
        open_with(1, rig_file);
        fc_port_poll(&port, 0);
        told();
        fc_port_receive(&port, 0, false);
        ck_assert(fc_options_begin(&port.options, &pd, 0, INT64_MAX));
        ck_assert_str_eq(fly(), "law=pd ");
        ck_assert(fc_options_begin(&port.options, &plain, 1, 70));
        ck_assert_str_eq(fly(), "law=pid ");
        ck_assert_int_eq(fc_options_end_due(&port.options, 70), 1);
        ck_assert_str_eq(fly(), "law=pd ");
        close_all();
}

TEST(a_board_that_comes_back_is_told_what_holds_now)
{
        open_with(2, rig_file);
        fc_port_poll(&port, 0);
        told();
        fc_port_receive(&port, 0, false);
        ck_assert(fc_options_begin(&port.options, &pd, 0, INT64_MAX));
        fly();
        link_close(board_link);
        fc_port_receive(&port, 0, false);
        ck_assert_int_eq(port.state, FC_PORT_GONE);
        ck_assert(fc_port_reopen(&port, 0));
        board_connect();
        fc_port_poll(&port, 200 * MS);
        ck_assert_str_eq(told(), "");
        fc_port_receive(&port, 200 * MS, false);
        fc_port_poll(&port, 200 * MS);
        ck_assert_str_eq(told(), "law=pd gain=2 ");
        close_all();
}
