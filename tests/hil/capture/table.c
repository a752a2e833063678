/* What `hilrig capture` prints of pads that cannot be read: why, in a few words, as a line and as JSON. */
#include <stdlib.h>
#include <string.h>

#include "hil/capture/table.h"
#include "hil/text/json.h"

#include "tests/suites.h"

static const struct capture device = { .tick_hz = 24e6, .name = "file.sr" };
static struct capture_table table;
static char text[8192];

static void asked_for(enum motor_protocol asked)
{
        capture_table_init(&table, &device, 0x3, asked);
        table.sampled = true;
        table.row[0].counts.edges = 25584;
}

static void looks_like(enum motor_protocol protocol, bool inverted)
{
        table.row[0].looks_like = protocol;
        table.row[0].looks_inverted = inverted;
        table.row[0].looks_rate_hz = 8000.0;
}

static const char *note(void)
{
        return capture_table_note(&table, &table.row[0], text, sizeof text) ? text : "";
}

static int print(bool clear)
{
        FILE *out = fmemopen(text, sizeof text, "w");
        int lines;

        ck_assert_ptr_nonnull(out);
        lines = capture_table_print(out, &table,
                                    &(struct capture_view){ .clear = clear });
        fclose(out);
        return lines;
}

static int newlines(void)
{
        int n = 0;

        for (const char *at = text; *at != '\0'; at++)
                n += *at == '\n';
        return n;
}

TEST(a_pad_that_is_not_as_asked_says_what_it_looks_like)
{
        asked_for(MOTOR_PWM);
        looks_like(MOTOR_DSHOT600, true);
        ck_assert_str_eq(note(),
                         "no PWM in 25584 edges; looks like DSHOT600 inverted at 8000.0 "
                         "Hz");
        ck_assert_int_eq(print(false), 5);
        ck_assert_int_eq(newlines(), 5);
        ck_assert_ptr_nonnull(strstr(text, " not PWM "));
        ck_assert_ptr_nonnull(strstr(text, "\npad 0: no PWM in 25584 edges; looks"));
        /* The other one rests. */
        ck_assert_ptr_nonnull(strstr(text, " no edges "));
        ck_assert_ptr_null(strstr(text, "pad 1:"));
}

TEST(that_it_looks_like_nothing_is_said_when_enough_was_seen)
{
        asked_for(MOTOR_PWM);
        ck_assert_str_eq(note(), "no PWM in 25584 edges; nor any other protocol");
        table.row[0].counts.edges = 40;
        ck_assert_str_eq(note(), "no PWM in 40 edges");
}

TEST(a_protocol_that_was_there_before_is_not_denied)
{
        asked_for(MOTOR_DSHOT300);
        table.row[0].counts.recognitions = 1;
        table.row[0].was = MOTOR_DSHOT300;
        looks_like(MOTOR_DSHOT600, false);
        ck_assert_str_eq(note(), "was DSHOT300; looks like DSHOT600 at 8000.0 Hz");
        print(false);
        ck_assert_ptr_nonnull(strstr(text, " was DSHOT300 "));
}

/* Pads that say things, as the decoders hear them. */
static struct capture_words words;
static int64_t now;

static void begin(void)
{
        const struct motor_pad_params p = { .tick_hz = 1e6,
                                            .range = { 1000, 2000, false } };
        const struct capture wire = { .tick_hz = 1e6, .name = "wire.sr" };

        capture_words_init(&words, &p, 0x1);
        capture_table_init(&table, &wire, 0x1, MOTOR_UNKNOWN);
        now = 0;
}

/* A block of so many samples, with a pulse of so many at the start of each period. */
static void pulses(size_t count, size_t width, size_t period)
{
        uint8_t *samples = calloc(count, 1);
        struct capture_block b = { .first_tick = now,
                                   .samples = samples,
                                   .count = count,
                                   .until_tick = now + (int64_t)count };
        struct motor_word w;

        for (size_t i = 0; width > 0 && i < count; i++)
                samples[i] = i % period >= 1 && i % period <= width;
        capture_table_block(&table, &b);
        capture_words_block(&words, &b);
        while (capture_words_next(&words, &w))
                capture_table_take(&table, &w);
        capture_table_update(&table, &device, &words, NULL);
        now += (int64_t)count;
        free(samples);
}

TEST(a_wire_that_goes_dead_has_no_rate_and_an_old_value)
{
        begin();
        pulses(1000000, 1500, 5000);
        ck_assert_double_eq_tol(table.row[0].rate_hz, 200.0, 1e-6);
        ck_assert_double_le(table.row[0].age_s, 0.005);
        ck_assert(!table.row[0].silent);
        pulses(90000, 0, 1);
        ck_assert(!table.row[0].silent);
        pulses(3910000, 0, 1);
        ck_assert(table.row[0].silent);
        ck_assert_double_eq_tol(table.row[0].age_s, 4.0035, 1e-3);
        ck_assert_double_eq(table.row[0].rate_hz, 0.0);
        ck_assert_str_eq(note(), "silent for 4.00 s; spoke at 200.0 Hz until 1.00 s");
        print(false);
        ck_assert_ptr_nonnull(strstr(text, " PWM                          - (1500.00 us)"
                                           "       -         - "));
        /* It comes back. */
        pulses(100000, 1200, 5000);
        ck_assert(!table.row[0].silent);
        ck_assert_double_gt(table.row[0].rate_hz, 0.0);
        ck_assert_str_eq(note(), "");
}

TEST(a_slow_pad_is_not_silent_between_two_frames)
{
        begin();
        pulses(2000000, 1500, 30000);
        pulses(90000, 0, 1);
        ck_assert_double_eq_tol(table.row[0].rate_hz, 1e6 / 30000, 1e-6);
        ck_assert(!table.row[0].silent);
        pulses(200000, 0, 1);
        ck_assert(table.row[0].silent);
}

TEST(a_device_that_stands_still_makes_its_pads_old)
{
        begin();
        pulses(1000000, 1500, 5000);
        table.still_s = 2.0;
        capture_table_update(&table, &device, &words, NULL);
        ck_assert(table.row[0].silent);
        ck_assert_double_eq_tol(table.row[0].age_s, 2.0035, 1e-3);
}

TEST(what_a_pad_was_until_it_went_odd_is_said)
{
        begin();
        pulses(1000000, 1500, 5000);
        pulses(30000, 350, 1000);
        ck_assert_int_eq(table.row[0].protocol, MOTOR_UNKNOWN);
        ck_assert_str_eq(note(), "was PWM at 200.0 Hz until 1.00 s, then nothing known");
        print(false);
        ck_assert_ptr_nonnull(
                strstr(text, " was PWM                      - (1500.00 us)"));
        ck_assert_ptr_null(strstr(text, "not recognised"));
}

/* Of a board and of an analyzer the same counters are different things. */
TEST(what_a_device_lost_is_said_in_words)
{
        asked_for(MOTOR_UNKNOWN);
        ck_assert(!capture_table_device_note(&table, text, sizeof text));
        table.counts.blocks = table.counts.bytes = 1000;
        ck_assert(!capture_table_device_note(&table, text, sizeof text));
        table.counts.overruns = 2;
        table.counts.stalls = table.counts.restarts = 1;
        ck_assert(capture_table_device_note(&table, text, sizeof text));
        ck_assert_str_eq(text, "2 overruns: samples were lost, 1 stall, "
                               "1 restart of the stream");
        ck_assert_int_eq(print(false), 5);
        ck_assert_ptr_nonnull(strstr(text, "\nanalyzer: 2 overruns"));
        table.board = true;
        table.counts.short_blocks = 3;
        table.still_s = 2.94;
        print(false);
        ck_assert_ptr_nonnull(strstr(
                text, "\ncapture board: nothing has come for 2.9 s, 3 batches lost, "
                      "2 records that it had no room for, "
                      "1 time silent for a second or more, 1 restart\n"));
        table.still_s = 0.0;
        table.stood_s = 5.12;
        print(false);
        ck_assert_ptr_nonnull(strstr(text, "board: nothing came for 5.1 s in all, 3 "));
        ck_assert(capture_table_device_note(&table, text, 20));
        ck_assert_uint_eq(strlen(text), 19);
}

TEST(a_log_has_a_line_for_what_the_device_lost)
{
        FILE *out = fmemopen(text, sizeof text, "w");

        asked_for(MOTOR_UNKNOWN);
        table.time_s = 2.5;
        table.counts.overruns = 1;
        capture_table_print_lines(out, &table);
        fclose(out);
        ck_assert_ptr_nonnull(
                strstr(text, "2.50 s  analyzer: 1 overrun: samples were lost\n"));
        ck_assert_int_eq(newlines(), 3);
}

static void answer(enum motor_extended kind, uint16_t value)
{
        const struct motor_word w = { .kind = MOTOR_EXTENDED,
                                      .protocol = MOTOR_DSHOT300,
                                      .extended = kind,
                                      .value = value };

        capture_table_take(&table, &w);
}

TEST(what_an_esc_tells_stands_in_the_table)
{
        FILE *out;

        asked_for(MOTOR_UNKNOWN);
        answer(MOTOR_TEMPERATURE, 62);
        answer(MOTOR_VOLTAGE, 61);
        answer(MOTOR_STATUS, 3);
        print(false);
        ck_assert_ptr_nonnull(strstr(text, "errors commands    C      V\n"));
        ck_assert_ptr_nonnull(strstr(text, "       0        0   62  15.25\n"));
        ck_assert_ptr_nonnull(strstr(text, "       0        0    -      -\n"));
        out = fmemopen(text, sizeof text, "w");
        capture_table_print_lines(out, &table);
        fclose(out);
        ck_assert_ptr_nonnull(
                strstr(text, "eRPM -  temperature 62 C  voltage 15.25 V\n"));
}

static const char *word(enum motor_extended kind, uint16_t value, bool json)
{
        const struct motor_word w = { .kind = MOTOR_EXTENDED,
                                      .protocol = MOTOR_DSHOT300,
                                      .inverted = true,
                                      .extended = kind,
                                      .value = value };
        FILE *out = fmemopen(text, sizeof text, "w");

        if (json)
                capture_word_print_json(out, &w, 1e6);
        else
                capture_word_print(out, &w, 1e6);
        fclose(out);
        return strstr(text, json ? ", \"extended_type\"" : "extended  ");
}

TEST(words_of_an_esc_have_their_units)
{
        ck_assert_str_eq(word(MOTOR_TEMPERATURE, 62, false),
                         "extended  temperature 62 C\n");
        ck_assert_str_eq(word(MOTOR_VOLTAGE, 61, false), "extended  voltage 15.25 V\n");
        ck_assert_str_eq(word(MOTOR_CURRENT, 7, false), "extended  current 7 A\n");
        ck_assert_str_eq(word(MOTOR_STRESS, 5, false), "extended  stress 5\n");
        ck_assert_str_eq(word((enum motor_extended)3, 5, false), "extended  type 3 5\n");
        ck_assert_str_eq(word(MOTOR_VOLTAGE, 61, true),
                         ", \"extended_type\": 4, \"extended\": \"voltage\", "
                         "\"voltage_v\": 15.25}\n");
        ck_assert_str_eq(word(MOTOR_STATUS, 61, true),
                         ", \"extended_type\": 14, \"extended\": \"status\"}\n");
}

static struct json *parsed(void)
{
        FILE *out = fmemopen(text, sizeof text, "w");
        struct json_error why;
        struct json *root;

        ck_assert(capture_table_print_json(out, &table));
        fclose(out);
        root = json_parse(text, strlen(text), NULL, &why);
        ck_assert_ptr_nonnull(root);
        return root;
}

TEST(json_has_the_age_and_what_it_was)
{
        struct json *root;

        begin();
        pulses(1000000, 1500, 5000);
        answer(MOTOR_TEMPERATURE, 62);
        root = parsed();
        ck_assert_double_eq(json_number(root, "pads.0.temperature_c"), 62.0);
        ck_assert_ptr_null(json_at(root, "pads.0.voltage_v"));
        ck_assert(!json_bool(root, "pads.0.silent", true));
        ck_assert_ptr_null(json_at(root, "pads.0.was"));
        json_free(root);
        pulses(2000000, 0, 1);
        root = parsed();
        ck_assert(json_bool(root, "pads.0.silent", false));
        ck_assert_double_eq_tol(json_number(root, "pads.0.age_s"), 2.0035, 1e-3);
        ck_assert_double_eq_tol(json_number(root, "pads.0.heard_s"), 0.9965, 1e-3);
        ck_assert_double_eq(json_number(root, "pads.0.rate_hz"), 0.0);
        ck_assert_str_eq(json_string(root, "pads.0.was.protocol"), "PWM");
        ck_assert_double_eq_tol(json_number(root, "pads.0.was.rate_hz"), 200.0, 1e-6);
        json_free(root);
}

TEST(pulses_that_fit_both_ways_are_said_to)
{
        begin();
        pulses(100000, 1200, 2500);
        ck_assert(table.row[0].ambiguous);
        ck_assert_str_eq(note(), "taken for normal, but would fit inverted as well; "
                                 "--polarity settles it");
}

TEST(frames_without_edges_are_a_capture_boards)
{
        asked_for(MOTOR_PWM);
        table.row[0].counts.edges = 0;
        looks_like(MOTOR_DSHOT600, false);
        ck_assert_str_eq(note(), "no PWM; looks like DSHOT600 at 8000.0 Hz");
        print(false);
        ck_assert_ptr_nonnull(strstr(text, " not PWM "));
}

TEST(what_the_samples_cannot_show_is_named)
{
        asked_for(MOTOR_UNKNOWN);
        ck_assert_str_eq(note(), "");
        table.tick_hz = 2e6;
        ck_assert_str_eq(note(), "no protocol in 25584 edges; sampled too slowly for "
                                 "MULTISHOT, PROSHOT1000, DSHOT600, DSHOT1200");
        /* A capture board's timer is another matter. */
        table.sampled = false;
        ck_assert_str_eq(note(), "");
}

TEST(a_pad_that_is_recognised_or_rests_needs_no_words)
{
        asked_for(MOTOR_PWM);
        table.row[0].protocol = MOTOR_PWM;
        ck_assert_str_eq(note(), "");
        ck_assert_int_eq(print(false), 4);
        asked_for(MOTOR_PWM);
        table.row[0].counts.edges = 0;
        ck_assert_str_eq(note(), "");
}

/* Notes come and go: nothing of the table before may stay below. */
TEST(on_a_terminal_what_stood_below_is_cleared)
{
        asked_for(MOTOR_PWM);
        looks_like(MOTOR_DSHOT600, false);
        ck_assert_int_eq(print(true), 5);
        ck_assert_str_eq(text + strlen(text) - 3, "\x1b[J");
        table.row[0].protocol = MOTOR_PWM;
        ck_assert_int_eq(print(true), 4);
        ck_assert_str_eq(text + strlen(text) - 3, "\x1b[J");
        ck_assert_int_eq(print(false), 4);
        ck_assert_ptr_null(strchr(text, '\x1b'));
}

TEST(a_line_of_a_log_ends_with_it)
{
        FILE *out = fmemopen(text, sizeof text, "w");

        asked_for(MOTOR_PWM);
        looks_like(MOTOR_DSHOT600, false);
        capture_table_print_lines(out, &table);
        fclose(out);
        ck_assert_ptr_nonnull(strstr(text, "not PWM  - Hz  "));
        ck_assert_ptr_nonnull(strstr(text, "eRPM -  no PWM in 25584 edges; looks like "
                                           "DSHOT600 at 8000.0 Hz\n"));
        ck_assert_int_eq(newlines(), 2);
}

TEST(json_has_it_for_programs_and_in_words)
{
        FILE *out = fmemopen(text, sizeof text, "w");
        struct json_error why;
        struct json *root;

        asked_for(MOTOR_PWM);
        looks_like(MOTOR_DSHOT600, true);
        ck_assert(capture_table_print_json(out, &table));
        fclose(out);
        root = json_parse(text, strlen(text), NULL, &why);
        ck_assert_ptr_nonnull(root);
        ck_assert_str_eq(json_string(root, "asked_protocol"), "PWM");
        ck_assert(json_is(json_at(root, "pads.0.protocol"), JSON_NULL));
        ck_assert_str_eq(json_string(root, "pads.0.looks_like.protocol"), "DSHOT600");
        ck_assert(json_bool(root, "pads.0.looks_like.inverted", false));
        ck_assert_double_eq(json_number(root, "pads.0.looks_like.rate_hz"), 8000.0);
        ck_assert_ptr_nonnull(strstr(json_string(root, "pads.0.note"), "no PWM in "));
        ck_assert_ptr_null(json_at(root, "pads.1.note"));
        ck_assert_ptr_null(json_at(root, "pads.1.looks_like"));
        json_free(root);
}
