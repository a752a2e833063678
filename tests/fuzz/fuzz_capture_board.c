/* A capture board that greets as it should and then says anything: raw bytes, or payloads with a good CRC, a first byte telling which
 * and how long. Whatever comes, blocks follow each other in time, what they hold lies within them and on pads that the board has,
 * and a gap stands before what was lost. */
#include <assert.h>

#include "io/capture/board.h"
#include "io/capture/pad_record.h"
#include "tests/fuzz/fuzz.h"

static void say(struct link *board, const uint8_t *payload, size_t len)
{
        uint8_t frame[HILP_FRAME_MAX];

        link_write(board, frame, hilp_frame_encode(payload, len, frame));
}

static void greet(struct link *board)
{
        struct pad_message m = { .type = PAD_HELLO,
                                 .u.hello = { 1, 4, 1000000, 7, "fuzz" } };
        uint8_t payload[PAD_PAYLOAD_MAX];

        say(board, payload, pad_encode(&m, payload));
}

static void check(const struct capture *c, const struct capture_block *b, int64_t *until)
{
        assert(b->samples == NULL && b->count <= PAD_RECORD_BATCH_MAX);
        assert(b->until_tick >= *until);
        for (size_t i = 0; i < b->count; i++) {
                const struct capture_record *r = &b->records[i];

                assert(r->pad < c->pads && r->width_ticks >= 0);
                assert(r->tick <= b->until_tick);
        }
        *until = b->until_tick;
}

/* All that waits; false: the board is gone. */
static bool take_all(struct capture *c, int64_t *until)
{
        struct capture_block b;
        int n;

        while ((n = capture_read(c, 0, &b)) == 1)
                check(c, &b, until);
        return n == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct link *board, *rig;
        struct link_error why;
        struct capture *c;
        int64_t until = INT64_MIN;

        if (!link_pair_open(&board, &rig, 1 << 16))
                return 0;
        greet(board);
        c = capture_board_start(rig, 1000, &why);
        assert(c != NULL && c->pads == 4);
        while (size > 1 && take_all(c, &until)) {
                size_t n = data[0] >> 1;
                bool whole = data[0] & 1;

                data++, size--;
                n = n < size ? n : size;
                if (n > HILP_PAYLOAD_MAX)
                        n = HILP_PAYLOAD_MAX;
                if (whole)
                        say(board, data, n);
                else
                        link_write(board, data, n);
                data += n, size -= n;
        }
        take_all(c, &until);
        capture_close(c);
        link_close(board);
        return 0;
}
