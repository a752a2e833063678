/* The loop's side of the motor pads: snapshots in, commands and figures out. No thread, no capture, no clock:
 * what the thread would have said is put into the ring by hand. */
#include <stdlib.h>
#include <string.h>

#include "hil/time/clock.h"
#include "hil/pads/pads.h"

#include "tests/suites.h"

#define MS         NS_PER_MS
#define RING_BYTES 16384
#define TICK_HZ    1e6 /* a tick is a microsecond */

static const struct pads_config four = {
        .drives = true, .rotors = 4, .pad_of_rotor = { 3, 2, 1, 0 }, .silence_ns = 20 * MS
};
static struct pads pads;
static struct pads_snapshot said;
static uint64_t memory[RING_BYTES / 8];

static void set_up(bool realtime)
{
        memset(&pads, 0, sizeof pads);
        memset(&said, 0, sizeof said);
        pads.config = &four;
        pads.event_fd = -1;
        pads.decode.params =
                (struct pads_decode_params){ .tick_hz = TICK_HZ, .host_clock = realtime };
        ring_init(&pads.ring, memory, sizeof memory);
}

static void setup(void)
{
        set_up(true);
}

FIXTURE(setup, NULL)

/* A frame on this pad, its last edge at that tick; host time is 1 s ahead of the device's. */
static void speak(int pad, double duty, int64_t tick, int64_t block_tick)
{
        said.pad[pad].heard = true;
        said.pad[pad].duty = duty;
        said.pad[pad].words++;
        said.pad[pad].end_tick = tick;
        said.pad[pad].end_ns = NS_PER_S + tick * 1000;
        said.pad[pad].fill_ns = (block_tick - tick) * 1000;
        said.pad[pad].arrived_ns = NS_PER_S + block_tick * 1000 + 30000;
}

static void push(int64_t until_tick)
{
        struct pads_snapshot *slot = ring_claim(&pads.ring, sizeof *slot);

        ck_assert_ptr_nonnull(slot);
        said.until_tick = until_tick;
        said.ready_ns = NS_PER_S + until_tick * 1000 + 50000;
        *slot = said;
        ring_publish(&pads.ring);
}

TEST(the_newest_word_of_a_rotors_input_is_its_command)
{
        for (int i = 0; i < 4; i++)
                speak(i, 0.1 * (i + 1), 100 + i, 200);
        push(200);
        speak(1, 0.9, 300, 400);
        push(400);
        pads_take(&pads, NS_PER_S + MS, MS);
        ck_assert_double_eq(pads.command.duty[0], 0.1 * 4);
        ck_assert_double_eq(pads.command.duty[1], 0.1 * 3);
        ck_assert_double_eq(pads.command.duty[2], 0.9);
        ck_assert_double_eq(pads.command.duty[3], 0.1);
        ck_assert_int_eq(pads.now.until_tick, 400);
}

/* Blocks that come behind a word do not count as its decoding. */
TEST(a_words_way_is_timed_by_the_block_that_it_came_with)
{
        const struct pads_latency *l = &pads.latency;

        speak(3, 0.5, 150, 200);
        push(200);
        push(400);
        push(600);
        pads_take(&pads, NS_PER_S + MS, MS);
        ck_assert_uint_eq(l->whole.count, 1);
        ck_assert_int_eq(l->fill.max_ns, 50000);
        ck_assert_int_eq(l->transfer.max_ns, 30000);
        ck_assert_int_eq(l->decode.max_ns, 20000);
        ck_assert_int_eq(l->wait.max_ns, MS - 250000);
        ck_assert_int_eq(l->whole.max_ns, MS - 150000);
        ck_assert_int_eq(l->fill.max_ns + l->transfer.max_ns + l->decode.max_ns +
                                 l->wait.max_ns,
                         l->whole.max_ns);
}

TEST(a_word_is_timed_once)
{
        speak(3, 0.5, 150, 200);
        push(200);
        pads_take(&pads, NS_PER_S + MS, MS);
        push(1200);
        pads_take(&pads, NS_PER_S + 2 * MS, 2 * MS);
        pads_take(&pads, NS_PER_S + 3 * MS, 3 * MS);
        ck_assert_uint_eq(pads.latency.whole.count, 1);
}

/* Four commands of which three were held up: the tick has the newest, and only that is its latency. */
TEST(commands_that_are_overtaken_are_counted_and_not_timed)
{
        for (int i = 0; i < 4; i++)
                speak(3, 0.1 * i, 100 + 200 * i, 200 + 200 * i);
        push(800);
        pads_take(&pads, NS_PER_S + MS, MS);
        ck_assert_uint_eq(pads.latency.whole.count, 1);
        ck_assert_uint_eq(pads.latency.overtaken, 3);
        ck_assert_int_eq(pads.latency.whole.max_ns, MS - 700000);
}

/* 5 ms in which nothing comes, then everything at once: the ticks between flew with an old command. */
TEST(what_was_held_up_shows_in_the_age_at_each_tick)
{
        speak(3, 0.5, 500, 800);
        push(800);
        pads_take(&pads, NS_PER_S + MS, MS);
        for (int i = 2; i <= 5; i++)
                pads_take(&pads, NS_PER_S + i * MS, i * MS);
        for (int i = 1; i <= 5; i++)
                speak(3, 0.5, 500 + i * 1000, 800 + i * 1000);
        push(5800);
        pads_take(&pads, NS_PER_S + 6 * MS, 6 * MS);
        ck_assert_uint_eq(pads.latency.whole.count, 2);
        ck_assert_int_eq(pads.latency.whole.max_ns, MS / 2);
        ck_assert_uint_eq(pads.latency.overtaken, 4);
        ck_assert_uint_eq(pads.latency.age.count, 6);
        ck_assert_int_eq(pads.latency.age.max_ns, 9 * MS / 2);
}

TEST(a_motor_that_stands_has_no_command_that_ages)
{
        speak(3, 0.5, 1000, 1000);
        push(1000);
        pads_take(&pads, NS_PER_S + MS, MS);
        ck_assert_uint_eq(pads.latency.age.count, 1);
        pads_take(&pads, NS_PER_S + 80 * MS, 80 * MS);
        ck_assert(pads.rotor[0].silent);
        ck_assert_uint_eq(pads.latency.age.count, 1);
}

/* Before the first tick the capture runs already. */
TEST(what_was_passed_over_is_no_command_and_not_timed)
{
        speak(3, 0.5, 150, 200);
        push(200);
        pads_pass_over(&pads, NS_PER_S + MS);
        pads_take(&pads, NS_PER_S + 2 * MS, MS);
        ck_assert_double_eq(pads.command.duty[0], 0.0);
        ck_assert_uint_eq(pads.latency.whole.count, 0);
        ck_assert_int_eq(pads.now.until_tick, 200);
}

/* 25 ms of nothing, then a frame, in one look or in two. */
TEST(silences_do_not_depend_on_when_the_loop_looks)
{
        for (int looks = 1; looks <= 2; looks++) {
                set_up(false);
                speak(3, 0.5, 1000, 1000);
                push(1000);
                push(26000);
                if (looks == 2)
                        pads_take(&pads, MS, 26 * MS);
                speak(3, 0.6, 26500, 27000);
                push(27000);
                pads_take(&pads, MS, 27 * MS);
                ck_assert_uint_eq(pads.rotor[0].silences, 1);
                ck_assert(!pads.rotor[0].silent);
                ck_assert_double_eq(pads.command.duty[0], 0.6);
        }
}

TEST(a_capture_that_shows_nothing_leaves_the_motors_stopped_in_real_time)
{
        speak(3, 0.5, 1000, 1000);
        push(1000);
        pads_take(&pads, NS_PER_S, MS);
        pads_take(&pads, NS_PER_S + 60 * MS, 61 * MS);
        ck_assert_double_eq(pads.command.duty[0], 0.5);
        pads_take(&pads, NS_PER_S + 80 * MS, 81 * MS);
        ck_assert_double_eq(pads.command.duty[0], 0.0);
        ck_assert_uint_eq(pads.rotor[0].silences, 1);
        ck_assert_uint_eq(pads.rotor[1].silences, 0);
        speak(3, 0.7, 82000, 82000);
        push(82000);
        pads_take(&pads, NS_PER_S + 82 * MS, 83 * MS);
        ck_assert_double_eq(pads.command.duty[0], 0.7);
}

/* There the host's clock says nothing. */
TEST(in_simulated_time_the_host_may_be_slow)
{
        set_up(false);
        speak(3, 0.5, 1000, 1000);
        push(1000);
        pads_take(&pads, NS_PER_S, MS);
        pads_take(&pads, 9 * NS_PER_S, MS);
        ck_assert_double_eq(pads.command.duty[0], 0.5);
}

static void compare(int ticks, const int order[4])
{
        struct motor_command reported = { .duty = { 0 } };

        for (int n = 0; n < ticks; n++) {
                for (int i = 0; i < 4; i++) {
                        double duty = 0.2 * i + 0.01 * (n % 10);

                        reported.duty[i] = duty;
                        speak(four.pad_of_rotor[order[i]], duty, n * 1000, n * 1000);
                }
                push(n * 1000);
                pads_take(&pads, NS_PER_S, n * MS);
                pads_compare(&pads, &reported);
        }
}

TEST(pads_that_do_as_is_reported_do_not_differ)
{
        compare(50, (const int[]){ 0, 1, 2, 3 });
        for (int i = 0; i < 4; i++) {
                ck_assert_uint_eq(pads.comparison.of[i][i].ticks, 50);
                ck_assert_double_eq(pads.comparison.of[i][i].max, 0.0);
                ck_assert_int_eq(motor_comparison_better(&pads.comparison, 4, i), -1);
        }
}

TEST(swapped_pads_are_told_by_what_they_do)
{
        compare(50, (const int[]){ 0, 2, 1, 3 });
        ck_assert_int_eq(motor_comparison_better(&pads.comparison, 4, 0), -1);
        ck_assert_int_eq(motor_comparison_better(&pads.comparison, 4, 1), 2);
        ck_assert_int_eq(motor_comparison_better(&pads.comparison, 4, 2), 1);
        ck_assert_double_eq_tol(pads.comparison.of[1][1].max, 0.2, 1e-12);
}

TEST(a_capture_that_is_gone_is_compared_with_nothing)
{
        const struct motor_command reported = { .duty = { 1.0, 1.0, 1.0, 1.0 } };

        speak(3, 0.5, 1000, 1000);
        push(1000);
        pads_take(&pads, NS_PER_S, MS);
        atomic_store(&pads.state, PADS_GONE);
        pads_compare(&pads, &reported);
        ck_assert_uint_eq(pads.comparison.of[0][0].ticks, 0);
}
