/* Big-endian words and floats at any address, as networks have them. io/le.h: the others. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline void be_put_u32(uint8_t *p, uint32_t v)
{
        for (int i = 0; i < 4; i++)
                p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static inline void be_put_f32(uint8_t *p, float v)
{
        uint32_t bits;

        memcpy(&bits, &v, sizeof bits);
        be_put_u32(p, bits);
}

static inline void be_put_f64(uint8_t *p, double v)
{
        uint64_t bits;

        memcpy(&bits, &v, sizeof bits);
        be_put_u32(p, (uint32_t)(bits >> 32));
        be_put_u32(p + 4, (uint32_t)bits);
}

static inline uint32_t be_get_u32(const uint8_t *p)
{
        return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline double be_get_f64(const uint8_t *p)
{
        uint64_t bits = (uint64_t)be_get_u32(p) << 32 | be_get_u32(p + 4);
        double v;

        memcpy(&v, &bits, sizeof v);
        return v;
}
