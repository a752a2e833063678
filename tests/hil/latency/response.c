/* Frequency response, delay and margins against systems whose answer is known in closed form. */
#include "tests/hil/latency/response_bench.h"

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
