/* UBX frames and the sentences between them: found whole, in pieces, and again after damage. */
#include <string.h>

#include "io/device/ublox/ubx.h"
#include "tests/io/codec/hilp/hilp_random.h"
#include "tests/suites.h"

/* As Betaflight, INAV and ArduPilot send it. */
static const uint8_t poll_version[] = { 0xB5, 0x62, 0x0A, 0x04, 0, 0, 0x0E, 0x34 };
static const char set_baud[] = "$PUBX,41,1,0003,0001,115200,0*1E\r\n";

TEST(frames_are_the_drivers)
{
        uint8_t out[UBX_OVERHEAD + 3];
        /* CFG-MSG, NAV-SOL once an epoch: AP_GPS_UBLOX.h, UBLOX_SET_BINARY. */
        static const uint8_t rate_of_sol[] = {
                0xB5, 0x62, 6, 1, 3, 0, 1, 6, 1, 0x12, 0x4F
        };

        ck_assert_uint_eq(ubx_frame(out, 0x0A, 0x04, NULL, 0), sizeof poll_version);
        ck_assert_mem_eq(out, poll_version, sizeof poll_version);
        ck_assert_uint_eq(ubx_frame(out, 6, 1, rate_of_sol + 6, 3), sizeof rate_of_sol);
        ck_assert_mem_eq(out, rate_of_sol, sizeof rate_of_sol);
        ubx_frame(out, 6, 1, out + 6, 3);
        ck_assert_mem_eq(out, rate_of_sol, sizeof rate_of_sol);
}

#define THINGS     40
#define STREAM_MAX (THINGS * (UBX_PAYLOAD_MAX + UBX_OVERHEAD))

/* Frames of any length with sentences and noise between them. */
struct stream {
        uint8_t bytes[STREAM_MAX];
        size_t len;
        int frames, sentences;
};

static void make(struct stream *s, struct dice *d, int noise)
{
        static uint8_t payload[UBX_PAYLOAD_MAX];

        memset(s, 0, sizeof *s);
        for (int i = 0; i < THINGS; i++) {
                size_t len = i % 5 == 0 ? dice_below(d, UBX_PAYLOAD_MAX + 1)
                                        : dice_below(d, 64);

                if (i % 3 == 0) {
                        memcpy(s->bytes + s->len, set_baud, strlen(set_baud));
                        s->len += strlen(set_baud);
                        s->sentences++;
                        continue;
                }
                for (size_t k = 0; k < len; k++)
                        payload[k] = (uint8_t)dice_below(d, 256);
                s->len += ubx_frame(s->bytes + s->len, 6, (uint8_t)i, payload, len);
                s->frames++;
                /* Nothing that could be the beginning of anything. */
                for (int k = 0; k < noise; k++)
                        s->bytes[s->len++] = (uint8_t)('a' + dice_below(d, 20));
        }
}

struct count {
        int frames, sentences;
};

static struct count receive(struct ubx_receiver *r, const uint8_t *bytes, size_t len,
                            size_t piece)
{
        struct count n = { 0, 0 };

        for (size_t at = 0; at < len;) {
                size_t end = at + piece < len ? at + piece : len;
                struct ubx_found found;

                do {
                        at += ubx_receive(r, bytes + at, end - at, &found);
                        n.frames += found.kind == UBX_FRAME;
                        n.sentences += found.kind == UBX_SENTENCE;
                        if (found.kind == UBX_SENTENCE)
                                ck_assert_mem_eq(found.payload, set_baud, 32);
                } while (at < end || found.kind != UBX_NONE);
        }
        return n;
}

TEST(everything_is_found_in_pieces_of_any_size)
{
        static struct stream s;
        struct dice d = { 5 };

        make(&s, &d, 4);
        for (size_t piece = 1; piece < 3000; piece += piece < 20 ? 1 : 371) {
                struct ubx_receiver r = { .len = 0 };
                struct count n = receive(&r, s.bytes, s.len, piece);

                ck_assert_int_eq(n.frames, s.frames);
                ck_assert_int_eq(n.sentences, s.sentences);
                ck_assert_uint_eq(r.broken, 0);
                ck_assert_uint_eq(r.skipped, 4 * (uint64_t)s.frames);
        }
}

/* A byte lost or changed costs the thing it was in, and no other. */
TEST(damage_costs_one_thing)
{
        static struct stream s;
        static uint8_t bytes[STREAM_MAX];
        struct dice d = { 7 };

        make(&s, &d, 0);
        for (int i = 0; i < 300; i++) {
                struct ubx_receiver r = { .len = 0 };
                size_t at = dice_below(&d, (uint32_t)s.len);
                struct count n;

                memcpy(bytes, s.bytes, s.len);
                if (i % 2 == 0)
                        bytes[at] ^= (uint8_t)(1 << dice_below(&d, 8));
                else
                        memmove(bytes + at, bytes + at + 1, s.len - at - 1);
                n = receive(&r, bytes, s.len - (size_t)(i % 2), 97);
                /* A length that grew waits for bytes that do not come: nothing is lost for that. */
                ubx_give_up(&r);
                while (r.len > 0) {
                        struct count more = receive(&r, (const uint8_t *)"z", 1, 1);

                        n.frames += more.frames;
                        n.sentences += more.sentences;
                        ubx_give_up(&r);
                }
                ck_assert_int_ge(n.frames + n.sentences, s.frames + s.sentences - 1);
        }
}

TEST(silence_ends_what_is_not_whole)
{
        struct ubx_receiver r = { .len = 0 };
        struct ubx_found found;

        /* Half a frame that promises 200 bytes, and a whole one. */
        ubx_receive(&r, (const uint8_t *)"\xB5\x62\x06\x01\xC8\x00xyz", 9, &found);
        ubx_receive(&r, poll_version, sizeof poll_version, &found);
        ck_assert_int_eq(found.kind, UBX_NONE);
        ubx_give_up(&r);
        ck_assert_uint_eq(r.broken, 1);
        ubx_receive(&r, (const uint8_t *)"", 0, &found);
        ck_assert_int_eq(found.kind, UBX_FRAME);
        ck_assert_uint_eq(found.cls, 0x0A);
        ck_assert_uint_eq(found.id, 0x04);
}

TEST(impossible_lengths_are_not_waited_for)
{
        struct ubx_receiver r = { .len = 0 };
        uint8_t bytes[6 + sizeof poll_version] = { 0xB5, 0x62, 6, 1, 0xFF, 0xFF };

        memcpy(bytes + 6, poll_version, sizeof poll_version);
        ck_assert_int_eq(receive(&r, bytes, sizeof bytes, sizeof bytes).frames, 1);
        ck_assert_uint_eq(r.broken, 1);
        ck_assert_uint_eq(r.skipped, 6);
}
