/* DroneCAN's fields: little-endian by bytes, most significant bit first within them, without gaps. */
#include "io/can/dronecan.h"

#include <math.h>
#include <string.h>

/* Where bit `k` of a field of so many bits stands in its value. */
static int place(int k, int bits)
{
        int byte = k / 8, width = bits - 8 * byte < 8 ? bits - 8 * byte : 8;

        return 8 * byte + width - 1 - k % 8;
}

void dronecan_put(struct dronecan_bits *b, uint64_t value, int bits)
{
        if (b->over || b->at + (size_t)bits > b->bits) {
                b->over = true;
                return;
        }
        for (int k = 0; k < bits; k++, b->at++)
                if (value >> place(k, bits) & 1)
                        b->bytes[b->at / 8] |= (uint8_t)(0x80 >> b->at % 8);
}

uint64_t dronecan_get(struct dronecan_bits *b, int bits)
{
        uint64_t value = 0;

        if (b->over || b->at + (size_t)bits > b->bits) {
                b->over = true;
                return 0;
        }
        for (int k = 0; k < bits; k++, b->at++)
                if (b->bytes[b->at / 8] & 0x80 >> b->at % 8)
                        value |= UINT64_C(1) << place(k, bits);
        return value;
}

void dronecan_put_signed(struct dronecan_bits *b, double value, int bits)
{
        double most = ldexp(1.0, bits - 1) - 1.0;
        int64_t whole = 0;

        if (value == value)
                whole = (int64_t)nearbyint(fmin(fmax(value, -most - 1.0), most));
        dronecan_put(b, (uint64_t)whole & ((UINT64_C(1) << bits) - 1), bits);
}

int64_t dronecan_get_signed(struct dronecan_bits *b, int bits)
{
        int64_t value = (int64_t)dronecan_get(b, bits);

        return value >> (bits - 1) & 1 ? value - ((int64_t)1 << bits) : value;
}

uint16_t dronecan_half(double value)
{
        double size = fabs(value);
        unsigned sign = signbit(value) ? 0x8000 : 0, rest;
        int exponent;

        if (value != value)
                return 0x7FFF;
        if (size >= 65520.0)
                return (uint16_t)(sign | 0x7C00);
        frexp(size, &exponent);
        exponent--;
        if (size == 0.0 || exponent < -14)
                rest = (unsigned)nearbyint(ldexp(size, 24));
        else /* what rounds up to the next power of two carries into the exponent */
                rest = ((unsigned)(exponent + 15) << 10) +
                       (unsigned)nearbyint(ldexp(size, 10 - exponent)) - 1024;
        return (uint16_t)(sign | rest);
}

double dronecan_half_value(uint16_t half)
{
        int exponent = half >> 10 & 31, fraction = half & 1023;
        double size;

        if (exponent == 31)
                size = fraction != 0 ? NAN : INFINITY;
        else if (exponent == 0)
                size = ldexp(fraction, -24);
        else
                size = ldexp(fraction + 1024, exponent - 25);
        return half & 0x8000 ? -size : size;
}

void dronecan_put_f16(struct dronecan_bits *b, double value)
{
        dronecan_put(b, dronecan_half(value), 16);
}

void dronecan_put_f32(struct dronecan_bits *b, double value)
{
        float f = (float)value;
        uint32_t bits;

        memcpy(&bits, &f, sizeof bits);
        dronecan_put(b, bits, 32);
}
