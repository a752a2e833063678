/* Exact over a period: x' = x exp(-T/tau) + w, var w = 1 - exp(-2 T/tau), so that the variance stays
 * 1 whatever the rate (Brown and Hwang, Introduction to Random Signals and Applied Kalman Filtering). */
#include "models/sensors/gps_errors.h"

#include <math.h>

#include "models/signals.h"

/* Axes of the sensor's streams; 0 to 5 belong to gps.c. */
enum { AXIS_RANGE = 6, AXIS_WHITE = 10, AXIS_RATE = 14, AXIS_CLOCK = 17 };

/* A receiver steps its clock when it is off by half a millisecond of light. */
#define CLOCK_LIMIT_M 149896.229

static void prepare_state(double period_s, double tau_s, double *hold, double *fresh)
{
        *hold = tau_s > 0.0 ? exp(-period_s / tau_s) : 0.0;
        *fresh = sqrt(1.0 - *hold * *hold);
}

void gps_errors_prepare(struct gps_errors_params *p, int64_t period_ns)
{
        double t = (double)period_ns * 1e-9;
        double f = p->clock_white_m_rts * p->clock_white_m_rts;
        double g = p->clock_walk_mps_rts * p->clock_walk_mps_rts;
        double bias = f * t + g * t * t * t / 3.0, both = g * t * t / 2.0;

        prepare_state(t, p->range_tau_s, &p->range_hold, &p->range_new);
        prepare_state(t, p->rate_tau_s, &p->rate_hold, &p->rate_new);
        p->period_s = t;
        /* Brown and Hwang: the covariance [[bias, both], [both, g t]] by Cholesky. */
        p->clock_chol[0] = sqrt(bias);
        p->clock_chol[1] = bias > 0.0 ? both / p->clock_chol[0] : 0.0;
        p->clock_chol[2] = sqrt(fmax(g * t - p->clock_chol[1] * p->clock_chol[1], 0.0));
}

void gps_errors_init(struct gps_errors *e, uint64_t seed, uint32_t vehicle)
{
        *e = (struct gps_errors){ 0 };
        for (uint32_t i = 0; i < 4; i++) {
                rng_init(&e->rng_range[i], seed, vehicle, SENSOR_GPS, AXIS_RANGE + i);
                rng_init(&e->rng_white[i], seed, vehicle, SENSOR_GPS, AXIS_WHITE + i);
                e->range[i] = rng_normal(&e->rng_range[i]);
        }
        for (uint32_t i = 0; i < 3; i++) {
                rng_init(&e->rng_rate[i], seed, vehicle, SENSOR_GPS, AXIS_RATE + i);
                e->rate[i] = rng_normal(&e->rng_rate[i]);
        }
        for (uint32_t i = 0; i < 2; i++)
                rng_init(&e->rng_clock[i], seed, vehicle, SENSOR_GPS, AXIS_CLOCK + i);
        e->clock_bias_m = CLOCK_LIMIT_M * (2.0 * rng_uniform(&e->rng_clock[0]) - 1.0);
}

static void step_clock(struct gps_errors *e, const struct gps_errors_params *p)
{
        double a = rng_normal(&e->rng_clock[0]), b = rng_normal(&e->rng_clock[1]);

        e->clock_bias_m += e->clock_drift_mps * p->period_s + p->clock_chol[0] * a;
        e->clock_drift_mps += p->clock_chol[1] * a + p->clock_chol[2] * b;
        if (e->clock_bias_m > CLOCK_LIMIT_M)
                e->clock_bias_m -= 2.0 * CLOCK_LIMIT_M;
        if (e->clock_bias_m < -CLOCK_LIMIT_M)
                e->clock_bias_m += 2.0 * CLOCK_LIMIT_M;
}

void gps_errors_step(struct gps_errors *e, const struct gps_errors_params *p)
{
        for (int i = 0; i < 4; i++) {
                e->range[i] = p->range_hold * e->range[i] +
                              p->range_new * rng_normal(&e->rng_range[i]);
                e->range_white[i] = rng_normal(&e->rng_white[i]);
        }
        for (int i = 0; i < 3; i++)
                e->rate[i] = p->rate_hold * e->rate[i] +
                             p->rate_new * rng_normal(&e->rng_rate[i]);
        step_clock(e, p);
}
