/* Makes a synthetic recording of motor pads: pad_file OUT.sr RATE_HZ SECONDS SEED PAD...
 * A pad is NUMBER:PROTOCOL:FRAMES_PER_S and then any of :ppm=E (clock error), :jitter=NS (of every
 * edge), :glitches=PER_S:glitch=NS (levels of this length against the signal), :noise=SIGMA (white, as a part of the
 * swing, RMS, on every sample of a signal that is compared with half of the swing), :inverted, :answers (eRPM, and every
 * tenth time temperature). Anything else is refused. Values sweep the range up and down. What each frame says is
 * printed, a line each: PAD START_TICK KIND VALUE, with KIND us, value, stop or erpm-raw. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/motor/wave.h"
#include "io/log/sr_file.h"
#include "models/rng.h"

#define PIECE 65536

struct pad {
        struct motor_wave_params wave;
        uint8_t number;
        double rate_hz, glitches_hz, glitch_s, noise;
        bool answers;
        struct rng rng;
};

struct edges {
        struct motor_edge *edge;
        size_t count, room;
};

static void die(const char *what)
{
        fprintf(stderr, "pad_file: %s\n", what);
        exit(2);
}

static void add(struct edges *e, const struct motor_edge *more, size_t n)
{
        while (e->count + n > e->room) {
                e->room = 2 * e->room + 1024;
                e->edge = realloc(e->edge, e->room * sizeof *e->edge);
                if (e->edge == NULL)
                        die("out of memory");
        }
        memcpy(e->edge + e->count, more, n * sizeof *more);
        e->count += n;
}

static int by_time(const void *a, const void *b)
{
        const struct motor_edge *x = a, *y = b;

        if (x->tick != y->tick)
                return x->tick < y->tick ? -1 : 1;
        return x->pad - y->pad;
}

/* The whole of it is a number, from least on. */
static double number_of(const char *text, double least)
{
        char *end;
        double value = strtod(text, &end);

        if (end == text || *end != '\0' || !(value >= least) || value > 1e12) {
                fprintf(stderr, "pad_file: \"%s\" is no number of %g or more\n", text,
                        least);
                exit(2);
        }
        return value;
}

static bool is_value_of(const char *option, const char *name, double least, double *value)
{
        size_t n = strlen(name);

        if (strncmp(option, name, n) != 0 || option[n] != '=')
                return false;
        *value = number_of(option + n + 1, least);
        return true;
}

static void take_option(struct pad *p, const char *option)
{
        double ns;

        if (strcmp(option, "inverted") == 0) {
                p->wave.inverted = true;
        } else if (strcmp(option, "answers") == 0) {
                p->answers = true;
        } else if (is_value_of(option, "jitter", 0, &ns)) {
                p->wave.jitter_s = ns * 1e-9;
        } else if (is_value_of(option, "glitch", 0, &ns)) {
                p->glitch_s = ns * 1e-9;
        } else if (!is_value_of(option, "ppm", -1e5, &p->wave.clock_error_ppm) &&
                   !is_value_of(option, "glitches", 0, &p->glitches_hz) &&
                   !is_value_of(option, "noise", 0, &p->noise)) {
                fprintf(stderr,
                        "pad_file: \"%s\": must be ppm=, jitter=, glitches=, glitch=, "
                        "noise=, inverted or answers\n",
                        option);
                exit(2);
        }
}

static struct pad parse_pad(char *text, double tick_hz, uint64_t seed)
{
        struct pad p = { .wave = { .tick_hz = tick_hz, .range = { 1000, 2000, false } },
                         .glitch_s = 100e-9 };
        char *number = strtok(text, ":"), *name = strtok(NULL, ":");
        char *rate = strtok(NULL, ":"), *option;

        if (rate == NULL || number[0] < '0' || number[0] >= '0' + MOTOR_PADS_MAX ||
            number[1] != '\0' || !motor_protocol_find(name, &p.wave.protocol) ||
            p.wave.protocol == MOTOR_UNKNOWN)
                die("a pad is NUMBER:PROTOCOL:FRAMES_PER_S[:option]..., its number 0 to "
                    "7");
        p.number = (uint8_t)(number[0] - '0');
        p.rate_hz = number_of(rate, 1e-3);
        rng_init(&p.rng, seed, 0, 77, p.number);
        while ((option = strtok(NULL, ":")) != NULL)
                take_option(&p, option);
        return p;
}

static void answer(struct pad *p, struct edges *e, const double *jitter, double end_s,
                   unsigned n)
{
        struct motor_edge out[MOTOR_WAVE_EDGES];
        /* Extended telemetry has a mantissa without its highest bit: 0x2 is temperature. */
        uint16_t raw = n % 10 == 9 ? (uint16_t)(0x200 | (n / 10 & 0x7F))
                                   : (uint16_t)(0x300 | (n & 0xFF));

        printf("%u %lld answer %u\n", p->number,
               (long long)ceil((end_s + 30e-6) * p->wave.tick_hz), raw);
        add(e, out,
            motor_wave_telemetry(&p->wave, p->number, end_s + 30e-6, raw, jitter, out));
}

static void frame(struct pad *p, struct edges *e, double start_s, unsigned n)
{
        double duty = fabs(fmod(n * 0.0037, 2.0) - 1.0), jitter[MOTOR_WAVE_EDGES];
        bool digital = p->wave.protocol >= MOTOR_PROSHOT1000;
        uint16_t value = motor_wave_value(duty, false);
        struct motor_edge out[MOTOR_WAVE_EDGES];
        size_t count;

        for (int i = 0; i < MOTOR_WAVE_EDGES; i++)
                jitter[i] = 2.0 * rng_uniform(&p->rng) - 1.0;
        if (!digital)
                count = motor_wave_pulse(&p->wave, p->number, start_s, duty, jitter, out);
        else if (p->wave.protocol == MOTOR_PROSHOT1000)
                count = motor_wave_proshot(&p->wave, p->number, start_s, value,
                                           n % 5 == 0, jitter, out);
        else
                count = motor_wave_dshot(&p->wave, p->number, start_s, value, n % 5 == 0,
                                         jitter, out);
        if (count == 0)
                die("too few samples a second for this protocol");
        add(e, out, count);
        printf("%u %lld %s %g\n", p->number, (long long)out[0].tick,
               digital ? "value" : "duty", digital ? value : duty);
        if (p->answers)
                answer(p, e, jitter, (double)out[count - 1].tick / p->wave.tick_hz, n);
}

/* Levels against the signal, at random. */
static void disturb(struct pad *p, uint8_t *samples, size_t count)
{
        double mean = p->glitches_hz / p->wave.tick_hz * (double)count;
        size_t width = (size_t)fmax(1.0, p->glitch_s * p->wave.tick_hz);

        for (double left = mean; left > 0.0; left -= 1.0) {
                size_t at = (size_t)(rng_uniform(&p->rng) * (double)(count - width));

                if (rng_uniform(&p->rng) < left)
                        for (size_t i = 0; i < width; i++)
                                samples[at + i] ^= (uint8_t)(1U << p->number);
        }
}

/* White noise: a sample is wrong where it exceeds half of the swing, each by itself, so that the distance to the next
 * one is geometric. */
static void add_noise(struct pad *p, uint8_t *samples, size_t count)
{
        double wrong = 0.5 * erfc(0.5 / p->noise / sqrt(2.0));
        double at = 0.0;

        if (wrong <= 0.0)
                return;
        for (;;) {
                at += floor(log1p(-rng_uniform(&p->rng)) / log1p(-wrong));
                if (at >= (double)count)
                        return;
                samples[(size_t)at] ^= (uint8_t)(1U << p->number);
                at += 1.0;
        }
}

static void write_all(const char *path, struct pad *pads, int n, struct edges *e,
                      double tick_hz, int64_t ticks)
{
        struct sr_info info = { .rate_hz = tick_hz, .pads = MOTOR_PADS_MAX };
        uint8_t levels[MOTOR_PADS_MAX] = { 0 }, samples[PIECE];
        struct link_error why;
        struct sr_writer *w = sr_create(path, &info, &why);
        size_t used = 0;

        if (w == NULL)
                die(why.text);
        for (int i = 0; i < n; i++)
                levels[pads[i].number] = pads[i].wave.inverted;
        for (int64_t at = 0; at < ticks; at += PIECE) {
                size_t count = ticks - at < PIECE ? (size_t)(ticks - at) : PIECE;

                used += motor_wave_samples(e->edge + used, e->count - used, at, count,
                                           levels, samples);
                for (int i = 0; i < n; i++) {
                        if (pads[i].glitches_hz > 0.0)
                                disturb(&pads[i], samples, count);
                        if (pads[i].noise > 0.0)
                                add_noise(&pads[i], samples, count);
                }
                if (!sr_write(w, samples, count, &why))
                        die(why.text);
        }
        if (!sr_finish(w, &why))
                die(why.text);
}

int main(int argc, char **argv)
{
        struct pad pads[MOTOR_PADS_MAX];
        struct edges e = { 0 };
        double tick_hz, seconds;
        int n = 0;

        if (argc < 6 || argc > 5 + MOTOR_PADS_MAX)
                die("OUT.sr RATE_HZ SECONDS SEED PAD...");
        tick_hz = number_of(argv[2], 1);
        seconds = number_of(argv[3], 0);
        for (int i = 5; i < argc; i++)
                pads[n++] = parse_pad(argv[i], tick_hz, strtoull(argv[4], NULL, 10));
        for (int i = 0; i < n; i++) {
                double period_s = 1.0 / pads[i].rate_hz;
                unsigned count = (unsigned)((seconds - 2.0 * period_s) / period_s);

                for (unsigned k = 0; k < count; k++)
                        frame(&pads[i], &e, (k + 0.5) * period_s, k);
        }
        if (e.count > 0)
                qsort(e.edge, e.count, sizeof *e.edge, by_time);
        write_all(argv[1], pads, n, &e, tick_hz, llround(seconds * tick_hz));
        free(e.edge);
        return 0;
}
