/* Gauss-Newton with Huber's weights; the covariance is the sandwich of White (1980) over stretches (Liang and Zeger,
 * 1986). */
#include "hil/sysid/least.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N          LEAST_PARAMETERS
#define ITERATIONS 40
#define HUBER      2.0 /* residuals beyond so many sigma count linearly */
#define STEP       1e-4 /* of a derivative, in scales */

struct work {
        const struct least_problem *p;
        double *residual, *moved; /* rows x channels */
        double *slope; /* parameters x rows x channels, per scale */
        double *sorted; /* rows */
        double normal[N][N], gradient[N], inverse[N][N];
};

static size_t cells(const struct least_problem *p)
{
        return p->rows * (size_t)p->channels;
}

static int compare(const void *a, const void *b)
{
        double x = *(const double *)a, y = *(const double *)b;

        return x < y ? -1 : x > y;
}

/* 1.4826 times the median of the size: sigma of a normal distribution. */
static void measure_sigma(struct work *w, double *sigma)
{
        for (int c = 0; c < w->p->channels; c++) {
                size_t n = 0;

                for (size_t i = 0; i < w->p->rows; i++) {
                        double e = w->residual[i * (size_t)w->p->channels + (size_t)c];

                        if (isfinite(e))
                                w->sorted[n++] = fabs(e);
                }
                qsort(w->sorted, n, sizeof *w->sorted, compare);
                sigma[c] = n > 0 ? fmax(1.4826 * w->sorted[n / 2], 1e-9) : 1.0;
        }
}

static void differentiate(struct work *w, const double *value)
{
        const struct least_problem *p = w->p;
        double at[N];
        size_t n = cells(p);

        memcpy(at, value, (size_t)p->parameters * sizeof *at);
        for (int k = 0; k < p->parameters; k++) {
                double step = at[k] + STEP * p->scale[k] <= p->high[k] ? STEP : -STEP;

                at[k] += step * p->scale[k];
                p->residuals(p->of, at, w->moved);
                for (size_t i = 0; i < n; i++)
                        w->slope[(size_t)k * n + i] =
                                (w->moved[i] - w->residual[i]) / step;
                at[k] = value[k];
        }
}

/* Huber's weight over the variance. */
static double weigh(double residual, double sigma)
{
        double size = fabs(residual) / sigma;

        return (size > HUBER ? HUBER / size : 1.0) / (sigma * sigma);
}

static void add_normal(struct work *w, const double *value, const double *sigma)
{
        const struct least_problem *p = w->p;
        size_t n = cells(p);

        memset(w->normal, 0, sizeof w->normal);
        memset(w->gradient, 0, sizeof w->gradient);
        for (size_t i = 0; i < n; i++) {
                double weight;

                if (!isfinite(w->residual[i]))
                        continue;
                weight = weigh(w->residual[i], sigma[i % (size_t)p->channels]);
                for (int a = 0; a < p->parameters; a++) {
                        double left = weight * w->slope[(size_t)a * n + i];

                        w->gradient[a] += left * w->residual[i];
                        for (int b = 0; b <= a; b++)
                                w->normal[a][b] += left * w->slope[(size_t)b * n + i];
                }
        }
        for (int a = 0; a < p->parameters; a++) {
                w->gradient[a] += (value[a] - p->start[a]) / p->scale[a];
                w->normal[a][a] += 1.0;
                for (int b = 0; b < a; b++)
                        w->normal[b][a] = w->normal[a][b];
        }
}

/* Gauss-Jordan on a matrix that is positive definite: what is known beforehand makes it so. */
static bool invert(struct work *w)
{
        int n = w->p->parameters;
        double m[N][N];

        memcpy(m, w->normal, sizeof m);
        memset(w->inverse, 0, sizeof w->inverse);
        for (int i = 0; i < n; i++)
                w->inverse[i][i] = 1.0;
        for (int i = 0; i < n; i++) {
                double pivot = m[i][i];

                if (!(pivot > 1e-12) || !isfinite(pivot))
                        return false;
                for (int k = 0; k < n; k++) {
                        m[i][k] /= pivot;
                        w->inverse[i][k] /= pivot;
                }
                for (int r = 0; r < n; r++) {
                        double factor = m[r][i];

                        for (int k = 0; r != i && k < n; k++) {
                                m[r][k] -= factor * m[i][k];
                                w->inverse[r][k] -= factor * w->inverse[i][k];
                        }
                }
        }
        return true;
}

/* The largest move, in scales. */
static double move(const struct work *w, double *value)
{
        const struct least_problem *p = w->p;
        double largest = 0.0;

        for (int a = 0; a < p->parameters; a++) {
                double step = 0.0, was = value[a];

                for (int b = 0; b < p->parameters; b++)
                        step -= w->inverse[a][b] * w->gradient[b];
                step = fmax(-0.5, fmin(0.5, step));
                value[a] = fmax(p->low[a], fmin(p->high[a], was + step * p->scale[a]));
                largest = fmax(largest, fabs(value[a] - was) / p->scale[a]);
        }
        return largest;
}

/* Of one stretch; false: it has no residuals. */
static bool score(const struct work *w, size_t first, const double *sigma, double *sum)
{
        const struct least_problem *p = w->p;
        size_t n = cells(p), end = first + p->stretch * (size_t)p->channels;
        bool any = false;

        memset(sum, 0, N * sizeof *sum);
        for (size_t i = first; i < end && i < n; i++) {
                double pull;

                if (!isfinite(w->residual[i]))
                        continue;
                any = true;
                pull = w->residual[i] *
                       weigh(w->residual[i], sigma[i % (size_t)p->channels]);
                for (int a = 0; a < p->parameters; a++)
                        sum[a] += pull * w->slope[(size_t)a * n + i];
        }
        return any;
}

static void spread(const struct work *w, struct least_result *r)
{
        const struct least_problem *p = w->p;
        double variance[N] = { 0 }, sum[N], factor, t;
        int n = p->parameters;

        for (size_t i = 0; i < cells(p); i += p->stretch * (size_t)p->channels) {
                if (!score(w, i, r->sigma, sum))
                        continue;
                r->stretches++;
                for (int a = 0; a < n; a++) {
                        double shift = 0.0;

                        for (int b = 0; b < n; b++)
                                shift += w->inverse[a][b] * sum[b];
                        variance[a] += shift * shift;
                }
        }
        if (r->stretches < 2)
                return;
        factor = (double)r->stretches / (double)(r->stretches - 1);
        /* Student's t for 0.975, within 1 % from 8 degrees of freedom on. */
        t = 1.96 + 2.4 / (double)(r->stretches - 1) + 3.2 / pow((double)r->stretches, 2);
        for (int a = 0; a < n; a++) {
                /* What the data do not tell: the part of the variance that is the one known beforehand. */
                double before = 0.0;

                for (int b = 0; b < n; b++)
                        before += w->inverse[a][b] * w->inverse[a][b];
                r->half[a] = t * p->scale[a] * sqrt(factor * variance[a] + before);
        }
}

static bool solve(struct work *w, struct least_result *r, char *why, size_t cap)
{
        const struct least_problem *p = w->p;
        double moved = 1.0;

        memcpy(r->value, p->start, (size_t)p->parameters * sizeof *r->value);
        for (r->iterations = 0; r->iterations < ITERATIONS && moved > 1e-6;
             r->iterations++) {
                p->residuals(p->of, r->value, w->residual);
                measure_sigma(w, r->sigma);
                differentiate(w, r->value);
                add_normal(w, r->value, r->sigma);
                if (!invert(w)) {
                        snprintf(why, cap, "the fit has no solution");
                        return false;
                }
                moved = move(w, r->value);
        }
        if (moved > 1e-3) {
                snprintf(why, cap, "the fit did not settle in %d steps", ITERATIONS);
                return false;
        }
        p->residuals(p->of, r->value, w->residual);
        spread(w, r);
        return true;
}

bool least_squares(const struct least_problem *p, struct least_result *r, char *why,
                   size_t cap)
{
        struct work *w = calloc(1, sizeof *w);
        size_t n = cells(p);
        bool ok = w != NULL;

        *r = (struct least_result){ .iterations = 0 };
        if (ok) {
                w->p = p;
                w->residual = calloc(n, sizeof(double));
                w->moved = calloc(n, sizeof(double));
                w->slope = calloc(n * (size_t)p->parameters, sizeof(double));
                w->sorted = calloc(p->rows, sizeof(double));
                ok = w->residual != NULL && w->moved != NULL && w->slope != NULL &&
                     w->sorted != NULL;
        }
        if (ok)
                ok = solve(w, r, why, cap);
        else
                snprintf(why, cap, "out of memory");
        if (w != NULL) {
                free(w->residual);
                free(w->moved);
                free(w->slope);
                free(w->sorted);
        }
        free(w);
        return ok;
}
