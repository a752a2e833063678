#include "models/sensors/errors/lowpass.h"

#include <math.h>

void lowpass_params_prepare(struct lowpass_params *p, double bandwidth_hz, double step_s)
{
        double k, scale;

        *p = (struct lowpass_params){ 0 };
        if (!(bandwidth_hz > 0.0 && bandwidth_hz * step_s < LOWPASS_SHARE_MAX))
                return;
        k = tan(M_PI * bandwidth_hz * step_s);
        scale = 1.0 / (1.0 + M_SQRT2 * k + k * k);
        p->on = true;
        p->feed = k * k * scale;
        p->a1 = 2.0 * (k * k - 1.0) * scale;
        p->a2 = (1.0 - M_SQRT2 * k + k * k) * scale;
        p->delay_s = M_SQRT1_2 * step_s / k;
}

void lowpass_settle(struct lowpass *l, const struct lowpass_params *p, const quad *in)
{
        for (int i = 0; i < QUAD; i++) {
                l->s1[i] = (1.0 - p->feed) * (*in)[i];
                l->s2[i] = (p->feed - p->a2) * (*in)[i];
        }
}

/* The state's covariance P = A P A' + b b' under unit white noise: what 2^n steps
 * make of none, for n = 0, 1, ... (doubling, Anderson 1978). 64 of them outlast any
 * filter. */
static void find_covariance(const struct lowpass_params *p, double cov[3])
{
        /* s1' = -a1 s1 + s2 + b1 x, s2' = -a2 s1 + b2 x. */
        double a[2][2] = { { -p->a1, 1.0 }, { -p->a2, 0.0 } };
        double b1 = p->feed * (2.0 - p->a1), b2 = p->feed * (1.0 - p->a2);
        double c11 = b1 * b1, c12 = b1 * b2, c22 = b2 * b2;

        for (int n = 0; n < 64; n++) {
                double m[2][2], d11, d12, d22;

                d11 = a[0][0] * (a[0][0] * c11 + a[0][1] * c12) +
                      a[0][1] * (a[0][0] * c12 + a[0][1] * c22);
                d12 = a[1][0] * (a[0][0] * c11 + a[0][1] * c12) +
                      a[1][1] * (a[0][0] * c12 + a[0][1] * c22);
                d22 = a[1][0] * (a[1][0] * c11 + a[1][1] * c12) +
                      a[1][1] * (a[1][0] * c12 + a[1][1] * c22);
                c11 += d11;
                c12 += d12;
                c22 += d22;
                for (int i = 0; i < 2; i++)
                        for (int j = 0; j < 2; j++)
                                m[i][j] = a[i][0] * a[0][j] + a[i][1] * a[1][j];
                for (int i = 0; i < 2; i++)
                        for (int j = 0; j < 2; j++)
                                a[i][j] = m[i][j];
        }
        cov[0] = c11;
        cov[1] = c12;
        cov[2] = c22;
}

void lowpass_settle_noise(struct lowpass *l, const struct lowpass_params *p,
                          const double normal[6])
{
        double cov[3], l11, l21, l22;

        /* Cholesky's factor. */
        find_covariance(p, cov);
        l11 = sqrt(cov[0]);
        l21 = cov[1] / l11;
        l22 = sqrt(fmax(cov[2] - l21 * l21, 0.0));
        for (int i = 0; i < 3; i++) {
                l->s1[i] = l11 * normal[2 * i];
                l->s2[i] = l21 * normal[2 * i] + l22 * normal[2 * i + 1];
        }
}
