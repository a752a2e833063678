/* Eight motor pads at 24 MHz from samples to words, on one CPU, beside memchr() over the same bytes
 * in alternating turns: how many times faster than they arrive. */
#include <stdlib.h>
#include <string.h>

#include "hil/bench/bench.h"
#include "hil/bench/plant.h"
#include "io/motor/edges.h"
#include "io/motor/pad.h"
#include "io/motor/wave.h"
#include "models/rng.h"

#define REPEATS     15
#define TICK_HZ     24e6
#define SAMPLES     ((size_t)6000000) /* 0.25 s: more than a cache holds */
#define TRANSFER    4096 /* samples that come at once */
#define EDGES       1024
#define ANSWER_S    30e-6
#define ABSENT_BYTE 0xa5

struct lines {
        const char *name;
        enum motor_protocol protocol;
        double rate_hz;
        bool bidirectional;
};

static const struct lines lines[] = {
        { "idle", MOTOR_UNKNOWN, 0.0, false },
        { "8 x PWM, 400 Hz", MOTOR_PWM, 400.0, false },
        { "8 x DSHOT300, 4 kHz", MOTOR_DSHOT300, 4e3, false },
        { "8 x DSHOT600, 8 kHz", MOTOR_DSHOT600, 8e3, false },
        { "8 x DSHOT600, 8 kHz, with answers", MOTOR_DSHOT600, 8e3, true },
        { "8 x DSHOT1200, 8 kHz", MOTOR_DSHOT1200, 8e3, false },
        { "8 x noise, 250,000 edges/s", MOTOR_UNKNOWN, 250e3, false },
};

#define LINES (sizeof lines / sizeof lines[0])

struct bench {
        uint8_t *samples;
        struct motor_pad pad[MOTOR_PADS_MAX];
        struct motor_edge edge[EDGES];
        uint64_t words;
};

/* One frame, and its answer, of a pad. */
static size_t make_frame(const struct lines *l, uint8_t pad, double start_s,
                         struct rng *rng, struct motor_edge *out)
{
        const struct motor_wave_params p = { .protocol = l->protocol,
                                             .inverted = l->bidirectional,
                                             .tick_hz = TICK_HZ };
        double duty = rng_uniform(rng);
        size_t n;

        if (!motor_protocol_is_dshot(l->protocol))
                return motor_wave_pulse(&p, pad, start_s, duty, NULL, out);
        n = motor_wave_dshot(&p, pad, start_s, motor_wave_value(duty, false), false, NULL,
                             out);
        if (l->bidirectional)
                n += motor_wave_telemetry(
                        &p, pad,
                        start_s + ANSWER_S + 16.0 * motor_protocol_bit_s(l->protocol),
                        0x3f4, NULL, out + n);
        return n;
}

/* Edges at random instants: nothing that could be settled on, so every decoder is at work. */
static void make_noise(double edges_hz, uint8_t *samples)
{
        uint8_t now = 0;
        struct rng rng;

        rng_init(&rng, 1, 0, 0, 0);
        for (size_t i = 0; i < SAMPLES; i++) {
                if (rng_uniform(&rng) * TICK_HZ < MOTOR_PADS_MAX * edges_hz)
                        now ^= (uint8_t)(1 << (int)(8.0 * rng_uniform(&rng)));
                samples[i] = now;
        }
}

/* Pads do not begin at the same instant, so that no two edges come together: the dearest way. */
static void make_samples(const struct lines *l, uint8_t *samples)
{
        const double end_s = (double)SAMPLES / TICK_HZ;
        struct rng rng;

        memset(samples, l->bidirectional ? 0xff : 0, SAMPLES);
        rng_init(&rng, 1, 0, 0, 0);
        for (uint8_t pad = 0; pad < MOTOR_PADS_MAX; pad++) {
                double period_s = 1.0 / l->rate_hz;

                for (double t = 20e-6 + pad * 0.21e-6; t + period_s < end_s;
                     t += period_s) {
                        struct motor_edge edge[MOTOR_WAVE_EDGES];
                        size_t n = make_frame(l, pad, t, &rng, edge);

                        for (size_t i = 0; i < n; i += 2)
                                for (int64_t k = edge[i].tick; k < edge[i + 1].tick; k++)
                                        samples[k] ^= (uint8_t)(1 << pad);
                }
        }
}

static void start_pads(struct bench *b)
{
        const struct motor_pad_params p = { .tick_hz = TICK_HZ };

        b->words = 0;
        for (uint8_t i = 0; i < MOTOR_PADS_MAX; i++)
                motor_pad_init(&b->pad[i], &p, i);
}

static void decode_transfer(struct bench *b, struct motor_edges *edges,
                            const uint8_t *samples, size_t count)
{
        struct motor_word word[MOTOR_PAD_WORDS];

        for (size_t used, at = 0; at < count; at += used) {
                size_t n = motor_edges_find(edges, samples + at, count - at, &used,
                                            b->edge, EDGES);

                for (size_t i = 0; i < n; i++) {
                        const struct motor_edge *e = &b->edge[i];

                        b->words +=
                                motor_pad_edge(&b->pad[e->pad], e->tick, e->level, word);
                }
        }
        for (int i = 0; i < MOTOR_PADS_MAX; i++)
                b->words += motor_pad_quiet(&b->pad[i], edges->tick, word);
}

/* CPU seconds for all samples. */
static double decode(struct bench *b)
{
        struct motor_edges edges = { .mask = 0xff };
        double start_s;

        start_pads(b);
        start_s = bench_cpu_s();
        for (size_t at = 0; at < SAMPLES; at += TRANSFER)
                decode_transfer(b, &edges, b->samples + at,
                                SAMPLES - at < TRANSFER ? SAMPLES - at : TRANSFER);
        return bench_cpu_s() - start_s;
}

/* Looks for a byte transfer by transfer, as decode() does. The byte that these samples hold least. */
static double look_for_a_byte(const struct bench *b, size_t *found)
{
        double start_s = bench_cpu_s();

        for (size_t at = 0; at + TRANSFER <= SAMPLES; at += TRANSFER)
                *found += memchr(b->samples + at, ABSENT_BYTE, TRANSFER) != NULL;
        return bench_cpu_s() - start_s;
}

static uint64_t refused(const struct bench *b)
{
        uint64_t sum = 0;

        for (int i = 0; i < MOTOR_PADS_MAX; i++) {
                const struct motor_pad_counts *c = motor_pad_counted(&b->pad[i]);

                sum += c->damaged + c->odd + c->telemetry_damaged;
        }
        return sum;
}

static void measure(FILE *out, struct bench *b, const struct lines *l)
{
        double times[REPEATS], plain[REPEATS], median;
        const double real_s = (double)SAMPLES / TICK_HZ;
        size_t found = 0;

        if (l->protocol == MOTOR_UNKNOWN)
                make_noise(l->rate_hz, b->samples);
        else
                make_samples(l, b->samples);
        for (int i = 0; i < REPEATS; i++) {
                times[i] = real_s / decode(b);
                plain[i] = real_s / look_for_a_byte(b, &found);
        }
        median = bench_median(times, REPEATS);
        fprintf(out,
                "{\"bench\": \"decode_capture\", \"lines\": \"%s\", \"times_real_time\": "
                "%.1f, \"best_times_real_time\": %.1f, \"samples_per_s\": %.0f, "
                "\"memchr_times_real_time\": %.1f, \"words\": %llu, \"refused\": %llu, "
                "\"tick_hz\": %.0f, \"repeats\": %d, \"found\": %zu, \"clock\": "
                "\"thread_cpu\"}\n",
                l->name, median, times[REPEATS - 1], median * TICK_HZ,
                bench_median(plain, REPEATS), (unsigned long long)b->words,
                (unsigned long long)refused(b), TICK_HZ, REPEATS, found);
}

int bench_capture(FILE *out)
{
        struct bench *b = calloc(1, sizeof *b);

        if (b == NULL || (b->samples = malloc(SAMPLES)) == NULL) {
                fprintf(stderr, "hilrig bench: decode: out of memory\n");
                free(b);
                return -1;
        }
        for (size_t i = 0; i < LINES; i++)
                measure(out, b, &lines[i]);
        free(b->samples);
        free(b);
        return fflush(out) == 0 && !ferror(out) ? 0 : -1;
}
