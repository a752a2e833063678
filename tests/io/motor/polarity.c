/* Which way round pulses are: a normal train is never read as inverted, whatever its throttle does, and what
 * fits both is called ambiguous. */
#include <math.h>

#include "tests/io/motor/motor_stage.h"
#include "tests/suites.h"

static const struct {
        enum motor_protocol protocol;
        double rate_hz;
} trains[] = {
        { MOTOR_PWM, 50 },          { MOTOR_PWM, 400 },
        { MOTOR_PWM, 490 },         { MOTOR_ONESHOT125, 1000 },
        { MOTOR_ONESHOT125, 2000 }, { MOTOR_ONESHOT125, 3900 },
        { MOTOR_ONESHOT42, 1000 },  { MOTOR_ONESHOT42, 4000 },
        { MOTOR_ONESHOT42, 8000 },  { MOTOR_ONESHOT42, 11000 },
        { MOTOR_MULTISHOT, 1000 },  { MOTOR_MULTISHOT, 8000 },
        { MOTOR_MULTISHOT, 16000 }, { MOTOR_MULTISHOT, 32000 },
};

#define TRAINS (sizeof trains / sizeof trains[0])

static void start(struct stage *s, enum motor_protocol protocol, bool inverted,
                  enum motor_polarity polarity)
{
        const struct motor_pad_params p = { .tick_hz = 24e6, .polarity = polarity };

        stage_init(s, protocol, inverted, 24e6);
        motor_pad_init(&s->pad, &p, 0);
}

/* Pulses of any width. Every value that is given out is that of the pulse before, or of this one. */
static void send(struct stage *s, double width_s, double rate_hz, int count)
{
        for (int i = 0; i < count; i++) {
                double start_s = s->now_s;
                struct motor_edge edge[2] = {
                        { (int64_t)ceil(start_s * 24e6), 0, !s->wave.inverted },
                        { (int64_t)ceil((start_s + width_s) * 24e6), 0,
                          s->wave.inverted },
                };

                stage_edges(s, edge, 2, 0.0);
                stage_quiet(s, start_s + 1.0 / rate_hz - s->now_s);
                for (size_t k = 0; k < s->words; k++) {
                        ck_assert_int_eq(s->word[k].protocol, s->wave.protocol);
                        ck_assert_int_eq(s->word[k].inverted, s->wave.inverted);
                        ck_assert_double_eq_tol(s->word[k].width_s, width_s, 1.01 / 24e6);
                }
        }
}

static bool knows(const struct stage *s)
{
        return motor_pad_protocol(&s->pad) == s->wave.protocol &&
               motor_pad_inverted(&s->pad) == s->wave.inverted;
}

TEST(pulses_below_the_range_do_not_turn_a_train_round)
{
        struct stage s;

        start(&s, MOTOR_PWM, false, MOTOR_POLARITY_AUTO);
        send(&s, 1000e-6, 400, 40);
        send(&s, 850e-6, 400, 40);
        send(&s, 1200e-6, 400, 40);
        ck_assert(knows(&s));
        ck_assert_uint_eq(s.words, 1);
        ck_assert_double_eq_tol(s.word[0].width_s, 1200e-6, 50e-9);
        ck_assert_double_eq_tol(s.word[0].duty, 0.2, 1e-4);
        ck_assert_uint_eq(stage_counts(&s)->recognitions, 1);
        ck_assert_uint_eq(stage_counts(&s)->odd, 40);
        start(&s, MOTOR_ONESHOT42, false, MOTOR_POLARITY_AUTO);
        send(&s, 50e-6, 8000, 40);
        send(&s, 36e-6, 8000, 4000);
        send(&s, 60e-6, 8000, 40);
        ck_assert(knows(&s));
        ck_assert_uint_eq(stage_counts(&s)->recognitions, 1);
}

TEST(a_capture_that_begins_out_of_range_waits_for_the_range)
{
        struct stage s;

        start(&s, MOTOR_PWM, false, MOTOR_POLARITY_AUTO);
        send(&s, 850e-6, 400, 400);
        ck_assert_uint_eq(stage_counts(&s)->recognitions, 0);
        send(&s, 1200e-6, 400, 12);
        ck_assert(knows(&s));
        ck_assert_double_eq_tol(s.word[0].duty, 0.2, 1e-4);
}

/* As far beyond the ends of the range as a train has room for: from next to nothing to 1.4 times full. */
static double beyond(const struct stage *s, double rate_hz, double x)
{
        double low = motor_protocol_low_s(s->wave.protocol);
        double high = low + motor_protocol_span_s(s->wave.protocol);
        double longest = fmin(1.4 * high, 0.97 / rate_hz);

        return x < 0.0 ? low * (1.0 + 0.9 * x) : high + x * fmax(longest - high, 0.0);
}

TEST(excursions_to_either_side_are_odd_and_nothing_else)
{
        static const double far[] = { -1.0, -0.6, -0.3, -0.1, 0.1, 0.3, 0.6, 1.0 };

        for (size_t i = 0; i < TRAINS; i++) {
                for (size_t k = 0; k < sizeof far / sizeof far[0]; k++) {
                        double rate_hz = trains[i].rate_hz;
                        double full_s;
                        struct stage s;

                        start(&s, trains[i].protocol, false, MOTOR_POLARITY_AUTO);
                        full_s = motor_protocol_low_s(s.wave.protocol) +
                                 motor_protocol_span_s(s.wave.protocol);
                        for (int round = 0; round < 3; round++) {
                                send(&s, 0.6 * full_s, rate_hz, 30);
                                ck_assert(knows(&s));
                                send(&s, beyond(&s, rate_hz, far[k]), rate_hz, 200);
                                ck_assert(knows(&s));
                        }
                        ck_assert_uint_eq(stage_counts(&s)->recognitions, 1);
                }
        }
}

/* From in range to anywhere, for a while each: with edges moved by a hundredth of the range, and rests in between. */
TEST(no_history_of_throttle_gives_a_wrong_value)
{
        for (size_t i = 0; i < TRAINS; i++) {
                for (uint64_t seed = 1; seed <= 8; seed++) {
                        double rate_hz = trains[i].rate_hz;
                        struct stage s;

                        start(&s, trains[i].protocol, false, MOTOR_POLARITY_AUTO);
                        s.dice.state = seed;
                        send(&s, motor_protocol_low_s(s.wave.protocol) * 1.1, rate_hz,
                             12);
                        for (int k = 0; k < 200; k++) {
                                double x = 1.5 * stage_even(&s), width_s;
                                int count = 1 + (int)(20.0 * fabs(stage_even(&s)));

                                width_s =
                                        motor_protocol_low_s(s.wave.protocol) +
                                        fabs(x) * motor_protocol_span_s(s.wave.protocol);
                                if (x < -1.0 || x > 1.0)
                                        width_s = beyond(&s, rate_hz, stage_even(&s));
                                send(&s, fmin(width_s, 0.97 / rate_hz), rate_hz, count);
                                s.now_s += 0.05 * stage_even(&s) / rate_hz;
                        }
                        ck_assert(knows(&s));
                        ck_assert_uint_eq(stage_counts(&s)->recognitions, 1);
                }
        }
}

TEST(inverted_pulses_are_known_by_a_rest_that_no_pulse_lasts)
{
        static const struct {
                enum motor_protocol protocol;
                double rate_hz;
                bool known;
        } rests[] = {
                { MOTOR_PWM, 50, true },           { MOTOR_PWM, 200, true },
                { MOTOR_PWM, 400, false },         { MOTOR_ONESHOT125, 1000, true },
                { MOTOR_ONESHOT125, 3900, false }, { MOTOR_ONESHOT42, 2000, true },
                { MOTOR_MULTISHOT, 6000, true },
        };

        for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++) {
                struct stage s;

                start(&s, rests[i].protocol, true, MOTOR_POLARITY_AUTO);
                for (int k = 0; k < 40; k++)
                        stage_pulse(&s, 0.3, rests[i].rate_hz);
                ck_assert_msg(knows(&s) == rests[i].known, "%s at %g Hz",
                              motor_protocol_name(rests[i].protocol), rests[i].rate_hz);
                start(&s, rests[i].protocol, true, MOTOR_POLARITY_INVERTED);
                for (int k = 0; k < 40; k++)
                        stage_pulse(&s, 0.3, rests[i].rate_hz);
                ck_assert(knows(&s));
                ck_assert_double_eq_tol(s.word[0].duty, 0.3, 0.01);
                ck_assert(!motor_pad_ambiguous(&s.pad));
        }
}

TEST(an_inverted_train_stays_inverted)
{
        struct stage s;

        start(&s, MOTOR_PWM, true, MOTOR_POLARITY_AUTO);
        send(&s, 1500e-6, 50, 20);
        send(&s, 500e-6, 50, 40);
        send(&s, 18500e-6, 50, 40);
        send(&s, 1500e-6, 50, 20);
        ck_assert(knows(&s));
        ck_assert_uint_eq(stage_counts(&s)->recognitions, 1);
}

TEST(what_fits_both_ways_is_called_ambiguous)
{
        struct stage s;

        start(&s, MOTOR_PWM, false, MOTOR_POLARITY_AUTO);
        send(&s, 1200e-6, 400, 40);
        ck_assert(motor_pad_ambiguous(&s.pad));
        /* An inverted one would have been at 600 us for a while. */
        send(&s, 1900e-6, 400, 10);
        ck_assert(!motor_pad_ambiguous(&s.pad));
        start(&s, MOTOR_PWM, false, MOTOR_POLARITY_AUTO);
        send(&s, 1200e-6, 50, 40);
        ck_assert(!motor_pad_ambiguous(&s.pad));
        start(&s, MOTOR_PWM, false, MOTOR_POLARITY_NORMAL);
        send(&s, 1200e-6, 400, 40);
        ck_assert(!motor_pad_ambiguous(&s.pad));
        start(&s, MOTOR_DSHOT600, false, MOTOR_POLARITY_AUTO);
        stage_settle(&s);
        ck_assert(!motor_pad_ambiguous(&s.pad));
}

TEST(a_polarity_that_is_given_is_the_only_one)
{
        for (int i = 0; i < 2; i++) {
                enum motor_polarity other =
                        i == 0 ? MOTOR_POLARITY_INVERTED : MOTOR_POLARITY_NORMAL;
                struct stage s;

                start(&s, MOTOR_DSHOT600, i != 0, other);
                stage_settle(&s);
                ck_assert_uint_eq(stage_counts(&s)->recognitions, 0);
                start(&s, MOTOR_PWM, i != 0, other);
                for (int k = 0; k < 40; k++)
                        stage_pulse(&s, 0.3, 50);
                ck_assert_uint_eq(stage_counts(&s)->recognitions, 0);
                start(&s, MOTOR_DSHOT600, i != 0, MOTOR_POLARITY_AUTO);
                stage_settle(&s);
                ck_assert(knows(&s));
        }
}

TEST(frames_of_a_board_keep_to_the_polarity_that_is_given)
{
        const struct motor_pad_params p = { .tick_hz = 1e6,
                                            .polarity = MOTOR_POLARITY_NORMAL };
        struct motor_word word[MOTOR_PAD_WORDS];
        struct motor_pad pad;

        motor_pad_init(&pad, &p, 0);
        for (int k = 0; k < 20; k++)
                motor_pad_frame(&pad, MOTOR_DSHOT300, true, 1000 + 500 * k,
                                1053 + 500 * k, 0x82c9, word);
        ck_assert_int_eq(motor_pad_protocol(&pad), MOTOR_UNKNOWN);
}

/* Records of a capture board say which level was timed. */
static struct motor_word timed(struct motor_pad *pad, bool inverted, int64_t *tick,
                               int count)
{
        struct motor_word word[MOTOR_PAD_WORDS], last = { 0 };

        for (int k = 0; k < count; k++, *tick += 2500) {
                size_t n = motor_pad_pulse(pad, inverted, *tick, 1200, word);

                if (n > 0)
                        last = word[n - 1];
        }
        return last;
}

TEST(a_pulse_that_a_board_timed_is_as_it_says)
{
        const struct motor_pad_params p = { .tick_hz = 1e6 };
        struct motor_word word[MOTOR_PAD_WORDS], w;
        struct motor_pad pad;
        int64_t tick = 1000;

        for (int i = 0; i < 2; i++) {
                motor_pad_init(&pad, &p, 0);
                w = timed(&pad, i != 0, &tick, 40);
                ck_assert_int_eq(w.kind, MOTOR_THROTTLE);
                ck_assert_int_eq(w.inverted, i != 0);
                ck_assert_double_eq_tol(w.width_s, 1200e-6, 1e-9);
                ck_assert(!motor_pad_ambiguous(&pad));
                /* Out of range for long, then back. */
                for (int k = 0; k < 40; k++, tick += 2500)
                        motor_pad_pulse(&pad, i != 0, tick, 850, word);
                w = timed(&pad, i != 0, &tick, 40);
                ck_assert_int_eq(w.kind, MOTOR_THROTTLE);
                ck_assert_int_eq(w.inverted, i != 0);
                ck_assert_uint_eq(motor_pad_counted(&pad)->recognitions, 1);
        }
        /* The other way round from now on. */
        w = timed(&pad, false, &tick, 40);
        ck_assert_int_eq(w.kind, MOTOR_THROTTLE);
        ck_assert(!w.inverted);
        ck_assert_double_eq_tol(w.width_s, 1200e-6, 1e-9);
}

TEST(polarities_have_names)
{
        enum motor_polarity p;

        for (int i = 0; i < MOTOR_POLARITIES; i++) {
                ck_assert(motor_polarity_find(motor_polarity_name((enum motor_polarity)i),
                                              &p));
                ck_assert_int_eq(p, i);
        }
        ck_assert(motor_polarity_find("Inverted", &p));
        ck_assert(!motor_polarity_find("inverse", &p));
}
