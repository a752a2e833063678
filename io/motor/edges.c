/* Samples -> edges, eight samples at a time: most of them are equal to the ones before. */
#include <assert.h>
#include <string.h>

#include "io/motor/edges.h"

#define WORD  sizeof(uint64_t)
#define BLOCK (8 * WORD)

void motor_edges_restart(struct motor_edges *e, int64_t tick)
{
        e->started = false;
        e->tick = tick;
}

static uint64_t everywhere(uint8_t byte)
{
        return byte * UINT64_C(0x0101010101010101);
}

static uint64_t word_at(const uint8_t *samples)
{
        uint64_t word;

        memcpy(&word, samples, WORD);
        return word;
}

/* The first byte, in memory order, in which a word differs. */
static size_t first_byte(uint64_t differ)
{
        bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

        return (size_t)(little ? __builtin_ctzll(differ) : __builtin_clzll(differ)) / 8;
}

/* How many of the first samples equal `last` under the mask. */
static size_t unchanged(const uint8_t *samples, size_t count, uint8_t last, uint8_t mask)
{
        uint64_t same = everywhere(last), looked_at = everywhere(mask), differ;
        size_t n = 0;

        for (; n + BLOCK <= count; n += BLOCK) {
                differ = 0;
                for (size_t i = 0; i < BLOCK; i += WORD)
                        differ |= word_at(samples + n + i) ^ same;
                if ((differ & looked_at) != 0)
                        break;
        }
        for (; n + WORD <= count; n += WORD) {
                differ = (word_at(samples + n) ^ same) & looked_at;
                if (differ != 0)
                        return n + first_byte(differ);
        }
        while (n < count && ((samples[n] ^ last) & mask) == 0)
                n++;
        return n;
}

static size_t add_edges(struct motor_edge *out, int64_t tick, unsigned changed,
                        uint8_t sample)
{
        size_t n = 0;

        for (; changed != 0; changed &= changed - 1) {
                uint8_t pad = (uint8_t)__builtin_ctz(changed);

                out[n++] = (struct motor_edge){ tick, pad, sample >> pad & 1 };
        }
        return n;
}

size_t motor_edges_find(struct motor_edges *e, const uint8_t *samples, size_t count,
                        size_t *used, struct motor_edge *out, size_t cap)
{
        size_t i = 0, n = 0;

        assert(cap >= MOTOR_PADS_MAX);
        if (!e->started && count > 0) {
                e->last = samples[0];
                e->started = true;
        }
        while (i < count && n + MOTOR_PADS_MAX <= cap) {
                unsigned changed;

                i += unchanged(samples + i, count - i, e->last, e->mask);
                if (i == count)
                        break;
                changed = (samples[i] ^ e->last) & e->mask;
                n += add_edges(out + n, e->tick + (int64_t)i, changed, samples[i]);
                e->last = samples[i++];
        }
        e->tick += (int64_t)i;
        *used = i;
        return n;
}
