/* HILP framing: CRC, stuffing, and finding frames again after damage. */
#include <string.h>

#include "io/codec/hilp/hilp_frame.h"
#include "tests/io/codec/hilp/hilp_random.h"
#include "tests/suites.h"

/* The definition, bit by bit: polynomial 0x1021, start 0xFFFF, most significant bit
 * first. */
static uint16_t crc_by_definition(const uint8_t *bytes, size_t len)
{
        unsigned crc = 0xFFFF;

        for (size_t bit = 0; bit < 8 * len; bit++) {
                unsigned in = (unsigned)bytes[bit / 8] >> (7 - bit % 8) & 1U;
                unsigned out = crc >> 15 & 1U;

                crc = (crc << 1 & 0xFFFF) ^ (in != out ? 0x1021U : 0U);
        }
        return (uint16_t)crc;
}

/* Bytes of which about one in `zeros` is zero; 0: none. */
static void fill(struct dice *d, uint8_t *bytes, size_t len, uint32_t zeros)
{
        for (size_t i = 0; i < len; i++) {
                bytes[i] = (uint8_t)(1 + dice_below(d, 255));
                if (zeros > 0 && dice_below(d, zeros) == 0)
                        bytes[i] = 0;
        }
}

/* A stream of frames, and what was in them. */
#define STREAM_FRAMES 12
#define STREAM_MAX    (STREAM_FRAMES * HILP_FRAME_MAX + 1)

struct stream {
        uint8_t bytes[STREAM_MAX];
        size_t len;
        uint8_t payload[STREAM_FRAMES][HILP_PAYLOAD_MAX];
        size_t payload_len[STREAM_FRAMES];
        size_t end[STREAM_FRAMES]; /* one past the frame's zero */
};

static void make_stream(struct dice *d, struct stream *s, uint32_t longest)
{
        s->len = 0;
        for (int i = 0; i < STREAM_FRAMES; i++) {
                s->payload_len[i] = 2 + dice_below(d, longest - 1);
                fill(d, s->payload[i], s->payload_len[i], 4);
                s->payload[i][0] = (uint8_t)i;
                s->len += hilp_frame_encode(s->payload[i], s->payload_len[i],
                                            s->bytes + s->len);
                s->end[i] = s->len;
        }
}

/* Receives bytes in pieces of the given size (0: random) and says which of the stream's
 * frames came; returns how many frames came that are none of them. */
static int receive(struct dice *d, const struct stream *s, const uint8_t *bytes,
                   size_t len, size_t piece, int came[STREAM_FRAMES])
{
        struct hilp_receiver r = { .len = 0 };
        int strange = 0, last = -1;

        memset(came, 0, STREAM_FRAMES * sizeof came[0]);
        for (size_t at = 0; at < len;) {
                size_t n = piece > 0 ? piece : 1 + dice_below(d, 40), payload_len;
                uint8_t payload[HILP_PAYLOAD_MAX];
                int which;

                at += hilp_receive(&r, bytes + at, n < len - at ? n : len - at, payload,
                                   &payload_len);
                if (payload_len == 0)
                        continue;
                which = payload[0];
                if (which <= last || which >= STREAM_FRAMES ||
                    payload_len != s->payload_len[which] ||
                    memcmp(payload, s->payload[which], payload_len) != 0) {
                        strange++;
                        continue;
                }
                last = which;
                came[which] = 1;
        }
        return strange;
}

static int frame_of(const struct stream *s, size_t byte)
{
        int i = 0;

        while (byte >= s->end[i])
                i++;
        return i;
}

TEST(crc_has_the_catalogue_check_value)
{
        /* CRC-16/IBM-3740 in the catalogue of parametrised CRC algorithms. */
        ck_assert_uint_eq(hilp_crc16((const uint8_t *)"123456789", 9), 0x29B1);
        ck_assert_uint_eq(hilp_crc16(NULL, 0), 0xFFFF);
}

TEST(crc_agrees_with_its_definition)
{
        struct dice d = { 1 };
        uint8_t bytes[HILP_PAYLOAD_MAX] = { 0 };

        for (size_t len = 0; len <= sizeof bytes; len++) {
                fill(&d, bytes, len, 5);
                ck_assert_uint_eq(hilp_crc16(bytes, len), crc_by_definition(bytes, len));
        }
}

TEST(every_length_comes_back)
{
        struct dice d = { 2 };

        for (size_t len = 1; len <= HILP_PAYLOAD_MAX; len++) {
                for (uint32_t zeros = 0; zeros < 4; zeros++) {
                        uint8_t in[HILP_PAYLOAD_MAX], out[HILP_PAYLOAD_MAX];
                        uint8_t frame[HILP_FRAME_MAX];
                        struct hilp_receiver r = { .len = 0 };
                        size_t n, got;

                        fill(&d, in, len, zeros);
                        n = hilp_frame_encode(in, len, frame);
                        ck_assert_uint_eq(n, len + 4);
                        ck_assert_uint_eq(hilp_receive(&r, frame, n, out, &got), n);
                        ck_assert_uint_eq(got, len);
                        ck_assert_mem_eq(in, out, len);
                        ck_assert_uint_eq(r.crc_errors + r.skipped, 0);
                }
        }
}

TEST(a_frame_has_one_zero_and_that_at_its_end)
{
        struct dice d = { 3 };
        uint8_t in[HILP_PAYLOAD_MAX], frame[HILP_FRAME_MAX];

        for (int i = 0; i < 2000; i++) {
                size_t len = 1 + dice_below(&d, HILP_PAYLOAD_MAX), n;

                fill(&d, in, len, dice_below(&d, 4));
                n = hilp_frame_encode(in, len, frame);
                ck_assert_ptr_eq(memchr(frame, 0, n), frame + n - 1);
        }
}

TEST(a_payload_of_no_or_too_many_bytes_is_refused)
{
        uint8_t in[HILP_PAYLOAD_MAX + 1] = { 0 }, frame[HILP_FRAME_MAX];

        ck_assert_uint_eq(hilp_frame_encode(in, 0, frame), 0);
        ck_assert_uint_eq(hilp_frame_encode(in, HILP_PAYLOAD_MAX + 1, frame), 0);
}

TEST(any_split_of_the_bytes_gives_the_same_frames)
{
        struct dice d = { 4 };
        struct stream s;
        int came[STREAM_FRAMES];

        make_stream(&d, &s, HILP_PAYLOAD_MAX);
        for (size_t piece = 0; piece <= s.len; piece++) {
                ck_assert_int_eq(receive(&d, &s, s.bytes, s.len, piece, came), 0);
                for (int i = 0; i < STREAM_FRAMES; i++)
                        ck_assert_int_eq(came[i], 1);
        }
}

TEST(lone_zeros_between_frames_are_padding)
{
        const uint8_t zeros[5] = { 0 };
        uint8_t frame[HILP_FRAME_MAX], out[HILP_PAYLOAD_MAX];
        struct hilp_receiver r = { .len = 0 };
        size_t n = hilp_frame_encode((const uint8_t *)"abc", 3, frame), got;

        ck_assert_uint_eq(hilp_receive(&r, zeros, sizeof zeros, out, &got), sizeof zeros);
        ck_assert_uint_eq(got, 0);
        ck_assert_uint_eq(hilp_receive(&r, frame, n, out, &got), n);
        ck_assert_uint_eq(got, 3);
        ck_assert_uint_eq(r.crc_errors + r.skipped, 0);
}

TEST(the_receiver_stops_behind_each_frame)
{
        struct dice d = { 5 };
        struct stream s;
        struct hilp_receiver r = { .len = 0 };
        size_t at = 0;

        make_stream(&d, &s, 60);
        for (int i = 0; i < STREAM_FRAMES; i++) {
                uint8_t out[HILP_PAYLOAD_MAX];
                size_t got;

                at += hilp_receive(&r, s.bytes + at, s.len - at, out, &got);
                ck_assert_uint_eq(at, s.end[i]);
                ck_assert_uint_eq(got, s.payload_len[i]);
        }
}

/* Which frames a damaged byte may cost: its own, and with a frame's zero the next one
 * too. */
static int may_miss(const struct stream *s, size_t byte, int frame)
{
        int damaged = frame_of(s, byte);

        return frame == damaged || (byte + 1 == s->end[damaged] && frame == damaged + 1);
}

enum damage { CHANGED, DELETED, INSERTED };

/* Damages one byte after another and counts frames that were let through and should not
 * have been; a CRC of 16 bits misses one in 65,536 of what is not a burst. */
static void damage_each_byte(enum damage damage, uint64_t seed)
{
        struct dice d = { seed };
        int strange = 0, tries = 0;

        for (int round = 0; round < 12; round++) {
                struct stream s;

                make_stream(&d, &s, round < 6 ? 30 : HILP_PAYLOAD_MAX);
                for (size_t at = 0; at < s.len; at++) {
                        uint8_t bytes[STREAM_MAX + 1];
                        int came[STREAM_FRAMES];
                        size_t tail = s.len - at, len = s.len;

                        memcpy(bytes, s.bytes, s.len);
                        if (damage == CHANGED) {
                                bytes[at] ^= (uint8_t)(1 + dice_below(&d, 255));
                        } else if (damage == DELETED) {
                                memmove(bytes + at, bytes + at + 1, tail - 1);
                                len--;
                        } else {
                                memmove(bytes + at + 1, bytes + at, tail);
                                bytes[at] = dice_u8(&d);
                                len++;
                        }
                        strange += receive(&d, &s, bytes, len, 0, came);
                        tries++;
                        for (int i = 0; i < STREAM_FRAMES; i++)
                                ck_assert_msg(came[i] || may_miss(&s, at, i),
                                              "frame %d lost by damage to byte %zu", i,
                                              at);
                }
        }
        ck_assert_int_gt(tries, 5000);
        ck_assert_int_le(strange, 3);
}

TEST(a_changed_byte_costs_the_damaged_frame_at_most)
{
        damage_each_byte(CHANGED, 6);
}

TEST(a_lost_byte_costs_the_damaged_frame_at_most)
{
        damage_each_byte(DELETED, 7);
}

TEST(an_added_byte_costs_the_damaged_frame_at_most)
{
        damage_each_byte(INSERTED, 8);
}

TEST(a_changed_bit_is_always_noticed)
{
        struct dice d = { 9 };
        struct stream s;

        make_stream(&d, &s, 40);
        for (size_t bit = 0; bit < 8 * s.len; bit++) {
                uint8_t bytes[STREAM_MAX];
                int came[STREAM_FRAMES];

                memcpy(bytes, s.bytes, s.len);
                bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
                ck_assert_int_eq(receive(&d, &s, bytes, s.len, 0, came), 0);
                ck_assert_int_eq(came[frame_of(&s, bit / 8)], 0);
        }
}

TEST(a_frame_cut_short_is_not_completed_by_the_one_before)
{
        struct dice d = { 11 };

        for (int round = 0; round < 200; round++) {
                uint8_t in[40], frame[HILP_FRAME_MAX], out[HILP_PAYLOAD_MAX];
                struct hilp_receiver r = { .len = 0 };
                size_t n, got;

                fill(&d, in, sizeof in, (uint32_t)round % 8);
                n = hilp_frame_encode(in, sizeof in, frame);
                for (size_t cut = 1; cut < n - 1; cut++) {
                        hilp_receive(&r, frame, n, out, &got);
                        ck_assert_uint_eq(got, sizeof in);
                        hilp_receive(&r, frame, n - 1 - cut, out, &got);
                        hilp_receive(&r, frame + n - 1, 1, out, &got);
                        ck_assert_uint_eq(got, 0);
                }
        }
}

TEST(an_overlong_frame_is_skipped_to_its_zero_and_counted_once)
{
        for (size_t len = 1; len < 4 * HILP_FRAME_MAX; len++) {
                uint8_t bytes[4 * HILP_FRAME_MAX], frame[HILP_FRAME_MAX];
                uint8_t out[HILP_PAYLOAD_MAX];
                struct hilp_receiver r = { .len = 0 };
                size_t n, got;

                memset(bytes, 0xA5, len);
                ck_assert_uint_eq(hilp_receive(&r, bytes, len, out, &got), len);
                ck_assert_uint_eq(hilp_receive(&r, (const uint8_t[]){ 0 }, 1, out, &got),
                                  1);
                ck_assert_uint_eq(r.crc_errors, 1);
                ck_assert_uint_eq(r.skipped, len + 1);

                n = hilp_frame_encode((const uint8_t *)"abc", 3, frame);
                ck_assert_uint_eq(hilp_receive(&r, frame, n, out, &got), n);
                ck_assert_uint_eq(got, 3);
                ck_assert_uint_eq(r.crc_errors, 1);
        }
}

TEST(noise_is_counted_and_a_frame_behind_it_is_found)
{
        struct dice d = { 10 };

        for (int round = 0; round < 500; round++) {
                uint8_t noise[700], frame[HILP_FRAME_MAX], out[HILP_PAYLOAD_MAX];
                struct hilp_receiver r = { .len = 0 };
                size_t n, got, at = 0, len = 1 + dice_below(&d, sizeof noise - 1);

                fill(&d, noise, len, 20);
                noise[len - 1] = 0;
                while (at < len) {
                        at += hilp_receive(&r, noise + at, len - at, out, &got);
                        ck_assert_uint_eq(got, 0);
                }
                n = hilp_frame_encode((const uint8_t *)"abc", 3, frame);
                ck_assert_uint_eq(hilp_receive(&r, frame, n, out, &got), n);
                ck_assert_uint_eq(got, 3);
                ck_assert_uint_le(r.skipped, len);
        }
}
