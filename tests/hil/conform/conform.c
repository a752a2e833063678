/* The conformance test: the reference flight controller passes every step, and each mistake that a board may make
 * is found by the step that is there for it, in words that name it. The clock is the test's own. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/boards/conform_asked.h"
#include "tests/suites.h"

TEST(the_reference_flight_controller_passes_every_step)
{
        open_board(NONE, NULL);
        for (int i = 0; i < conform_step_count(); i++) {
                const struct conform_result *r = conform_run_step(asked, i);

                ck_assert_msg(r->is == CONFORM_PASSED, "%s: %s", conform_steps[i].name,
                              r->text);
                ck_assert_msg(r->text[0] != '\0', "%s says nothing",
                              conform_steps[i].name);
                ck_assert(r->frames > 0 || strcmp(conform_steps[i].name, "hello") == 0 ||
                          strcmp(conform_steps[i].name, "versions") == 0);
        }
        close_board();
}

/* A mistake, the step that finds it, and part of what it says. */
static const struct {
        enum mistake mistake;
        const char *step, *says;
} mistakes[] = {
        { SILENT, "hello", "nothing came in 10 s" },
        { HANGS_UP, "hello", "hung up" },
        { ECHOES, "hello", "the rig hears its own HELLO" },
        { BABBLES, "hello", "no frame with a right CRC" },
        { CRC_FROM_ZERO, "hello", "taken from the start value 0x0000 instead" },
        { CRC_HIGH_FIRST, "hello", "with the high byte first" },
        { SENDS_CRC_HIGH_FIRST, "hello",
          "answers, with frames whose CRC is taken with the high byte first" },
        { SENDS_CRC_KERMIT, "hello",
          "answers, with frames whose CRC is taken as in CRC-16/KERMIT" },
        { NO_HELLO_ACK, "hello", "none of them was a HELLO_ACK" },
        { ACK_TOO_LONG, "hello", "of type 2 came with a right CRC that cannot be" },
        { ANY_VERSION, "versions", "it answered 3: it must say 0" },
        { NO_VERSION, "versions", "it did not answer" },
        { OLD_VERSION, "hello", "answered with version 1" },
        { FRAME_EVERY_ZERO, "hello", "frame_every = 0" },
        { THREE_OUTPUTS, "hello", "has 3 motor outputs, the vehicle needs 4" },
        { ACKS_TWICE, "hello", "with 2 HELLO_ACK" },
        { NO_NAME, "hello", "name must be" },
        { ONE_HELLO, "hello", "answered the first HELLO, and not the one after it" },
        { SPEAKS_FIRST, "hello", "MOTORS before any SENSORS" },
        { UNIQUE_CHANGES, "hello_again", "unique was" },
        { REMEMBERS_NUMBERS, "hello_again", "forget the newest frame number" },
        { ANSWERS_NEXT, "answers", "answers = 1, a frame that is not to be answered" },
        { ANSWERS_TWICE, "answers", "more than once" },
        { COUNT_SHORT, "answers", "count is 3" },
        { ANSWERS_SWAPPED, "answers", "answers is 16777216 in the answer to frame 1" },
        { READS_SWAPPED, "byte_order", "reads `number` with the high byte first" },
        { TIMES_SWAPPED, "byte_order", "the times in its TIME_SYNC can only be" },
        { STATE_SWAPPED, "byte_order", "the attitude in its STATE is a unit only" },
        { DUTY_SWAPPED, "duty", "with the bytes of each in the other order" },
        { SEQUENCE_STUCK, "sequence", "sequence number did not move" },
        { SEQUENCE_SKIPS, "sequence", "sequence numbers jumped" },
        { SEQUENCE_RANDOM, "sequence", "sequence numbers come in no order" },
        { SEQUENCE_BY_TYPE, "sequence", "each type of message has a sequence number" },
        { SENDS_BUFFERS_TWICE, "duplicates", "buffers that are sent twice" },
        { LOSES_SYNC, "framing", "after 599 bytes without a zero" },
        { NO_CRC_CHECK, "damage", "in which one bit was wrong" },
        { ANY_LENGTH, "malformed", "one byte longer than its table says" },
        { FALLS_OVER_UNKNOWN, "unknown", "asked for a HELLO" },
        { NO_WRAP, "numbers", "frame 0 after frame 4294967295" },
        { ANSWERS_OLD, "losses", "more than once" },
        { IMU_ALONE, "blocks", "without any block" },
        { TWITCHES, "extremes", "given a duty while disarmed" },
        { SLOW, "rates", "fell behind at 1000 frames a second" },
        { THIN_LINE, "rates", "the line took" },
        { SYNC_SILENT, "time_sync", "was not answered" },
        { SYNC_TWICE, "time_sync", "answered one TIME_SYNC 2 times" },
        { SYNC_NO_ECHO, "time_sync", "rig_transmit came back as 0" },
        { SYNC_OTHER_ID, "time_sync", "id is 65531 in the answer to 65530" },
        { SYNC_BACKWARDS, "time_sync", "50 us before board_receive" },
        { SYNC_MILLISECONDS, "time_sync", "its clock runs at 0.0010 of the host's" },
        { SYNC_GOES_BACK, "time_sync", "went back" },
        { OPTION_ALWAYS, "options", "accepted the option" },
        { OPTION_OTHER_KEY, "options", "in the answer to \"no_such_option\"" },
        { IDLES_DISARMED, "disarmed", "duty 0 0 3000 0 while the armed flag is 0" },
        { ARMS_ALONE, "disarmed", "armed by itself" },
        { MODE_STUCK, "arm", "mode is 0 with the armed flag 1" },
        { NEVER_ARMS, "arm", "did not within 30 s of simulated time" },
        { TOGGLES, "input", "when the order to arm was repeated" },
        { STAYS_ARMED, "input", "still armed 1.0 s" },
        { FLAT, "duty", "outputs stayed at 4.6 %" },
        { BLIND, "motion", "do not reach the attitude's control" },
        { ONE_AXIS, "motion", "about roll, outputs swung by 0.01 %" },
        { SUMS_AXES, "motion", "two axes of the IMU are taken for one" },
        { OUTPUTS_EXCHANGED, "signs", "With fc.motor_order [1, 0, 2, 3] they would" },
        { OUTPUTS_TURNED, "signs", "With fc.motor_order [2, 3, 0, 1] they would" },
        { GYRO_X_FLIPPED, "signs",
          "roll: shaken right side down, outputs 3 rise, and 1 should" },
        { GYRO_Z_FLIPPED, "signs", "yaw: shaken to the right, outputs " },
        { ACCEL_Y_FLIPPED, "signs",
          "roll: held right side down, outputs 3 rise, and 1 should" },
        { AXES_EXCHANGED, "signs", "roll: shaken right side down, outputs " },
        { HEADING_FLIPPED, "signs", "yaw: held to the right, outputs " },
        { STAYS_POISONED, "recovery", "do not follow a tilt any more" },
        { HELLO_KEEPS_ARMED, "restart", "still is after a HELLO" },
        { IGNORES_GOODBYE, "goodbye", "still armed after three GOODBYE" },
        { AIR_KEEPS_MODE, "input", "in the climb: still armed 1.0 s" },
        { AIR_KEEPS_HELLO, "restart", "still is after a HELLO" },
        { AIR_KEEPS_GOODBYE, "goodbye", "still armed after three GOODBYE" },
        { NO_FAILSAFE, "failsafe", "armed, and 6.0 s without SENSORS changed nothing" },
        { FAILSAFE_ON_GROUND, "failsafe",
          "in the climb, and 6.0 s without SENSORS changed nothing" },
        { FAILSAFE_FLAG, "failsafe", "the failsafe flag is set and motors still turn" },
        { FAILSAFE_MUTE, "failsafe", "did not say why" },
        { REARMS, "rearm", "armed again by itself" },
        { LATCHED_FOR_GOOD, "rearm", "did not within 30 s" },
        { LOCKSTEP_TIMES_OUT, "lockstep", "must not time out" },
        { LOCKSTEP_TALKS, "lockstep", "while simulated time stood still" },
        { UNSEEDED, "repeats", "gave other outputs the second time" },
};

#define PAGE     (1 << 17)
#define MISTAKES ((int)(sizeof mistakes / sizeof mistakes[0]))

/* With a quarter of the frames, but where it is the rate that is complained of. */
static void open_mistaken_board(enum mistake mistake)
{
        struct conform_options options;

        open_board(mistake, NULL);
        options = asked->options;
        if (mistake != SLOW && mistake != THIN_LINE)
                options.period_ns = 4000000;
        conform_init(asked, &board->wire, &options);
}

static void read_page(const char *name, char page[PAGE])
{
        FILE *f = fopen(name, "r");

        ck_assert_msg(f != NULL, "run the tests in the repository's root");
        page[fread(page, 1, PAGE - 1, f)] = '\0';
        fclose(f);
}

/* Every section that a step names is a heading of the page. */
static void check_section(const char *section)
{
        static char page[PAGE];
        char heading[100];

        ck_assert_ptr_nonnull(section);
        read_page("docs/protocol.md", page);
        snprintf(heading, sizeof heading, "# %s\n", section);
        ck_assert_msg(strstr(page, heading) != NULL, "no heading %s", heading);
}

TEST_EACH(a_mistake_is_found_by_the_step_that_is_there_for_it, MISTAKES)
{
        int wanted = conform_step_find(mistakes[_i].step);

        ck_assert_int_ge(wanted, 0);
        open_mistaken_board(mistakes[_i].mistake);
        /* Nothing else complains before. */
        for (int i = 0; i < wanted; i++) {
                const struct conform_result *r = conform_run_step(asked, i);

                ck_assert_msg(r->is == CONFORM_PASSED, "%s said of it: %s",
                              conform_steps[i].name, r->text);
        }
        ask(mistakes[_i].step);
        ck_assert_msg(asked->result[wanted].is == CONFORM_FAILED, "%s passed: %s",
                      mistakes[_i].step, asked->result[wanted].text);
        ck_assert_msg(strstr(asked->result[wanted].text, mistakes[_i].says) != NULL,
                      "%s said: %s", mistakes[_i].step, asked->result[wanted].text);
        check_section(asked->result[wanted].section);
        close_board();
}

/* What the guide shows of these boards is what is said of them. */
static const enum mistake quoted[] = {
        SILENT,
        ECHOES,
        CRC_FROM_ZERO,
        SENDS_CRC_HIGH_FIRST,
        REMEMBERS_NUMBERS,
        ANSWERS_NEXT,
        ANSWERS_TWICE,
        ANSWERS_SWAPPED,
        SEQUENCE_STUCK,
        SEQUENCE_RANDOM,
        SENDS_BUFFERS_TWICE,
        LOSES_SYNC,
        ANY_LENGTH,
        NO_WRAP,
        IMU_ALONE,
        TWITCHES,
        THIN_LINE,
        SYNC_MILLISECONDS,
        NEVER_ARMS,
        TOGGLES,
        STAYS_POISONED,
        HELLO_KEEPS_ARMED,
        NO_FAILSAFE,
        FAILSAFE_ON_GROUND,
        FAILSAFE_FLAG,
        REARMS,
        OUTPUTS_EXCHANGED,
        LOCKSTEP_TIMES_OUT,
};

TEST_EACH(the_porting_guide_quotes_what_is_said, sizeof quoted / sizeof quoted[0])
{
        static char page[PAGE];
        const char *step = NULL;

        read_page("docs/porting.md", page);
        for (int i = 0; i < MISTAKES; i++)
                if (mistakes[i].mistake == quoted[_i])
                        step = mistakes[i].step;
        ck_assert_ptr_nonnull(step);
        open_board(quoted[_i], NULL);
        ask("hello");
        if (conform_steps[conform_step_find(step)].turns_motors)
                ask("arm");
        ask(step);
        ck_assert_msg(strstr(page, asked->result[conform_step_find(step)].text) != NULL,
                      "docs/porting.md does not have: %s",
                      asked->result[conform_step_find(step)].text);
        close_board();
}

TEST(steps_that_cannot_be_asked_are_skipped_with_the_reason)
{
        struct conform_options options;

        open_board(SILENT, NULL);
        ask("hello");
        ck_assert_int_eq(ask("rates")->is, CONFORM_SKIPPED);
        ck_assert_ptr_nonnull(strstr(ask("rates")->text, "does not answer HELLO"));
        close_board();

        conform_options_default(&options);
        options.arm = false;
        open_board(NONE, &options);
        ck_assert_int_eq(ask("hello")->is, CONFORM_PASSED);
        ck_assert_int_eq(ask("duty")->is, CONFORM_SKIPPED);
        ck_assert_ptr_nonnull(strstr(ask("duty")->text, "--no-arm"));
        close_board();

        open_board(NEVER_ARMS, NULL);
        ask("hello");
        ask("arm");
        ck_assert_int_eq(ask("motion")->is, CONFORM_SKIPPED);
        ck_assert_ptr_nonnull(strstr(ask("motion")->text, "cannot be armed"));
        close_board();

        open_board(HANGS_UP, NULL);
        ask("hello");
        ck_assert_int_eq(ask("answers")->is, CONFORM_SKIPPED);
        ck_assert_ptr_nonnull(strstr(ask("answers")->text, "link to the board is gone"));
        close_board();
}

static const struct {
        enum mistake mistake;
        const char *says;
} hosts[] = {
        { LATE_HOST, "not judged: this host was up to 6" },
        { BUSY_HOST, "for 100 % of it somebody waited for a processor" },
};

TEST_EACH(a_host_that_is_late_or_busy_is_not_the_boards_fault, 2)
{
        const struct conform_result *r;

        open_board(hosts[_i].mistake, NULL);
        ask("hello");
        r = ask("rates");
        ck_assert_msg(r->is == CONFORM_VOID, "rates: %s", r->text);
        ck_assert_msg(strstr(r->text, hosts[_i].says) != NULL, "%s", r->text);
        /* What has nothing to do with time is judged. */
        ck_assert_int_eq(ask("answers")->is, CONFORM_PASSED);
        close_board();
}

TEST(a_board_that_answers_late_costs_no_hours)
{
        open_board(LATE, NULL);
        ck_assert_int_eq(ask("hello")->is, CONFORM_PASSED);
        ck_assert_int_eq(ask("answers")->is, CONFORM_PASSED);
        ck_assert_msg(strstr(ask("answers")->text, ", after 299 ms on average") != NULL,
                      "%s", ask("answers")->text);
        for (int i = 2; i < conform_step_count(); i++) {
                int64_t begin_ns = board->now_ns;

                conform_run_step(asked, i);
                ck_assert_int_lt(board->now_ns - begin_ns, 200000000000);
        }
        ck_assert_int_eq(asked->result[conform_step_find("disarmed")].is,
                         CONFORM_SKIPPED);
        ck_assert_msg(strstr(asked->result[conform_step_find("disarmed")].text,
                             " ms after each frame: 2001 of them would take ") != NULL,
                      "%s", asked->result[conform_step_find("disarmed")].text);
        ck_assert_int_eq(ask("arm")->is, CONFORM_SKIPPED);
        ck_assert_ptr_nonnull(strstr(ask("duty")->text, "is not known"));
        close_board();
}

/* In lockstep nothing else would disarm it. */
TEST(who_stops_it_leaves_no_board_armed)
{
        open_board(NONE, NULL);
        ask("hello");
        ck_assert_int_eq(ask("arm")->is, CONFORM_PASSED);
        ck_assert(fc_armed(&board->fc));
        board->wire.stopped = board->wire.gone = true;
        ck_assert_int_eq(ask("duty")->is, CONFORM_SKIPPED);
        ck_assert(fc_armed(&board->fc));
        conform_close(asked);
        ck_assert(!fc_armed(&board->fc));
        close_board();
}

TEST(a_board_without_options_passes)
{
        open_board(NONE, NULL);
        ask("hello");
        board->board.self.frame_every = 4;
        ck_assert_int_eq(ask("hello")->is, CONFORM_PASSED);
        ck_assert_ptr_nonnull(strstr(ask("hello")->text, "every 4 ticks a frame"));
        ck_assert_int_eq(ask("answers")->is, CONFORM_PASSED);
        ck_assert_int_eq(ask("rates")->is, CONFORM_PASSED);
        ck_assert_ptr_nonnull(strstr(ask("rates")->text, "of which it asks for 250"));
        ck_assert_int_eq(ask("arm")->is, CONFORM_PASSED);
        close_board();
}

/* At rest, in the units that HELLO told. */
TEST(what_the_board_is_shown_is_a_vehicle_at_rest)
{
        const struct sensor_frame *f;
        int gps = 0, imu = 0;

        open_board(NONE, NULL);
        for (int i = 0; i < 1000; i++) {
                f = conform_scene_step(&asked->talk.scene, 1);
                gps += (f->fresh & SENSOR_BIT(SENSOR_GPS)) != 0;
                imu += (f->fresh & SENSOR_BIT(SENSOR_IMU)) != 0;
        }
        ck_assert_int_eq(imu, 1000);
        ck_assert_int_ge(gps, 10);
        ck_assert_double_eq_tol(f->imu.accel_body_mps2.z, -9.80665, 0.2);
        ck_assert_double_eq_tol(f->imu.accel_body_mps2.x, 0.0, 0.2);
        ck_assert_double_eq_tol(f->sonar[0].range_m, 0.12, 0.03);
        ck_assert_double_eq_tol(f->baro.pressure_pa, 95461.0, 30.0);
        ck_assert_double_gt(f->mag.field_body_t.x, 15e-6);
        conform_scene_turn(&asked->talk.scene, (struct vec3){ 0.14, 0.0, 0.0 },
                           (struct vec3){ 0.5, 0.0, 0.0 });
        f = conform_scene_step(&asked->talk.scene, 1);
        ck_assert_double_eq_tol(f->imu.accel_body_mps2.y, -9.80665 * sin(0.14), 0.2);
        ck_assert_double_eq_tol(f->imu.gyro_body_radps.x, 0.5, 0.02);
        close_board();
}
