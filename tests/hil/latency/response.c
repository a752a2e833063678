/* Frequency response, delay and margins against systems whose answer is known in closed form. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/latency/response.h"
#include "io/codec/codec.h"
#include "tests/boards/virtual_fc.h"
#include "tests/suites.h"

#define PERIOD_NS 1000000
#define PERIOD_S  1e-3
#define GYRO_LSB  (0.01745329251994330 / 16.4) /* MPU-6000 at 2000 deg/s: 16.4 per deg/s */

/* A maximum-length sequence by a shift register of our own: +-1. */
struct chips {
        unsigned state;
        int bits, tap; /* x^bits + x^tap + 1 is primitive */
};

static double next_chip(struct chips *c)
{
        unsigned bit = (c->state >> (c->bits - 1) ^ c->state >> (c->tap - 1)) & 1U;

        c->state = (c->state << 1 | bit) & ((1U << c->bits) - 1U);
        return bit ? 1.0 : -1.0;
}

/* Sum of 12 uniform numbers, less 6: near enough to a normal one. */
static double noise(uint64_t *state)
{
        double sum = -6.0;

        for (int i = 0; i < 12; i++) {
                *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
                sum += (double)(*state >> 11) * 0x1p-53;
        }
        return sum;
}

struct bench {
        struct wave r, u, y;
        struct response response;
        struct codec *rig;
        struct fc_report heard;
        struct virtual_fc fc;
};

static void bench_end(struct bench *b)
{
        wave_free(&b->r);
        wave_free(&b->u);
        wave_free(&b->y);
        response_free(&b->response);
        if (b->rig != NULL)
                b->rig->ops->destroy(b->rig);
}

static void to_rig(struct bench *b, const uint8_t *bytes, size_t len)
{
        while (len > 0) {
                size_t n = b->rig->ops->decode(b->rig, 0, 0, bytes, len, &b->heard);

                bytes += n;
                len -= n;
        }
}

static void deliver(struct bench *b, struct packets *out)
{
        static uint8_t back[64 * HILP_FRAME_MAX];

        for (int i = 0; i < out->count; i++)
                to_rig(b, back,
                       virtual_fc_receive(&b->fc, out->packet[i].bytes,
                                          out->packet[i].len, 0, back, sizeof back));
        out->count = 0;
}

static void bench_begin(struct bench *b, int64_t delay_ns, double corner_hz)
{
        static const struct codec_setup setup = {
                .lockstep = true,
                .period_ns = PERIOD_NS,
                .sensor_period_ns = { [SENSOR_IMU] = PERIOD_NS },
                .sensor_lsb = { 4.79e-3 },
                .gyro_lsb_radps = GYRO_LSB,
                .rotors = 4,
                .motor_order = { 0, 1, 2, 3 },
        };
        struct packets out = { .count = 0 };

        memset(b, 0, sizeof *b);
        virtual_fc_init(&b->fc, delay_ns, corner_hz);
        b->rig = codec_create("hilp", &setup);
        ck_assert_ptr_nonnull(b->rig);
        b->rig->ops->poll(b->rig, 0, &out);
        deliver(b, &out);
        b->rig->ops->poll(b->rig, 0, &out);
        deliver(b, &out);
        ck_assert_int_gt(b->rig->ops->frame_every(b->rig), 0);
}

/* One tick through both ends of the protocol; the answer acts from this tick on. */
static void bench_tick(struct bench *b, uint32_t number, double r, double gyro)
{
        struct sensor_frame frame = { .t_ns = (int64_t)number * PERIOD_NS,
                                      .fresh = SENSOR_BIT(SENSOR_IMU) };
        double t_s = number * PERIOD_S;
        const double *duty = b->heard.motors.duty;
        struct packets out = { .count = 0 };

        gyro = GYRO_LSB * round(gyro / GYRO_LSB);
        frame.imu.t_ns = frame.t_ns;
        frame.imu.gyro_body_radps.x = gyro;
        b->rig->ops->encode(b->rig, number, 0, &frame, NULL, &out);
        deliver(b, &out);
        ck_assert(wave_add(&b->r, t_s, r) && wave_add(&b->u, t_s, gyro) &&
                  wave_add(&b->y, t_s, duty[3] - duty[1]));
}

#define CHIPS   63
#define REPEATS 100

/* 5 deg/s of 63 chips, a hundred times, on a gyroscope with the noise of an MPU-6000: 0.005 deg/s per
 * root hertz (data sheet, 6.1), 0.11 deg/s in the band of 500 Hz. */
static void measure(struct bench *b, int64_t delay_ns, double corner_hz)
{
        struct chips chips = { .state = 1, .bits = 6, .tap = 5 };
        uint64_t seed = (uint64_t)delay_ns + 1;

        bench_begin(b, delay_ns, corner_hz);
        for (uint32_t n = 0; n < CHIPS * (REPEATS + 2); n++) {
                double r = 5.0 * M_PI / 180.0 * next_chip(&chips);

                bench_tick(b, n, r, r + 0.11 * M_PI / 180.0 * noise(&seed));
        }
        ck_assert(response_begin(&b->response, CHIPS / 2, CHIPS * PERIOD_S,
                                 RESPONSE_WHOLE));
        for (int i = 1; i <= REPEATS; i++)
                ck_assert(response_add(&b->response, &b->r, &b->u, &b->y,
                                       i * CHIPS * PERIOD_S));
}

static const double planted_ms[] = { 0.1, 0.25, 1.0, 3.7, 20.0 };
static const double corners_hz[] = { 20.0, 80.0, 200.0 };
#define PLANTED (sizeof planted_ms / sizeof planted_ms[0])
#define CORNERS (sizeof corners_hz / sizeof corners_hz[0])

TEST_EACH(planted_delay_behind_a_known_lag_is_found_within_20_us, PLANTED *CORNERS)
{
        double delay_s = planted_ms[_i % (int)PLANTED] * 1e-3;
        struct response_model model = { FILTER_LAG, corners_hz[_i / (int)PLANTED],
                                        PERIOD_S, 0.0 };
        struct response_delay found;
        struct bench b;

        measure(&b, llround(delay_s * 1e9), model.corner_hz);
        ck_assert(response_fit_jackknife(&b.response, &model, 0.04, &found));
        ck_assert_double_eq_tol(found.s, delay_s, 20e-6);
        ck_assert_double_le(found.se_s, 5e-6);
        ck_assert_double_eq_tol(found.gain, 2.0 * b.fc.duty_per_radps, 1e-3);
        bench_end(&b);
}

TEST_EACH(without_a_filter_whole_samples_are_found_in_all_three_ways, 6)
{
        struct response_model model = { FILTER_NONE, 0.0, PERIOD_S, 0.0 };
        struct response_estimate e;
        struct response_delay fit, peak, slope;
        struct bench b;

        measure(&b, _i * 1000000, 0.0);
        ck_assert(response_estimate(&b.response, 0, 0, &e));
        ck_assert(response_fit(&e, &model, 0.03, &fit));
        ck_assert(response_peak(&e, 0.03, &peak));
        ck_assert(response_slope(&e, peak.s, &slope));
        ck_assert_double_eq_tol(fit.s, _i * 1e-3, 2e-6);
        ck_assert_double_eq_tol(peak.s, _i * 1e-3, 2e-6);
        ck_assert_double_eq_tol(slope.s, _i * 1e-3, 2e-6);
        bench_end(&b);
}

/* Every third line unheard, and 29 ms: the phase turns by 5.8 rad over the gap, with noise on top. */
TEST_EACH(slope_does_not_slip_by_a_turn_at_a_long_delay, 30)
{
        struct response_estimate e = { .lines = 31, .segments = 200 };
        struct response_delay peak, slope;
        uint64_t seed = 11 + (uint64_t)_i;
        double delay_s = 1e-3 * (_i + 1);

        for (int k = 0; k < e.lines; k++) {
                double hz = (k + 1) / (CHIPS * PERIOD_S);

                e.line[k] = (struct response_line){
                        .hz = hz,
                        .gain = cexp(-I *
                                     (2.0 * M_PI * hz * delay_s + 0.1 * noise(&seed))),
                        .coherence = k % 3 == 1 ? 0.2 : 0.9,
                };
        }
        ck_assert(response_peak(&e, 0.5 * CHIPS * PERIOD_S, &peak));
        ck_assert(response_slope(&e, peak.s, &slope));
        ck_assert_double_eq_tol(peak.s, delay_s, 0.1e-3);
        /* 0.1 rad on 21 lines that spread over 500 Hz: 24 us. */
        ck_assert_double_eq_tol(slope.s, delay_s, 0.1e-3);
}

/* Between samples nothing can be told: the delay is rounded up to the next one. */
TEST(without_a_filter_a_fraction_of_a_sample_counts_as_a_whole_one)
{
        struct response_model model = { FILTER_NONE, 0.0, PERIOD_S, 0.0 };
        struct response_estimate e;
        struct response_delay fit;
        struct bench b;

        measure(&b, 3700000, 0.0);
        ck_assert(response_estimate(&b.response, 0, 0, &e));
        ck_assert(response_fit(&e, &model, 0.03, &fit));
        ck_assert_double_eq_tol(fit.s, 4e-3, 2e-6);
        bench_end(&b);
}

/* The held lag of a whole number of samples is the firmware's filter of one sample more. */
TEST(models_of_a_lag_differ_by_one_sample)
{
        struct response_model held = { FILTER_LAG, 90.0, PERIOD_S, 0.0 };
        struct response_model pt1 = { FILTER_PT1, 90.0, PERIOD_S, 0.0 };

        for (double hz = 1.0; hz < 500.0; hz *= 1.7)
                ck_assert_double_le(cabs(response_model_at(&held, 4e-3, hz) -
                                         response_model_at(&pt1, 5e-3, hz)),
                                    1e-12);
}

/* The tables of filters at their corner: 3 dB, and 6 dB for two in a row. */
TEST(filters_are_down_at_their_corner_as_their_kind_is)
{
        struct response_model m = { FILTER_BIQUAD, 50.0, 1e-4, 0.0 };

        ck_assert_double_eq_tol(cabs(response_model_at(&m, 0.0, 50.0)), M_SQRT1_2, 1e-12);
        m.filter = FILTER_PT1;
        ck_assert_double_eq_tol(cabs(response_model_at(&m, 0.0, 50.0)), M_SQRT1_2, 1e-3);
        m.filter = FILTER_PT2;
        ck_assert_double_eq_tol(cabs(response_model_at(&m, 0.0, 50.0)), 0.5, 1e-3);
        for (int i = 0; i < FILTER_COUNT; i++) {
                m.filter = (enum response_filter)i;
                ck_assert_double_eq_tol(cabs(response_model_at(&m, 2e-3, 1e-6)), 1.0,
                                        1e-9);
        }
}

TEST(filters_are_told_by_name_and_corner)
{
        static const char *const wrong[] = { "",       "lag",     "lag:",     "lag:0",
                                             "lag:-1", "lag:inf", "none:80",  "pt3:80",
                                             "la:80",  "pt1:80x", "biquad:x", "LAG:80" };
        struct response_model m = { 0 };

        ck_assert(response_model_parse(&m, "pt2:92.5"));
        ck_assert_int_eq(m.filter, FILTER_PT2);
        ck_assert_double_eq(m.corner_hz, 92.5);
        ck_assert(response_model_parse(&m, "none"));
        ck_assert_int_eq(m.filter, FILTER_NONE);
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
                ck_assert_msg(!response_model_parse(&m, wrong[i]), "%s", wrong[i]);
}

/* With as much noise in y as stimulus, coherence is 1 / (1 + 1), and with q times, 1 / (1 + q^2); its mean
 * over lines is too large by (1 - coherence)^2 / segments (Bendat and Piersol, Random Data, 9.2.3). */
TEST_EACH(coherence_falls_with_noise_as_theory_says, 4)
{
        static const double ratio[] = { 0.25, 0.5, 1.0, 2.0 };
        struct chips chips = { .state = 1, .bits = 6, .tap = 5 };
        struct response_estimate e;
        struct bench b = { 0 };
        double q = ratio[_i], wanted = 1.0 / (1.0 + q * q), sum = 0.0;
        uint64_t seed = 5;

        for (int n = 0; n < CHIPS * 400; n++) {
                double r = next_chip(&chips), t_s = n * PERIOD_S;

                ck_assert(wave_add(&b.r, t_s, r) && wave_add(&b.u, t_s, r) &&
                          wave_add(&b.y, t_s, r + q * noise(&seed)));
        }
        ck_assert(
                response_begin(&b.response, CHIPS / 2, CHIPS * PERIOD_S, RESPONSE_WHOLE));
        for (int i = 0; i < 400; i++)
                ck_assert(response_add(&b.response, &b.r, &b.u, &b.y,
                                       i * CHIPS * PERIOD_S));
        ck_assert(response_estimate(&b.response, 0, 0, &e));
        for (int k = 0; k < e.lines; k++)
                sum += e.line[k].coherence / e.lines;
        ck_assert_double_eq_tol(sum, wanted + (1 - wanted) * (1 - wanted) / 400, 0.012);
        bench_end(&b);
}

/* L = gain exp(-s delay) / (s (1 + s lag)), the plant's input held for a sample, sampled. */
struct loop {
        double gain, lag_s;
        int delay; /* samples */
        double line[64], fast, slow;
        int at;
};

static double loop_output(const struct loop *l)
{
        return l->slow;
}

/* Exact for a held input: the lag, then the integral of what it gives. */
static void loop_step(struct loop *l, double input)
{
        double in = l->line[l->at];
        double reached = -expm1(-PERIOD_S / l->lag_s);

        l->line[l->at] = l->gain * input;
        l->at = (l->at + 1) % l->delay;
        l->slow += in * PERIOD_S + (l->fast - in) * l->lag_s * reached;
        l->fast += reached * (in - l->fast);
}

static double complex loop_at(const struct loop *l, double hz)
{
        double complex s = I * 2.0 * M_PI * hz;
        double half = M_PI * hz * PERIOD_S;

        /* The hold: sin(x)/x and half a sample; what it mirrors from beyond 1 kHz is nothing here. */
        return l->gain * cexp(-s * (l->delay * PERIOD_S)) / (s * (1.0 + s * l->lag_s)) *
               (sin(half) / half) * cexp(-I * half);
}

static double bisect(const struct loop *l, bool phase, double low, double high)
{
        for (int i = 0; i < 60; i++) {
                double hz = 0.5 * (low + high);
                double complex at = loop_at(l, hz);
                bool above = phase ? carg(-at) < M_PI && carg(-at) > 0.0 : cabs(at) > 1.0;

                *(above ? &low : &high) = hz;
        }
        return 0.5 * (low + high);
}

/* Closes the loop over `output`, disturbed from outside, with the stimulus added to what is fed back. */
static void fly(struct bench *b, struct loop *l, double disturbance, int repeats)
{
        struct chips chips = { .state = 1, .bits = 9, .tap = 5 };
        double r = 0.0, hum = 0.0;
        uint64_t seed = 3;
        int period = 511 * 10;

        memset(b, 0, sizeof *b);
        for (int n = 0; n < period * (repeats + 1); n++) {
                double u;

                if (n % 10 == 0)
                        r = next_chip(&chips);
                hum += 0.05 * (disturbance * noise(&seed) - hum);
                u = r + hum - loop_output(l);
                ck_assert(wave_add(&b->r, n * PERIOD_S, r) &&
                          wave_add(&b->u, n * PERIOD_S, u) &&
                          wave_add(&b->y, n * PERIOD_S, loop_output(l) - hum));
                loop_step(l, u);
        }
        ck_assert(response_begin(&b->response, 255, period * PERIOD_S, RESPONSE_WHOLE));
        for (int i = 1; i <= repeats; i++)
                ck_assert(response_add(&b->response, &b->r, &b->u, &b->y,
                                       i * period * PERIOD_S));
}

static const struct loop loops[] = {
        { .gain = 12.0, .lag_s = 0.02, .delay = 8 },
        { .gain = 25.0, .lag_s = 0.01, .delay = 4 },
        { .gain = 6.0, .lag_s = 0.05, .delay = 20 },
};

TEST_EACH(margins_of_a_known_loop_are_found, 3)
{
        struct loop l = loops[_i];
        double crossover_hz = bisect(&l, false, 0.01, 50.0);
        double turn_hz = bisect(&l, true, crossover_hz, 8.0 * crossover_hz);
        double margin_deg = 180.0 / M_PI * carg(-loop_at(&l, crossover_hz));
        struct response_margins m;
        struct bench b;

        fly(&b, &l, 0.1, 20);
        ck_assert(response_margins_jackknife(&b.response, &m));
        ck_assert(m.crosses && m.turns);
        ck_assert_double_eq_tol(m.crossover_hz, crossover_hz, 0.02 * crossover_hz);
        ck_assert_double_eq_tol(m.phase_margin_deg, margin_deg, 1.0);
        ck_assert_double_eq_tol(m.turn_hz, turn_hz, 0.03 * turn_hz);
        ck_assert_double_eq_tol(m.gain_margin_db,
                                -20.0 * log10(cabs(loop_at(&l, turn_hz))), 0.4);
        ck_assert_double_eq_tol(m.delay_margin_s, margin_deg / 360.0 / crossover_hz,
                                0.05 * m.delay_margin_s);
        ck_assert_double_le(m.phase_margin_se_deg, 1.0);
        /* The crossover scatters less than the phase does. */
        ck_assert_double_eq_tol(m.delay_margin_se_s,
                                m.phase_margin_se_deg / 360.0 / crossover_hz,
                                0.5 * m.delay_margin_se_s);
        bench_end(&b);
}

/* With ten times the disturbance the plain quotient S_yu / S_uu goes towards the inverse of the feedback, -1; the one with the
 * stimulus stays at the loop. */
TEST(noise_in_the_loop_does_not_bias_its_gain)
{
        struct loop l = loops[0];
        struct response_estimate e;
        double worst = 0.0, plain = 0.0;
        struct bench b;

        fly(&b, &l, 12.0, 60);
        ck_assert(response_estimate(&b.response, 0, 0, &e));
        for (int k = 2; k < 40; k++) {
                const struct response_line *line = &e.line[k];
                double complex yu = 0.0, wanted = loop_at(&l, line->hz);
                double uu = 0.0;

                for (int i = 0; i < b.response.segments; i++) {
                        size_t at = (size_t)(i * b.response.lines + k);

                        yu += b.response.y[at] * conj(b.response.u[at]);
                        uu += creal(b.response.u[at] * conj(b.response.u[at]));
                }
                worst += cabs(line->loop - wanted) / sqrt(line->loop_variance) / 38;
                plain += cabs(yu / uu - wanted) / sqrt(line->loop_variance) / 38;
                ck_assert_double_le(cabs(line->gain - line->loop), 1e-6);
        }
        /* Mean of a Rayleigh deviate with E z^2 = 1: sqrt(pi) / 2. */
        ck_assert_double_eq_tol(worst, 0.886, 0.25);
        ck_assert_double_ge(plain, 1.8);
        bench_end(&b);
}

/* A chirp is no period: Hann's window, and segments that overlap by three quarters. */
TEST(chirp_gives_the_same_response_by_welch)
{
        struct response_model model = { FILTER_LAG, 40.0, PERIOD_S, 0.0 };
        struct response_estimate e;
        struct bench b;

        bench_begin(&b, 2500000, model.corner_hz);
        for (uint32_t n = 0; n < 40000; n++) {
                double t_s = n * PERIOD_S;
                double phase = 2.0 * M_PI * (2.0 * t_s + 0.5 * 2.45 * t_s * t_s);

                bench_tick(&b, n, 0.1 * sin(phase), 0.1 * sin(phase));
        }
        ck_assert(response_begin(&b.response, 160, 2.0, RESPONSE_HANN));
        for (double at_s = 0.0; at_s < 38.0; at_s += 0.5)
                ck_assert(response_add(&b.response, &b.r, &b.u, &b.y, at_s));
        ck_assert(response_estimate(&b.response, 0, 0, &e));
        ck_assert_int_gt(e.lines, 140);
        for (int k = 12; k < e.lines; k++) {
                double complex wanted = 2.0 * b.fc.duty_per_radps *
                                        response_model_at(&model, 2.5e-3, e.line[k].hz);

                ck_assert_double_le(cabs(e.line[k].gain - wanted), 0.01 * cabs(wanted));
        }
        bench_end(&b);
}

/* Every tenth repetition answers half a sample later: its shift says so. */
TEST(shift_of_one_repetition_is_found)
{
        struct chips chips = { .state = 1, .bits = 6, .tap = 5 };
        struct response_estimate e;
        struct bench b = { 0 };
        uint64_t seed = 9;

        for (int n = 0; n < CHIPS * 101; n++) {
                int segment = n / CHIPS - 1;
                double late_s = segment % 10 == 0 ? 0.5e-3 : 0.0;
                double r = next_chip(&chips), t_s = n * PERIOD_S;

                ck_assert(wave_add(&b.r, t_s, r) && wave_add(&b.u, t_s, r) &&
                          wave_add(&b.y, t_s + 2e-3 + late_s, r + 0.02 * noise(&seed)));
        }
        ck_assert(
                response_begin(&b.response, CHIPS / 2, CHIPS * PERIOD_S, RESPONSE_WHOLE));
        for (int i = 1; i <= 100; i++)
                ck_assert(response_add(&b.response, &b.r, &b.u, &b.y,
                                       i * CHIPS * PERIOD_S + 3e-3));
        ck_assert(response_estimate(&b.response, 0, 0, &e));
        for (int i = 0; i < 100; i++) {
                double shift_s, se_s;

                ck_assert(response_shift(&b.response, &e, i, 0.02, &shift_s, &se_s));
                /* A tenth of them is later, so the average is later, too. */
                ck_assert_double_eq_tol(shift_s, i % 10 == 0 ? 0.45e-3 : -0.05e-3, 60e-6);
                ck_assert_double_le(se_s, 100e-6);
        }
        bench_end(&b);
}

/* Noise that is alike at all times: over 20 seeds of 200 repetitions the shifts scatter by their standard error. 4000 of
 * them know their own standard deviation to 1.1 %. */
TEST(shifts_scatter_by_their_standard_error)
{
        double scatter = 0.0, stated = 0.0;

        for (uint64_t trial = 1; trial <= 20; trial++) {
                struct chips chips = { .state = 1, .bits = 6, .tap = 5 };
                struct response_estimate e;
                struct bench b = { 0 };
                uint64_t seed = trial;

                for (int n = 0; n < CHIPS * 200; n++) {
                        double r = next_chip(&chips), t_s = n * PERIOD_S;

                        ck_assert(wave_add(&b.r, t_s, r) && wave_add(&b.u, t_s, r) &&
                                  wave_add(&b.y, t_s, r + 0.2 * noise(&seed)));
                }
                ck_assert(response_begin(&b.response, CHIPS / 2, CHIPS * PERIOD_S,
                                         RESPONSE_WHOLE));
                for (int i = 0; i < 200; i++)
                        ck_assert(response_add(&b.response, &b.r, &b.u, &b.y,
                                               i * CHIPS * PERIOD_S));
                ck_assert(response_estimate(&b.response, 0, 0, &e));
                for (int i = 0; i < 200; i++) {
                        double shift_s, se_s;

                        ck_assert(response_shift(&b.response, &e, i, 0.02, &shift_s,
                                                 &se_s));
                        scatter += shift_s * shift_s;
                        stated += se_s * se_s;
                }
                bench_end(&b);
        }
        ck_assert_double_eq_tol(sqrt(scatter / stated), 1.0, 0.05);
}

TEST(repetition_without_an_answer_has_no_shift)
{
        struct chips chips = { .state = 1, .bits = 6, .tap = 5 };
        struct response_estimate e;
        struct bench b = { 0 };
        double shift_s, se_s;

        for (int n = 0; n < CHIPS * 22; n++) {
                double r = next_chip(&chips), t_s = n * PERIOD_S;
                bool dead = n / CHIPS == 11;

                ck_assert(wave_add(&b.r, t_s, r) && wave_add(&b.u, t_s, r) &&
                          wave_add(&b.y, t_s, dead ? 0.0 : r));
        }
        ck_assert(
                response_begin(&b.response, CHIPS / 2, CHIPS * PERIOD_S, RESPONSE_WHOLE));
        for (int i = 0; i < 20; i++)
                ck_assert(response_add(&b.response, &b.r, &b.u, &b.y,
                                       (i + 1) * CHIPS * PERIOD_S));
        ck_assert(response_estimate(&b.response, 0, 0, &e));
        ck_assert(response_shift(&b.response, &e, 3, 0.02, &shift_s, &se_s));
        ck_assert(!response_shift(&b.response, &e, 10, 0.02, &shift_s, &se_s));
        bench_end(&b);
}

TEST(without_a_stimulus_there_is_no_response)
{
        struct response_estimate e;
        struct bench b = { 0 };

        ck_assert(!response_begin(&b.response, 0, 1.0, RESPONSE_WHOLE));
        ck_assert(!response_begin(&b.response, RESPONSE_LINES_MAX + 1, 1.0,
                                  RESPONSE_WHOLE));
        ck_assert(response_begin(&b.response, 8, 1.0, RESPONSE_WHOLE));
        ck_assert(!response_estimate(&b.response, 0, 0, &e));
        for (int i = 0; i < 4; i++)
                ck_assert(response_add(&b.response, &b.r, &b.u, &b.y, i));
        ck_assert(!response_estimate(&b.response, 0, 0, &e));
        bench_end(&b);
}
