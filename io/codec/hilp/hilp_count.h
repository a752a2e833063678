/* Numbers to counts on the wire and back: where they round, saturate and become invalid. Belongs
 * to hilp_si*.c alone. */
#pragma once

#include <math.h>

#include "io/codec/hilp/hilp.h"
#include "models/vec.h"

#define NANO 1e9
#define PI   3.14159265358979323846

/* Rounded to the nearest, halves away from zero. */
static inline int64_t saturate(double value, int64_t min, int64_t max)
{
        if (value >= (double)max)
                return max;
        if (value <= (double)min)
                return min;
        return llround(value);
}

static inline int32_t to_i32(double value)
{
        return isnan(value) ? HILP_INVALID_I32
                            : (int32_t)saturate(value, -INT32_MAX, INT32_MAX);
}

static inline int16_t to_i16(double value)
{
        return isnan(value) ? HILP_INVALID_I16
                            : (int16_t)saturate(value, -INT16_MAX, INT16_MAX);
}

/* An accuracy that is not known is the worst. */
static inline uint16_t to_u16(double value)
{
        return isnan(value) ? UINT16_MAX : (uint16_t)saturate(value, 0, UINT16_MAX);
}

static inline double from_i32(int32_t count)
{
        return count == HILP_INVALID_I32 ? (double)NAN : (double)count;
}

static inline double from_i16(int16_t count)
{
        return count == HILP_INVALID_I16 ? (double)NAN : (double)count;
}

/* Counts of a unit in nano SI. The product below is a whole number of nano units, so that
 * only the division rounds: the result is the double nearest to the decimal number. */
static inline int32_t to_counts(double value, uint32_t unit)
{
        return to_i32(value * NANO / unit);
}

static inline double from_counts(int32_t count, uint32_t unit)
{
        return from_i32(count) * unit / NANO;
}

static inline void to_counts_xyz(int32_t count[3], struct vec3 v, uint32_t unit)
{
        count[0] = to_counts(v.x, unit);
        count[1] = to_counts(v.y, unit);
        count[2] = to_counts(v.z, unit);
}

static inline struct vec3 from_counts_xyz(const int32_t count[3], uint32_t unit)
{
        return (struct vec3){ from_counts(count[0], unit), from_counts(count[1], unit),
                              from_counts(count[2], unit) };
}

/* Millimetres and millimetres per second, wherever they stand. */
#define MILLI_IN_NANO 1000000
/* Fixed units of the wire, in nano: microvolt, microampere, microradian; 10 nanoradian. */
#define MICRO_IN_NANO 1000
#define TEN_NANO      10
