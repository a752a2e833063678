#include "hil/rest/allan.h"

#include <math.h>

static double variance_of_sums(const double *sum, size_t count, size_t factor)
{
        double total = 0.0, m = (double)factor;
        size_t n = count - 2 * factor + 1;

        for (size_t i = 0; i < n; i++) {
                double step = (sum[i + 2 * factor] - 2.0 * sum[i + factor] + sum[i]) / m;

                total += step * step;
        }
        return total / (2.0 * (double)n);
}

double allan_variance(const double *sample, size_t count, size_t factor)
{
        double total = 0.0, m = (double)factor, step = 0.0;
        size_t n = count - 2 * factor + 1;

        for (size_t i = 0; i < factor; i++)
                step += (sample[i + factor] - sample[i]) / m;
        for (size_t i = 0;; i++) {
                total += step * step;
                if (i + 1 == n)
                        return total / (2.0 * (double)n);
                step += (sample[i + 2 * factor] - 2.0 * sample[i + factor] + sample[i]) /
                        m;
        }
}

void allan_octaves(struct allan *a, const double *sample, size_t count, double period_s,
                   double *sum)
{
        double level = 0.0;

        a->period_s = period_s;
        a->count = count;
        for (size_t i = 0; i < count; i++)
                level += sample[i] / (double)count;
        sum[0] = 0.0;
        for (size_t i = 0; i < count; i++)
                sum[i + 1] = sum[i] + (sample[i] - level);
        for (a->taus = 0; a->taus < ALLAN_TAUS_MAX && ((size_t)4 << a->taus) <= count;
             a->taus++)
                a->variance[a->taus] = variance_of_sums(sum, count, (size_t)1 << a->taus);
}

/* Generalised autocovariance of the integral of a noise, scaled to the amounts of allan.h (Greenhall and Riley, table 1). */
static double spread(enum allan_noise noise, double t)
{
        t = fabs(t);
        switch (noise) {
        case ALLAN_WHITE:
                return -0.5 * t;
        case ALLAN_FLICKER:
                return t > 0.0 ? t * t * log(t) / (4.0 * M_LN2) : 0.0;
        default:
                return 0.25 * t * t * t;
        }
}

/* Of second differences over m1 and m2 samples whose middles are `lag` apart. */
static double covariance_of_steps(enum allan_noise noise, double m1, double m2,
                                  double lag)
{
        static const double weight[3] = { 1.0, -2.0, 1.0 };
        double sum = 0.0;

        for (int p = -1; p <= 1; p++)
                for (int q = -1; q <= 1; q++)
                        sum += weight[p + 1] * weight[q + 1] *
                               spread(noise, lag + q * m2 - p * m1);
        return sum / (2.0 * m1 * m2);
}

#define APART_MAX 6 /* octaves beyond which estimates share next to nothing */
#define STEPS     16 /* of the sum over lags, in the shorter averaging time */
#define REACH     4.0 /* of flicker noise's covariance, in averaging times */

/* Twice the sum over all pairs of middles of the product of two covariances, over the numbers of pairs. */
static void sum_pairs(double count, double m1, double m2, double part[ALLAN_PAIRS])
{
        double n1 = count - 2.0 * m1 + 1.0, n2 = count - 2.0 * m2 + 1.0;
        double step = fmax(1.0, m1 / STEPS);
        double most = fmin(n2 + m2 - m1, REACH * (m1 + m2));

        for (int i = 0; i < ALLAN_PAIRS; i++)
                part[i] = 0.0;
        for (double lag = 0.0; lag < most; lag += step) {
                double pairs = n2 - fmax(0.0, lag - (m2 - m1)), c[ALLAN_NOISES];
                double weight = (lag > 0.0 ? 4.0 : 2.0) * step * pairs / (n1 * n2);
                int at = 0;

                for (int k = 0; k < ALLAN_NOISES; k++)
                        c[k] = covariance_of_steps((enum allan_noise)k, m1, m2, lag);
                for (int k = 0; k < ALLAN_NOISES; k++)
                        for (int l = k; l < ALLAN_NOISES; l++)
                                part[at++] += (k == l ? 1.0 : 2.0) * weight * c[k] * c[l];
        }
}

void allan_scatter_make(struct allan_scatter *s, size_t count, int taus)
{
        *s = (struct allan_scatter){ .taus = taus };
        for (int i = 0; i < taus; i++)
                for (int k = i; k < taus && k <= i + APART_MAX; k++)
                        sum_pairs((double)count, ldexp(1.0, i), ldexp(1.0, k),
                                  s->part[i][k]);
}

double allan_covariance(const struct allan_scatter *s, int i, int k,
                        const double amount[ALLAN_NOISES])
{
        const double *part = i <= k ? s->part[i][k] : s->part[k][i];
        double sum = 0.0;

        for (int n = 0; n < ALLAN_NOISES; n++)
                for (int m = n; m < ALLAN_NOISES; m++)
                        sum += amount[n] * amount[m] * *part++;
        return sum;
}

double allan_expected(int i, const double amount[ALLAN_NOISES])
{
        return ldexp(amount[ALLAN_WHITE], -i) + amount[ALLAN_FLICKER] +
               ldexp(amount[ALLAN_WALK], i);
}

double allan_freedom(const struct allan_scatter *s, int i,
                     const double amount[ALLAN_NOISES])
{
        double mean = allan_expected(i, amount);

        return 2.0 * mean * mean / allan_covariance(s, i, i, amount);
}

/* The regularised incomplete gamma function P(a, x), by its series or Lentz's continued fraction. */
static double gamma_below(double a, double x)
{
        double front = exp(a * log(x) - x - lgamma(a));

        if (x < a + 1.0) {
                double term = 1.0 / a, sum = term;

                for (double n = a + 1.0; term > 1e-15 * sum; n++)
                        sum += term *= x / n;
                return front * sum;
        }
        double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, h = d;

        for (int n = 1; n < 10000; n++) {
                double an = -n * (n - a), change;

                b += 2.0;
                d = 1.0 / (an * d + b);
                c = b + an / c;
                change = d * c;
                h *= change;
                if (fabs(change - 1.0) < 1e-14)
                        break;
        }
        return 1.0 - front * h;
}

double allan_chi_square_below(double x, double freedom)
{
        return x > 0.0 ? gamma_below(0.5 * freedom, 0.5 * x) : 0.0;
}

double allan_chi_square(double probability, double freedom)
{
        double low = 0.0, high = 10.0 * freedom + 50.0;

        for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
                double middle = 0.5 * (low + high);

                if (allan_chi_square_below(middle, freedom) < probability)
                        low = middle;
                else
                        high = middle;
        }
        return 0.5 * (low + high);
}
