/* Any bytes into the UBX receiver: whole and in single bytes they give the same things, and each frame
 * made again is the one that came. */
#include <assert.h>

#include "io/device/ublox/ubx.h"
#include "tests/fuzz/fuzz.h"

static void check(const struct ubx_found *found)
{
        static uint8_t again[UBX_PAYLOAD_MAX + UBX_OVERHEAD];
        size_t len;

        if (found->kind == UBX_SENTENCE) {
                assert(found->len >= 5 && found->len <= UBX_SENTENCE_MAX + 1);
                assert(found->payload[0] == '$' &&
                       found->payload[found->len - 1] == '\n');
                return;
        }
        assert(found->len <= UBX_PAYLOAD_MAX);
        len = ubx_frame(again, found->cls, found->id, found->payload, found->len);
        assert(len == found->len + UBX_OVERHEAD);
        assert(memcmp(again, found->payload - 6, len) == 0);
}

/* Returns how many things, and a sum of what they were. */
static int receive(struct ubx_receiver *r, const uint8_t *data, size_t size, size_t piece,
                   uint64_t *sum)
{
        int n = 0;

        for (size_t at = 0; at < size;) {
                size_t end = at + piece < size ? at + piece : size;
                struct ubx_found found;

                do {
                        size_t used = ubx_receive(r, data + at, end - at, &found);

                        assert(used <= end - at);
                        at += used;
                        if (found.kind == UBX_NONE)
                                continue;
                        check(&found);
                        n++;
                        for (size_t i = 0; i < found.len; i++)
                                *sum = *sum * 31 + found.payload[i];
                } while (at < end || found.kind != UBX_NONE);
        }
        return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct ubx_receiver whole = { .len = 0 }, single = { .len = 0 };
        uint64_t sum_whole = 0, sum_single = 0;
        int n = receive(&whole, data, size, size, &sum_whole);

        assert(receive(&single, data, size, 1, &sum_single) == n);
        assert(sum_whole == sum_single);
        assert(whole.broken == single.broken && whole.skipped == single.skipped);
        assert(whole.skipped <= size);
        for (size_t len = whole.len; len > 0; len = whole.len) {
                ubx_give_up(&whole);
                assert(whole.len < len);
        }
        return 0;
}
