/* MSP frames against worked examples of their specifications and against themselves. node/msp.mjs asks
 * an implementation that is not ours. */
#include <string.h>

#include "io/codec/msp.h"
#include "tests/io/codec/hilp/hilp_random.h"
#include "tests/suites.h"

static struct msp_frame frame_of(enum msp_version version, enum msp_kind kind,
                                 uint16_t command, const void *payload, uint16_t len)
{
        struct msp_frame f = {
                .version = version, .kind = kind, .command = command, .len = len
        };

        if (len > 0)
                memcpy(f.payload, payload, len);
        return f;
}

static void expect_bytes(const struct msp_frame *f, const char *bytes, size_t len)
{
        uint8_t out[MSP_FRAME_MAX];

        ck_assert_uint_eq(msp_encode(f, out), len);
        ck_assert_mem_eq(out, bytes, len);
}

/* INAV's wiki, "MSP V2", has all four. */
TEST(the_examples_of_the_specification)
{
        struct msp_frame v1 = frame_of(MSP_V1, MSP_REQUEST, 100, NULL, 0);
        struct msp_frame v2 = frame_of(MSP_V2, MSP_REQUEST, 100, NULL, 0);
        struct msp_frame hello =
                frame_of(MSP_V2, MSP_REPLY, 0x4242, "Hello flying world", 18);

        hello.flag = 0xA5;
        expect_bytes(&v1, "$M<\x00\x64\x64", 6);
        expect_bytes(&v2, "$X<\x00\x64\x00\x00\x00\x8f", 9);
        expect_bytes(&hello, "$X>\xa5\x42\x42\x12\x00Hello flying world\x82", 27);
        hello.version = MSP_V2_OVER_V1;
        expect_bytes(&hello, "$M>\x18\xff\xa5\x42\x42\x12\x00Hello flying world\x82\xe1",
                     30);
}

static void expect_same(const struct msp_frame *a, const struct msp_frame *b)
{
        ck_assert_int_eq(a->version, b->version);
        ck_assert_int_eq(a->kind, b->kind);
        ck_assert_uint_eq(a->flag, b->flag);
        ck_assert_uint_eq(a->command, b->command);
        ck_assert_uint_eq(a->len, b->len);
        ck_assert_mem_eq(a->payload, b->payload, a->len);
}

static void random_frame(struct dice *d, struct msp_frame *f)
{
        static const enum msp_kind kinds[] = { MSP_REQUEST, MSP_REPLY, MSP_ERROR };

        f->version = (enum msp_version)dice_below(d, 3);
        f->kind = kinds[dice_below(d, 3)];
        f->flag = f->version == MSP_V1 ? 0 : dice_u8(d);
        f->command = f->version == MSP_V1 ? (uint16_t)dice_below(d, 255) : dice_u16(d);
        f->len = (uint16_t)(dice_below(d, 4) == 0 ? 250 + dice_below(d, 263)
                                                  : dice_below(d, 40));
        for (int i = 0; i < f->len; i++)
                f->payload[i] = dice_below(d, 8) == 0 ? '$' : dice_u8(d);
}

TEST(what_is_written_is_read_again)
{
        struct dice d = { 3 };
        struct msp_frame f, back;

        for (int n = 0; n < 20000; n++) {
                uint8_t bytes[MSP_FRAME_MAX];
                enum msp_found found;
                size_t len;

                random_frame(&d, &f);
                len = msp_encode(&f, bytes);
                ck_assert_uint_gt(len, 0);
                ck_assert_uint_eq(msp_find(bytes, len, &back, &found), len);
                ck_assert_int_eq(found, MSP_FRAME);
                expect_same(&f, &back);
                ck_assert_uint_eq(msp_find(bytes, len - 1, &back, &found), 0);
                ck_assert_int_eq(found, MSP_INCOMPLETE);
        }
}

TEST(what_cannot_be_carried_is_refused)
{
        struct msp_frame f = frame_of(MSP_V1, MSP_REQUEST, 255, NULL, 0);
        uint8_t out[MSP_FRAME_MAX];

        ck_assert_uint_eq(msp_encode(&f, out), 0);
        f.command = 0x201F;
        ck_assert_uint_eq(msp_encode(&f, out), 0);
        f.version = MSP_V2;
        f.len = MSP_PAYLOAD_MAX + 1;
        ck_assert_uint_eq(msp_encode(&f, out), 0);
        f.len = MSP_PAYLOAD_MAX;
        ck_assert_uint_eq(msp_encode(&f, out), MSP_PAYLOAD_MAX + 9);
        f.kind = (enum msp_kind)'?';
        ck_assert_uint_eq(msp_encode(&f, out), 0);
}

TEST(a_flipped_bit_is_never_taken_for_the_same_command)
{
        struct msp_frame f = frame_of(MSP_V2, MSP_REPLY, 104, "sixteen bytes!!!", 16);
        uint8_t bytes[MSP_FRAME_MAX], kept;
        size_t len = msp_encode(&f, bytes);

        for (size_t bit = 8 * 3; bit < 8 * len; bit++) {
                struct msp_frame back;
                enum msp_found found;

                kept = bytes[bit / 8];
                bytes[bit / 8] = (uint8_t)(kept ^ 1 << bit % 8);
                msp_find(bytes, len, &back, &found);
                ck_assert_int_ne(found, MSP_FRAME);
                bytes[bit / 8] = kept;
        }
}

/* All the frames of a stream, and how many there were. */
static int take_all(struct msp_stream *s, const uint8_t *bytes, size_t len,
                    struct msp_frame *frames, int cap)
{
        int n = 0;

        for (size_t used = 0; used < len;) {
                struct msp_frame f;
                bool got;
                size_t taken = msp_stream_take(s, bytes + used, len - used, &f, &got);

                ck_assert_uint_gt(taken, 0);
                used += taken;
                if (got) {
                        ck_assert_int_lt(n, cap);
                        frames[n++] = f;
                }
        }
        return n;
}

TEST(a_stream_finds_every_frame_however_it_is_split)
{
        struct dice d = { 9 };

        for (int round = 0; round < 300; round++) {
                struct msp_frame sent[8], got[8];
                struct msp_stream s = { .len = 0 };
                uint8_t bytes[8 * MSP_FRAME_MAX];
                size_t len = 0;
                int n = 0;

                for (int i = 0; i < 8; i++) {
                        random_frame(&d, &sent[i]);
                        len += msp_encode(&sent[i], bytes + len);
                        if (dice_below(&d, 2) == 0)
                                bytes[len++] = 'x';
                }
                for (size_t at = 0; at < len;) {
                        size_t piece = 1 + dice_below(&d, 40);

                        if (piece > len - at)
                                piece = len - at;
                        n += take_all(&s, bytes + at, piece, got + n, 8 - n);
                        at += piece;
                }
                ck_assert_int_eq(n, 8);
                for (int i = 0; i < 8; i++)
                        expect_same(&sent[i], &got[i]);
                ck_assert_uint_eq(s.bad_crc, 0);
        }
}

TEST(a_frame_behind_a_cut_one_is_found)
{
        struct msp_frame f = frame_of(MSP_V2, MSP_REPLY, 104, "sixteen bytes!!!", 16);
        struct msp_frame got[8];
        struct msp_stream s = { .len = 0 };
        uint8_t bytes[8 * MSP_FRAME_MAX];
        size_t whole = msp_encode(&f, bytes), len;

        /* Ten bytes are missing of the first of three. */
        len = whole - 10;
        len += msp_encode(&f, bytes + len);
        len += msp_encode(&f, bytes + len);
        ck_assert_int_eq(take_all(&s, bytes, len, got, 8), 2);
        expect_same(&f, &got[1]);
        ck_assert_uint_eq(s.bad_crc, 1);
        ck_assert_uint_gt(s.noise_bytes, 0);
}

TEST(a_length_beyond_the_longest_is_not_waited_for)
{
        struct msp_frame f = frame_of(MSP_V2, MSP_REPLY, 1, NULL, 0), got[2];
        struct msp_stream s = { .len = 0 };
        uint8_t bytes[64] = "$X>\0\x68\0\xff\xff";
        size_t len = 8 + msp_encode(&f, bytes + 8);

        ck_assert_int_eq(take_all(&s, bytes, len, got, 2), 1);
        ck_assert_uint_eq(s.bad_crc, 1);
}

/* Bit by bit, as the specification has it. */
static uint8_t slow_crc8(const uint8_t *bytes, size_t len)
{
        uint8_t crc = 0;

        for (size_t i = 0; i < len; i++) {
                crc ^= bytes[i];
                for (int bit = 0; bit < 8; bit++)
                        crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ 0xD5 : crc << 1);
        }
        return crc;
}

TEST(the_checksum_is_the_polynomials_for_every_byte)
{
        for (int value = 0; value < 256; value++) {
                uint8_t payload[2] = { (uint8_t)value, 0 }, bytes[MSP_FRAME_MAX];
                struct msp_frame f = frame_of(MSP_V2, MSP_REPLY, 104, payload, 2);
                size_t len = msp_encode(&f, bytes);

                ck_assert_uint_eq(bytes[len - 1], slow_crc8(bytes + 3, len - 4));
        }
}

TEST(version_2_inside_must_fill_version_1)
{
        struct msp_frame f = frame_of(MSP_V2_OVER_V1, MSP_REPLY, 1, "abc", 3), back;
        uint8_t bytes[MSP_FRAME_MAX];
        enum msp_found found;
        size_t len = msp_encode(&f, bytes);

        /* A shorter inner length with outer checksum made good again. */
        bytes[8]--;
        bytes[len - 1] ^= 3 ^ 2;
        msp_find(bytes, len, &back, &found);
        ck_assert_int_eq(found, MSP_BAD_CRC);
}
