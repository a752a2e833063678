/* Samples <-> edges, and eight pads at once from samples to words. */
#include <stdlib.h>

#include "io/motor/edges.h"
#include "tests/io/motor/motor_stage.h"
#include "tests/suites.h"

#define SAMPLES 5000
#define EDGES   (8 * SAMPLES)

/* Samples that change so often in a thousand. */
static void fill(struct dice *d, uint8_t *samples, uint32_t changes)
{
        uint8_t now = (uint8_t)dice_roll(d);

        for (size_t i = 0; i < SAMPLES; i++) {
                if (dice_below(d, 1000) < changes)
                        now = (uint8_t)(dice_below(d, 2) ? dice_roll(d) >> 40
                                                         : now ^ 1U << dice_below(d, 8));
                samples[i] = now;
        }
}

/* By the definition: sample by sample, pad by pad. */
static size_t find_slowly(const uint8_t *samples, uint8_t mask, int64_t tick,
                          struct motor_edge *out)
{
        size_t n = 0;

        for (size_t i = 1; i < SAMPLES; i++) {
                for (uint8_t pad = 0; pad < 8; pad++) {
                        bool before = samples[i - 1] >> pad & 1,
                             now = samples[i] >> pad & 1;

                        if (before != now && (mask >> pad & 1))
                                out[n++] = (struct motor_edge){ tick + (int64_t)i, pad,
                                                                now };
                }
        }
        return n;
}

static void expect_same(const struct motor_edge *a, const struct motor_edge *b, size_t n)
{
        for (size_t i = 0; i < n; i++) {
                ck_assert_int_eq(a[i].tick, b[i].tick);
                ck_assert_uint_eq(a[i].pad, b[i].pad);
                ck_assert_int_eq(a[i].level, b[i].level);
        }
}

TEST(edges_are_those_of_the_definition_whatever_the_pieces)
{
        static uint8_t samples[SAMPLES];
        static struct motor_edge expected[EDGES], found[EDGES];
        struct dice d = { 1 };

        for (int round = 0; round < 300; round++) {
                uint8_t mask = round % 3 ? (uint8_t)dice_roll(&d) : 0xff;
                struct motor_edges e = { .mask = mask };
                size_t n = 0, want, used;

                fill(&d, samples, 1U << round % 10);
                motor_edges_restart(&e, 1000 * round);
                want = find_slowly(samples, mask, 1000 * round, expected);
                for (size_t at = 0; at < SAMPLES; at += used) {
                        size_t piece = 1 + dice_below(&d, 700),
                               cap = 8 + dice_below(&d, 300);

                        if (piece > SAMPLES - at)
                                piece = SAMPLES - at;
                        n += motor_edges_find(&e, samples + at, piece, &used, found + n,
                                              cap);
                        ck_assert_uint_gt(used, 0);
                        ck_assert_uint_le(used, piece);
                }
                ck_assert_uint_eq(n, want);
                ck_assert_int_eq(e.tick, 1000 * round + SAMPLES);
                expect_same(found, expected, n);
        }
}

TEST(no_samples_are_no_edges)
{
        struct motor_edges e = { .mask = 0xff };
        struct motor_edge out[8];
        size_t used = 1;

        ck_assert_uint_eq(motor_edges_find(&e, NULL, 0, &used, out, 8), 0);
        ck_assert_uint_eq(used, 0);
        ck_assert(!e.started);
}

TEST(levels_are_unknown_after_a_gap)
{
        static const uint8_t low[4] = { 0 }, high[4] = { 0xff, 0xff, 0xff, 0x7f };
        struct motor_edges e = { .mask = 0xff };
        struct motor_edge out[8];
        size_t used;

        ck_assert_uint_eq(motor_edges_find(&e, low, 4, &used, out, 8), 0);
        motor_edges_restart(&e, 100);
        ck_assert_uint_eq(motor_edges_find(&e, high, 4, &used, out, 8), 1);
        ck_assert_int_eq(out[0].tick, 103);
        ck_assert_uint_eq(out[0].pad, 7);
        ck_assert(!out[0].level);
}

TEST(a_wave_sampled_has_the_edges_that_it_was_made_of)
{
        static uint8_t samples[SAMPLES];
        static struct motor_edge made[EDGES], found[EDGES];
        struct dice d = { 1 };
        uint8_t levels[MOTOR_PADS_MAX] = { 0 };
        struct motor_edges e = { .mask = 0xff };
        size_t count, done = 0, n = 0, used;

        fill(&d, samples, 30);
        samples[0] = 0;
        count = find_slowly(samples, 0xff, 500, made);
        memset(samples, 0x55, sizeof samples);
        for (size_t at = 0; at < SAMPLES; at += 250)
                done += motor_wave_samples(made + done, count - done, 500 + (int64_t)at,
                                           250, levels, samples + at);
        ck_assert_uint_eq(done, count);
        motor_edges_restart(&e, 500);
        n = motor_edges_find(&e, samples, SAMPLES, &used, found, EDGES);
        ck_assert_uint_eq(n, count);
        expect_same(found, made, n);
}

/* A level that lies between two samples is not seen. */
TEST(a_level_without_a_sample_has_no_edges)
{
        const struct motor_wave_params p = { .protocol = MOTOR_DSHOT1200,
                                             .tick_hz = 1e6 };
        struct motor_edge edge[MOTOR_WAVE_EDGES];
        size_t n = motor_wave_dshot(&p, 0, 0.0, 1046, false, NULL, edge);

        ck_assert_uint_lt(n, 32);
        for (size_t i = 1; i < n; i++) {
                ck_assert_int_gt(edge[i].tick, edge[i - 1].tick);
                ck_assert_int_ne(edge[i].level, edge[i - 1].level);
        }
}

#define LINES_S 10e-3
#define TICK_HZ 24e6

static const struct {
        enum motor_protocol protocol;
        bool inverted;
        double rate_hz;
} lines[MOTOR_PADS_MAX] = {
        { MOTOR_DSHOT150, false, 4000 },   { MOTOR_DSHOT300, true, 4000 },
        { MOTOR_DSHOT600, false, 8000 },   { MOTOR_DSHOT1200, true, 8000 },
        { MOTOR_ONESHOT125, false, 2000 }, { MOTOR_ONESHOT42, false, 4000 },
        { MOTOR_MULTISHOT, false, 8000 },  { MOTOR_PROSHOT1000, false, 8000 },
};

static int compare(const void *a, const void *b)
{
        const struct motor_edge *x = a, *y = b;

        return x->tick != y->tick ? (x->tick < y->tick ? -1 : 1) : x->pad - y->pad;
}

/* Duty 0.1 x (pad + 1) everywhere. */
static size_t draw_lines(struct motor_edge *edge)
{
        size_t n = 0;

        for (uint8_t pad = 0; pad < MOTOR_PADS_MAX; pad++) {
                const struct motor_wave_params p = { .protocol = lines[pad].protocol,
                                                     .inverted = lines[pad].inverted,
                                                     .tick_hz = TICK_HZ };
                double duty = 0.1 * (pad + 1);
                uint16_t value = motor_wave_value(duty, false);

                for (double t = 50e-6; t < LINES_S - 300e-6;
                     t += 1 / lines[pad].rate_hz) {
                        if (motor_protocol_is_pulse(p.protocol))
                                n += motor_wave_pulse(&p, pad, t, duty, NULL, edge + n);
                        else if (p.protocol == MOTOR_PROSHOT1000)
                                n += motor_wave_proshot(&p, pad, t, value, false, NULL,
                                                        edge + n);
                        else
                                n += motor_wave_dshot(&p, pad, t, value, false, NULL,
                                                      edge + n);
                }
        }
        qsort(edge, n, sizeof edge[0], compare);
        return n;
}

static size_t decode(const uint8_t *samples, size_t count, size_t piece,
                     struct motor_pad *pads, struct motor_word *out)
{
        const struct motor_pad_params p = { .tick_hz = TICK_HZ };
        struct motor_edges e = { .mask = 0xff };
        struct motor_edge edge[64];
        size_t words = 0, used;

        for (uint8_t i = 0; i < MOTOR_PADS_MAX; i++) {
                motor_pad_init(&pads[i], &p, i);
                motor_pad_quiet(&pads[i], 0, out);
        }
        for (size_t at = 0; at < count; at += used) {
                size_t n = motor_edges_find(&e, samples + at,
                                            piece < count - at ? piece : count - at,
                                            &used, edge, 64);

                for (size_t i = 0; i < n; i++)
                        words += motor_pad_edge(&pads[edge[i].pad], edge[i].tick,
                                                edge[i].level, out + words);
                for (int i = 0; i < MOTOR_PADS_MAX; i++)
                        words += motor_pad_quiet(&pads[i], e.tick, out + words);
        }
        return words;
}

TEST(eight_pads_of_eight_protocols_are_read_at_once)
{
        static const size_t pieces[] = { 1, 7, 512, 4096, 240000 };
        const size_t count = (size_t)(LINES_S * TICK_HZ);
        uint8_t *samples = malloc(count);
        struct motor_edge *edge = malloc(60000 * sizeof *edge);
        struct motor_word *word = malloc(2000 * sizeof *word);
        static struct motor_pad pads[MOTOR_PADS_MAX];
        uint8_t levels[MOTOR_PADS_MAX];
        size_t edges = draw_lines(edge), first = 0;

        ck_assert_uint_lt(edges, 60000);
        for (int i = 0; i < MOTOR_PADS_MAX; i++)
                levels[i] = lines[i].inverted;
        motor_wave_samples(edge, edges, 0, count, levels, samples);
        for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
                size_t n = decode(samples, count, pieces[i], pads, word);

                if (i == 0)
                        first = n;
                ck_assert_uint_eq(n, first);
                ck_assert_uint_gt(n, 200);
                for (size_t k = 0; k < n; k++) {
                        ck_assert_int_eq(word[k].kind, MOTOR_THROTTLE);
                        ck_assert_int_eq((int)word[k].protocol,
                                         (int)lines[word[k].pad].protocol);
                        ck_assert_double_eq_tol(word[k].duty, 0.1 * (word[k].pad + 1),
                                                0.01);
                }
                for (int k = 0; k < MOTOR_PADS_MAX; k++) {
                        ck_assert_int_eq(motor_pad_inverted(&pads[k]), lines[k].inverted);
                        ck_assert_double_eq_tol(motor_pad_rate_hz(&pads[k]),
                                                lines[k].rate_hz, 1.0);
                }
        }
        free(samples);
        free(edge);
        free(word);
}
