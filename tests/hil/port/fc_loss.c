/* Why a board was given up: closed, silent, not understood, out of step, and what the run says of it. */
#include "hil/rig/loop.h"
#include "tests/hil/port/fc_port_stage.h"
#include "tests/suites.h"

static struct rig rig;
static struct rig_config rig_config = { .period_ns = MS };
static struct vehicle_config vehicle_config;
static struct rig_vehicle vehicle;

/* Greeted, and a frame answered; then one that is not. */
static void owe_motors(void)
{
        greet(0);
        for (int64_t t = 1; t < 4; t++) {
                ck_assert(fc_port_send(&port, t * MS, &frame, NULL));
                board_serve(t < 3);
                fc_port_receive(&port, t * MS, false);
        }
        ck_assert_int_eq(port.loss, FC_LOSS_NONE);
}

static void time_out(void)
{
        fc_port_receive(&port, 50 * MS, false);
        fc_port_check_silence(&port, 104 * MS);
        ck_assert_int_eq(port.state, FC_PORT_GONE);
}

/* What the run's end reason is made of. */
static const char *told(void)
{
        static char text[600];

        fc_port_describe_loss(&port, " at 1 s", text, sizeof text);
        vehicle_config.fc = config;
        vehicle.config = &vehicle_config;
        vehicle.port.loss = port.loss;
        vehicle.params.rotors = 6;
        rig.config = &rig_config;
        loop_hint_baud(&vehicle, text, sizeof text);
        loop_hint_conform(&rig, &vehicle, text, sizeof text);
        return text;
}

static void say_motors(uint32_t answers)
{
        struct hilp_message m = { .type = HILP_MOTORS,
                                  .sequence = board.sequence++,
                                  .u.motors = { .answers = answers, .count = 4 } };
        uint8_t out[HILP_FRAME_MAX];

        link_write(board_link, out, hilp_write(&m, out));
}

FIXTURE(open_all, close_all)

TEST(an_open_link_without_a_byte_is_silent_and_the_text_says_how_to_ask)
{
        char hint[300];

        owe_motors();
        time_out();
        ck_assert_str_eq(fc_loss_name(port.loss), "silent");
        snprintf(hint, sizeof hint,
                 "silent at 1 s: it is open, but nothing came; `hilrig conform --link %s "
                 "--rotors 6` tells what the board does wrong",
                 config.link_text[0]);
        ck_assert_str_eq(told(), hint);
}

TEST(a_link_that_was_closed_is_gone_and_there_is_nobody_to_ask)
{
        owe_motors();
        link_close(board_link);
        board_link = NULL;
        fc_port_receive(&port, 50 * MS, false);
        ck_assert_str_eq(fc_loss_name(port.loss), "gone");
        ck_assert_str_eq(told(), "gone at 1 s");
}

TEST(bytes_without_a_message_are_malformed_and_a_baud_rate_is_asked_for_where_there_is_one)
{
        owe_motors();
        link_write(board_link, "hello\0world", 12);
        time_out();
        ck_assert_str_eq(fc_loss_name(port.loss), "malformed");
        ck_assert_ptr_nonnull(strstr(told(), "12 bytes came, but no valid message; `"));
        config.link[0].kind = LINK_UART;
        config.link[0].baud = 57600;
        ck_assert_ptr_nonnull(
                strstr(told(), "no valid message (is 57600 its baud rate?); `"));
}

TEST(a_message_that_cannot_be_is_malformed)
{
        const uint8_t unknown[] = { 200, 0 };
        uint8_t out[HILP_FRAME_MAX];

        owe_motors();
        link_write(board_link, out, hilp_frame_encode(unknown, sizeof unknown, out));
        time_out();
        ck_assert_str_eq(fc_loss_name(port.loss), "malformed");
        ck_assert_uint_eq(port.codec->counts.malformed, 1);
}

TEST(motors_for_other_frames_are_out_of_step)
{
        owe_motors();
        say_motors(1000);
        say_motors(0);
        time_out();
        ck_assert_str_eq(fc_loss_name(port.loss), "out of step");
        ck_assert_uint_eq(port.codec->counts.astray, 2);
        ck_assert_ptr_nonnull(strstr(told(), "motors came for other frames"));
}

TEST(words_alone_are_no_motors)
{
        uint8_t out[HILP_FRAME_MAX];

        owe_motors();
        link_write(board_link, out, hilp_board_text(&board, 0, "busy", out));
        time_out();
        ck_assert_str_eq(fc_loss_name(port.loss), "without motors");
        ck_assert_ptr_nonnull(
                strstr(told(), "valid messages came (1), but none with motors"));
}

/* In lockstep the rig waits: the answer to the frame before, said once more, is not the one that is due. */
TEST(the_last_answer_again_is_out_of_step_and_counted_as_repeated)
{
        owe_motors();
        say_motors(1);
        fc_port_receive(&port, 4 * MS, true);
        fc_port_give_up(&port);
        ck_assert_str_eq(fc_loss_name(port.loss), "out of step");
        ck_assert_uint_eq(port.codec->counts.repeated, 1);
}

/* A board without frames may descend on motors of its own, for the newest that it had. */
TEST(a_board_that_goes_on_by_itself_repeats_nothing)
{
        owe_motors();
        say_motors(1);
        fc_port_receive(&port, 103 * MS, false);
        ck_assert_uint_eq(port.codec->counts.repeated, 0);
}

/* Another board, of one version or with other outputs, may come on the link that is opened again. */
TEST(a_board_that_cannot_fly_this_is_refused_when_it_says_so)
{
        hilp_board_init(&board, "board", 3, 1, 7);
        fc_port_receive(&port, 0, false);
        fc_port_poll(&port, 0);
        board_serve(false);
        fc_port_receive(&port, 0, false);
        ck_assert(port.report.refused);
        ck_assert_int_eq(fc_port_loss(&port), FC_LOSS_REFUSED);
}
