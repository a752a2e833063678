#include "models/sensors/errors/drift.h"

#include <math.h>

#define RATIO 4.0 /* of neighbours' time constants */
#define STEPS 4.0 /* of a process in its time constant */

static bool any(const double x[DRIFT_AXES])
{
        for (int i = 0; i < DRIFT_AXES; i++)
                if (x[i] != 0.0)
                        return true;
        return false;
}

void drift_params_prepare(struct drift_params *p, double sample_s)
{
        /* Whole samples; a hair more, so that 0.025 s are 25 of 1 ms. */
        double every = floor(DRIFT_FASTEST_S / STEPS / sample_s * (1.0 + 1e-9));
        double fastest_s = fmax(DRIFT_FASTEST_S, STEPS * sample_s), step_s;

        p->every = every < 1.0 ? 1 : every < 1e9 ? (int)every : 1000000000;
        step_s = p->every * sample_s;
        p->flickers = any(p->instability);
        p->walks = any(p->walk);
        p->keep = exp(-step_s / fastest_s);
        for (int i = 0; i < DRIFT_AXES; i++) {
                p->sigma[i] = p->instability[i] * sqrt(log(RATIO) / M_PI);
                p->kick[i] = p->sigma[i] * sqrt(1.0 - p->keep * p->keep);
                p->stride[i] = p->walk[i] * sqrt(step_s);
        }
}

static void add_up(struct drift *d)
{
        for (int i = 0; i < DRIFT_AXES; i++) {
                d->sum[i] = d->walked[i];
                for (int k = 0; k < DRIFT_STAGES; k++)
                        d->sum[i] += d->stage[k][i];
        }
}

void drift_init(struct drift *d, const struct drift_params *p, uint64_t seed,
                uint32_t vehicle, uint32_t sensor, uint32_t flicker_axis,
                uint32_t walk_axis)
{
        *d = (struct drift){ .left = p->every };
        for (uint32_t i = 0; i < DRIFT_AXES; i++) {
                rng_init(&d->flicker_rng[i], seed, vehicle, sensor, flicker_axis + i);
                rng_init(&d->walk_rng[i], seed, vehicle, sensor, walk_axis + i);
        }
        for (int k = 0; k < DRIFT_STAGES; k++)
                for (int i = 0; i < DRIFT_AXES; i++)
                        d->stage[k][i] = p->sigma[i] * rng_normal(&d->flicker_rng[i]);
        add_up(d);
}

static void advance_stage(struct drift *d, const struct drift_params *p, int k)
{
        for (int i = 0; i < DRIFT_AXES; i++)
                d->stage[k][i] = p->keep * d->stage[k][i] +
                                 p->kick[i] * rng_normal(&d->flicker_rng[i]);
}

/* Which process moves besides the fastest: process k every 4^k steps, in the middle
 * between two of process k + 1, so that no two of them meet. 0: none. */
static int slower(uint32_t step)
{
        for (int k = 1; k < DRIFT_STAGES; k++) {
                uint32_t digit = step >> (2 * (k - 1)) & 3;

                if (digit != 0)
                        return digit == 2 ? k : 0;
        }
        return 0;
}

void drift_advance(struct drift *d, const struct drift_params *p)
{
        int k = slower(d->steps++);

        d->left = p->every;
        if (p->flickers) {
                advance_stage(d, p, 0);
                if (k > 0)
                        advance_stage(d, p, k);
        }
        if (p->walks)
                for (int i = 0; i < DRIFT_AXES; i++)
                        d->walked[i] += p->stride[i] * rng_normal(&d->walk_rng[i]);
        add_up(d);
}
