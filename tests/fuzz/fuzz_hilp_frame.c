/* Any bytes into the HILP receiver: whole and in pieces they give the same payloads, and each
 * payload framed again comes back. */
#include <assert.h>

#include "io/codec/hilp/hilp_frame.h"
#include "tests/fuzz/fuzz.h"

static void comes_back(const uint8_t *payload, size_t len)
{
        uint8_t frame[HILP_FRAME_MAX], again[HILP_PAYLOAD_MAX];
        struct hilp_receiver r = { .len = 0 };
        size_t n = hilp_frame_encode(payload, len, frame), got;

        assert(n == len + 4);
        assert(hilp_receive(&r, frame, n, again, &got) == n);
        assert(got == len && memcmp(again, payload, len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct hilp_receiver whole = { .len = 0 }, single = { .len = 0 };
        size_t at = 0, next = 0;

        while (at < size) {
                uint8_t a[HILP_PAYLOAD_MAX] = { 0 }, b[HILP_PAYLOAD_MAX] = { 0 };
                size_t a_len, b_len = 0;
                size_t n = hilp_receive(&whole, data + at, size - at, a, &a_len);

                assert(n > 0 && n <= size - at);
                at += n;
                while (next < at) {
                        assert(b_len == 0);
                        next += hilp_receive(&single, data + next, 1, b, &b_len);
                }
                assert(a_len == b_len && memcmp(a, b, a_len) == 0);
                if (a_len > 0)
                        comes_back(a, a_len);
        }
        assert(whole.crc_errors == single.crc_errors);
        assert(whole.skipped == single.skipped && whole.skipped <= size);

        if (size >= 1 && size <= HILP_PAYLOAD_MAX)
                comes_back(data, size);
        return 0;
}
