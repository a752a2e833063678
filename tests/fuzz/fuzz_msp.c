/* Any bytes to the MSP stream, whole and in pieces: both find the same frames, and what is found can be
 * written again. */
#include <assert.h>

#include "io/codec/msp.h"
#include "tests/fuzz/fuzz.h"

struct heard {
        int frames;
        uint32_t sum; /* of all that was heard */
        size_t used;
};

static void hear(struct heard *h, const struct msp_frame *f)
{
        uint8_t bytes[MSP_FRAME_MAX];
        struct msp_frame again;
        enum msp_found found;
        size_t len = msp_encode(f, bytes);

        /* A version 1 frame with command 255 would be version 2 inside it. */
        assert(len > 0);
        assert(msp_find(bytes, len, &again, &found) == len && found == MSP_FRAME);
        assert(again.command == f->command && again.len == f->len &&
               again.kind == f->kind);
        h->frames++;
        for (size_t i = 0; i < len; i++)
                h->sum = h->sum * 31 + bytes[i];
}

static struct heard take(const uint8_t *data, size_t size, size_t piece)
{
        struct msp_stream s = { .len = 0 };
        struct heard h = { 0 };

        while (h.used < size) {
                size_t left = size - h.used;
                struct msp_frame f;
                bool got;
                size_t n = msp_stream_take(&s, data + h.used, left < piece ? left : piece,
                                           &f, &got);

                assert(n > 0);
                h.used += n;
                if (got)
                        hear(&h, &f);
        }
        return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct heard whole = take(data, size, size + 1);
        struct heard bytes = take(data, size, 1);

        assert(whole.frames == bytes.frames && whole.sum == bytes.sum);
        return 0;
}
