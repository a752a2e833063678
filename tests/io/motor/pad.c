/* A pad finds out what it sees, notices when that changes, and is never sure of noise. */
#include <math.h>

#include "tests/io/motor/motor_stage.h"
#include "tests/suites.h"

static const struct {
        enum motor_protocol protocol;
        bool inverted;
        double rate_hz;
} signals[] = {
        { MOTOR_PWM, false, 50 },           { MOTOR_PWM, false, 490 },
        { MOTOR_ONESHOT125, false, 1000 },  { MOTOR_ONESHOT125, false, 3900 },
        { MOTOR_ONESHOT42, false, 4000 },   { MOTOR_ONESHOT42, false, 11000 },
        { MOTOR_MULTISHOT, false, 4000 },   { MOTOR_MULTISHOT, false, 32000 },
        { MOTOR_PROSHOT1000, false, 4000 }, { MOTOR_DSHOT150, false, 4000 },
        { MOTOR_DSHOT150, true, 2000 },     { MOTOR_DSHOT300, false, 8000 },
        { MOTOR_DSHOT300, true, 4000 },     { MOTOR_DSHOT600, false, 8000 },
        { MOTOR_DSHOT600, true, 8000 },     { MOTOR_DSHOT1200, false, 8000 },
        { MOTOR_DSHOT1200, true, 8000 },
};

#define SIGNALS (sizeof signals / sizeof signals[0])

/* One period of a signal, with an answer where there is one, at a duty. */
static void period(struct stage *s, double rate_hz, double duty)
{
        double start_s = s->now_s;

        if (motor_protocol_is_pulse(s->wave.protocol)) {
                stage_pulse(s, duty, rate_hz);
                return;
        }
        stage_frame(s, motor_wave_value(duty, false), false);
        if (s->wave.inverted)
                stage_telemetry(s, 0x3f4);
        stage_quiet(s, start_s + 1.0 / rate_hz - s->now_s);
}

static void switch_to(struct stage *s, size_t signal)
{
        s->wave.protocol = signals[signal].protocol;
        s->wave.inverted = signals[signal].inverted;
}

static bool knows(const struct stage *s)
{
        return motor_pad_protocol(&s->pad) == s->wave.protocol &&
               motor_pad_inverted(&s->pad) == s->wave.inverted;
}

TEST(every_protocol_is_recognised_at_any_duty)
{
        for (size_t i = 0; i < SIGNALS; i++) {
                for (int duty = 0; duty <= 4; duty++) {
                        struct stage s;

                        stage_init(&s, signals[i].protocol, signals[i].inverted, 24e6);
                        for (int k = 0; k < 12; k++)
                                period(&s, signals[i].rate_hz, 0.25 * duty);
                        ck_assert_msg(knows(&s), "%s at %g Hz was taken for %s",
                                      motor_protocol_name(signals[i].protocol),
                                      signals[i].rate_hz,
                                      motor_protocol_name(motor_pad_protocol(&s.pad)));
                }
        }
}

/* A firmware that speaks other pulses from now on has been started anew. */
static void restart(struct stage *s, size_t from, size_t to)
{
        if (motor_protocol_is_pulse(signals[from].protocol) &&
            motor_protocol_is_pulse(signals[to].protocol))
                stage_quiet(s, 0.15);
}

TEST(a_change_of_protocol_is_noticed)
{
        for (size_t from = 0; from < SIGNALS; from++) {
                for (size_t to = 0; to < SIGNALS; to++) {
                        struct stage s;

                        stage_init(&s, signals[from].protocol, signals[from].inverted,
                                   24e6);
                        for (int k = 0; k < 20; k++)
                                period(&s, signals[from].rate_hz, 0.1);
                        ck_assert(knows(&s));
                        restart(&s, from, to);
                        switch_to(&s, to);
                        for (int k = 0; k < 40; k++)
                                period(&s, signals[to].rate_hz, 0.1);
                        ck_assert_msg(knows(&s), "%s, then %s was taken for %s",
                                      motor_protocol_name(signals[from].protocol),
                                      motor_protocol_name(signals[to].protocol),
                                      motor_protocol_name(motor_pad_protocol(&s.pad)));
                }
        }
}

/* Levels of random lengths about a mean. */
static void noise(struct stage *s, double mean_s, int edges)
{
        bool level = s->pad.known && s->pad.level;

        for (int i = 0; i < edges; i++) {
                double u = 0.5 + 0.5 * stage_even(s);
                struct motor_edge edge;

                s->now_s += -mean_s * log(1e-9 + u) + 1.0 / s->wave.tick_hz;
                level = !level;
                edge = (struct motor_edge){ (int64_t)(s->now_s * s->wave.tick_hz), 0,
                                            level };
                stage_edges(s, &edge, 1, 0.0);
        }
}

TEST(noise_is_never_recognised)
{
        static const double means_s[] = { 0.1e-6, 0.5e-6, 1e-6,   3e-6,    10e-6, 20e-6,
                                          50e-6,  150e-6, 500e-6, 1500e-6, 5e-3 };

        for (size_t i = 0; i < sizeof means_s / sizeof means_s[0]; i++) {
                struct stage s;

                stage_init(&s, MOTOR_DSHOT600, false, 24e6);
                noise(&s, means_s[i], 100000);
                ck_assert_uint_eq(stage_counts(&s)->recognitions, 0);
        }
}

TEST(a_signal_behind_noise_is_recognised_after_60_ms_at_most)
{
        for (size_t i = 0; i < SIGNALS; i++) {
                struct stage s;
                double start_s;

                stage_init(&s, signals[i].protocol, signals[i].inverted, 24e6);
                for (int k = 0; k < 20; k++) {
                        noise(&s, 2e-6, 1000 + 500 * k);
                        start_s = s.now_s;
                        stage_quiet(&s, 1e-3);
                        while (!knows(&s) &&
                               s.now_s < start_s + 62e-3 + 14.0 / signals[i].rate_hz)
                                period(&s, signals[i].rate_hz, 0.5);
                        ck_assert(knows(&s));
                }
        }
}

TEST(noise_behind_a_signal_moves_no_motor)
{
        for (size_t i = 0; i < SIGNALS; i++) {
                struct stage s;
                uint64_t before;

                /* Pulses have no CRC: noise that is long enough is a pulse. */
                if (motor_protocol_is_pulse(signals[i].protocol))
                        continue;
                stage_init(&s, signals[i].protocol, signals[i].inverted, 24e6);
                for (int k = 0; k < 20; k++)
                        period(&s, signals[i].rate_hz, 0.5);
                before = stage_counts(&s)->throttles;
                noise(&s, 2e-6, 20000);
                ck_assert_uint_eq(stage_counts(&s)->throttles, before);
                ck_assert_int_eq(motor_pad_protocol(&s.pad), MOTOR_UNKNOWN);
                ck_assert_uint_ge(stage_counts(&s)->damaged, 8);
        }
}

TEST(a_protocol_that_is_given_is_the_only_one)
{
        const struct motor_pad_params p = { .tick_hz = 24e6, .protocol = MOTOR_DSHOT300 };
        struct stage s;

        stage_init(&s, MOTOR_DSHOT600, false, 24e6);
        motor_pad_init(&s.pad, &p, 0);
        for (int k = 0; k < 50; k++)
                period(&s, 4000, 0.5);
        ck_assert_uint_eq(stage_counts(&s)->recognitions, 0);
        s.wave.protocol = MOTOR_DSHOT300;
        s.wave.inverted = true;
        for (int k = 0; k < 10; k++)
                period(&s, 4000, 0.5);
        ck_assert(knows(&s));
}

TEST(a_rate_that_is_too_low_for_a_protocol_is_not_tried)
{
        struct stage s;

        stage_init(&s, MOTOR_DSHOT1200, false, 2e6);
        for (int k = 0; k < 1000; k++)
                period(&s, 1000, (k % 100) / 100.0);
        ck_assert_uint_eq(stage_counts(&s)->recognitions, 0);
}

/* One sample a bit, or fewer: those of a frame may all fall on high, and then it looks like one long pulse. */
TEST(dshot_that_is_sampled_too_slowly_is_no_pulse)
{
        static const double rates_hz[] = { 100e3, 150e3, 200e3, 250e3, 300e3, 500e3,
                                           600e3, 1e6,   1.2e6, 2e6,   3e6 };
        static const double frames_hz[] = { 1000, 2000, 4000, 8000 };

        for (int i = 0; i < 4 * 11 * 4; i++) {
                enum motor_protocol protocol =
                        (enum motor_protocol)(MOTOR_DSHOT150 + i % 4);
                double tick_hz = rates_hz[i / 4 % 11];
                struct stage s;

                stage_init(&s, protocol, false, tick_hz);
                for (int k = 0; k < 400; k++) {
                        s.now_s = 1e-3 + k * 1.00003 / frames_hz[i / 44];
                        stage_frame(&s, k < 200 ? 300 : (uint16_t)(48 + 5 * k), false);
                        ck_assert(!motor_protocol_is_pulse(motor_pad_protocol(&s.pad)));
                }
        }
}

/* The pad loses sight for a while: in the middle of a frame, and comes back in another. */
TEST(a_gap_costs_the_frames_that_it_cuts_and_no_other)
{
        for (size_t i = 0; i < SIGNALS; i++) {
                struct motor_edge edge[MOTOR_WAVE_EDGES];
                struct stage s;
                size_t n;

                if (motor_protocol_is_pulse(signals[i].protocol) || signals[i].inverted)
                        continue;
                stage_init(&s, signals[i].protocol, false, 24e6);
                for (int k = 0; k < 20; k++)
                        period(&s, signals[i].rate_hz, 0.5);
                for (size_t seen = 1; seen < 8; seen++) {
                        n = stage_make(&s, 1046, false, edge);
                        stage_edges(&s, edge, seen, 0.0);
                        motor_pad_gap(&s.pad);
                        stage_edges(&s, edge + seen, n - seen, 60e-6);
                        ck_assert_uint_eq(s.words, 0);
                        stage_frame(&s, 321, false);
                        ck_assert_uint_eq(s.words, 1);
                        ck_assert_uint_eq(s.word[0].value, 321);
                }
                ck_assert_uint_eq(stage_counts(&s)->damaged, 0);
                ck_assert_uint_eq(stage_counts(&s)->recognitions, 1);
        }
}

TEST(a_cut_pulse_is_no_pulse)
{
        struct motor_edge edge[MOTOR_WAVE_EDGES];
        struct stage s;

        stage_init(&s, MOTOR_PWM, false, 24e6);
        for (int k = 0; k < 20; k++)
                period(&s, 400, 0.5);
        motor_wave_pulse(&s.wave, 0, s.now_s, 0.5, NULL, edge);
        stage_edges(&s, edge, 1, 0.0);
        motor_pad_gap(&s.pad);
        stage_edges(&s, edge + 1, 1, 1e-3);
        ck_assert_uint_eq(s.words, 0);
        stage_pulse(&s, 0.25, 400);
        ck_assert_uint_eq(s.words, 1);
        ck_assert_double_eq_tol(s.word[0].duty, 0.25, 1e-3);
        ck_assert_uint_eq(stage_counts(&s)->odd, 0);
}

TEST(time_that_goes_back_is_a_gap)
{
        struct stage s;

        stage_init(&s, MOTOR_DSHOT600, false, 24e6);
        for (int k = 0; k < 20; k++)
                period(&s, 4000, 0.5);
        s.now_s = 1e-3;
        for (int k = 0; k < 3; k++)
                period(&s, 4000, 0.5);
        ck_assert_uint_eq(s.words, 1);
        ck_assert_int_eq(s.word[0].kind, MOTOR_THROTTLE);
        ck_assert_uint_eq(stage_counts(&s)->damaged, 0);
}

TEST(rate_and_jitter_are_those_of_the_frames)
{
        struct stage s;
        double start_s = 1e-3, sum = 0.0, sum_of_squares = 0.0, before_s = 0.0;
        const int count = 1000;

        stage_init(&s, MOTOR_DSHOT600, false, 24e6);
        for (int k = 0; k < count; k++) {
                s.now_s = start_s + k * 125e-6 + 3e-6 * stage_even(&s);
                if (k > 0) {
                        sum += s.now_s - before_s;
                        sum_of_squares += (s.now_s - before_s) * (s.now_s - before_s);
                }
                before_s = s.now_s;
                stage_frame(&s, 1046, false);
        }
        sum /= count - 1;
        sum_of_squares = sum_of_squares / (count - 1) - sum * sum;
        ck_assert_double_eq_tol(motor_pad_rate_hz(&s.pad), 1.0 / sum, 2.0);
        ck_assert_double_eq_tol(motor_pad_jitter_s(&s.pad), sqrt(sum_of_squares), 20e-9);
        /* A second of nothing is no period. */
        s.now_s += 1.0;
        for (int k = 0; k < 20; k++)
                period(&s, 8000, 0.5);
        ck_assert_double_eq_tol(motor_pad_rate_hz(&s.pad), 8000.0, 2.0);
        /* Another rate is, after a while. */
        for (int k = 0; k < 100; k++)
                period(&s, 1000, 0.5);
        ck_assert_double_eq_tol(motor_pad_rate_hz(&s.pad), 1000.0, 1.0);
}

TEST(nothing_is_known_of_an_idle_pad)
{
        struct stage s;

        stage_init(&s, MOTOR_PWM, false, 24e6);
        stage_quiet(&s, 1.0);
        ck_assert_int_eq(motor_pad_protocol(&s.pad), MOTOR_UNKNOWN);
        ck_assert_double_eq(motor_pad_rate_hz(&s.pad), 0.0);
        ck_assert_double_eq(motor_pad_jitter_s(&s.pad), 0.0);
}

TEST(a_board_that_times_pulses_is_read_like_the_wire)
{
        struct motor_word word[MOTOR_PAD_WORDS];
        struct stage s;
        size_t n = 0;

        stage_init(&s, MOTOR_ONESHOT125, false, 1e6);
        for (int k = 0; k < 10; k++)
                n = motor_pad_pulse(&s.pad, false, 1000 + 500 * k, 125 + k, word);
        ck_assert_int_eq(motor_pad_protocol(&s.pad), MOTOR_ONESHOT125);
        ck_assert_uint_eq(n, 1);
        ck_assert_int_eq(word[0].kind, MOTOR_THROTTLE);
        ck_assert_double_eq_tol(word[0].width_s, 134e-6, 1e-9);
        ck_assert_int_eq(word[0].start_tick, 1000 + 500 * 9);
        ck_assert_uint_eq(motor_pad_pulse(&s.pad, false, 9000, 0, word), 0);
        ck_assert_uint_eq(motor_pad_pulse(&s.pad, false, -5, 130, word), 0);
        ck_assert_uint_eq(motor_pad_pulse(&s.pad, false, 9000, INT64_MAX, word), 0);
}

TEST(a_board_that_reads_frames_has_their_crc_checked)
{
        struct motor_word word[MOTOR_PAD_WORDS];
        struct stage s;
        size_t n = 0;

        stage_init(&s, MOTOR_DSHOT300, false, 1e6);
        for (int k = 0; k < 6; k++)
                n = motor_pad_frame(&s.pad, MOTOR_DSHOT300, true, 1000 + 500 * k,
                                    1053 + 500 * k, 0x82c9, word);
        ck_assert_int_eq(motor_pad_protocol(&s.pad), MOTOR_DSHOT300);
        ck_assert(motor_pad_inverted(&s.pad));
        ck_assert_uint_eq(n, 1);
        ck_assert_uint_eq(word[0].value, 1046);
        ck_assert_double_eq_tol(motor_pad_rate_hz(&s.pad), 2000.0, 1e-6);
        n = motor_pad_frame(&s.pad, MOTOR_DSHOT300, true, 5000, 5053, 0x82c6, word);
        ck_assert_uint_eq(n, 1);
        ck_assert_int_eq(word[0].kind, MOTOR_DAMAGED);
        ck_assert_uint_eq(stage_counts(&s)->damaged, 1);
        /* Another protocol has to settle first; one that is none is nothing. */
        ck_assert_uint_eq(
                motor_pad_frame(&s.pad, MOTOR_DSHOT600, false, 6000, 6027, 0x82c6, word),
                0);
        ck_assert_uint_eq(
                motor_pad_frame(&s.pad, MOTOR_PWM, false, 6000, 6027, 0x82c6, word), 0);
        ck_assert_int_eq(motor_pad_protocol(&s.pad), MOTOR_DSHOT300);
        for (int k = 0; k < 4; k++)
                motor_pad_frame(&s.pad, MOTOR_DSHOT600, false, 7000 + 500 * k,
                                7027 + 500 * k, 0x82c6, word);
        ck_assert_int_eq(motor_pad_protocol(&s.pad), MOTOR_DSHOT600);
}
