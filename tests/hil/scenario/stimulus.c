/* Stimuli: shapes against their definitions, and maximum-length sequences against what makes them so. */
#include <math.h>
#include <stdlib.h>

#include "hil/scenario/stimulus.h"

#include "tests/suites.h"

#define SECOND    1000000000LL
#define PERIOD_NS 1000000LL /* of the ticks at which shapes are sampled here */

static const double pi = 3.14159265358979323846;

static const struct stimulus chirp = {
        .shape = STIMULUS_CHIRP,
        .amplitude = 2.0,
        .for_ns = 20 * SECOND,
        .from_hz = 0.5,
        .to_hz = 40.0,
};

TEST(nothing_is_added_before_it_begins_and_after_it_ended)
{
        for (int shape = 0; shape < STIMULUS_SHAPES; shape++) {
                struct stimulus s = chirp;

                s.shape = (enum stimulus_shape)shape;
                s.bits = 5;
                s.chip_ns = PERIOD_NS;
                ck_assert_double_eq(stimulus_value(&s, -1), 0.0);
                ck_assert_double_eq(stimulus_value(&s, INT64_MIN), 0.0);
                ck_assert_double_eq(stimulus_value(&s, s.for_ns), 0.0);
                ck_assert_double_eq(stimulus_value(&s, INT64_MAX), 0.0);
                ck_assert_double_ne(stimulus_value(&s, s.for_ns - 3), 0.0);
        }
}

TEST(no_shape_exceeds_its_amplitude)
{
        for (int shape = 0; shape < STIMULUS_SHAPES; shape++) {
                struct stimulus s = chirp;

                s.shape = (enum stimulus_shape)shape;
                s.bits = 9;
                s.chip_ns = 3 * PERIOD_NS;
                for (int64_t t = 0; t < s.for_ns; t += 777777)
                        ck_assert_double_le(fabs(stimulus_value(&s, t)), 2.0);
        }
}

TEST(a_step_is_its_amplitude_and_a_ramp_grows_to_it)
{
        struct stimulus s = { .shape = STIMULUS_STEP, .amplitude = -3.0, .for_ns = 8000 };

        for (int64_t t = 0; t < s.for_ns; t++)
                ck_assert_double_eq(stimulus_value(&s, t), -3.0);
        s.shape = STIMULUS_RAMP;
        ck_assert_double_eq(stimulus_value(&s, 0), 0.0);
        ck_assert_double_eq(stimulus_value(&s, 2000), -0.75);
        ck_assert_double_eq_tol(stimulus_value(&s, 7999), -3.0, 0.001);
}

TEST(a_doublet_adds_up_to_nothing)
{
        struct stimulus s = { .shape = STIMULUS_DOUBLET, .amplitude = 0.3 };

        for (int halves = 1; halves < 40; halves++) {
                double sum = 0.0;
                int up = 0;

                s.for_ns = 2 * halves * PERIOD_NS;
                for (int64_t t = 0; t < s.for_ns; t += PERIOD_NS) {
                        sum += stimulus_value(&s, t) / s.amplitude;
                        up += stimulus_value(&s, t) > 0.0;
                }
                ck_assert_double_eq(sum, 0.0);
                ck_assert_int_eq(up, halves);
                ck_assert_double_eq(stimulus_value(&s, 0), 0.3);
        }
}

TEST(a_sine_is_libms)
{
        struct stimulus s = {
                .shape = STIMULUS_SINE,
                .amplitude = 1.0,
                .for_ns = 4 * SECOND,
                .from_hz = 1.0,
        };

        for (int64_t t = 0; t < s.for_ns; t += 1234567) {
                /* Within the cycle, so that pi's own rounding does not count. */
                double turns = stimulus_cycles(&s, t);

                turns -= floor(turns + 0.5);
                ck_assert_double_eq_tol(stimulus_value(&s, t), sin(2.0 * pi * turns),
                                        5e-16);
        }
        ck_assert_double_eq(stimulus_value(&s, 0), 0.0);
        ck_assert_double_eq(stimulus_value(&s, SECOND / 4), 1.0);
        ck_assert_double_eq(stimulus_value(&s, 3 * SECOND / 4), -1.0);
}

/* A day into a sine of 400 Hz its phase is still right. */
TEST(a_long_sine_keeps_its_phase)
{
        struct stimulus s = {
                .shape = STIMULUS_SINE,
                .amplitude = 1.0,
                .for_ns = 86400 * SECOND,
                .from_hz = 400.0,
        };
        int64_t whole = 86399 * SECOND;

        for (int64_t t = 0; t < SECOND / 100; t += 9999)
                ck_assert_double_eq_tol(stimulus_value(&s, whole + t),
                                        stimulus_value(&s, t), 1e-6);
}

static double frequency(const struct stimulus *s, int64_t at_ns)
{
        const int64_t aside = 10000;

        return (stimulus_cycles(s, at_ns + aside) - stimulus_cycles(s, at_ns - aside)) *
               1e9 / (2.0 * (double)aside);
}

TEST(a_chirps_frequency_grows_exponentially_from_one_to_the_other)
{
        for (int64_t t = 20000; t < chirp.for_ns - 20000; t += SECOND / 7) {
                double share = (double)t / (double)chirp.for_ns;
                double expected = chirp.from_hz * pow(chirp.to_hz / chirp.from_hz, share);

                ck_assert_double_eq_tol(frequency(&chirp, t), expected, 1e-6 * expected);
        }
}

static int64_t crossing(const struct stimulus *s, int64_t low, int64_t high)
{
        bool up = stimulus_value(s, high) > 0.0;

        while (high - low > 1) {
                int64_t middle = low + (high - low) / 2;

                if ((stimulus_value(s, middle) > 0.0) == up)
                        high = middle;
                else
                        low = middle;
        }
        return high;
}

/* cycles(t) = k/2 solved for t by hand. */
static double crossing_expected_s(const struct stimulus *s, int k)
{
        double seconds = (double)s->for_ns * 1e-9;
        double rate = log(s->to_hz / s->from_hz);

        return seconds / rate * log1p(0.5 * k * rate / (s->from_hz * seconds));
}

static int check_crossings(const struct stimulus *s)
{
        double last = 0.0;
        int k = 0;

        for (int64_t t = 1; t + PERIOD_NS < s->for_ns; t += PERIOD_NS) {
                double next = stimulus_value(s, t + PERIOD_NS);

                if (last != 0.0 && (last > 0.0) != (next > 0.0)) {
                        double at = (double)crossing(s, t, t + PERIOD_NS) * 1e-9;

                        ck_assert_double_eq_tol(at, crossing_expected_s(s, ++k), 3e-9);
                }
                last = next;
        }
        return k;
}

TEST(a_chirp_crosses_zero_where_its_frequency_says)
{
        struct stimulus down = chirp;
        int up = check_crossings(&chirp);

        down.from_hz = chirp.to_hz;
        down.to_hz = chirp.from_hz;
        ck_assert_int_gt(up, 300);
        ck_assert_int_eq(up, check_crossings(&down));
}

/* libm's expm1 and log are the other route to the number. */
TEST(a_chirps_phase_is_the_integral_of_its_frequency)
{
        static const double ratio[] = { 1e-5, 0.01, 0.5,     1.0 - 1e-12, 1.0 + 1e-15,
                                        1.01, 2.0,  M_SQRT2, 1000.0,      1e7 };

        for (size_t i = 0; i < sizeof(ratio) / sizeof(ratio[0]); i++)
                for (int share = 1; share <= 16; share++) {
                        struct stimulus s = chirp;
                        double u = share / 16.0, rate, expected;

                        s.from_hz = 3.0;
                        s.to_hz = 3.0 * ratio[i];
                        rate = log(s.to_hz / s.from_hz);
                        expected = 60.0 * expm1(rate * u) / rate;
                        ck_assert_double_eq_tol(
                                stimulus_cycles(&s, s.for_ns / 16 * share), expected,
                                1e-14 * expected);
                }
}

TEST(a_chirp_between_equal_frequencies_is_a_sine)
{
        struct stimulus s = chirp, sine = chirp;

        s.to_hz = s.from_hz;
        sine.shape = STIMULUS_SINE;
        for (int64_t t = 0; t < s.for_ns; t += SECOND / 9)
                ck_assert_double_eq_tol(stimulus_value(&s, t), stimulus_value(&sine, t),
                                        1e-12);
}

/* The shortest register that makes the chips (Massey, IEEE Trans. IT-15, 1969): its length, and in
 * *taps bit j for the chip j + 1 before. It knows nothing of how the chips were made. */
static int shortest_register(int bits, uint64_t *taps)
{
        uint64_t c = 1, b = 1, history = 0;
        int length = 0, since = 1;

        for (int k = 0; k < 4 * bits; k++) {
                history = history << 1 | stimulus_chip(bits, (uint64_t)k);
                if (__builtin_parityll(c & history)) {
                        uint64_t before = c;

                        c ^= b << since;
                        if (2 * length <= k) {
                                length = k + 1 - length;
                                b = before;
                                since = 0;
                        }
                }
                since++;
        }
        *taps = c >> 1;
        return length;
}

/* Every period of the sequence, chip by chip, from that register alone. */
TEST_EACH(a_prbs_is_a_maximum_length_sequence, STIMULUS_BITS_MAX + 1 - STIMULUS_BITS_MIN)
{
        int bits = STIMULUS_BITS_MIN + _i;
        uint32_t period = (1U << bits) - 1, mask = period, start = 0, state, ones = 0,
                 returns = 0, wrong = 0;
        uint64_t taps;

        ck_assert_int_eq(shortest_register(bits, &taps), bits);
        for (int k = 0; k < bits; k++)
                start = start << 1 | stimulus_chip(bits, (uint64_t)k);
        state = start;
        for (uint32_t k = (uint32_t)bits; k < period + (uint32_t)bits; k++) {
                uint32_t next = (uint32_t)__builtin_parityll(taps & state);

                ones += next;
                state = (state << 1 | next) & mask;
                returns += state == start;
                if (k % 97 == 0)
                        wrong += stimulus_chip(bits, k) != next;
        }
        ck_assert_uint_eq(ones, (period + 1) / 2);
        ck_assert_uint_eq(wrong, 0);
        /* As long as it can be: it comes round at the end and not before. */
        ck_assert(state == start);
        ck_assert_uint_eq(returns, 1);
}

TEST_EACH(a_prbs_repeats_after_its_period, STIMULUS_BITS_MAX + 1 - STIMULUS_BITS_MIN)
{
        int bits = STIMULUS_BITS_MIN + _i;
        uint64_t period = (1ULL << bits) - 1;

        for (uint64_t k = 0; k < 200; k++) {
                ck_assert(stimulus_chip(bits, k) == stimulus_chip(bits, k + period));
                ck_assert(stimulus_chip(bits, k) ==
                          stimulus_chip(bits, k + 1000003 * period));
        }
}

/* N without a shift and -1 with any: as good as white noise within its period. */
TEST_EACH(a_prbs_has_a_two_level_autocorrelation, 12 - STIMULUS_BITS_MIN)
{
        static signed char chip[2048];
        int bits = STIMULUS_BITS_MIN + _i, period = (1 << bits) - 1;

        for (int k = 0; k < period; k++)
                chip[k] = stimulus_chip(bits, (uint64_t)k) ? 1 : -1;
        for (int shift = 0; shift < period; shift++) {
                int sum = 0;

                for (int k = 0; k < period; k++)
                        sum += chip[k] * chip[(k + shift) % period];
                ck_assert_int_eq(sum, shift == 0 ? period : -1);
        }
}

TEST(a_chip_lasts_as_long_as_asked)
{
        struct stimulus s = {
                .shape = STIMULUS_PRBS,
                .amplitude = 0.5,
                .for_ns = 3 * SECOND,
                .bits = 7,
                .chip_ns = 5 * PERIOD_NS,
        };

        for (int64_t t = 0; t < s.for_ns; t += PERIOD_NS / 2) {
                bool high = stimulus_chip(7, (uint64_t)(t / s.chip_ns));

                ck_assert_double_eq(stimulus_value(&s, t), high ? 0.5 : -0.5);
        }
}
