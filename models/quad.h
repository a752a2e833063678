/* Four doubles side by side, in one register where the processor has some so wide: the three axes of a vector and a 0, or
 * four rotors. By pointers alone: compilers warn of any function that takes or returns one. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "models/isa.h"
#include "models/vec.h"

#define QUAD 4

typedef double quad
        __attribute__((vector_size(QUAD * sizeof(double)), aligned(8), may_alias));
/* Of a comparison: all bits of each lane, or none. */
typedef int64_t quad_bits
        __attribute__((vector_size(QUAD * sizeof(double)), aligned(8), may_alias));

/* What a register holds that is half as wide. Where there are no others, compilers do sums and products of quads as two of
 * those, but compare and put together one number after the other, through memory: `wide` says what there is. Copied, so
 * that gcc does not take a quad apart before it knows. */
typedef double quad_half __attribute__((vector_size(16)));
typedef int64_t quad_half_bits __attribute__((vector_size(16)));

ALWAYS_INLINE void quad_put(bool wide, quad *out, double x0, double x1, double x2,
                            double x3)
{
        if (wide) {
                *out = (quad){ x0, x1, x2, x3 };
        } else {
                const quad_half half[2] = { { x0, x1 }, { x2, x3 } };

                memcpy(out, half, sizeof half);
        }
}

ALWAYS_INLINE void quad_spread(bool wide, quad *out, double x)
{
        quad_put(wide, out, x, x, x, x);
}

/* x times each. Not spread first: gcc 12 would do that in halves. */
ALWAYS_INLINE void quad_scale(bool wide, quad *out, double x, const quad *in)
{
        quad each;

        if (wide) {
                *out = x * *in;
        } else {
                quad_spread(wide, &each, x);
                *out = each * *in;
        }
}

/* Lane by lane a < b ? yes : no. */
ALWAYS_INLINE void quad_if_less(bool wide, quad *out, const quad *a, const quad *b,
                                const quad *yes, const quad *no)
{
        if (wide) {
                quad_bits less = *a < *b;

                *out = (quad)((less & (quad_bits)*yes) | (~less & (quad_bits)*no));
        } else {
                quad_half left[2], right[2], take[2], leave[2];

                memcpy(left, a, sizeof left);
                memcpy(right, b, sizeof right);
                memcpy(take, yes, sizeof take);
                memcpy(leave, no, sizeof leave);
                for (int i = 0; i < 2; i++) {
                        quad_half_bits less = left[i] < right[i];

                        take[i] = (quad_half)((less & (quad_half_bits)take[i]) |
                                              (~less & (quad_half_bits)leave[i]));
                }
                memcpy(out, take, sizeof take);
        }
}

ALWAYS_INLINE struct vec3 quad_vec3(const quad *q)
{
        return (struct vec3){ (*q)[0], (*q)[1], (*q)[2] };
}
