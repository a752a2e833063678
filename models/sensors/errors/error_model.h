/* The one error pipeline of every sensor: scale and cross-axis misalignment, bias,
 * Gaussian noise, rounding to the LSB, clamping to the range, in this order
 * (simulated-IMU document, steps 3 and 4; Gruber 2.2.2.1 for the matrix). Lever arm and
 * mounting come before, in the sensor. */
#pragma once

#include <math.h>

#include "models/quad.h"
#include "models/rng.h"

/* In the unit of the quantity. Scalar sensors use axis 0 alone. */
struct error_params {
        double scale[3][3]; /* diagonal: scale factors; the rest: misalignment */
        double bias[3];
        double sigma[3]; /* standard deviation of one sample */
        double lsb; /* step of the output; 0: not rounded */
        double min, max; /* of the output; multiples of the LSB, as it is clamped last */
};

/* Identity: no error at all, unlimited. */
void error_params_ideal(struct error_params *p);

/* Rounding is to the nearest multiple of the LSB, ties to the even one. NaN stays NaN, so
 * that a plant that has blown up shows; through the matrix it takes the other axes with
 * it.
 *
 * value[0..axes-1] becomes what the sensor says; rng has one stream an axis. An axis
 * whose sigma is 0 draws nothing. axes is 1 to 3. */
void error_apply(const struct error_params *p, struct rng *rng, int axes, double *value);

/* To the nearest integer, ties to even: adding 1.5 * 2^52 leaves a double no bits for a
 * fraction. The same as rint(), but inline everywhere, and -0 comes out as 0. What is too
 * large for it has no fraction that matters; NaN stays NaN. */
static inline double error_nearest(double x)
{
        const double no_fraction = 0x1.8p52;

        return fabs(x) < 0x1p51 ? (x + no_fraction) - no_fraction : x;
}

/* The last two steps for one axis: the multiple of the LSB, within the range. */
static inline double error_output(const struct error_params *p, double x)
{
        if (p->lsb > 0.0)
                x = p->lsb * error_nearest(x / p->lsb);
        if (x < p->min)
                return p->min;
        return x > p->max ? p->max : x;
}

/* The same for three axes at once. */
ALWAYS_INLINE void error_output_axes(bool wide, const struct error_params *p, quad *value)
{
        const double no_fraction = 0x1.8p52;
        const quad none = { 0.0 }, most = 0x1p51 + none, least = -0x1p51 + none;
        quad x = *value, lsb, min, max;

        quad_spread(wide, &lsb, p->lsb);
        quad_spread(wide, &min, p->min);
        quad_spread(wide, &max, p->max);
        if (p->lsb > 0.0) {
                quad raw = x / lsb, whole = (raw + no_fraction) - no_fraction;

                quad_if_less(wide, &whole, &raw, &most, &whole, &raw);
                quad_if_less(wide, &whole, &least, &raw, &whole, &raw);
                quad_scale(wide, &x, p->lsb, &whole);
        }
        quad_if_less(wide, &x, &x, &min, &min, &x);
        quad_if_less(wide, value, &max, &x, &max, &x);
}
