#include "models/sensors/errors/error_model.h"

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
                value[i] = error_output(p, out[i]);
        }
}
