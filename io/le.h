/* Integers and IEEE floating point as little-endian bytes, whatever the host's order and
 * the buffer's alignment. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline void le_put_u16(uint8_t *p, uint16_t v)
{
        p[0] = (uint8_t)v;
        p[1] = (uint8_t)(v >> 8);
}

static inline void le_put_u32(uint8_t *p, uint32_t v)
{
        le_put_u16(p, (uint16_t)v);
        le_put_u16(p + 2, (uint16_t)(v >> 16));
}

static inline void le_put_u64(uint8_t *p, uint64_t v)
{
        le_put_u32(p, (uint32_t)v);
        le_put_u32(p + 4, (uint32_t)(v >> 32));
}

static inline void le_put_f32(uint8_t *p, float v)
{
        uint32_t bits;

        memcpy(&bits, &v, sizeof bits);
        le_put_u32(p, bits);
}

static inline void le_put_f64(uint8_t *p, double v)
{
        uint64_t bits;

        memcpy(&bits, &v, sizeof bits);
        le_put_u64(p, bits);
}

static inline uint16_t le_get_u16(const uint8_t *p)
{
        return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t le_get_u32(const uint8_t *p)
{
        return le_get_u16(p) | (uint32_t)le_get_u16(p + 2) << 16;
}

static inline uint64_t le_get_u64(const uint8_t *p)
{
        return le_get_u32(p) | (uint64_t)le_get_u32(p + 4) << 32;
}

static inline float le_get_f32(const uint8_t *p)
{
        uint32_t bits = le_get_u32(p);
        float v;

        memcpy(&v, &bits, sizeof v);
        return v;
}

static inline double le_get_f64(const uint8_t *p)
{
        uint64_t bits = le_get_u64(p);
        double v;

        memcpy(&v, &bits, sizeof v);
        return v;
}
