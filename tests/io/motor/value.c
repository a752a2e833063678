/* The codes of DShot: frames, answers, names. */
#include <math.h>

#include "io/motor/telemetry.h"
#include "io/motor/value.h"
#include "io/motor/wave.h"

#include "tests/suites.h"

TEST(frames_have_the_published_bits)
{
        /* The example of brushlesswhoop.com, "DSHOT - the missing handbook", and its relatives. */
        ck_assert_uint_eq(motor_value_pack(1046, false, false), 0x82c6);
        ck_assert_uint_eq(motor_value_pack(1046, true, false), 0x82d7);
        ck_assert_uint_eq(motor_value_pack(1046, false, true), 0x82c9);
        ck_assert_uint_eq(motor_value_pack(48, false, false), 0x0606);
        /* The tests of rtlopez/esp-fc (test_esc.cpp). */
        ck_assert_uint_eq(motor_value_pack(0, false, false), 0);
        ck_assert_uint_eq(motor_value_pack(1, false, false), 34);
        ck_assert_uint_eq(motor_value_pack(2, false, false), 68);
        ck_assert_uint_eq(motor_value_pack(47, false, false), 1515);
        ck_assert_uint_eq(motor_value_pack(1000, false, false), 32010);
        ck_assert_uint_eq(motor_value_pack(1001, false, false), 32040);
        ck_assert_uint_eq(motor_value_pack(1023, false, false), 32742);
        ck_assert_uint_eq(motor_value_pack(1024, false, false), 32776);
        ck_assert_uint_eq(motor_value_pack(2047, false, false), 65518);
        ck_assert_uint_eq(motor_value_pack(0, false, true), 15);
        ck_assert_uint_eq(motor_value_pack(1, false, true), 45);
        ck_assert_uint_eq(motor_value_pack(2, false, true), 75);
}

TEST(every_frame_comes_back_and_every_other_is_refused)
{
        for (int inverted = 0; inverted < 2; inverted++) {
                int good = 0;

                for (unsigned raw = 0; raw <= 0xffff; raw++) {
                        struct motor_word w = { 0 };

                        motor_value_unpack((uint16_t)raw, inverted, false, &w);
                        if (w.kind == MOTOR_DAMAGED)
                                continue;
                        good++;
                        ck_assert_uint_eq(
                                motor_value_pack(w.value, w.telemetry, inverted), raw);
                }
                ck_assert_int_eq(good, 4096);
        }
}

TEST(any_single_wrong_bit_is_refused)
{
        for (unsigned v = 0; v < 4096; v++) {
                uint16_t raw = motor_value_pack((uint16_t)(v >> 1), v & 1, false);

                for (int bit = 0; bit < 16; bit++) {
                        struct motor_word w = { 0 };

                        motor_value_unpack((uint16_t)(raw ^ 1U << bit), false, false, &w);
                        ck_assert_int_eq(w.kind, MOTOR_DAMAGED);
                }
        }
}

static struct motor_word word_of(uint16_t value, bool three_d)
{
        struct motor_word w = { 0 };

        motor_value_unpack(motor_value_pack(value, false, false), false, three_d, &w);
        return w;
}

TEST(stop_commands_and_throttle_are_apart)
{
        ck_assert_int_eq(word_of(0, false).kind, MOTOR_STOP);
        for (uint16_t v = 1; v < 48; v++)
                ck_assert_int_eq(word_of(v, v % 2).kind, MOTOR_COMMAND);
        ck_assert_int_eq(word_of(48, false).kind, MOTOR_THROTTLE);
        ck_assert_double_eq(word_of(48, false).duty, 0.0);
        ck_assert_double_eq(word_of(2047, false).duty, 1.0);
}

TEST(three_d_goes_both_ways)
{
        ck_assert_double_eq(word_of(48, true).duty, 0.0);
        ck_assert(!signbit(word_of(48, true).duty));
        ck_assert_double_eq(word_of(1047, true).duty, -1.0);
        ck_assert_double_eq(word_of(1048, true).duty, 0.0);
        ck_assert_double_eq(word_of(2047, true).duty, 1.0);
}

TEST(a_duty_comes_back_to_half_a_count)
{
        for (int i = -1000; i <= 1000; i++) {
                double duty = i / 1000.0;

                ck_assert_double_eq_tol(word_of(motor_wave_value(duty, true), true).duty,
                                        duty, 0.5 / 999 + 1e-12);
                if (i >= 0)
                        ck_assert_double_eq_tol(
                                word_of(motor_wave_value(duty, false), false).duty, duty,
                                0.5 / 1999 + 1e-12);
        }
        ck_assert_uint_eq(motor_wave_value(-0.5, false), 0);
        ck_assert_uint_eq(motor_wave_value((double)NAN, false), 0);
        ck_assert_uint_eq(motor_wave_value((double)NAN, true), 1048);
        ck_assert_uint_eq(motor_wave_value(7.0, false), 2047);
}

TEST(an_answer_has_the_published_bits)
{
        uint16_t raw12;

        ck_assert_uint_eq(motor_telemetry_from_erpm(60e6 / 1000), 0x3f4);
        ck_assert_uint_eq(motor_telemetry_encode(0x3f4), 0x112ada);
        ck_assert(motor_telemetry_decode(0x112ada, &raw12));
        ck_assert_uint_eq(raw12, 0x3f4);
}

TEST(every_answer_comes_back_and_most_else_is_refused)
{
        int good = 0;

        for (unsigned v = 0; v < 4096; v++) {
                uint16_t raw12;

                ck_assert(motor_telemetry_decode(motor_telemetry_encode((uint16_t)v),
                                                 &raw12));
                ck_assert_uint_eq(raw12, v);
        }
        for (uint32_t nrzi = 0; nrzi < 1U << 21; nrzi++) {
                uint16_t raw12;

                if (!motor_telemetry_decode(nrzi, &raw12))
                        continue;
                good++;
                ck_assert_uint_eq(motor_telemetry_encode(raw12), nrzi);
        }
        ck_assert_int_eq(good, 4096);
}

static struct motor_word answer_of(uint16_t raw12)
{
        struct motor_word w = { 0 };

        motor_telemetry_word(raw12, &w);
        return w;
}

TEST(speeds_are_written_so_that_extended_telemetry_has_room)
{
        for (double erpm = 1000; erpm < 500e3; erpm *= 1.001) {
                uint16_t raw12 = motor_telemetry_from_erpm(erpm);
                struct motor_word w = answer_of(raw12);

                ck_assert_int_eq(w.kind, MOTOR_ERPM);
                /* Half of the last of nine bits, or half a microsecond. */
                ck_assert_double_eq_tol(60e6 / w.erpm, 60e6 / erpm,
                                        0.5 + 60e6 / erpm / 256 / 2);
        }
        ck_assert_double_eq(answer_of(0xfff).erpm, 0.0);
        ck_assert_int_eq(answer_of(0xfff).kind, MOTOR_ERPM);
        ck_assert_uint_eq(motor_telemetry_from_erpm(0.0), 0xfff);
        ck_assert_uint_eq(motor_telemetry_from_erpm((double)NAN), 0xfff);
        ck_assert_int_eq(answer_of(0x000).kind, MOTOR_DAMAGED);
}

/* The ranges of github.com/bird-sanctuary/extended-dshot-telemetry. */
TEST(an_even_upper_nibble_is_extended_telemetry)
{
        for (unsigned nibble = 0; nibble < 16; nibble++) {
                struct motor_word w = answer_of((uint16_t)(nibble << 8 | 0x2a));
                bool extended = nibble != 0 && nibble % 2 == 0;

                ck_assert_int_eq(w.kind, extended ? MOTOR_EXTENDED : MOTOR_ERPM);
                if (extended) {
                        ck_assert_uint_eq((unsigned)w.extended, nibble);
                        ck_assert_uint_eq(w.value, 0x2a);
                }
        }
        ck_assert_int_eq(answer_of(0x22a).extended, MOTOR_TEMPERATURE);
        ck_assert_int_eq(answer_of(0x440).extended, MOTOR_VOLTAGE);
}

TEST(names_are_found_in_any_case)
{
        enum motor_protocol found;

        for (int i = 0; i < MOTOR_PROTOCOLS; i++) {
                ck_assert(motor_protocol_find(motor_protocol_name((enum motor_protocol)i),
                                              &found));
                ck_assert_int_eq((int)found, i);
        }
        ck_assert(motor_protocol_find("dshot600", &found));
        ck_assert_int_eq(found, MOTOR_DSHOT600);
        ck_assert(!motor_protocol_find("dshot", &found));
}

TEST(widths_go_from_none_to_full)
{
        const struct motor_range usual = { 0 }, wide = { 1100, 1900, false },
                                 both = { 1000, 2000, true };

        ck_assert_double_eq_tol(motor_value_width_s(MOTOR_PWM, &usual, 0.25), 1250e-6,
                                1e-12);
        ck_assert_double_eq_tol(motor_value_width_s(MOTOR_ONESHOT125, &usual, 1.0),
                                250e-6, 1e-12);
        ck_assert_double_eq_tol(motor_value_width_s(MOTOR_ONESHOT42, &usual, 0.5), 63e-6,
                                1e-12);
        ck_assert_double_eq_tol(motor_value_width_s(MOTOR_MULTISHOT, &usual, 0.5), 15e-6,
                                1e-12);
        ck_assert_double_eq_tol(motor_value_width_s(MOTOR_PWM, &wide, 0.0), 1100e-6,
                                1e-12);
        ck_assert_double_eq_tol(motor_value_width_s(MOTOR_MULTISHOT, &wide, 1.0), 23e-6,
                                1e-12);
        ck_assert_double_eq_tol(motor_value_duty(MOTOR_PWM, &both, 1500e-6), 0.0, 1e-12);
        ck_assert_double_eq_tol(motor_value_duty(MOTOR_PWM, &both, 1000e-6), -1.0, 1e-12);
        ck_assert_double_eq(motor_value_duty(MOTOR_PWM, &usual, 900e-6), 0.0);
        ck_assert_double_eq(motor_value_duty(MOTOR_PWM, &usual, 2100e-6), 1.0);
}
