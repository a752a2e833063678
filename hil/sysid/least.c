/* Levenberg and Marquardt's method of MINPACK (Moré 1978) with Huber's loss; the covariance is the jackknife over stretches,
 * to first order: what leaving one out would change (MacKinnon and White 1985, HC3, over clusters). */
#include "hil/sysid/least.h"

#include <cminpack-1/cminpack.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N          LEAST_PARAMETERS
#define ITERATIONS 60 /* of a descent */
#define ROUNDS     10
#define SAME       0.02 /* a sigma that changes by less stays */
#define COARSE                                                                           \
        1e-3 /* relative change of the sum of squares, and of the values, that ends a descent */
#define FINE   1e-6
#define NORMAL 1.96 /* sigmas of a 95 % interval */
#define HUBER  2.0 /* residuals beyond so many sigma count linearly */
#define STEP   1e-4 /* of a derivative, in scales */

struct work {
        const struct least_problem *p;
        double *residual, *moved; /* rows x channels */
        double *slope; /* parameters x rows x channels, per scale */
        double *sorted; /* rows */
        double sigma[LEAST_CHANNELS];
        double normal[N][N], gradient[N], inverse[N][N];
};

static int all(const struct least_problem *p)
{
        return p->parameters + p->considered;
}

static size_t cells(const struct least_problem *p)
{
        return p->rows * (size_t)p->channels;
}

static int compare(const void *a, const void *b)
{
        double x = *(const double *)a, y = *(const double *)b;

        return x < y ? -1 : x > y;
}

/* 1.4826 times the median of the size: sigma of a normal distribution. The largest change of one, in parts. */
static double measure_sigma(struct work *w)
{
        double most = 0.0;

        for (int c = 0; c < w->p->channels; c++) {
                double was = w->sigma[c];
                size_t n = 0;

                for (size_t i = 0; i < w->p->rows; i++) {
                        double e = w->residual[i * (size_t)w->p->channels + (size_t)c];

                        if (isfinite(e))
                                w->sorted[n++] = fabs(e);
                }
                qsort(w->sorted, n, sizeof *w->sorted, compare);
                w->sigma[c] = n > 0 ? fmax(1.4826 * w->sorted[n / 2], 1e-9) : 1.0;
                most = fmax(most, fabs(was / w->sigma[c] - 1.0));
        }
        return most;
}

static void differentiate(struct work *w, const double *value, int parameters)
{
        const struct least_problem *p = w->p;
        double at[N];
        size_t n = cells(p);

        memcpy(at, value, (size_t)all(p) * sizeof *at);
        for (int k = 0; k < parameters; k++) {
                double step = at[k] + STEP * p->scale[k] <= p->high[k] ? STEP : -STEP;

                at[k] += step * p->scale[k];
                p->residuals(p->of, at, w->moved);
                for (size_t i = 0; i < n; i++)
                        w->slope[(size_t)k * n + i] =
                                (w->moved[i] - w->residual[i]) / step;
                at[k] = value[k];
        }
}

static double sigma_of(const struct work *w, size_t cell)
{
        return w->sigma[cell % (size_t)w->p->channels];
}

/* Of the softened residual, per the residual's own. */
static double soft_slope(const struct work *w, size_t cell)
{
        double sigma = sigma_of(w, cell), size = fabs(w->residual[cell]) / sigma;

        return (size > HUBER ? HUBER / sqrt(HUBER * (2.0 * size - HUBER)) : 1.0) / sigma;
}

/* Huber's weight over the variance. */
static double weigh(double residual, double sigma)
{
        double size = fabs(residual) / sigma;

        return (size > HUBER ? HUBER / size : 1.0) / (sigma * sigma);
}

static void add_normal(struct work *w, const double *value)
{
        const struct least_problem *p = w->p;
        size_t n = cells(p);

        memset(w->normal, 0, sizeof w->normal);
        memset(w->gradient, 0, sizeof w->gradient);
        for (size_t i = 0; i < n; i++) {
                double weight;

                if (!isfinite(w->residual[i]))
                        continue;
                weight = weigh(w->residual[i], sigma_of(w, i));
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

/* Gauss-Jordan, in place, on a matrix that is positive definite: what is known beforehand makes it so. */
static bool invert(double (*m)[N], int n)
{
        for (int i = 0; i < n; i++) {
                double pivot = m[i][i];

                if (!(pivot > 1e-12) || !isfinite(pivot))
                        return false;
                m[i][i] = 1.0;
                for (int k = 0; k < n; k++)
                        m[i][k] /= pivot;
                for (int r = 0; r < n; r++) {
                        double factor = m[r][i];

                        if (r == i)
                                continue;
                        m[r][i] = 0.0;
                        for (int k = 0; k < n; k++)
                                m[r][k] -= factor * m[i][k];
                }
        }
        return true;
}

/* Of the rows from `*row` on that are of one stretch, takes the normal matrix away from `rest` and adds up the scores. False:
 * there are no residuals. */
static bool leave_out(const struct work *w, size_t *row, double (*rest)[N], double *sum)
{
        const struct least_problem *p = w->p;
        size_t n = cells(p), channels = (size_t)p->channels;
        int stretch = p->stretch[*row];
        bool any = false;

        memset(sum, 0, N * sizeof *sum);
        for (; *row < p->rows && p->stretch[*row] == stretch; ++*row)
                for (size_t i = *row * channels; i < (*row + 1) * channels; i++) {
                        double weight, left;

                        if (!isfinite(w->residual[i]))
                                continue;
                        any = true;
                        weight = weigh(w->residual[i], sigma_of(w, i));
                        for (int a = 0; a < p->parameters; a++) {
                                left = weight * w->slope[(size_t)a * n + i];
                                sum[a] += left * w->residual[i];
                                for (int b = 0; b < p->parameters; b++)
                                        rest[a][b] -= left * w->slope[(size_t)b * n + i];
                        }
                }
        return any;
}

/* Squares of what is found less what would be found without one stretch, in scales, summed over all of them. False: the
 * others would not do. */
static bool jackknife(const struct work *w, double *squares, size_t *stretches)
{
        int n = w->p->parameters;
        double rest[N][N], sum[N];

        for (size_t row = 0; row < w->p->rows;) {
                memcpy(rest, w->normal, sizeof rest);
                if (!leave_out(w, &row, rest, sum))
                        continue;
                ++*stretches;
                if (!invert(rest, n))
                        return false;
                for (int a = 0; a < n; a++) {
                        double shift = 0.0;

                        for (int b = 0; b < n; b++)
                                shift += rest[a][b] * sum[b];
                        squares[a] += shift * shift;
                }
        }
        return true;
}

/* By how much what is found would change, in scales, with a parameter that is only considered (Schmidt 1966): squares. */
static void consider(const struct work *w, int parameter, double *squares)
{
        const struct least_problem *p = w->p;
        size_t n = cells(p);
        double pull[N] = { 0 };

        for (size_t i = 0; i < n; i++) {
                double left;

                if (!isfinite(w->residual[i]))
                        continue;
                left = weigh(w->residual[i], sigma_of(w, i)) *
                       w->slope[(size_t)parameter * n + i];
                for (int b = 0; b < p->parameters; b++)
                        pull[b] += left * w->slope[(size_t)b * n + i];
        }
        for (int a = 0; a < p->parameters; a++) {
                double shift = 0.0;

                for (int b = 0; b < p->parameters; b++)
                        shift += w->inverse[a][b] * pull[b];
                squares[a] += shift * shift;
        }
}

static void spread(const struct work *w, struct least_result *r)
{
        const struct least_problem *p = w->p;
        double variance[N] = { 0 }, squares[N] = { 0 }, factor, t;
        int n = p->parameters;

        for (int a = 0; a < n; a++)
                r->half[a] = (double)INFINITY;
        for (int a = n; a < all(p); a++) {
                r->half[a] = NORMAL * p->scale[a];
                consider(w, a, squares);
        }
        if (!jackknife(w, variance, &r->stretches) || r->stretches < LEAST_STRETCHES)
                return;
        factor = (double)(r->stretches - 1) / (double)r->stretches;
        /* Student's t for 0.975, within 1 % from 8 degrees of freedom on. */
        t = NORMAL + 2.4 / (double)(r->stretches - 1) +
            3.2 / pow((double)r->stretches, 2);
        for (int a = 0; a < n; a++) {
                /* What the data do not tell: the part of the variance that is the one known beforehand. */
                double before = 0.0;

                for (int b = 0; b < n; b++)
                        before += w->inverse[a][b] * w->inverse[a][b];
                r->half[a] = p->scale[a] * hypot(t * sqrt(factor * variance[a] + before),
                                                 NORMAL * sqrt(squares[a]));
        }
}

/* Of the scaled x of the optimiser, which knows no limits: beyond them the residuals stay, and what is known beforehand
 * pulls back. */
static void value_of(const struct least_problem *p, const double *x, double *value)
{
        for (int a = 0; a < p->parameters; a++)
                value[a] = fmax(p->low[a],
                                fmin(p->high[a], p->start[a] + x[a] * p->scale[a]));
        for (int a = p->parameters; a < all(p); a++)
                value[a] = p->start[a];
}

/* Whose square is twice Huber's loss. */
static double soften(double size)
{
        return fabs(size) > HUBER
                       ? copysign(sqrt(HUBER * (2.0 * fabs(size) - HUBER)), size)
                       : size;
}

/* What lmder asks for: the softened residuals and what is known beforehand, or their derivatives. */
static int evaluate(void *of, int rows, int n, const double *x, double *out,
                    double *slopes, int stride, int which)
{
        struct work *w = of;
        size_t count = cells(w->p);
        double value[N];

        value_of(w->p, x, value);
        w->p->residuals(w->p->of, value, w->residual);
        if (which == 1) {
                for (size_t i = 0; i < count; i++)
                        out[i] = isfinite(w->residual[i])
                                         ? soften(w->residual[i] / sigma_of(w, i))
                                         : 0.0;
                for (int a = 0; a < n; a++)
                        out[rows - n + a] = x[a];
                return 0;
        }
        differentiate(w, value, n);
        for (int a = 0; a < n; a++) {
                double *column = slopes + (size_t)a * (size_t)stride;

                for (size_t i = 0; i < count; i++)
                        column[i] = isfinite(w->residual[i])
                                            ? soft_slope(w, i) *
                                                      w->slope[(size_t)a * count + i]
                                            : 0.0;
                for (int b = 0; b < n; b++)
                        column[rows - n + b] = a == b ? 1.0 : 0.0;
        }
        return 0;
}

/* One descent with the sigmas as they are. False: it came to no end. */
static bool descend(struct work *w, double *x, double tolerance, int *iterations)
{
        int n = w->p->parameters, rows = (int)cells(w->p) + n, evaluations, steps, info;
        double *out = calloc((size_t)rows, sizeof *out), *spare;
        double *slopes = calloc((size_t)rows * (size_t)n, sizeof *slopes);
        double one[N], qtf[N], wa[3][N];
        int order[N];

        spare = calloc((size_t)rows, sizeof *spare);
        for (int a = 0; a < n; a++)
                one[a] = 1.0;
        info = -1;
        if (out != NULL && slopes != NULL && spare != NULL)
                info = lmder(evaluate, w, rows, n, x, out, slopes, rows, tolerance,
                             tolerance, 0.0, ITERATIONS, one, 2, 1.0, 0, &evaluations,
                             &steps, order, qtf, wa[0], wa[1], wa[2], spare);
        *iterations += info > 0 ? steps : 0;
        free(out);
        free(slopes);
        free(spare);
        /* 1 to 4: it settled, 6 to 8: no better one within what a double tells. */
        return info > 0 && info != 5;
}

static double take_sigma(struct work *w, const double *x, double *value)
{
        value_of(w->p, x, value);
        w->p->residuals(w->p->of, value, w->residual);
        return measure_sigma(w);
}

/* The sigmas belong to the residuals, which belong to the values: so both in turn; then the intervals, for which what is
 * known beforehand makes the matrix invertible. */
static bool solve(struct work *w, struct least_result *r, char *why, size_t cap)
{
        const struct least_problem *p = w->p;
        double x[N] = { 0.0 };
        bool settled = true;

        for (int a = 0; p->begin != NULL && a < p->parameters; a++)
                x[a] = (p->begin[a] - p->start[a]) / p->scale[a];
        for (int round = 0;
             take_sigma(w, x, r->value) > SAME && settled && round < ROUNDS; round++)
                settled = descend(w, x, p->rough ? COARSE : FINE, &r->iterations);
        if (!settled)
                snprintf(why, cap, "the fit did not settle in %d steps", r->iterations);
        if (!settled || p->rough)
                return settled;
        differentiate(w, r->value, all(p));
        add_normal(w, r->value);
        memcpy(w->inverse, w->normal, sizeof w->normal);
        if (!invert(w->inverse, p->parameters)) {
                snprintf(why, cap, "the fit has no solution");
                return false;
        }
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
                w->slope = calloc(n * (size_t)all(p), sizeof(double));
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
