#include "models/sensors/error_model.h"

#include <assert.h>
#include <math.h>

void error_params_ideal(struct error_params *p)
{
        *p = (struct error_params){
                .scale = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } },
                .min = -INFINITY,
                .max = INFINITY,
        };
}

/* To the nearest integer, ties to even: adding 1.5 * 2^52 leaves a double no bits for a
 * fraction. The same as rint(), but inline everywhere, and -0 comes out as 0. What is too
 * large for it has no fraction that matters; NaN stays NaN. */
static double nearest(double x)
{
        const double no_fraction = 0x1.8p52;

        return fabs(x) < 0x1p51 ? (x + no_fraction) - no_fraction : x;
}

static double limit(const struct error_params *p, double x)
{
        if (x < p->min)
                return p->min;
        return x > p->max ? p->max : x;
}

void error_apply(const struct error_params *p, struct rng *rng, int axes, double *value)
{
        double out[3];

        assert(axes >= 1 && axes <= 3);
        for (int i = 0; i < axes; i++) {
                out[i] = 0.0;
                for (int j = 0; j < axes; j++)
                        out[i] += p->scale[i][j] * value[j];
                out[i] += p->bias[i];
        }
        for (int i = 0; i < axes; i++) {
                if (p->sigma[i] != 0.0)
                        out[i] += p->sigma[i] * rng_normal(&rng[i]);
                if (p->lsb > 0.0)
                        out[i] = p->lsb * nearest(out[i] / p->lsb);
                value[i] = limit(p, out[i]);
        }
}
