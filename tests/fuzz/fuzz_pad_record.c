/* Any bytes as a capture board's payload: what is accepted encodes to the same again. And any bytes
 * behind a hello as what a board sends: blocks stay within bounds. */
#include <assert.h>

#include "io/capture/board.h"
#include "io/capture/pad_record.h"
#include "tests/fuzz/fuzz.h"

static void check_payload(const uint8_t *data, size_t size)
{
        uint8_t again[PAD_PAYLOAD_MAX];
        struct pad_message m;

        if (!pad_decode(&m, data, size))
                return;
        assert(size <= PAD_PAYLOAD_MAX);
        assert(pad_encode(&m, again) == size && memcmp(again, data, size) == 0);
}

static void frame_to(struct link *l, const uint8_t *payload, size_t len)
{
        uint8_t frame[HILP_FRAME_MAX];
        size_t n = hilp_frame_encode(payload, len, frame);

        (void)link_write(l, frame, n);
}

/* The first byte of each piece is its length; those are framed, so that most arrive whole. */
static void check_stream(const uint8_t *data, size_t size)
{
        static const uint8_t hello[] = { 1, 1, 4, 64, 66, 15, 0, 1, 2, 3, 4, 'f' };
        struct link *rig, *board;
        struct link_error why;
        struct capture_block b;
        struct capture *c;

        assert(link_pair_open(&rig, &board, 1 << 16));
        frame_to(board, hello, sizeof hello);
        c = capture_board_start(rig, 0, &why);
        assert(c != NULL);
        while (size > 1) {
                size_t len = data[0] < size - 1 ? data[0] : size - 1;

                frame_to(board, data + 1, len);
                data += 1 + len;
                size -= 1 + len;
        }
        while (capture_read(c, 0, &b) == 1) {
                assert(b.count <= PAD_RECORD_BATCH_MAX);
                assert(b.until_tick <= (int64_t)PAD_TICK_LIMIT);
                for (size_t i = 0; i < b.count; i++) {
                        assert(b.records[i].pad < c->pads);
                        assert(b.records[i].tick <= b.until_tick);
                        assert(b.records[i].width_ticks >= 0);
                }
        }
        capture_close(c);
        link_close(board);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        check_payload(data, size);
        check_stream(data, size);
        return 0;
}
