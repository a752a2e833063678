/* What a capture saw becomes the newest word of each motor pad. */
#include <stdlib.h>
#include <string.h>

#include "hil/pads/decode.h"
#include "io/motor/wave.h"

#include "tests/suites.h"

#define RATE_HZ 24e6
#define SAMPLES 24000 /* a millisecond */
#define FRAMES  8 /* of a pad in it */

static struct pads_decode decode;
static uint8_t samples[SAMPLES];

static const struct motor_wave_params dshot600 = { .protocol = MOTOR_DSHOT600,
                                                   .tick_hz = RATE_HZ,
                                                   .range = { 1000.0, 2000.0, false } };

static void setup(void)
{
        const struct pads_decode_params p = { .tick_hz = RATE_HZ,
                                              .mask = 0x0f,
                                              .range = { 1000.0, 2000.0, false } };

        pads_decode_init(&decode, &p);
}

FIXTURE(setup, NULL)

static int in_time(const void *a, const void *b)
{
        const struct motor_edge *x = a, *y = b;

        return x->tick < y->tick ? -1 : x->tick > y->tick;
}

/* A millisecond of eight frames on each of four pads; pad i says value[i]. `spoilt`: a pad whose frames
 * have a wrong CRC, -1 none. */
static size_t make_edges(const uint16_t value[4], int spoilt, double from_s,
                         struct motor_edge *edge)
{
        size_t edges = 0;

        for (int f = 0; f < FRAMES; f++)
                for (int i = 0; i < 4; i++) {
                        size_t n = motor_wave_dshot(&dshot600, (uint8_t)i,
                                                    from_s + 20e-6 + f * 120e-6, value[i],
                                                    false, NULL, edge + edges);

                        /* The last bit's high time becomes that of the other kind. */
                        if (i == spoilt)
                                edge[edges + n - 1].tick +=
                                        edge[edges + n - 1].tick -
                                                                edge[edges + n - 2].tick >
                                                        20
                                                ? -15
                                                : 15;
                        edges += n;
                }
        qsort(edge, edges, sizeof edge[0], in_time);
        return edges;
}

static void decode_ms(int64_t ms, const uint16_t value[4], int spoilt, bool gap)
{
        struct motor_edge edge[FRAMES * 4 * MOTOR_WAVE_EDGES];
        struct capture_block block = { .gap = gap,
                                       .first_tick = ms * SAMPLES,
                                       .samples = samples,
                                       .count = SAMPLES,
                                       .until_tick = (ms + 1) * SAMPLES };
        uint8_t levels[MOTOR_PADS_MAX] = { 0 };
        size_t edges = make_edges(value, spoilt, (double)ms * 1e-3, edge);

        motor_wave_samples(edge, edges, ms * SAMPLES, SAMPLES, levels, samples);
        ck_assert(pads_decode_block(&decode, &block));
}

TEST(each_pad_has_the_duty_of_its_newest_frame)
{
        const uint16_t value[4] = { 48, 1047, 2047, 0 };

        decode_ms(0, value, -1, false);
        for (int i = 0; i < 4; i++)
                ck_assert(decode.now.pad[i].heard);
        ck_assert_double_eq_tol(decode.now.pad[0].duty, 0.0, 1e-12);
        ck_assert_double_eq_tol(decode.now.pad[1].duty, 999.0 / 1999.0, 1e-12);
        ck_assert_double_eq_tol(decode.now.pad[2].duty, 1.0, 1e-12);
        ck_assert_double_eq_tol(decode.now.pad[3].duty, 0.0, 1e-12);
        ck_assert_int_eq(decode.now.until_tick, SAMPLES);
        ck_assert(!decode.now.pad[5].heard);
}

/* It ends with the last falling edge, and the rest of the block is what the device made it wait. */
TEST(a_word_has_the_time_of_its_last_edge)
{
        const uint16_t value[4] = { 1000, 1000, 1000, 1000 };
        double last_s = 20e-6 + (FRAMES - 1) * 120e-6 + 15.0 * 1e-6 / 0.6;

        decode_ms(0, value, -1, false);
        ck_assert_double_ge((double)decode.now.pad[0].end_tick, last_s * RATE_HZ);
        ck_assert_double_le((double)decode.now.pad[0].end_tick,
                            (last_s + 2e-6) * RATE_HZ);
        ck_assert_int_eq(decode.now.pad[0].fill_ns,
                         (int64_t)((double)(SAMPLES - decode.now.pad[0].end_tick) /
                                   RATE_HZ * 1e9));
}

TEST(a_command_and_a_wrong_crc_move_no_motor)
{
        const uint16_t flying[4] = { 1047, 1047, 1047, 1047 },
                       beeping[4] = { 5, 1047, 5, 5 };
        uint64_t words;

        decode_ms(0, flying, -1, false);
        words = decode.now.pad[0].words;
        decode_ms(1, beeping, 1, false);
        ck_assert_double_eq_tol(decode.now.pad[0].duty, 999.0 / 1999.0, 1e-12);
        ck_assert_double_eq_tol(decode.now.pad[1].duty, 999.0 / 1999.0, 1e-12);
        ck_assert_uint_eq(decode.now.pad[0].words, words);
        ck_assert_uint_ge(motor_pad_counted(&decode.words.pad[0])->commands, FRAMES);
        ck_assert_uint_ge(motor_pad_counted(&decode.words.pad[1])->damaged, FRAMES);
}

TEST(a_gap_keeps_the_duty_and_is_counted)
{
        const uint16_t first[4] = { 300, 300, 300, 300 },
                       second[4] = { 900, 900, 900, 900 };

        decode_ms(0, first, -1, false);
        decode_ms(7, second, -1, true);
        ck_assert_uint_eq(decode.now.gaps, 1);
        ck_assert_double_eq_tol(decode.now.pad[2].duty, 852.0 / 1999.0, 1e-12);
        ck_assert_int_eq(decode.now.until_tick, 8 * SAMPLES);
        ck_assert_uint_eq(motor_pad_counted(&decode.words.pad[2])->damaged, 0);
}

/* Its samples count from 0 again; time here goes on from where the lost one had come. */
TEST(ticks_go_on_when_the_capture_is_opened_again)
{
        const uint16_t value[4] = { 700, 700, 700, 700 };

        decode_ms(0, value, -1, false);
        decode_ms(1, value, -1, false);
        pads_decode_reopen(&decode, 0);
        decode_ms(0, value, -1, false);
        ck_assert_int_eq(decode.now.until_tick, 3 * SAMPLES);
        ck_assert_int_gt(decode.now.pad[0].end_tick, 2 * SAMPLES);
        ck_assert_uint_eq(motor_pad_counted(&decode.words.pad[0])->damaged, 0);
}

/* So much nobody saw: a pad that says nothing more is as silent as it was. */
TEST(the_time_that_a_capture_was_gone_is_not_left_out)
{
        const uint16_t value[4] = { 700, 700, 700, 700 };
        int64_t end_tick;

        decode_ms(0, value, -1, false);
        end_tick = decode.now.pad[0].end_tick;
        pads_decode_reopen(&decode, 50000000);
        ck_assert(pads_decode_block(
                &decode, &(struct capture_block){
                                 .samples = samples, .count = 24, .until_tick = 24 }));
        ck_assert_int_eq(decode.now.until_tick, 51 * SAMPLES + 24);
        ck_assert_int_eq(decode.now.pad[0].end_tick, end_tick);
}

/* Half a frame before it and half a frame behind it are no frame. */
TEST(what_was_begun_before_a_loss_is_forgotten)
{
        const uint16_t value[4] = { 700, 700, 700, 700 };
        struct motor_edge edge[FRAMES * 4 * MOTOR_WAVE_EDGES];
        uint8_t levels[MOTOR_PADS_MAX] = { 0 };
        size_t edges = make_edges(value, -1, 1e-3, edge);
        int64_t cut = SAMPLES + (int64_t)(30e-6 * RATE_HZ);
        uint64_t damaged;

        decode_ms(0, value, -1, false);
        damaged = motor_pad_counted(&decode.words.pad[0])->damaged;
        motor_wave_samples(edge, edges, SAMPLES, SAMPLES, levels, samples);
        pads_decode_block(&decode,
                          &(struct capture_block){ .first_tick = SAMPLES,
                                                   .samples = samples,
                                                   .count = (size_t)(cut - SAMPLES),
                                                   .until_tick = cut });
        pads_decode_reopen(&decode, 0);
        decode_ms(0, value, -1, false);
        ck_assert_uint_eq(motor_pad_counted(&decode.words.pad[0])->damaged, damaged);
        ck_assert_int_eq(decode.now.until_tick, cut + SAMPLES);
}

/* Where the device's clock begins anew, what it had to do with the host's is not known. */
TEST(host_time_is_found_anew_behind_a_loss)
{
        const struct pads_decode_params p = { .tick_hz = RATE_HZ,
                                              .mask = 0x0f,
                                              .range = { 1000.0, 2000.0, false },
                                              .host_clock = true };
        struct capture_block block = { .samples = samples, .count = SAMPLES };

        pads_decode_init(&decode, &p);
        memset(samples, 0, sizeof samples);
        block.until_tick = SAMPLES;
        block.arrived_ns = 1000000000;
        pads_decode_block(&decode, &block);
        pads_decode_reopen(&decode, 300000000);
        block.arrived_ns = 1305000000;
        pads_decode_block(&decode, &block);
        ck_assert_int_eq(device_clock_host_ns(&decode.clock, SAMPLES), 1305000000);
}

/* A capture board gives edges, or what it measured itself. */
TEST(records_say_the_same_as_samples)
{
        const uint16_t value[4] = { 60, 700, 1500, 2047 };
        struct motor_edge edge[FRAMES * 4 * MOTOR_WAVE_EDGES];
        struct capture_record record[FRAMES * 4 * MOTOR_WAVE_EDGES];
        struct pads_snapshot by_samples;
        size_t edges;

        decode_ms(0, value, -1, false);
        by_samples = decode.now;
        setup();
        edges = make_edges(value, -1, 0.0, edge);
        for (size_t i = 0; i < edges; i++)
                record[i] = (struct capture_record){ .kind = CAPTURE_EDGE,
                                                     .pad = edge[i].pad,
                                                     .level = edge[i].level,
                                                     .tick = edge[i].tick };
        pads_decode_block(&decode, &(struct capture_block){ .records = record,
                                                            .count = edges,
                                                            .until_tick = SAMPLES });
        for (int i = 0; i < 4; i++) {
                ck_assert_double_eq(decode.now.pad[i].duty, by_samples.pad[i].duty);
                ck_assert_int_eq(decode.now.pad[i].end_tick, by_samples.pad[i].end_tick);
                ck_assert_uint_eq(decode.now.pad[i].words, by_samples.pad[i].words);
        }
}

TEST(a_pulse_that_a_board_timed_counts)
{
        struct capture_record record[40];

        for (int i = 0; i < 40; i++)
                record[i] = (struct capture_record){ .kind = CAPTURE_PULSE,
                                                     .pad = 2,
                                                     .tick = (int64_t)i * 60000,
                                                     .width_ticks = 36000 };
        pads_decode_block(&decode, &(struct capture_block){ .records = record,
                                                            .count = 40,
                                                            .until_tick = 40 * 60000 });
        ck_assert(decode.now.pad[2].heard);
        ck_assert_double_eq_tol(decode.now.pad[2].duty, 0.5, 1e-9);
}

/* What is not looked at may do as it likes. */
TEST(a_pad_outside_of_the_mask_is_left_alone)
{
        struct capture_record record = { .kind = CAPTURE_PULSE,
                                         .pad = 6,
                                         .width_ticks = 36000 };

        pads_decode_block(&decode, &(struct capture_block){ .records = &record,
                                                            .count = 1,
                                                            .until_tick = 60000 });
        ck_assert(!decode.now.pad[6].heard);
        ck_assert_uint_eq(motor_pad_counted(&decode.words.pad[6])->edges, 0);
}
