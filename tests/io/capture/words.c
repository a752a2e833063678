/* Blocks of any size and kind give the same words; a gap costs what was half decoded, or the first
 * frame behind it, of which nobody knows whether silence was before it. */
#include <stdlib.h>
#include <string.h>

#include "io/capture/words.h"
#include "io/motor/wave.h"

#include "tests/suites.h"

#define HZ      24e6
#define FRAMES  200
#define PERIOD  6000 /* ticks */
#define SAMPLES (FRAMES * PERIOD + PERIOD)

static const struct motor_pad_params params = { .tick_hz = HZ,
                                                .range = { 1000, 2000, false } };
static uint8_t samples[SAMPLES];
static struct motor_edge edges[FRAMES * 2 * MOTOR_WAVE_EDGES];

/* DShot600 on pads 1 and 4: 4 of them a millisecond, the values count. */
static void setup(void)
{
        const struct motor_wave_params wave = { .protocol = MOTOR_DSHOT600,
                                                .tick_hz = HZ };
        size_t n = 0;
        uint8_t levels[MOTOR_PADS_MAX] = { 0 };

        for (int i = 0; i < FRAMES; i++) {
                n += motor_wave_dshot(&wave, 1, (i + 0.3) * PERIOD / HZ,
                                      (uint16_t)(100 + i), false, NULL, edges + n);
                n += motor_wave_dshot(&wave, 4, (i + 0.6) * PERIOD / HZ,
                                      (uint16_t)(1000 + i), false, NULL, edges + n);
        }
        motor_wave_samples(edges, n, 0, SAMPLES, levels, samples);
}

FIXTURE(setup, NULL)

struct seen {
        int count[MOTOR_PADS_MAX], damaged;
        uint16_t first[MOTOR_PADS_MAX], last[MOTOR_PADS_MAX];
};

static void take(struct capture_words *c, const struct capture_block *b, struct seen *s)
{
        struct motor_word w;

        capture_words_block(c, b);
        while (capture_words_next(c, &w)) {
                if (w.kind != MOTOR_THROTTLE) {
                        s->damaged++;
                        continue;
                }
                if (s->count[w.pad]++ == 0)
                        s->first[w.pad] = w.value;
                s->last[w.pad] = w.value;
        }
}

static void take_samples(struct capture_words *c, size_t from, size_t count, bool gap,
                         struct seen *s)
{
        const struct capture_block b = { .gap = gap,
                                         .first_tick = (int64_t)from,
                                         .samples = samples + from,
                                         .count = count,
                                         .until_tick = (int64_t)(from + count) };

        take(c, &b, s);
}

static const size_t sizes[] = { 1, 7, 512, 4096, 65536, SAMPLES };

TEST_EACH(blocks_of_any_size_give_the_same_words, sizeof sizes / sizeof sizes[0])
{
        static struct capture_words c;
        struct seen s = { 0 };

        capture_words_init(&c, &params, 0xFF);
        for (size_t at = 0; at < SAMPLES;) {
                size_t n = SAMPLES - at < sizes[_i] ? SAMPLES - at : sizes[_i];

                take_samples(&c, at, n, false, &s);
                at += n;
        }
        ck_assert_int_eq(s.damaged, 0);
        for (int pad = 1; pad <= 4; pad += 3) {
                ck_assert_int_ge(s.count[pad], FRAMES - 6);
                ck_assert_uint_eq(s.last[pad], (pad == 1 ? 100 : 1000) + FRAMES - 1);
                ck_assert_int_eq(s.last[pad] - s.first[pad] + 1, s.count[pad]);
                ck_assert_int_eq(motor_pad_protocol(&c.pad[pad]), MOTOR_DSHOT600);
        }
        ck_assert_int_eq(motor_pad_protocol(&c.pad[0]), MOTOR_UNKNOWN);
}

TEST(pads_that_are_masked_say_nothing)
{
        static struct capture_words c;
        struct seen s = { 0 };

        capture_words_init(&c, &params, 1 << 4);
        take_samples(&c, 0, SAMPLES, false, &s);
        ck_assert_int_eq(s.count[1], 0);
        ck_assert_int_gt(s.count[4], 0);
        ck_assert_uint_eq(motor_pad_counted(&c.pad[1])->edges, 0);
}

TEST(a_gap_costs_one_frame_of_a_pad_at_most)
{
        static struct capture_words c;
        struct seen s = { 0 };
        size_t cut = 100 * PERIOD + PERIOD * 3 / 10 + 300; /* in the middle of pad 1's */

        capture_words_init(&c, &params, 0xFF);
        take_samples(&c, 0, cut, false, &s);
        take_samples(&c, cut + 20, SAMPLES - cut - 20, true, &s);
        ck_assert_int_eq(s.last[1] - s.first[1] + 1, s.count[1] + 1);
        ck_assert_int_le(s.last[4] - s.first[4] + 1, s.count[4] + 1);
        ck_assert_int_eq(motor_pad_protocol(&c.pad[1]), MOTOR_DSHOT600);
}

TEST(records_give_the_words_of_samples)
{
        static struct capture_words c;
        struct seen s = { 0 };

        capture_words_init(&c, &params, 0xFF);
        for (int i = 0; i < FRAMES; i++) {
                uint16_t v = (uint16_t)((100 + i) << 1);
                struct capture_record r[2] = {
                        { .kind = CAPTURE_FRAME,
                          .pad = 1,
                          .protocol = MOTOR_DSHOT600,
                          .raw = (uint16_t)(v << 4 | ((v ^ v >> 4 ^ v >> 8) & 15)),
                          .tick = i * PERIOD,
                          .width_ticks = 630 },
                        { .kind = CAPTURE_PULSE,
                          .pad = 2,
                          .tick = i * PERIOD + 10,
                          .width_ticks = 24 * (130 + i % 100) },
                };
                struct capture_block b = { .count = 2,
                                           .records = r,
                                           .until_tick = (i + 1) * PERIOD };

                take(&c, &b, &s);
        }
        ck_assert_int_eq(s.damaged, 0);
        ck_assert_int_ge(s.count[1], FRAMES - 6);
        ck_assert_int_ge(s.count[2], FRAMES - 20);
        ck_assert_uint_eq(s.last[1], 100 + FRAMES - 1);
        ck_assert_int_eq(motor_pad_protocol(&c.pad[2]), MOTOR_ONESHOT125);
}

TEST(records_of_edges_give_the_words_of_samples)
{
        static struct capture_words c;
        struct seen s = { 0 };
        struct motor_edges find = { .mask = 0xFF };
        struct motor_edge e[64];
        size_t at = 0;

        capture_words_init(&c, &params, 0xFF);
        while (at < SAMPLES) {
                struct capture_record r[64] = { 0 };
                struct capture_block b = { .records = r };
                size_t used;

                b.count =
                        motor_edges_find(&find, samples + at, SAMPLES - at, &used, e, 64);
                for (size_t i = 0; i < b.count; i++)
                        r[i] = (struct capture_record){ .kind = CAPTURE_EDGE,
                                                        .pad = e[i].pad,
                                                        .level = e[i].level,
                                                        .tick = e[i].tick };
                at += used;
                b.until_tick = (int64_t)at;
                take(&c, &b, &s);
        }
        ck_assert_int_eq(s.damaged, 0);
        ck_assert_uint_eq(s.last[1], 100 + FRAMES - 1);
        ck_assert_int_eq(s.last[4] - s.first[4] + 1, s.count[4]);
}
