/* Any bytes into the MAVLink receiver: whole and byte by byte they give the same frames, and each
 * frame written again is found again. */
#include <assert.h>

#include "io/codec/mavlink_messages.h"
#include "tests/fuzz/fuzz.h"

/* A struct of any message. */
union values {
        uint8_t bytes[512];
        uint64_t aligned;
};

static void comes_back(const struct mavlink_frame *f)
{
        const struct mavlink_message *m = mavlink_message_find(f->id);
        struct mavlink_sender s = { f->version, f->system, f->component, f->sequence };
        uint8_t bytes[MAVLINK_FRAME_MAX];
        struct mavlink_frame again;
        enum mavlink_found found;
        union values v;
        size_t len;

        assert(m != NULL && m->size <= sizeof v);
        assert(mavlink_unpack(f, m, &v));
        len = mavlink_send(&s, f->id, &v, bytes);
        assert(len > 0 && len <= sizeof bytes);
        assert(mavlink_find(bytes, len, &again, &found) == len && found == MAVLINK_FRAME);
        assert(again.id == f->id && again.sequence == f->sequence);
        assert(memcmp(again.payload, f->payload, f->version == 1 ? m->len_v1 : m->len) ==
               0);

        len = mavlink_encode(f, bytes);
        assert(len > 0 && len <= sizeof bytes);
}

static bool same(const struct mavlink_frame *a, const struct mavlink_frame *b)
{
        return a->id == b->id && a->len == b->len && a->version == b->version &&
               a->sequence == b->sequence &&
               memcmp(a->payload, b->payload, sizeof a->payload) == 0;
}

static bool take(struct mavlink_stream *s, const uint8_t *data, size_t size, size_t *at,
                 size_t piece, struct mavlink_frame *f)
{
        bool got = false;

        while (*at < size && !got) {
                size_t n = size - *at < piece ? size - *at : piece;
                size_t used = mavlink_stream_take(s, data + *at, n, f, &got);

                assert(used <= n && (got || used == n));
                *at += used;
        }
        return got;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct mavlink_stream whole = { 0 }, single = { 0 };
        struct mavlink_frame a = { 0 }, b = { 0 };
        size_t at = 0, next = 0;

        while (take(&whole, data, size, &at, SIZE_MAX, &a)) {
                assert(take(&single, data, size, &next, 1, &b));
                assert(same(&a, &b));
                comes_back(&a);
        }
        assert(!take(&single, data, size, &next, 1, &b));
        assert(whole.bad_crc == single.bad_crc && whole.unknown == single.unknown);
        assert(whole.noise_bytes == single.noise_bytes && whole.noise_bytes <= size);
        assert(whole.len == single.len && whole.len < MAVLINK_FRAME_MAX);
        return 0;
}
