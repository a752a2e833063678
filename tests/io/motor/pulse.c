/* PWM, OneShot and Multishot: to one sample, and what a glitch does to them. */
#include <math.h>

#include "tests/io/motor/motor_stage.h"
#include "tests/suites.h"

static const struct {
        enum motor_protocol protocol;
        double rate_hz;
} trains[] = {
        { MOTOR_PWM, 50 },         { MOTOR_PWM, 400 },         { MOTOR_PWM, 490 },
        { MOTOR_ONESHOT125, 500 }, { MOTOR_ONESHOT125, 3800 }, { MOTOR_ONESHOT42, 8000 },
        { MOTOR_MULTISHOT, 8000 }, { MOTOR_MULTISHOT, 32000 },
};

#define TRAINS (sizeof trains / sizeof trains[0])

static void settle(struct stage *s, double rate_hz)
{
        for (int i = 0; i < 20 && motor_pad_protocol(&s->pad) == MOTOR_UNKNOWN; i++)
                stage_pulse(s, 0.25, rate_hz);
        ck_assert_int_eq((int)motor_pad_protocol(&s->pad), (int)s->wave.protocol);
        ck_assert_int_eq(motor_pad_inverted(&s->pad), s->wave.inverted);
}

TEST(widths_are_right_to_one_sample)
{
        static const double rates_hz[] = { 24e6, 8e6 };

        for (size_t i = 0; i < 2 * TRAINS; i++) {
                double tick_hz = rates_hz[i % 2];
                struct stage s;

                stage_init(&s, trains[i / 2].protocol, false, tick_hz);
                settle(&s, trains[i / 2].rate_hz);
                for (int k = 0; k <= 1000; k++) {
                        double duty = k / 1000.0, width_s;

                        width_s =
                                motor_value_width_s(s.wave.protocol, &s.wave.range, duty);
                        s.now_s += 0.77e-9 * k;
                        stage_pulse(&s, duty, trains[i / 2].rate_hz);
                        ck_assert_uint_eq(s.words, 1);
                        ck_assert_int_eq(s.word[0].kind, MOTOR_THROTTLE);
                        ck_assert_double_eq_tol(s.word[0].width_s, width_s,
                                                1.0000001 / tick_hz);
                        ck_assert_double_eq_tol(
                                s.word[0].duty, duty,
                                1.0000001 / tick_hz /
                                        motor_protocol_span_s(s.wave.protocol));
                }
                ck_assert_uint_eq(stage_counts(&s)->odd, 0);
        }
}

TEST(the_range_is_the_users)
{
        struct stage s;

        stage_init(&s, MOTOR_PWM, false, 24e6);
        s.wave.range = (struct motor_range){ 1100, 1900, true };
        motor_pad_init(
                &s.pad,
                &(struct motor_pad_params){ .tick_hz = 24e6, .range = s.wave.range }, 0);
        settle(&s, 400);
        stage_pulse(&s, -1.0, 400);
        ck_assert_double_eq_tol(s.word[0].width_s, 1100e-6, 50e-9);
        ck_assert_double_eq_tol(s.word[0].duty, -1.0, 1e-3);
        stage_pulse(&s, 0.0, 400);
        ck_assert_double_eq_tol(s.word[0].width_s, 1500e-6, 50e-9);
        ck_assert_double_eq_tol(s.word[0].duty, 0.0, 1e-3);
}

TEST(inverted_pulses_are_recognised_where_normal_ones_do_not_fit)
{
        struct stage s;

        stage_init(&s, MOTOR_PWM, true, 8e6);
        settle(&s, 50);
        stage_init(&s, MOTOR_ONESHOT125, true, 8e6);
        settle(&s, 1000);
}

static void send(struct stage *s, const double *after_s, int count)
{
        struct motor_edge edge[16];

        for (int i = 0; i < count; i++)
                edge[i] = (struct motor_edge){ (int64_t)((s->now_s + after_s[i]) *
                                                         s->wave.tick_hz),
                                               0, i % 2 == 0 };
        stage_edges(s, edge, (size_t)count, 1e-3);
}

TEST(a_pulse_outside_of_its_protocol_is_odd)
{
        struct stage s;

        stage_init(&s, MOTOR_PWM, false, 24e6);
        settle(&s, 400);
        send(&s, (const double[]){ 0, 800e-6 }, 2);
        ck_assert_uint_eq(s.words, 1);
        ck_assert_int_eq(s.word[0].kind, MOTOR_ODD);
        ck_assert_double_eq_tol(s.word[0].width_s, 800e-6, 50e-9);
        send(&s, (const double[]){ 0, 2200e-6 }, 2);
        ck_assert_int_eq(s.word[0].kind, MOTOR_ODD);
        send(&s, (const double[]){ 0, 960e-6 }, 2);
        ck_assert_int_eq(s.word[0].kind, MOTOR_THROTTLE);
        ck_assert_double_eq(s.word[0].duty, 0.0);
        ck_assert_uint_eq(stage_counts(&s)->odd, 2);
}

TEST(a_pulse_split_by_a_glitch_is_one_odd_pulse)
{
        static const double split[] = { 0, 1000e-6, 1000.1e-6, 1950e-6 };
        struct stage s;

        stage_init(&s, MOTOR_PWM, false, 24e6);
        settle(&s, 400);
        send(&s, split, 4);
        ck_assert_uint_eq(s.words, 1);
        ck_assert_int_eq(s.word[0].kind, MOTOR_ODD);
        ck_assert_double_eq_tol(s.word[0].width_s, 1950e-6, 50e-9);
}

TEST(a_glitch_that_is_filtered_does_not_move_an_edge)
{
        static const double split[] = { 0, 1000e-6, 1000.1e-6, 1950e-6 };
        struct stage s;

        stage_init(&s, MOTOR_PWM, false, 24e6);
        s.pad.p.glitch_s = 1e-6;
        settle(&s, 400);
        send(&s, split, 4);
        ck_assert_uint_eq(s.words, 1);
        ck_assert_int_eq(s.word[0].kind, MOTOR_THROTTLE);
        ck_assert_double_eq_tol(s.word[0].width_s, 1950e-6, 50e-9);
        ck_assert_uint_eq(stage_counts(&s)->glitches, 1);
}

TEST(a_pulse_without_rest_goes_on_for_ever_but_is_counted)
{
        struct stage s;
        struct motor_edge edge[2];
        uint64_t odd;

        stage_init(&s, MOTOR_PWM, false, 24e6);
        settle(&s, 400);
        odd = stage_counts(&s)->odd;
        for (int i = 0; i < 40; i++) {
                edge[0] = (struct motor_edge){ (int64_t)(s.now_s * 24e6), 0, true };
                edge[1] = (struct motor_edge){ edge[0].tick + 480, 0, false };
                stage_edges(&s, edge, 2, 10e-6);
        }
        ck_assert_uint_ge(stage_counts(&s)->odd, odd + 4);
}
