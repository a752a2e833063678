/* The conformance test: the reference flight controller passes every step, and each mistake that a board may make
 * is found by the step that is there for it, in words that name it. The clock is the test's own. */
#include <stdio.h>
#include <stdlib.h>

#include "hil/json.h"
#include "tests/conform_board.h"

static struct conform *asked;
static struct conform_board *board;

static void open_board(enum mistake mistake, struct conform_options *options)
{
        struct conform_options usual;

        conform_options_default(&usual);
        usual.rate_s = 0.3;
        asked = calloc(1, sizeof *asked);
        board = calloc(1, sizeof *board);
        ck_assert_ptr_nonnull(asked);
        ck_assert_ptr_nonnull(board);
        board_open(board, mistake);
        conform_init(asked, &board->wire, options != NULL ? options : &usual);
}

static void close_board(void)
{
        free(asked);
        free(board);
}

static const struct conform_result *ask(const char *name)
{
        int i = conform_step_find(name);

        ck_assert_msg(i >= 0, "no step %s", name);
        return conform_run_step(asked, i);
}

START_TEST(the_reference_flight_controller_passes_every_step)
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
END_TEST

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
        { NO_HELLO_ACK, "hello", "none of them was a HELLO_ACK" },
        { ACK_TOO_LONG, "hello", "of type 2 came with a right CRC that cannot be" },
        { ANY_VERSION, "versions", "it answered 2: it must say 0" },
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
        { SEQUENCE_STUCK, "answers", "sequence number did not move" },
        { SEQUENCE_SKIPS, "answers", "sequence numbers jumped" },
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
        { STAYS_POISONED, "recovery", "do not follow a tilt any more" },
        { HELLO_KEEPS_ARMED, "restart", "still is after a HELLO" },
        { IGNORES_GOODBYE, "goodbye", "still armed after three GOODBYE" },
        { NO_FAILSAFE, "failsafe", "3.0 s without SENSORS changed nothing" },
        { LOCKSTEP_TIMES_OUT, "lockstep", "must not time out" },
        { LOCKSTEP_TALKS, "lockstep", "while simulated time stood still" },
        { UNSEEDED, "repeats", "gave other outputs the second time" },
};

#define MISTAKES ((int)(sizeof mistakes / sizeof mistakes[0]))

START_TEST(a_mistake_is_found_by_the_step_that_is_there_for_it)
{
        int wanted = conform_step_find(mistakes[_i].step);

        ck_assert_int_ge(wanted, 0);
        open_board(mistakes[_i].mistake, NULL);
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
        ck_assert_ptr_nonnull(asked->result[wanted].section);
        close_board();
}
END_TEST

/* What the guide shows of these boards is what is said of them. */
static const enum mistake quoted[] = {
        SILENT,         ECHOES,
        CRC_FROM_ZERO,  REMEMBERS_NUMBERS,
        ANSWERS_NEXT,   ANSWERS_TWICE,
        SEQUENCE_STUCK, LOSES_SYNC,
        ANY_LENGTH,     NO_WRAP,
        IMU_ALONE,      TWITCHES,
        THIN_LINE,      SYNC_MILLISECONDS,
        NEVER_ARMS,     TOGGLES,
        STAYS_POISONED, HELLO_KEEPS_ARMED,
        NO_FAILSAFE,    LOCKSTEP_TIMES_OUT,
};

START_TEST(the_porting_guide_quotes_what_is_said)
{
        static char page[1 << 16];
        FILE *f = fopen("docs/porting.md", "r");
        const char *step = NULL;

        ck_assert_msg(f != NULL, "run the tests in the repository's root");
        page[fread(page, 1, sizeof page - 1, f)] = '\0';
        fclose(f);
        for (int i = 0; i < MISTAKES; i++)
                if (mistakes[i].mistake == quoted[_i])
                        step = mistakes[i].step;
        ck_assert_ptr_nonnull(step);
        open_board(quoted[_i], NULL);
        for (int i = 0; i <= conform_step_find(step); i++)
                conform_run_step(asked, i);
        ck_assert_msg(strstr(page, asked->result[conform_step_find(step)].text) != NULL,
                      "docs/porting.md does not have: %s",
                      asked->result[conform_step_find(step)].text);
        close_board();
}
END_TEST

/* Every section that a step names is a heading of the page. */
START_TEST(a_section_that_is_named_stands_in_the_page)
{
        FILE *f = fopen("docs/protocol.md", "r");
        char *page = calloc(1, 1 << 17), heading[100];

        ck_assert_msg(f != NULL && page != NULL,
                      "run the tests in the repository's root");
        ck_assert_uint_gt(fread(page, 1, (1 << 17) - 1, f), 0);
        fclose(f);
        for (int i = 0; i < MISTAKES; i++) {
                open_board(mistakes[i].mistake, NULL);
                ask("hello");
                if (asked->answers &&
                    conform_steps[conform_step_find(mistakes[i].step)].turns_motors)
                        ask("arm");
                if (strcmp(mistakes[i].step, "hello") != 0)
                        ask(mistakes[i].step);
                snprintf(heading, sizeof heading, "# %s\n",
                         asked->result[conform_step_find(mistakes[i].step)].section);
                ck_assert_msg(strstr(page, heading) != NULL, "no heading %s", heading);
                close_board();
        }
        free(page);
}
END_TEST

START_TEST(steps_that_cannot_be_asked_are_skipped_with_the_reason)
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
END_TEST

/* What a user reads of the chosen steps; with results as they come, one by one. */
static const char *read_out(const bool *chosen, int width)
{
        static char text[16384];
        FILE *out = fmemopen(text, sizeof text, "w");
        int printed = 0;

        ck_assert_ptr_nonnull(out);
        for (int i = 0; i < conform_step_count(); i++) {
                if (chosen[i])
                        conform_run_step(asked, i);
                printed = conform_print_steps(asked, chosen, printed, i + 1, width, out);
        }
        ck_assert_int_eq(printed, conform_step_count());
        fclose(out);
        return text;
}

static int lines_of(const char *text)
{
        int n = 0;

        for (; *text != '\0'; text++)
                n += *text == '\n';
        return n;
}

static void check_page(const char *text)
{
        static char page[1 << 16], line[200];
        FILE *f = fopen("docs/porting.md", "r");

        ck_assert_ptr_nonnull(f);
        page[fread(page, 1, sizeof page - 1, f)] = '\0';
        fclose(f);
        for (const char *at = text; *at != '\0'; at = strchr(at, '\n') + 1) {
                snprintf(line, sizeof line, "    %.*s\n", (int)strcspn(at, "\n"), at);
                ck_assert_msg(strstr(page, line) != NULL, "docs/porting.md lacks %s",
                              line);
        }
}

START_TEST(steps_skipped_for_one_reason_share_a_line)
{
        bool chosen[CONFORM_STEPS_MAX] = { false };
        const char *text;

        for (int i = 0; i < conform_step_count(); i++)
                chosen[i] = i == 0 || conform_steps[i].turns_motors;
        open_board(NEVER_ARMS, NULL);
        text = read_out(chosen, 0);
        /* hello; arm and its claim; the reason and the names of the nine others. */
        ck_assert_int_eq(lines_of(text), 5);
        check_page(strstr(text, "skipped"));
        close_board();
}
END_TEST

START_TEST(names_of_skipped_steps_are_broken_into_lines)
{
        bool chosen[CONFORM_STEPS_MAX] = { false };
        const char *text, *reason;

        for (int i = 0; i < conform_step_count(); i++)
                chosen[i] = true;
        open_board(SILENT, NULL);
        text = read_out(chosen, 0);
        reason = strstr(text, "skipped  25 steps     the board does not answer HELLO");
        ck_assert_ptr_nonnull(reason);
        for (int i = 1; i < conform_step_count(); i++)
                ck_assert_msg(strstr(reason, conform_steps[i].name) != NULL, "no %s",
                              conform_steps[i].name);
        for (const char *at = strchr(reason, '\n') + 1; *at != '\0';
             at = strchr(at, '\n') + 1)
                ck_assert_uint_le(strcspn(at, "\n"), 104);
        close_board();
}
END_TEST

/* As on a terminal: no line is longer, and what follows the first stands under it. */
START_TEST(long_texts_are_broken_at_the_width_and_nothing_is_lost)
{
        bool chosen[CONFORM_STEPS_MAX] = { false };
        static char whole[16384];
        const char *text;
        size_t n = 0;

        for (int i = 0; i < conform_step_count(); i++)
                chosen[i] = i == 0 || conform_steps[i].turns_motors;
        open_board(NEVER_ARMS, NULL);
        snprintf(whole, sizeof whole, "%s", read_out(chosen, 0));
        text = read_out(chosen, 79);
        ck_assert_int_gt(lines_of(text), lines_of(whole));
        for (const char *at = text; *at != '\0'; at = strchr(at, '\n') + 1) {
                ck_assert_uint_le(strcspn(at, "\n"), 79);
                if (strncmp(at, "passed", 6) != 0 && strncmp(at, "FAILED", 6) != 0 &&
                    strncmp(at, "skipped", 7) != 0 && *at == ' ')
                        ck_assert_uint_eq(strspn(at, " "), 22);
        }
        /* The same words in the same order. */
        for (const char *at = text; *at != '\0'; at++) {
                if (*at == ' ' || *at == '\n')
                        continue;
                n += strspn(whole + n, " \n");
                ck_assert_int_eq(whole[n], *at);
                n++;
        }
        ck_assert_uint_eq(strspn(whole + n, " \n"), strlen(whole + n));
        close_board();
}
END_TEST

START_TEST(what_is_skipped_alone_has_its_own_line)
{
        bool chosen[CONFORM_STEPS_MAX] = { true };
        const char *text;

        chosen[conform_step_find("rates")] = true;
        open_board(SILENT, NULL);
        text = read_out(chosen, 0);
        ck_assert_ptr_nonnull(strstr(text, "\nskipped  rates        the board does"));
        ck_assert_int_eq(lines_of(text), 3);
        close_board();
}
END_TEST

/* Two reasons: what --no-arm leaves out, and a link that is gone. */
START_TEST(each_reason_has_a_line)
{
        bool chosen[CONFORM_STEPS_MAX] = { false };
        char text[2000] = "";
        FILE *out = fmemopen(text, sizeof text, "w");
        int printed = 0;

        open_board(NONE, NULL);
        for (int i = 0; i < 6; i++) {
                chosen[i] = true;
                asked->result[i].is = i == 3 ? CONFORM_PASSED : CONFORM_SKIPPED;
                snprintf(asked->result[i].text, CONFORM_TEXT_MAX, "%s",
                         i < 2   ? "one"
                         : i < 4 ? "two"
                                 : "three");
                printed = conform_print_steps(asked, chosen, printed, i + 1, 0, out);
                /* The last of them may not be alone. */
                ck_assert_int_eq(printed, i < 2 ? 0 : i < 3 ? 2 : 4);
        }
        conform_print_steps(asked, chosen, printed, conform_step_count(), 0, out);
        fclose(out);
        ck_assert_str_eq(text, "skipped  2 steps      one\n"
                               "                      hello, answers\n"
                               "skipped  versions     two\n"
                               "passed   hello_again  two\n"
                               "skipped  2 steps      three\n"
                               "                      framing, damage\n");
        close_board();
}
END_TEST

START_TEST(json_has_each_step_that_was_skipped_with_its_reason)
{
        bool chosen[CONFORM_STEPS_MAX] = { false };
        static char text[32768];
        FILE *out = fmemopen(text, sizeof text, "w");
        struct json_error why;
        struct json *root;
        char path[40];
        uint64_t skipped;

        for (int i = 0; i < conform_step_count(); i++)
                chosen[i] = true;
        open_board(SILENT, NULL);
        read_out(chosen, 0);
        ck_assert(conform_print_json(asked, "a wire", chosen, out));
        fclose(out);
        root = json_parse(text, strlen(text), NULL, &why);
        ck_assert_ptr_nonnull(root);
        ck_assert(json_u64(root, "skipped", &skipped) && skipped == 25);
        for (int i = 1; i < conform_step_count(); i++) {
                snprintf(path, sizeof path, "steps.%d.name", i);
                ck_assert_str_eq(json_string(root, path), conform_steps[i].name);
                snprintf(path, sizeof path, "steps.%d.result", i);
                ck_assert_str_eq(json_string(root, path), "skipped");
                snprintf(path, sizeof path, "steps.%d.text", i);
                ck_assert_ptr_nonnull(strstr(json_string(root, path), "see the step"));
        }
        json_free(root);
        close_board();
}
END_TEST

/* In lockstep nothing else would disarm it. */
START_TEST(who_stops_it_leaves_no_board_armed)
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
END_TEST

START_TEST(a_board_without_options_passes)
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
END_TEST

/* At rest, in the units that HELLO told. */
START_TEST(what_the_board_is_shown_is_a_vehicle_at_rest)
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
        conform_scene_turn(&asked->talk.scene, 0.14, 0.0, 0.5, 0.0);
        f = conform_scene_step(&asked->talk.scene, 1);
        ck_assert_double_eq_tol(f->imu.accel_body_mps2.y, -9.80665 * sin(0.14), 0.2);
        ck_assert_double_eq_tol(f->imu.gyro_body_radps.x, 0.5, 0.02);
        close_board();
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("conform");
        TCase *tc = tcase_create("conform");
        SRunner *sr;
        int failures;

        tcase_set_timeout(tc, 120);
        tcase_add_test(tc, the_reference_flight_controller_passes_every_step);
        tcase_add_loop_test(tc, a_mistake_is_found_by_the_step_that_is_there_for_it, 0,
                            MISTAKES);
        tcase_add_loop_test(tc, the_porting_guide_quotes_what_is_said, 0,
                            (int)(sizeof quoted / sizeof quoted[0]));
        tcase_add_test(tc, a_section_that_is_named_stands_in_the_page);
        tcase_add_test(tc, steps_that_cannot_be_asked_are_skipped_with_the_reason);
        tcase_add_test(tc, steps_skipped_for_one_reason_share_a_line);
        tcase_add_test(tc, names_of_skipped_steps_are_broken_into_lines);
        tcase_add_test(tc, long_texts_are_broken_at_the_width_and_nothing_is_lost);
        tcase_add_test(tc, what_is_skipped_alone_has_its_own_line);
        tcase_add_test(tc, each_reason_has_a_line);
        tcase_add_test(tc, json_has_each_step_that_was_skipped_with_its_reason);
        tcase_add_test(tc, who_stops_it_leaves_no_board_armed);
        tcase_add_test(tc, a_board_without_options_passes);
        tcase_add_test(tc, what_the_board_is_shown_is_a_vehicle_at_rest);
        suite_add_tcase(suite, tc);
        sr = srunner_create(suite);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
