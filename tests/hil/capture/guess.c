/* What pads look like that are not what the user says: named when it is known, of those pads alone, and not
 * before. */
#include <stdlib.h>
#include <string.h>

#include "hil/capture/guess.h"
#include "io/motor/wave.h"

#include "tests/suites.h"

#define HZ      24e6
#define FRAMES  200
#define PERIOD  6000 /* ticks: 4 kHz */
#define SAMPLES (FRAMES * PERIOD + PERIOD)
#define BLOCK   4096

static uint8_t samples[SAMPLES];
static struct motor_edge edges[FRAMES * 2 * MOTOR_WAVE_EDGES];
static struct capture_words asked;
static struct capture_guess guess;

/* Inverted DShot600 on pad 1, DShot300 on pad 4, from frame `from` on. */
static void draw(int from)
{
        const struct motor_wave_params one = { .protocol = MOTOR_DSHOT600,
                                               .inverted = true,
                                               .tick_hz = HZ };
        const struct motor_wave_params four = { .protocol = MOTOR_DSHOT300,
                                                .tick_hz = HZ };
        uint8_t levels[MOTOR_PADS_MAX] = { [1] = 1 };
        size_t n = 0;

        for (int i = from; i < FRAMES; i++) {
                n += motor_wave_dshot(&one, 1, (i + 0.1) * PERIOD / HZ,
                                      (uint16_t)(100 + i), false, NULL, edges + n);
                n += motor_wave_dshot(&four, 4, (i + 0.6) * PERIOD / HZ,
                                      (uint16_t)(1000 + i), false, NULL, edges + n);
        }
        motor_wave_samples(edges, n, 0, SAMPLES, levels, samples);
}

static void ask(enum motor_protocol protocol, uint8_t mask)
{
        const struct motor_pad_params p = { .tick_hz = HZ,
                                            .protocol = protocol,
                                            .range = { 1000, 2000, false } };

        capture_words_init(&asked, &p, mask);
        capture_guess_init(&guess, &p);
}

static void capture(size_t from, size_t until)
{
        struct motor_word ignored;

        for (size_t at = from; at < until; at += BLOCK) {
                size_t n = until - at < BLOCK ? until - at : BLOCK;
                const struct capture_block b = { .first_tick = (int64_t)at,
                                                 .samples = samples + at,
                                                 .count = n,
                                                 .until_tick = (int64_t)(at + n) };

                capture_words_block(&asked, &b);
                while (capture_words_next(&asked, &ignored))
                        ;
                capture_guess_block(&guess, &asked, &b);
        }
}

TEST(pads_that_are_not_as_asked_are_recognised_beside)
{
        const struct motor_pad *p;

        draw(0);
        ask(MOTOR_PWM, 0xFF);
        capture(0, SAMPLES);
        p = capture_guess_pad(&guess, 1);
        ck_assert_ptr_nonnull(p);
        ck_assert_int_eq(motor_pad_protocol(p), MOTOR_DSHOT600);
        ck_assert(motor_pad_inverted(p));
        ck_assert_double_eq_tol(motor_pad_rate_hz(p), 4000.0, 0.1);
        p = capture_guess_pad(&guess, 4);
        ck_assert_ptr_nonnull(p);
        ck_assert_int_eq(motor_pad_protocol(p), MOTOR_DSHOT300);
        ck_assert(!motor_pad_inverted(p));
        ck_assert_ptr_null(capture_guess_pad(&guess, 0));
        /* It decides nothing. */
        ck_assert_int_eq(motor_pad_protocol(&asked.pad[1]), MOTOR_UNKNOWN);
}

TEST(a_pad_that_is_as_asked_is_not_looked_at)
{
        draw(0);
        ask(MOTOR_DSHOT300, 1U << 1 | 1U << 4);
        capture(0, SAMPLES);
        ck_assert_int_eq(motor_pad_protocol(&asked.pad[4]), MOTOR_DSHOT300);
        ck_assert_ptr_null(capture_guess_pad(&guess, 4));
        ck_assert_ptr_nonnull(capture_guess_pad(&guess, 1));
        ck_assert_uint_eq(guess.words.mask, 1U << 1);
}

TEST(pads_that_nobody_asked_for_are_not_looked_at)
{
        draw(0);
        ask(MOTOR_PWM, 1U << 4);
        capture(0, SAMPLES);
        ck_assert_ptr_null(capture_guess_pad(&guess, 1));
        ck_assert_ptr_nonnull(capture_guess_pad(&guess, 4));
}

TEST(nothing_is_said_before_frames_came)
{
        draw(100);
        ask(MOTOR_PWM, 0xFF);
        capture(0, 99 * PERIOD);
        ck_assert_ptr_null(capture_guess_pad(&guess, 1));
        ck_assert_uint_eq(guess.words.mask, 0);
        capture(99 * PERIOD, SAMPLES);
        ck_assert_ptr_nonnull(capture_guess_pad(&guess, 1));
}

/* The board is switched over while it is captured. */
TEST(a_pad_that_leaves_the_protocol_is_looked_at_from_then_on)
{
        draw(0);
        ask(MOTOR_DSHOT300, 0xFF);
        capture(0, SAMPLES);
        ck_assert_int_eq(motor_pad_protocol(&asked.pad[4]), MOTOR_DSHOT300);
        /* What pad 1 had stands on pad 4 now. */
        for (size_t i = 0; i < SAMPLES; i++)
                samples[i] = (uint8_t)(samples[i] << 3);
        for (int i = 0; i < 2; i++) {
                asked.edges.tick = guess.words.edges.tick = 0;
                capture(0, SAMPLES);
        }
        ck_assert_int_eq(motor_pad_protocol(&asked.pad[4]), MOTOR_UNKNOWN);
        ck_assert_ptr_nonnull(capture_guess_pad(&guess, 4));
        ck_assert_int_eq(motor_pad_protocol(capture_guess_pad(&guess, 4)),
                         MOTOR_DSHOT600);
}

/* A capture board reads frames by itself. */
TEST(frames_of_a_capture_board_are_recognised_too)
{
        struct capture_record r[8] = { { .kind = CAPTURE_FRAME } };
        struct motor_word ignored;

        ask(MOTOR_PWM, 0xFF);
        for (int i = 0; i < 8; i++)
                r[i] = (struct capture_record){ .kind = CAPTURE_FRAME,
                                                .pad = 3,
                                                .protocol = MOTOR_DSHOT600,
                                                .raw = 0x82C6,
                                                .tick = 24000 * (i + 1),
                                                .width_ticks = 640 };
        capture_words_block(&asked, &(struct capture_block){ .records = r,
                                                             .count = 8,
                                                             .until_tick = 240000 });
        while (capture_words_next(&asked, &ignored))
                ;
        capture_guess_block(&guess, &asked,
                            &(struct capture_block){
                                    .records = r, .count = 8, .until_tick = 240000 });
        ck_assert_ptr_nonnull(capture_guess_pad(&guess, 3));
        ck_assert_int_eq(motor_pad_protocol(capture_guess_pad(&guess, 3)),
                         MOTOR_DSHOT600);
}

TEST(what_is_called_clean_is_readable)
{
        for (int i = MOTOR_UNKNOWN + 1; i < MOTOR_PROTOCOLS; i++) {
                enum motor_protocol p = (enum motor_protocol)i;

                ck_assert(capture_guess_readable(p, motor_protocol_clean_hz(p)));
                ck_assert(!capture_guess_readable(p, motor_protocol_clean_hz(p) / 1000));
        }
        ck_assert(!capture_guess_readable(MOTOR_DSHOT1200, 1e6));
}
