/* How well DShot is read: a million frames of each rate, at the lowest sample rate that is clean and
 * at 24 MHz, with jitter up to a bound, clocks that are off, and the duties of several firmwares;
 * half of them bidirectional with an ESC's answer. Then, from which jitter on frames are refused,
 * and from which on one is read wrong. Simulated time: the host's speed does not count. */
#include <math.h>
#include <string.h>

#include "hil/bench/bench.h"
#include "io/motor/pad.h"
#include "io/motor/wave.h"
#include "models/rng.h"

#define FRAMES       1000000
#define SWEEP_FRAMES 50000
#define SWEEP_STEP   0.0125 /* bits */
#define SWEEP_END    0.25
#define CLOCK_ERROR  0.02
#define ANSWER_S     30e-6
#define SPACING_S    50e-6 /* behind an answer */

/* The bounds that are claimed, in bits. */
#define JITTER_LOWEST 0.0125
#define JITTER_24MHZ  0.05

static const struct {
        double zero, one;
} duties[] = { { 0.375, 0.75 }, { 0.35, 0.70 }, { 1.0 / 3.0, 2.0 / 3.0 } };

struct tally {
        uint64_t frames, wrong, refused;
        uint64_t answers, answers_wrong, answers_refused;
};

struct bench {
        struct motor_wave_params wave;
        double bit_s, now_s;
        struct rng rng;
        struct motor_pad pad[2]; /* normal, bidirectional */
        struct tally tally;
};

static void start(struct bench *b, enum motor_protocol protocol, double tick_hz,
                  double jitter_bits)
{
        const struct motor_pad_params p = { .tick_hz = tick_hz };
        struct motor_word word[MOTOR_PAD_WORDS];

        memset(b, 0, sizeof *b);
        b->bit_s = motor_protocol_bit_s(protocol);
        b->wave.protocol = protocol;
        b->wave.tick_hz = tick_hz;
        b->wave.jitter_s = jitter_bits * b->bit_s;
        b->now_s = SPACING_S;
        rng_init(&b->rng, 1, (uint32_t)protocol, 0, 0);
        for (uint8_t i = 0; i < 2; i++) {
                motor_pad_init(&b->pad[i], &p, i);
                motor_pad_quiet(&b->pad[i], 0, word);
        }
}

static double even(struct bench *b)
{
        return 2.0 * rng_uniform(&b->rng) - 1.0;
}

/* An FC's frame or an ESC's answer goes over the wire; what is read of it, if anything. */
static const struct motor_word *transmit(struct bench *b, struct motor_pad *pad,
                                         const struct motor_edge *edge, size_t count,
                                         struct motor_word *word)
{
        double silence_s = 4.0 * b->bit_s;
        size_t n = 0;

        for (size_t i = 0; i < count; i++)
                n += motor_pad_edge(pad, edge[i].tick, edge[i].level, word + n);
        b->now_s = (double)edge[count - 1].tick / b->wave.tick_hz + silence_s;
        n += motor_pad_quiet(pad, (int64_t)(b->now_s * b->wave.tick_hz), word + n);
        return n > 0 ? &word[n - 1] : NULL;
}

static void send_answer(struct bench *b, struct motor_pad *pad, const double *jitter)
{
        struct motor_word word[2 * MOTOR_PAD_WORDS];
        struct motor_edge edge[MOTOR_WAVE_EDGES];
        uint16_t raw12 = (uint16_t)(1 + rng_uniform(&b->rng) * 4094.0);
        size_t n = motor_wave_telemetry(&b->wave, 0, b->now_s + ANSWER_S - 4.0 * b->bit_s,
                                        raw12, jitter, edge);
        const struct motor_word *w = transmit(b, pad, edge, n, word);
        bool good = w != NULL && (w->kind == MOTOR_ERPM || w->kind == MOTOR_EXTENDED);

        b->tally.answers++;
        b->tally.answers_refused += !good;
        b->tally.answers_wrong += good && w->raw != raw12;
}

static void send_frame(struct bench *b)
{
        struct motor_word word[2 * MOTOR_PAD_WORDS];
        struct motor_edge edge[MOTOR_WAVE_EDGES];
        double jitter[MOTOR_WAVE_EDGES];
        uint16_t value = (uint16_t)(rng_uniform(&b->rng) * 2048.0);
        bool telemetry = rng_uniform(&b->rng) < 0.5;
        size_t duty = (size_t)(rng_uniform(&b->rng) * 3.0), n;
        const struct motor_word *w;
        struct motor_pad *pad;
        bool good;

        b->wave.inverted = b->tally.frames % 2 != 0;
        b->wave.clock_error_ppm = 1e6 * CLOCK_ERROR * even(b);
        b->wave.high_zero = duties[duty].zero;
        b->wave.high_one = duties[duty].one;
        b->now_s += SPACING_S + rng_uniform(&b->rng) * b->bit_s;
        pad = &b->pad[b->wave.inverted];
        for (int i = 0; i < MOTOR_WAVE_EDGES; i++)
                jitter[i] = even(b);
        n = motor_wave_dshot(&b->wave, 0, b->now_s, value, telemetry, jitter, edge);
        w = transmit(b, pad, edge, n, word);
        good = w != NULL && w->kind != MOTOR_DAMAGED;
        b->tally.frames++;
        b->tally.refused += !good;
        b->tally.wrong += good && (w->value != value || w->telemetry != telemetry);
        if (b->wave.inverted)
                send_answer(b, pad, jitter + 32);
}

/* Without those that a pad takes to be recognised. */
static const struct tally *run(struct bench *b, enum motor_protocol protocol,
                               double tick_hz, double jitter_bits, uint64_t frames)
{
        start(b, protocol, tick_hz, 0.0);
        while (motor_pad_protocol(&b->pad[0]) != protocol ||
               motor_pad_protocol(&b->pad[1]) != protocol) {
                send_frame(b);
                if (b->tally.frames > 100)
                        break;
        }
        b->wave.jitter_s = jitter_bits * b->bit_s;
        memset(&b->tally, 0, sizeof b->tally);
        while (b->tally.frames < frames)
                send_frame(b);
        return &b->tally;
}

/* A number, or null where there is none. */
static void print_bits(FILE *out, const char *key, double bits)
{
        if (bits > 0.0)
                fprintf(out, ", \"%s\": %.4f", key, bits);
        else
                fprintf(out, ", \"%s\": null", key);
}

static void sweep(FILE *out, enum motor_protocol protocol, double tick_hz)
{
        double refused_from = 0.0, wrong_from = 0.0, refused_there = 0.0;
        struct bench b;

        for (int i = 1; i * SWEEP_STEP <= SWEEP_END && wrong_from == 0.0; i++) {
                double jitter = i * SWEEP_STEP;
                const struct tally *t = run(&b, protocol, tick_hz, jitter, SWEEP_FRAMES);

                if (t->refused + t->answers_refused > 0 && refused_from == 0.0)
                        refused_from = jitter;
                if (t->wrong + t->answers_wrong > 0) {
                        wrong_from = jitter;
                        refused_there = (double)t->refused / (double)t->frames;
                }
        }
        print_bits(out, "refused_from_bits", refused_from);
        print_bits(out, "wrong_from_bits", wrong_from);
        fprintf(out, ", \"refused_share_there\": %.3f}\n", refused_there);
}

static void measure(FILE *out, enum motor_protocol protocol, double tick_hz,
                    double jitter_bits)
{
        struct bench b;
        const struct tally *t = run(&b, protocol, tick_hz, jitter_bits, FRAMES);

        fprintf(out,
                "{\"bench\": \"motor_frames\", \"protocol\": \"%s\", \"tick_hz\": %.0f, "
                "\"samples_per_bit\": %.2f, \"clock_error\": %g, \"jitter_bits\": %g, "
                "\"jitter_ns\": %.1f, \"frames\": %llu, \"wrong\": %llu, \"refused\": "
                "%llu, "
                "\"answers\": %llu, \"answers_wrong\": %llu, \"answers_refused\": %llu",
                motor_protocol_name(protocol), tick_hz, b.bit_s * tick_hz, CLOCK_ERROR,
                jitter_bits, 1e9 * jitter_bits * b.bit_s, (unsigned long long)t->frames,
                (unsigned long long)t->wrong, (unsigned long long)t->refused,
                (unsigned long long)t->answers, (unsigned long long)t->answers_wrong,
                (unsigned long long)t->answers_refused);
        sweep(out, protocol, tick_hz);
        fflush(out);
}

int bench_motor_frames(FILE *out)
{
        for (int i = MOTOR_DSHOT150; i <= MOTOR_DSHOT1200; i++) {
                enum motor_protocol protocol = (enum motor_protocol)i;

                measure(out, protocol, motor_protocol_clean_hz(protocol), JITTER_LOWEST);
                measure(out, protocol, 24e6, JITTER_24MHZ);
        }
        return ferror(out) ? -1 : 0;
}
