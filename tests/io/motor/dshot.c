/* DShot, ProShot and the ESC's answers on imperfect wires. */
#include "tests/io/motor/motor_stage.h"
#include "tests/suites.h"

static const double duties[3][2] = { { 0.375, 0.75 },
                                     { 0.35, 0.7 },
                                     { 1 / 3.0, 2 / 3.0 } };

/* One word came, and it is this frame. */
static void expect_frame(const struct stage *s, uint16_t value, bool telemetry)
{
        const struct motor_word *w = s->word;

        ck_assert_uint_eq(s->words, 1);
        ck_assert_int_ne(w->kind, MOTOR_DAMAGED);
        ck_assert_uint_eq(w->value, value);
        ck_assert_int_eq(w->telemetry, telemetry);
        ck_assert_int_eq((int)w->protocol, (int)s->wave.protocol);
        ck_assert_int_eq(w->inverted, s->wave.inverted);
        ck_assert_int_eq(w->kind, value == 0   ? MOTOR_STOP
                                  : value < 48 ? MOTOR_COMMAND
                                               : MOTOR_THROTTLE);
}

static void all_values_come_back(struct stage *s)
{
        stage_settle(s);
        for (uint16_t value = 0; value <= MOTOR_VALUE_MAX; value++) {
                for (int telemetry = 0; telemetry < 2; telemetry++) {
                        s->wave.clock_error_ppm = 20e3 * stage_even(s);
                        stage_frame(s, value, telemetry);
                        expect_frame(s, value, telemetry);
                }
        }
        ck_assert_uint_eq(stage_counts(s)->damaged, 0);
        ck_assert_uint_eq(stage_counts(s)->recognitions, 1);
}

TEST(every_value_comes_back_at_24_mhz)
{
        for (int i = 0; i < 8; i++) {
                enum motor_protocol protocol =
                        (enum motor_protocol)(MOTOR_DSHOT150 + i / 2);
                struct stage s;

                stage_init(&s, protocol, i % 2, 24e6);
                s.jitter = true;
                s.wave.jitter_s = 0.05 * motor_protocol_bit_s(protocol);
                s.wave.high_zero = duties[i % 3][0];
                s.wave.high_one = duties[i % 3][1];
                all_values_come_back(&s);
        }
}

TEST(every_value_comes_back_at_the_lowest_clean_rate)
{
        for (int i = 0; i < 8; i++) {
                enum motor_protocol protocol =
                        (enum motor_protocol)(MOTOR_DSHOT150 + i / 2);
                struct stage s;

                stage_init(&s, protocol, i % 2, motor_protocol_clean_hz(protocol));
                s.jitter = true;
                s.wave.jitter_s = 0.0125 * motor_protocol_bit_s(protocol);
                s.wave.high_zero = duties[i % 3][0];
                s.wave.high_one = duties[i % 3][1];
                all_values_come_back(&s);
        }
}

TEST(with_five_samples_a_bit_frames_are_refused_but_no_value_is_wrong)
{
        for (int i = 0; i < 6; i++) {
                uint64_t refused;
                struct stage s;

                stage_init(&s, i < 3 ? MOTOR_DSHOT600 : MOTOR_DSHOT1200, i % 2,
                           i < 3 ? 3e6 : 6e6);
                s.wave.high_zero = duties[i % 3][0];
                s.wave.high_one = duties[i % 3][1];
                stage_settle(&s);
                for (uint16_t value = 0; value <= MOTOR_VALUE_MAX; value++) {
                        s.wave.clock_error_ppm = 20e3 * stage_even(&s);
                        stage_frame(&s, value, false);
                        ck_assert_uint_eq(s.words, 1);
                        ck_assert(s.word[0].kind == MOTOR_DAMAGED ||
                                  s.word[0].value == value);
                }
                refused = stage_counts(&s)->damaged;
                ck_assert_uint_lt(refused, 2048 * 3 / 100);
        }
}

/* 16 beats of a clock are a frame of stop, or of full throttle, with a right CRC: what an SPI bus does all day. */
TEST(a_clock_of_even_duty_is_no_motor)
{
        static const double shares[] = { 0.48, 0.5, 0.52 };

        for (int i = 0; i < 24; i++) {
                struct stage s;

                stage_init(&s, (enum motor_protocol)(MOTOR_DSHOT150 + i % 4), false,
                           24e6);
                s.wave.high_zero = s.wave.high_one = shares[i % 3];
                s.wave.clock_error_ppm = 20e3 * stage_even(&s);
                for (int k = 0; k < 50; k++)
                        stage_frame(&s, k / 10 % 2 ? MOTOR_VALUE_MAX : 0, k / 10 % 2);
                ck_assert_uint_eq(stage_counts(&s)->recognitions, 0);
        }
}

TEST(a_disarmed_board_is_recognised_by_stop_alone)
{
        for (int i = 0; i < 24; i++) {
                enum motor_protocol protocol =
                        (enum motor_protocol)(MOTOR_DSHOT150 + i % 4);
                struct stage s;

                stage_init(&s, protocol, false,
                           i < 12 ? 24e6 : motor_protocol_clean_hz(protocol));
                s.jitter = true;
                s.wave.jitter_s = 0.0125 * motor_protocol_bit_s(protocol);
                s.wave.high_zero = duties[i / 4 % 3][0];
                s.wave.high_one = duties[i / 4 % 3][1];
                for (int k = 0; k < 5; k++) {
                        s.wave.clock_error_ppm = 20e3 * stage_even(&s);
                        stage_frame(&s, 0, false);
                }
                expect_frame(&s, 0, false);
                /* And by full throttle with a request for telemetry: ones alone. */
                stage_init(&s, protocol, false, s.wave.tick_hz);
                s.wave.high_zero = duties[i / 4 % 3][0];
                s.wave.high_one = duties[i / 4 % 3][1];
                for (int k = 0; k < 5; k++)
                        stage_frame(&s, MOTOR_VALUE_MAX, true);
                expect_frame(&s, MOTOR_VALUE_MAX, true);
        }
}

TEST(clocks_may_be_off_by_seven_percent)
{
        for (int percent = -7; percent <= 7; percent++) {
                struct stage s;

                stage_init(&s, MOTOR_DSHOT600, percent % 2, 24e6);
                s.wave.clock_error_ppm = percent * 1e4;
                stage_settle(&s);
                stage_frame(&s, 1234, true);
                expect_frame(&s, 1234, true);
        }
}

TEST(proshot_comes_back)
{
        struct stage s;

        stage_init(&s, MOTOR_PROSHOT1000, false,
                   motor_protocol_clean_hz(MOTOR_PROSHOT1000));
        all_values_come_back(&s);
}

TEST(a_frame_is_timed_from_its_first_edge_to_its_last)
{
        struct stage s;

        stage_init(&s, MOTOR_DSHOT300, false, 24e6);
        stage_settle(&s);
        s.now_s = 0.5;
        stage_frame(&s, 2047, false);
        ck_assert_int_eq(s.word[0].start_tick, 12000000);
        /* 15 bits of 80 ticks, then a zero: 2047 has FFEE. */
        ck_assert_int_eq(s.word[0].end_tick, 12000000 + 15 * 80 + 30);
}

/* What is left of a frame without some of its edges, or with more, and the two behind it. */
static void damage_one(struct stage *s, struct motor_edge *edge, size_t count)
{
        uint64_t damaged = stage_counts(s)->damaged;

        stage_edges(s, edge, count, 25e-6);
        for (size_t i = 0; i < s->words; i++)
                ck_assert_int_eq(s->word[i].kind, MOTOR_DAMAGED);
        ck_assert_uint_gt(stage_counts(s)->damaged, damaged);
        s->now_s += 100e-6;
        stage_frame(s, 777, false);
        expect_frame(s, 777, false);
}

TEST(a_bit_too_few_or_too_many_is_damage_and_the_next_frame_is_read)
{
        for (int inverted = 0; inverted < 2; inverted++) {
                struct motor_edge edge[MOTOR_WAVE_EDGES];
                struct stage s;
                size_t n;

                stage_init(&s, MOTOR_DSHOT600, inverted, 24e6);
                stage_settle(&s);
                for (size_t lost = 0; lost + 2 <= 32; lost++) {
                        n = stage_make(&s, 1046, true, edge);
                        memmove(edge + lost, edge + lost + 2,
                                (n - lost - 2) * sizeof edge[0]);
                        damage_one(&s, edge, n - 2);
                }
                n = stage_make(&s, 1046, true, edge);
                edge[32] = (struct motor_edge){ edge[30].tick + 40, 0, !inverted };
                edge[33] = (struct motor_edge){ edge[30].tick + 60, 0, inverted };
                damage_one(&s, edge, n + 2);
        }
}

TEST(a_glitch_is_damage_unless_it_is_filtered)
{
        for (int filtered = 0; filtered < 2; filtered++) {
                struct stage s;

                stage_init(&s, MOTOR_DSHOT300, false, 24e6);
                s.pad.p.glitch_s = filtered ? 200e-9 : 0.0;
                stage_settle(&s);
                for (int64_t at = 40; at < 1200; at += 7) {
                        struct motor_edge edge[MOTOR_WAVE_EDGES], with[MOTOR_WAVE_EDGES];
                        size_t n = stage_make(&s, 99, false, edge), i = 0;
                        int64_t tick = edge[0].tick + at;

                        /* Where the line has been at one level for long enough. */
                        while (i < n && edge[i].tick < tick)
                                i++;
                        if (edge[i - 1].tick + 6 > tick ||
                            (i < n && edge[i].tick < tick + 8))
                                continue;
                        memcpy(with, edge, i * sizeof edge[0]);
                        with[i] = (struct motor_edge){ tick, 0, !edge[i - 1].level };
                        with[i + 1] =
                                (struct motor_edge){ tick + 2, 0, edge[i - 1].level };
                        memcpy(with + i + 2, edge + i, (n - i) * sizeof edge[0]);
                        if (!filtered) {
                                damage_one(&s, with, n + 2);
                                continue;
                        }
                        stage_edges(&s, with, n + 2, 25e-6);
                        expect_frame(&s, 99, false);
                }
                ck_assert_uint_eq(stage_counts(&s)->recognitions, 1);
                ck_assert_int_eq(stage_counts(&s)->glitches > 50, filtered);
        }
}

/* Each bit's end moved to where the other value has it. */
TEST(bits_that_turn_over_are_never_used_unless_the_crc_fits)
{
        struct stage s;
        int passed = 0;

        stage_init(&s, MOTOR_DSHOT600, false, 24e6);
        stage_settle(&s);
        for (int i = 0; i < 20000; i++) {
                struct motor_edge edge[MOTOR_WAVE_EDGES];
                uint16_t value = (uint16_t)dice_below(&s.dice, 2048), turned = 0;
                uint16_t raw = motor_value_pack(value, i % 2, false);
                struct motor_word expected = { 0 };
                size_t n = stage_make(&s, value, i % 2, edge);

                for (int flips = 1 + (int)dice_below(&s.dice, 4); flips > 0; flips--)
                        turned |= (uint16_t)(1U << dice_below(&s.dice, 16));
                for (int bit = 0; bit < 16; bit++) {
                        struct motor_edge *end = &edge[2 * bit + 1];
                        bool one = raw >> (15 - bit) & 1;

                        if (turned >> (15 - bit) & 1)
                                end->tick += one ? -15 : 15;
                }
                stage_edges(&s, edge, n, 25e-6);
                motor_value_unpack(raw ^ turned, false, false, &expected);
                ck_assert(s.words == 1 || motor_pad_protocol(&s.pad) == MOTOR_UNKNOWN);
                if (s.words == 1)
                        ck_assert_int_eq(s.word[0].kind, expected.kind);
                passed += s.words == 1 && expected.kind != MOTOR_DAMAGED;
                stage_settle(&s);
        }
        /* What four bits of CRC cannot see: up to four turned bits. */
        ck_assert_int_lt(passed, 20000 / 8);
}

TEST(an_edge_anywhere_is_never_another_value)
{
        struct stage s;

        stage_init(&s, MOTOR_DSHOT600, true, 24e6);
        stage_settle(&s);
        for (int i = 0; i < 20000; i++) {
                struct motor_edge edge[MOTOR_WAVE_EDGES];
                uint16_t value = (uint16_t)dice_below(&s.dice, 2048);
                size_t n = stage_make(&s, value, false, edge), k;

                k = 1 + dice_below(&s.dice, (uint32_t)n - 2);
                edge[k].tick = edge[k - 1].tick + 1 +
                               dice_below(&s.dice, (uint32_t)(edge[k + 1].tick -
                                                              edge[k - 1].tick - 1));
                stage_edges(&s, edge, n, 25e-6);
                for (size_t w = 0; w < s.words; w++)
                        ck_assert(s.word[w].kind == MOTOR_DAMAGED ||
                                  s.word[w].value == value);
                stage_settle(&s);
        }
}

TEST(answers_come_between_frames)
{
        struct stage s;

        stage_init(&s, MOTOR_DSHOT600, true, 24e6);
        s.jitter = true;
        s.wave.jitter_s = 50e-9;
        stage_settle(&s);
        for (uint16_t raw12 = 1; raw12 < 4096; raw12++) {
                s.wave.clock_error_ppm = 20e3 * stage_even(&s);
                stage_frame(&s, 500, true);
                expect_frame(&s, 500, true);
                s.wave.clock_error_ppm = 20e3 * stage_even(&s);
                stage_telemetry(&s, raw12);
                ck_assert_uint_eq(s.words, 1);
                ck_assert(s.word[0].kind == MOTOR_ERPM ||
                          s.word[0].kind == MOTOR_EXTENDED);
                ck_assert_uint_eq(s.word[0].raw, raw12);
        }
        ck_assert_uint_eq(stage_counts(&s)->telemetry, 4095);
        ck_assert_uint_eq(stage_counts(&s)->telemetry_damaged, 0);
        ck_assert_uint_eq(stage_counts(&s)->damaged, 0);
}

TEST(answers_are_read_at_the_lowest_clean_rate)
{
        for (int i = MOTOR_DSHOT150; i <= MOTOR_DSHOT1200; i++) {
                enum motor_protocol protocol = (enum motor_protocol)i;
                struct stage s;

                stage_init(&s, protocol, true, motor_protocol_clean_hz(protocol));
                stage_settle(&s);
                for (uint16_t raw12 = 1; raw12 < 4096; raw12++) {
                        s.now_s += 0.13e-6;
                        stage_frame(&s, 500, true);
                        stage_telemetry(&s, raw12);
                        ck_assert_uint_eq(s.words, 1);
                        ck_assert_uint_eq(s.word[0].raw, raw12);
                }
                ck_assert_uint_eq(stage_counts(&s)->telemetry, 4095);
        }
}

TEST(a_damaged_answer_is_no_damaged_frame)
{
        struct stage s;

        stage_init(&s, MOTOR_DSHOT600, true, 24e6);
        stage_settle(&s);
        for (int i = 0; i < 100; i++) {
                struct motor_edge edge[MOTOR_WAVE_EDGES];
                size_t n, k;

                stage_frame(&s, 500, true);
                n = motor_wave_telemetry(&s.wave, 0, s.now_s + 5e-6, 0x3f4, NULL, edge);
                k = dice_below(&s.dice, (uint32_t)n - 2);
                memmove(edge + k, edge + k + 2, (n - k - 2) * sizeof edge[0]);
                stage_edges(&s, edge, n - 2, 25e-6);
                for (size_t w = 0; w < s.words; w++)
                        ck_assert_int_eq(s.word[w].kind, MOTOR_DAMAGED);
                ck_assert_uint_gt(stage_counts(&s)->telemetry_damaged, (unsigned)i);
                s.now_s += 100e-6;
        }
        ck_assert_uint_eq(stage_counts(&s)->damaged, 0);
        ck_assert_uint_eq(stage_counts(&s)->recognitions, 1);
}
