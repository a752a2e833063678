/* Any samples, in any pieces: the edges are those of their definition, each pad's levels take turns,
 * and what is found fits where it goes. */
#include <assert.h>

#include "io/motor/edges.h"
#include "tests/fuzz/fuzz.h"

#define CAP 24

struct reader {
        const uint8_t *samples;
        uint8_t mask, last;
        size_t at; /* the next sample to look at */
};

/* Is this the next edge by definition? Steps over it. */
static void expect_next(struct reader *r, const struct motor_edge *e, uint8_t *left)
{
        while (*left == 0) {
                *left = (uint8_t)((r->samples[r->at] ^ r->last) & r->mask);
                r->last = r->samples[r->at++];
        }
        assert(e->tick == (int64_t)r->at - 1);
        assert(e->pad == __builtin_ctz(*left));
        assert(e->level == (r->last >> e->pad & 1));
        *left &= (uint8_t)(*left - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct motor_edge out[CAP];
        struct motor_edges e = { .mask = size > 0 ? data[0] : 0 };
        size_t piece = size > 1 ? 1 + data[1] : 1, cap = MOTOR_PADS_MAX + piece % 16,
               used;
        struct reader r = { data + 2, e.mask, 0, 1 };
        uint8_t left = 0;

        if (size < 3)
                return 0;
        size -= 2;
        r.last = r.samples[0];
        for (size_t at = 0; at < size; at += used) {
                size_t n = motor_edges_find(&e, r.samples + at,
                                            piece < size - at ? piece : size - at, &used,
                                            out, cap);

                assert(n <= cap && used > 0 && used <= piece);
                assert(e.tick == (int64_t)(at + used));
                for (size_t i = 0; i < n; i++)
                        expect_next(&r, &out[i], &left);
        }
        assert(left == 0);
        for (; r.at < size; r.at++)
                assert(((r.samples[r.at] ^ r.last) & r.mask) == 0);
        return 0;
}
