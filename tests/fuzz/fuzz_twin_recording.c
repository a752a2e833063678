/* Any bytes as a recorded conversation: refused with a reason, or what is said lies within them, and there is no more of it
 * than bytes. The first byte chooses what they begin with, and who serves. */
#include <assert.h>

#include "io/twin/recording.h"
#include "tests/fuzz/fuzz.h"

/* Heads of captures of raw IP, in both byte orders. */
static const struct {
        const char *bytes;
        size_t len;
} heads[] = {
        { "", 0 },
        { "\xd4\xc3\xb2\xa1\2\0\4\0\0\0\0\0\0\0\0\0\0\0\4\0\x65\0\0\0", 24 },
        { "\xa1\xb2\x3c\x4d\0\2\0\4\0\0\0\0\0\0\0\0\0\4\0\0\0\0\0\x65", 24 },
        { "1.5 147 ", 8 },
};

static void read_all(const uint8_t *bytes, size_t len, bool caller_serves)
{
        struct link_error why = { "" };
        struct recording_said said;
        struct recording r;
        size_t sum = 0;

        if (!recording_open(&r, bytes, len, caller_serves, "r", &why)) {
                assert(strncmp(why.text, "r: ", 3) == 0);
                return;
        }
        assert(recording_kind(bytes, len) == r.kind);
        while (recording_next(&r, &said)) {
                assert(said.len > 0 && said.bytes >= bytes &&
                       said.bytes + said.len <= bytes + len && said.t_ns >= 0);
                sum += said.len;
        }
        assert(sum <= len && (r.broken || r.at == len));
        assert(!recording_next(&r, &said));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        size_t which = size > 0 ? data[0] % (sizeof heads / sizeof heads[0]) : 0;
        size_t len = size > 0 ? heads[which].len + size - 1 : 0;
        uint8_t *bytes = malloc(len + 1);

        if (bytes == NULL)
                return 0;
        if (size > 0) {
                memcpy(bytes, heads[which].bytes, heads[which].len);
                memcpy(bytes + heads[which].len, data + 1, size - 1);
                read_all(bytes, len, data[0] >= 128);
        }
        free(bytes);
        return 0;
}
