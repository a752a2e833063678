/* The fit: with gains k = 1/scale, |k (reading - bias)| = g in every still window. */
#include <string.h>

#include "hil/calibrate/calibrate.h"

#define UNKNOWNS   6 /* three biases, three gains */
#define ITERATIONS 50

/* Normal equations, summed window by window. */
struct normal {
        double a[UNKNOWNS][UNKNOWNS], b[UNKNOWNS];
        double squares; /* of the residuals */
        int windows;
};

/* The residual of one window and its derivatives. */
static double residual(const double p[UNKNOWNS], const double reading[3], double gravity,
                       double slope[UNKNOWNS])
{
        double truth[3], length;

        for (int i = 0; i < 3; i++)
                truth[i] = p[3 + i] * (reading[i] - p[i]);
        length = sqrt(truth[0] * truth[0] + truth[1] * truth[1] + truth[2] * truth[2]);
        for (int i = 0; i < 3; i++) {
                slope[i] = -p[3 + i] * truth[i] / length;
                slope[3 + i] = (reading[i] - p[i]) * truth[i] / length;
        }
        return length - gravity;
}

static void sum_up(struct normal *n, const struct calibration_data *d,
                   const double p[UNKNOWNS], double gravity)
{
        memset(n, 0, sizeof *n);
        for (int w = 0; w < d->count; w++) {
                double slope[UNKNOWNS], r;

                if (d->window[w].position < 0)
                        continue;
                r = residual(p, d->window[w].mean_mps2, gravity, slope);
                for (int i = 0; i < UNKNOWNS; i++) {
                        n->b[i] -= slope[i] * r;
                        for (int j = 0; j < UNKNOWNS; j++)
                                n->a[i][j] += slope[i] * slope[j];
                }
                n->squares += r * r;
                n->windows++;
        }
}

/* Cholesky, in place, of a matrix scaled to a diagonal of ones. False: not positive definite. */
static bool decompose(double a[UNKNOWNS][UNKNOWNS])
{
        for (int j = 0; j < UNKNOWNS; j++) {
                for (int i = j; i < UNKNOWNS; i++) {
                        double s = a[i][j];

                        for (int k = 0; k < j; k++)
                                s -= a[i][k] * a[j][k];
                        if (i > j)
                                a[i][j] = s / a[j][j];
                        else if (s > 1e-10)
                                a[j][j] = sqrt(s);
                        else
                                return false;
                }
        }
        return true;
}

static void solve(const double l[UNKNOWNS][UNKNOWNS], double x[UNKNOWNS])
{
        for (int i = 0; i < UNKNOWNS; i++) {
                for (int k = 0; k < i; k++)
                        x[i] -= l[i][k] * x[k];
                x[i] /= l[i][i];
        }
        for (int i = UNKNOWNS - 1; i >= 0; i--) {
                for (int k = i + 1; k < UNKNOWNS; k++)
                        x[i] -= l[k][i] * x[k];
                x[i] /= l[i][i];
        }
}

struct solution {
        double unit[UNKNOWNS]; /* what the unknowns were scaled by */
        double factor[UNKNOWNS][UNKNOWNS];
};

static bool prepare(struct solution *s, const struct normal *n)
{
        for (int i = 0; i < UNKNOWNS; i++) {
                if (!(n->a[i][i] > 0.0) || !isfinite(n->a[i][i]))
                        return false;
                s->unit[i] = 1.0 / sqrt(n->a[i][i]);
        }
        for (int i = 0; i < UNKNOWNS; i++)
                for (int j = 0; j < UNKNOWNS; j++)
                        s->factor[i][j] = n->a[i][j] * s->unit[i] * s->unit[j];
        return decompose(s->factor);
}

static void apply(const struct solution *s, const double b[UNKNOWNS], double x[UNKNOWNS])
{
        for (int i = 0; i < UNKNOWNS; i++)
                x[i] = b[i] * s->unit[i];
        solve(s->factor, x);
        for (int i = 0; i < UNKNOWNS; i++)
                x[i] *= s->unit[i];
}

/* Paparazzi's first guess: the middle between the greatest and the least reading, and g over half their
 * distance. */
static bool guess(const struct calibration_data *d, double gravity, double p[UNKNOWNS])
{
        for (int i = 0; i < 3; i++) {
                double least = INFINITY, most = -INFINITY;

                for (int w = 0; w < d->count; w++) {
                        if (d->window[w].position < 0)
                                continue;
                        least = fmin(least, d->window[w].mean_mps2[i]);
                        most = fmax(most, d->window[w].mean_mps2[i]);
                }
                if (!(most > least))
                        return false;
                p[i] = 0.5 * (most + least);
                p[3 + i] = 2.0 * gravity / (most - least);
        }
        return true;
}

static bool improve(double p[UNKNOWNS], const struct calibration_data *d, double gravity,
                    struct normal *n, struct solution *s)
{
        for (int round = 0; round < ITERATIONS; round++) {
                double step[UNKNOWNS], largest = 0.0;

                sum_up(n, d, p, gravity);
                if (n->windows <= UNKNOWNS || !prepare(s, n))
                        return false;
                apply(s, n->b, step);
                for (int i = 0; i < UNKNOWNS; i++) {
                        p[i] += step[i];
                        largest = fmax(largest,
                                       fabs(step[i]) / (i < 3 ? gravity : fabs(p[i])));
                }
                if (largest < 1e-12)
                        return isfinite(n->squares) && p[3] > 0.0 && p[4] > 0.0 &&
                               p[5] > 0.0;
        }
        return false;
}

bool calibration_fit(const struct calibration_data *d, double gravity_mps2,
                     struct calibration *out)
{
        static const double untouched[UNKNOWNS] = { 0.0, 0.0, 0.0, 1.0, 1.0, 1.0 };
        double p[UNKNOWNS], variance;
        struct solution s;
        struct normal n;

        sum_up(&n, d, untouched, gravity_mps2);
        out->before_mps2 = sqrt(n.squares / fmax(n.windows, 1.0));
        if (!guess(d, gravity_mps2, p) || !improve(p, d, gravity_mps2, &n, &s))
                return false;
        out->windows = n.windows;
        out->after_mps2 = sqrt(n.squares / n.windows);
        variance = n.squares / (n.windows - UNKNOWNS);
        for (int i = 0; i < UNKNOWNS; i++) {
                double only[UNKNOWNS] = { 0.0 }, column[UNKNOWNS], se;

                only[i] = 1.0;
                apply(&s, only, column);
                se = sqrt(variance * column[i]);
                if (i < 3) {
                        out->bias_mps2[i] = p[i];
                        out->bias_se_mps2[i] = se;
                } else {
                        out->scale[i - 3] = 1.0 / p[i];
                        out->scale_se[i - 3] = se / (p[i] * p[i]);
                }
        }
        return true;
}
