/* A board that answers the conformance test with any bytes at all: the input, a piece for each read. Every step comes
 * to an end, with a verdict in words. */
#include <assert.h>

#include "hil/conform/conform.h"
#include "tests/fuzz/fuzz.h"

struct any_board {
        struct conform_wire wire; /* first */
        int64_t now_ns;
        const uint8_t *data;
        size_t size, at;
};

static int64_t now(struct conform_wire *w)
{
        return ((struct any_board *)w)->now_ns;
}

static bool write_all(struct conform_wire *w, const uint8_t *bytes, size_t len)
{
        assert(len == 0 || bytes != NULL);
        ((struct any_board *)w)->now_ns += 1000000;
        return !w->gone;
}

/* A byte says how many follow; 255: the board hangs up. */
static size_t read_some(struct conform_wire *w, uint8_t *bytes, size_t cap,
                        int64_t until_ns)
{
        struct any_board *b = (struct any_board *)w;
        size_t n;

        if (b->at >= b->size || b->data[b->at] == 0) {
                b->at += b->at < b->size;
                b->now_ns = until_ns > b->now_ns ? until_ns : b->now_ns + 1;
                return 0;
        }
        n = b->data[b->at++];
        if (n == 255) {
                w->gone = true;
                return 0;
        }
        n = n < b->size - b->at ? n : b->size - b->at;
        n = n < cap ? n : cap;
        memcpy(bytes, b->data + b->at, n);
        b->at += n;
        b->now_ns += 1000000;
        return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        static const struct conform_wire_ops ops = { now, write_all, read_some };
        struct any_board board = {
                .wire.ops = &ops, .now_ns = 1, .data = data, .size = size
        };
        struct conform *c = calloc(1, sizeof *c);
        struct conform_options options;

        if (c == NULL)
                abort();
        conform_options_default(&options);
        options.hello_ns = 300000000;
        options.rate_s = 0.1;
        options.align_s = 1.0;
        options.period_ns = 10000000;
        conform_init(c, &board.wire, &options);
        for (int i = 0; i < conform_step_count() && board.at < size; i++) {
                const struct conform_result *r = conform_run_step(c, i);

                assert(r->text[0] != '\0' &&
                       memchr(r->text, '\0', sizeof r->text) != NULL);
                for (const char *at = r->text; *at != '\0'; at++)
                        assert(*at >= ' ' && *at <= '~');
                assert(r->is != CONFORM_FAILED || r->section != NULL);
        }
        free(c);
        return 0;
}
