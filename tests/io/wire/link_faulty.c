/* Each kind of wire fault: which bytes come out, and at which tick. */
#include "tests/io/wire/faulty_stage.h"
#include "tests/suites.h"

FIXTURE(stage_open, stage_close)

TEST(dropped_frames_do_not_arrive_and_the_others_do)
{
        struct wire_fault drop = fault_of(WIRE_DROP);

        drop.frame = SENSORS;
        drop.count = 2;
        begin(&drop, 0);
        ask(0);
        say(wire, HILP_INPUT, 1);
        ask(1);
        ask(2);
        ck_assert_str_eq(arrives(), "i 2");
        ck_assert_uint_eq(counts(0).frames, 2);
        /* It begins again: two more. */
        begin(&drop, 0);
        ask(3);
        ask(4);
        ask(5);
        ck_assert_str_eq(arrives(), "5");
        ck_assert_uint_eq(counts(0).frames, 4);
}

TEST(a_fault_acts_in_its_direction_and_on_its_channel_only)
{
        struct wire_fault drop = fault_of(WIRE_DROP);

        drop.directions = WIRE_BIT(WIRE_FROM_FC);
        begin(&drop, 0);
        ask(0);
        answer(0);
        ck_assert_str_eq(arrives(), "0");
        ck_assert_str_eq(comes_back(), "");
        end(0);
        drop.directions = WIRE_BOTH;
        drop.channel = 1;
        begin(&drop, 1);
        ask(1);
        answer(1);
        ck_assert_str_eq(arrives(), "1");
        ck_assert_str_eq(comes_back(), "1");
        ck_assert_uint_eq(counts(1).frames, 0);
}

TEST(duplicated_frames_arrive_twice)
{
        struct wire_fault twice = fault_of(WIRE_DUPLICATE);

        begin(&twice, 0);
        ask(0);
        ask(1);
        answer(0);
        ck_assert_str_eq(arrives(), "0 0 1 1");
        ck_assert_str_eq(comes_back(), "0 0");
}

TEST(reordered_frames_swap_with_the_next)
{
        struct wire_fault swap = fault_of(WIRE_REORDER);

        swap.directions = WIRE_BIT(WIRE_TO_FC);
        begin(&swap, 0);
        for (uint32_t i = 0; i < 5; i++)
                ask(i);
        ck_assert_str_eq(arrives(), "1 0 3 2");
        /* The last one was waiting for a next. */
        end(0);
        ck_assert_str_eq(arrives(), "4");
        swap.count = 1;
        begin(&swap, 0);
        for (uint32_t i = 5; i < 9; i++)
                ask(i);
        ck_assert_str_eq(arrives(), "6 5 7 8");
}

/* A frame at every tick: with a delay of 3 from tick 2 to 5, the frame of tick t comes at t + 3; none
 * overtakes it afterwards. */
TEST(delayed_frames_arrive_at_their_tick_and_in_order)
{
        static const char *const at_tick[] = { "0", "1", "",        "",  "",  "2",
                                               "3", "4", "5 6 7 8", "9", "10" };
        struct wire_fault late = fault_of(WIRE_DELAY);

        late.directions = WIRE_BIT(WIRE_TO_FC);
        late.ticks = 3;
        for (uint32_t t = 0; t < 11; t++) {
                tick(t);
                if (t == 2)
                        begin(&late, 0);
                if (t == 6)
                        end(0);
                ask(t);
                ck_assert_msg(strcmp(arrives(), at_tick[t]) == 0, "tick %u: %s", t,
                              words);
        }
        ck_assert_uint_eq(counts(0).frames, 4);
}

TEST(what_was_delayed_arrives_before_the_ticks_own_frame)
{
        struct wire_fault late = fault_of(WIRE_DELAY);

        late.ticks = 2;
        late.count = 1;
        begin(&late, 0);
        ask(0);
        ck_assert_str_eq(arrives(), "");
        tick(2);
        ck_assert_str_eq(arrives(), "0");
        ask(2);
        ck_assert_str_eq(arrives(), "2");
}

TEST(answers_are_delayed_by_whole_ticks_too)
{
        struct wire_fault late = fault_of(WIRE_DELAY);

        late.directions = WIRE_BIT(WIRE_FROM_FC);
        late.ticks = 2;
        begin(&late, 0);
        answer(0);
        ck_assert_str_eq(comes_back(), "");
        tick(1);
        answer(1);
        ck_assert_str_eq(comes_back(), "");
        tick(2);
        ck_assert_str_eq(comes_back(), "0");
        tick(3);
        ck_assert_str_eq(comes_back(), "1");
}

/* Frames far enough apart that none waits for another: 0 to 4 ticks, each as often. Chi squared with four
 * degrees of freedom is below 23.5 in 9,999 of 10,000 samples. */
TEST(jitter_is_uniform_and_keeps_the_order)
{
        struct wire_fault jitter = fault_of(WIRE_JITTER);
        int seen[5] = { 0 };
        double chi2 = 0.0;
        enum { FRAMES = 5000 };

        jitter.ticks = 4;
        begin(&jitter, 0);
        for (int i = 0; i < FRAMES; i++) {
                int late = 0;

                tick(10 * i);
                ask((uint32_t)i);
                while (arrives()[0] == '\0')
                        tick(10 * i + ++late);
                ck_assert_int_le(late, 4);
                ck_assert_int_eq(atoi(words), i);
                seen[late]++;
        }
        for (int i = 0; i < 5; i++) {
                double off = seen[i] - FRAMES / 5.0;

                chi2 += off * off / (FRAMES / 5.0);
        }
        ck_assert_double_lt(chi2, 23.5);
        ck_assert_uint_eq(counts(0).frames, (uint64_t)(FRAMES - seen[0]));

        for (uint32_t t = 0; t < 200; t++) {
                tick(100000 + t);
                ask(t);
        }
        tick(101000);
        arrives();
        for (int i = 0, at = 0, n; i < 200; i++, at += n) {
                int number;

                ck_assert_int_eq(sscanf(words + at, "%d%n", &number, &n), 1);
                ck_assert_int_eq(number, i);
        }
}

/* HILP ends a frame with a zero: one without it runs into the next, and both are lost. */
TEST(truncated_frames_keep_their_first_bytes_and_swallow_the_next)
{
        struct wire_fault cut = fault_of(WIRE_TRUNCATE);
        uint8_t whole[HILP_FRAME_MAX], got[4096];
        size_t len = frame_bytes(HILP_SENSORS, 0, whole);

        cut.bytes = 7;
        cut.count = 1;
        begin(&cut, 0);
        ask(0);
        ck_assert_uint_eq(read_everything(far_end, got, sizeof got), 7);
        ck_assert_mem_eq(got, whole, 7);
        ck_assert_uint_eq(counts(0).bytes, len);
        begin(&cut, 0);
        ask(1);
        ask(2);
        ask(3);
        ck_assert_str_eq(arrives(), "x 3");
        /* Nothing is left of one that is cut to nothing; shorter ones are left alone. */
        cut.bytes = 0;
        begin(&cut, 1);
        ask(4);
        ask(5);
        ck_assert_str_eq(arrives(), "5");
        cut.bytes = WIRE_FAULT_BYTES_MAX;
        begin(&cut, 2);
        ask(6);
        ck_assert_str_eq(arrives(), "6");
        ck_assert_uint_eq(counts(2).frames, 0);
}

static int bits_apart(const uint8_t *a, const uint8_t *b, size_t len)
{
        int n = 0;

        for (size_t i = 0; i < len; i++)
                n += __builtin_popcount((unsigned)(a[i] ^ b[i]));
        return n;
}

TEST(so_many_bits_are_flipped)
{
        struct wire_fault flips = fault_of(WIRE_BIT_FLIPS);
        uint8_t whole[HILP_FRAME_MAX], got[4096];
        size_t len = frame_bytes(HILP_SENSORS, 7, whole);

        for (int bits = 1; bits <= WIRE_FAULT_BITS_MAX; bits++) {
                flips.bits = bits;
                begin(&flips, 0);
                ask(7);
                ck_assert_uint_eq(read_everything(far_end, got, sizeof got), len);
                ck_assert_int_eq(bits_apart(got, whole, len), bits);
        }
}

/* Binomial: within five standard deviations, which one of 1.7 million samples is not. */
TEST(bits_are_flipped_at_their_ratio)
{
        static const double ratios[] = { 1e-4, 3e-3, 0.1, 0.5 };
        struct wire_fault flips = fault_of(WIRE_BIT_FLIPS);
        uint8_t whole[HILP_FRAME_MAX], got[4096];
        size_t len = frame_bytes(HILP_SENSORS, 7, whole);
        enum { FRAMES = 4000 };

        for (int k = 0; k < 4; k++) {
                double bits = 8.0 * (double)len * FRAMES, p = ratios[k], flipped = 0.0;
                uint64_t damaged = 0;

                flips.error_ratio = p;
                begin(&flips, k);
                for (int i = 0; i < FRAMES; i++) {
                        int apart;

                        ask(7);
                        ck_assert_uint_eq(read_everything(far_end, got, sizeof got), len);
                        apart = bits_apart(got, whole, len);
                        flipped += apart;
                        damaged += apart > 0;
                }
                end(k);
                ck_assert_double_eq_tol(flipped, bits * p,
                                        5.0 * sqrt(bits * p * (1.0 - p)));
                ck_assert_uint_eq(counts(k).frames, damaged);
        }
}

TEST(garbage_comes_before_a_frame_and_leaves_it_whole)
{
        struct wire_fault noise = fault_of(WIRE_GARBAGE);
        uint8_t whole[HILP_FRAME_MAX], got[4096], again[4096];
        size_t len = frame_bytes(HILP_SENSORS, 0, whole);

        noise.bytes = 100;
        noise.count = 1;
        begin(&noise, 0);
        ask(0);
        ck_assert_uint_eq(read_everything(far_end, got, sizeof got), 100 + len);
        ck_assert_mem_eq(got + 100, whole, len);
        ck_assert_uint_eq(counts(0).bytes, 100);
        begin(&noise, 0);
        ask(0);
        ck_assert_uint_eq(read_everything(far_end, again, sizeof again), 100 + len);
        ck_assert_mem_ne(got, again, 100);
}

TEST(a_clock_that_is_off_a_little_does_no_harm_and_one_that_is_off_too_far_does)
{
        struct wire_fault drift = fault_of(WIRE_BAUD_DRIFT);

        for (int percent = -4; percent <= 4; percent++) {
                drift.clock_error = 0.01 * percent;
                begin(&drift, percent + 4);
                ask((uint32_t)(percent + 4));
                ck_assert_int_eq(atoi(arrives()), percent + 4);
                end(percent + 4);
                ck_assert_uint_eq(counts(percent + 4).frames, 0);
        }
        for (int i = 0; i < 2; i++) {
                drift.clock_error = i == 0 ? -0.07 : 0.07;
                begin(&drift, 20 + i);
                for (uint32_t k = 0; k < 20; k++)
                        ask(k);
                ck_assert_uint_eq(counts(20 + i).frames, 20);
                arrives();
                ck_assert_msg(strpbrk(words, "0123456789") == NULL, "%s", words);
                end(20 + i);
        }
}

TEST(in_silence_nothing_passes_nor_what_was_on_its_way)
{
        struct wire_fault late = fault_of(WIRE_DELAY), silence = fault_of(WIRE_SILENCE);

        late.ticks = 2;
        late.directions = WIRE_BIT(WIRE_TO_FC);
        begin(&late, 0);
        ask(0);
        tick(1);
        ask(1);
        begin(&silence, 1);
        tick(2);
        ask(2);
        answer(2);
        ck_assert_str_eq(arrives(), "");
        ck_assert_str_eq(comes_back(), "");
        end(1);
        tick(3);
        ck_assert_str_eq(arrives(), "1");
        ck_assert_uint_eq(counts(1).frames, 3);
}

TEST(faults_act_in_the_order_in_which_they_began)
{
        struct wire_fault twice = fault_of(WIRE_DUPLICATE), drop = fault_of(WIRE_DROP);

        drop.count = 1;
        begin(&twice, 0);
        begin(&drop, 1);
        ask(0);
        ask(1);
        ck_assert_str_eq(arrives(), "0 1 1");
        end(0);
        begin(&drop, 1);
        begin(&twice, 0);
        ask(2);
        ask(3);
        ck_assert_str_eq(arrives(), "3 3");
}
