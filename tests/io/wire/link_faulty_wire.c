/* The faulty wire itself: what passes untouched, partial writes, packets, plugs, chance. */
#include "tests/io/wire/faulty_stage.h"

#include "io/codec/betaflight/betaflight.h"
#include "io/wire/damage.h"
#include "tests/io/link/link_ends.h"
#include "tests/suites.h"

static void any_bytes(uint8_t *bytes, size_t len, uint64_t seed)
{
        struct rng rng;

        rng_init(&rng, seed, 0, 0, 1);
        wire_noise(&rng, bytes, len);
}

FIXTURE(stage_open, stage_close)

TEST(without_faults_every_byte_passes_as_it_comes)
{
        uint8_t bytes[3000], got[4096];
        struct rng rng;
        size_t at = 0;

        rng_init(&rng, 5, 0, 0, 0);
        any_bytes(bytes, sizeof bytes, 1);
        while (at < sizeof bytes) {
                size_t n = 1 + wire_pick(&rng, 40);

                n = n < sizeof bytes - at ? n : sizeof bytes - at;
                ck_assert_int_eq(link_write(wire, bytes + at, n), (int)n);
                ck_assert_int_eq(link_read(far_end, got, sizeof got), (int)n);
                ck_assert_mem_eq(got, bytes + at, n);
                ck_assert_int_eq(link_write(far_end, bytes + at, n), (int)n);
                ck_assert_int_eq(link_read(wire, got, sizeof got), (int)n);
                ck_assert_mem_eq(got, bytes + at, n);
                at += n;
        }
}

TEST(a_frame_that_is_half_through_is_not_touched)
{
        struct wire_fault drop = fault_of(WIRE_DROP);
        uint8_t bytes[HILP_FRAME_MAX];
        size_t len = frame_bytes(HILP_SENSORS, 1, bytes);

        link_write(wire, bytes, len - 5);
        link_write(far_end, bytes, len - 5);
        link_read(wire, bytes, 5);
        begin(&drop, 0);
        frame_bytes(HILP_SENSORS, 1, bytes);
        link_write(wire, bytes + len - 5, 5);
        ask(2);
        ck_assert_str_eq(arrives(), "1");
        link_write(far_end, bytes + len - 5, 5);
        answer(2);
        /* Its first five bytes were read above. */
        ck_assert_uint_eq(read_everything(wire, bytes, sizeof bytes), len - 5);
        ck_assert_uint_eq(counts(0).frames, 2);
}

TEST(half_a_frame_waits_for_the_other_half_while_a_fault_looks)
{
        struct wire_fault twice = fault_of(WIRE_DUPLICATE);
        uint8_t bytes[HILP_FRAME_MAX], got[4096];
        size_t len = frame_bytes(HILP_SENSORS, 1, bytes);

        begin(&twice, 0);
        for (size_t i = 0; i + 1 < len; i++)
                ck_assert_int_eq(link_write(wire, bytes + i, 1), 1);
        ck_assert_uint_eq(read_everything(far_end, got, sizeof got), 0);
        ck_assert_int_eq(link_write(wire, bytes + len - 1, 1), 1);
        ck_assert_str_eq(arrives(), "1 1");
        /* And no longer, when it is over. */
        link_write(far_end, bytes, 10);
        ck_assert_int_eq(link_read(wire, got, sizeof got), 0);
        end(0);
        link_write(far_end, bytes + 10, 1);
        ck_assert_int_eq(link_read(wire, got, sizeof got), 11);
}

TEST(a_full_link_takes_frames_piece_by_piece_and_in_order)
{
        struct wire_fault twice = fault_of(WIRE_DUPLICATE);
        uint8_t bytes[HILP_FRAME_MAX], got[4096];
        size_t len, arrived = 0;

        stage_close();
        stage_open_capacity(16, false);
        begin(&twice, 0);
        len = frame_bytes(HILP_SENSORS, 1, bytes);
        ck_assert_int_eq(link_write(wire, bytes, len), (int)len);
        ck_assert(!link_faulty_pushed(wire));
        /* What is due comes first. */
        ck_assert_int_eq(link_write(wire, bytes, len), 0);
        while (!link_faulty_pushed(wire)) {
                arrived += read_everything(far_end, got + arrived, sizeof got - arrived);
                ck_assert(link_faulty_push(wire));
        }
        arrived += read_everything(far_end, got + arrived, sizeof got - arrived);
        ck_assert_uint_eq(arrived, 2 * len);
        ck_assert_mem_eq(got, bytes, len);
        ck_assert_mem_eq(got + len, bytes, len);
}

TEST(a_reader_with_little_room_gets_everything)
{
        struct wire_fault twice = fault_of(WIRE_DUPLICATE);
        uint8_t bytes[HILP_FRAME_MAX], got[4096];
        size_t len = frame_bytes(HILP_MOTORS, 1, bytes), at = 0;

        begin(&twice, 0);
        answer(1);
        for (int n; (n = link_read(wire, got + at, 3)) > 0; at += (size_t)n)
                ;
        ck_assert_uint_eq(at, 2 * len);
        ck_assert_mem_eq(got, bytes, len);
        ck_assert_mem_eq(got + len, bytes, len);
}

/* A datagram is one thing: it is lost with all its frames, and keeps its boundaries. */
TEST(packets_are_lost_and_delayed_whole)
{
        struct ends ends = open_ends(ENDS_UDP);
        struct wire_fault drop = fault_of(WIRE_DROP), late = fault_of(WIRE_DELAY);
        uint8_t two[2 * HILP_FRAME_MAX], one[HILP_FRAME_MAX], got[4096];
        size_t n, n2;

        stage_close();
        stage_open_on(ends.b, ends.a, false);
        n = frame_bytes(HILP_INPUT, 1, two);
        n2 = n + frame_bytes(HILP_SENSORS, 1, two + n);
        n = frame_bytes(HILP_INPUT, 2, one);
        drop.frame = SENSORS;
        begin(&drop, 0);
        ck_assert_int_eq(link_write(wire, two, n2), (int)n2);
        ck_assert_int_eq(link_write(wire, one, n), (int)n);
        ck_assert_int_eq(read_soon(far_end, got, sizeof got), (int)n);
        ck_assert_mem_eq(got, one, n);
        link_confirm(far_end);
        ck_assert_uint_eq(counts(0).frames, 1);
        ck_assert_uint_eq(counts(0).bytes, n2);
        end(0);

        late.ticks = 1;
        begin(&late, 1);
        link_write(wire, two, n2);
        link_write(wire, one, n);
        link_write(far_end, two, n2);
        link_write(far_end, one, n);
        wait_for(wire, POLLIN);
        ck_assert_int_eq(link_read(wire, got, sizeof got), 0);
        tick(1);
        ck_assert_int_eq(read_soon(far_end, got, sizeof got), (int)n2);
        ck_assert_int_eq(read_soon(far_end, got, sizeof got), (int)n);
        ck_assert_int_eq(read_soon(wire, got, sizeof got), (int)n2);
        ck_assert_mem_eq(got, two, n2);
        ck_assert_int_eq(link_read(wire, got, sizeof got), (int)n);
}

TEST(unplugged_both_sides_see_it_and_what_was_on_its_way_is_lost)
{
        struct wire_fault late = fault_of(WIRE_DELAY);
        struct link *a, *b;
        uint8_t byte = 0;

        late.ticks = 5;
        begin(&late, 0);
        ask(1);
        link_faulty_plug(wire, NULL);
        ck_assert_int_eq(link_read(far_end, &byte, 1), LINK_GONE);
        ck_assert_int_eq(link_read(wire, &byte, 1), LINK_GONE);
        ck_assert_int_eq(link_write(wire, &byte, 1), LINK_GONE);
        ck_assert(!link_faulty_push(wire));
        ck_assert_int_eq(wire->fd, -1);
        end(0);

        ck_assert(link_pair_open(&a, &b, 4096));
        link_faulty_plug(wire, a);
        link_close(far_end);
        far_end = b;
        tick(100);
        ask(2);
        ck_assert_str_eq(arrives(), "2");
}

/* Binomial, within five standard deviations; two faults draw for themselves. */
TEST(probabilities_are_kept_and_independent)
{
        struct wire_fault drop = fault_of(WIRE_DROP);
        double both = 0.0, passed[2] = { 0.0, 0.0 };
        static bool hit[2][20000];
        enum { FRAMES = 20000 };

        drop.probability = 0.3;
        for (int k = 0; k < 2; k++) {
                begin_seeded(&drop, k, 99);
                for (int i = 0; i < FRAMES; i++) {
                        ask((uint32_t)i);
                        hit[k][i] = arrives()[0] == '\0';
                        passed[k] += !hit[k][i];
                }
                end(k);
                ck_assert_double_eq_tol(passed[k], 0.7 * FRAMES,
                                        5.0 * sqrt(0.21 * FRAMES));
        }
        for (int i = 0; i < FRAMES; i++)
                both += hit[0][i] && hit[1][i];
        ck_assert_double_eq_tol(both, 0.09 * FRAMES, 5.0 * sqrt(0.09 * 0.91 * FRAMES));
}

static void who_comes_back(char *out, bool with_words)
{
        struct wire_fault drop = fault_of(WIRE_DROP);

        drop.probability = 0.5;
        stage_close();
        stage_open();
        begin_seeded(&drop, 0, 3);
        out[0] = '\0';
        for (uint32_t i = 0; i < 100; i++) {
                const char *came;

                if (with_words && i % 3 == 0)
                        say(far_end, HILP_TEXT, i);
                answer(i);
                came = comes_back();
                came += came[0] == 't' ? 1 + (came[1] == ' ') : 0;
                strcat(strcat(out, came), " ");
        }
}

TEST(words_of_the_board_do_not_change_what_happens_to_its_answers)
{
        static char without[TEXT_SIZE], with[TEXT_SIZE];

        who_comes_back(without, false);
        who_comes_back(with, true);
        ck_assert_str_eq(without, with);
}

TEST(what_finds_no_room_is_counted)
{
        struct wire_fault late = fault_of(WIRE_DELAY);

        late.ticks = WIRE_FAULT_TICKS_MAX;
        begin(&late, 0);
        for (uint32_t i = 0; i < 20000; i++)
                ask(i);
        ck_assert_uint_gt(link_faulty_lost(wire), 0);
        tick(WIRE_FAULT_TICKS_MAX);
        ck_assert_int_eq(strncmp(arrives(), "0 1 2 ", 6), 0);
}

TEST(in_lockstep_a_read_ends_with_the_answer_that_is_awaited)
{
        stage_close();
        stage_open_capacity(65536, true);
        answer(0);
        ck_assert_str_eq(comes_back(), "");
        ask(0);
        ck_assert(faults->talk.awaiting);
        say(far_end, HILP_TEXT, 0);
        answer(1);
        ck_assert_str_eq(comes_back(), "0");
        ck_assert(!faults->talk.awaiting);
        ask(1);
        ck_assert_str_eq(comes_back(), "t 1");
}

TEST(only_what_arrives_whole_is_awaited)
{
        struct wire_fault flip = fault_of(WIRE_BIT_FLIPS), noise = fault_of(WIRE_GARBAGE);
        struct wire_fault cut = fault_of(WIRE_TRUNCATE);

        flip.bits = 1;
        flip.count = 1;
        begin(&flip, 0);
        ask(0);
        ck_assert(!faults->talk.awaiting);
        cut.bytes = 3;
        cut.count = 1;
        begin(&cut, 1);
        ask(1);
        ask(2); /* swallowed */
        ck_assert(!faults->talk.awaiting);
        ask(3);
        ck_assert(faults->talk.awaiting);
        ck_assert_uint_eq(faults->talk.newest, 3);
        answer(2);
        comes_back();
        ck_assert(faults->talk.awaiting);
        answer(3);
        comes_back();
        ck_assert(!faults->talk.awaiting);
        /* Noise that does not end in a zero is glued to the frame. */
        arrives();
        noise.bytes = 1;
        for (uint32_t i = 4; i < 60; i++) {
                const char *came;

                begin(&noise, 2);
                ask(i);
                came = arrives();
                ck_assert_int_eq(faults->talk.awaiting,
                                 strpbrk(came, "0123456789") != NULL);
                faults->talk.awaiting = false;
                end(2);
        }
}

/* Betaflight's packets: by their lengths sensors and motors. */
TEST(frames_without_numbers_are_awaited_each)
{
        const struct codec_setup setup = { .rotors = 4, .period_ns = 1000000 };
        struct codec *betaflight = codec_create("betaflight", &setup);
        struct ends ends = open_ends(ENDS_UDP);
        uint8_t bytes[BETAFLIGHT_FDM_BYTES] = { 0 };
        struct link *l;

        ck_assert_ptr_nonnull(betaflight);
        l = link_faulty_open(ends.b, betaflight->ops, faults, 0);
        for (int i = 0; i < 3; i++) {
                link_write(l, bytes, BETAFLIGHT_FDM_BYTES);
                ck_assert(faults->talk.awaiting);
                ck_assert_int_gt(read_soon(ends.a, bytes, sizeof bytes), 0);
                link_confirm(ends.a);
                link_write(ends.a, bytes, BETAFLIGHT_SERVO_BYTES);
                ck_assert_int_gt(read_soon(l, bytes, sizeof bytes), 0);
                ck_assert(!faults->talk.awaiting);
        }
        link_close(l);
        link_close(ends.a);
        betaflight->ops->destroy(betaflight);
}

TEST(the_tap_shows_what_arrived)
{
        struct wire_fault flip = fault_of(WIRE_BIT_FLIPS);
        uint8_t got[4096], tapped[4096];
        size_t len;

        link_faulty_tap(wire, true);
        flip.bits = 3;
        begin(&flip, 0);
        ask(1);
        len = read_everything(far_end, got, sizeof got);
        ck_assert_uint_eq(link_faulty_tapped(wire, tapped, sizeof tapped), len);
        ck_assert_mem_eq(got, tapped, len);
        ck_assert_uint_eq(link_faulty_tapped(wire, tapped, sizeof tapped), 0);
}
