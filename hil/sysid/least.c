/* Levenberg and Marquardt's method of MINPACK (Moré 1978) with Huber's loss. */
#include "hil/sysid/least_fit.h"

#include <cminpack-1/cminpack.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/time/crew.h"
#include "io/sort.h"

#define N          LEAST_PARAMETERS
#define HUBER      LEAST_HUBER
#define ITERATIONS 60 /* of a descent */
#define ROUNDS     10
#define SAME       0.02 /* a sigma that changes by less stays */
#define COARSE                                                                           \
        1e-3 /* relative change of the sum of squares, and of the values, that ends a descent */
#define FINE 1e-6
#define STEP 1e-4 /* of a derivative, in scales */

struct work {
        struct least_fit fit;
        double *sorted; /* rows */
        const double *value; /* of which derivatives are taken */
        struct crew *crew;
};

/* 1.4826 times the median of the size: sigma of a normal distribution. The largest change of one, in parts. */
static double measure_sigma(struct work *w)
{
        double most = 0.0;

        for (int c = 0; c < w->fit.p->channels; c++) {
                double was = w->fit.sigma[c];
                size_t n = 0;

                for (size_t i = 0; i < w->fit.p->rows; i++) {
                        double e = w->fit.residual[i * (size_t)w->fit.p->channels +
                                                   (size_t)c];

                        if (isfinite(e))
                                w->sorted[n++] = fabs(e);
                }
                sort_doubles(w->sorted, n);
                w->fit.sigma[c] = n > 0 ? fmax(1.4826 * w->sorted[n / 2], 1e-9) : 1.0;
                most = fmax(most, fabs(was / w->fit.sigma[c] - 1.0));
        }
        return most;
}

static void differentiate_by(void *with, int k)
{
        const struct work *w = with;
        const struct least_problem *p = w->fit.p;
        size_t n = least_cells(p);
        double at[N], *slope = w->fit.slope + (size_t)k * n;
        double step = w->value[k] + STEP * p->scale[k] <= p->high[k] ? STEP : -STEP;

        if (p->held != NULL && p->held[k]) {
                memset(slope, 0, n * sizeof *slope);
                return;
        }
        memcpy(at, w->value, (size_t)least_all(p) * sizeof *at);
        at[k] += step * p->scale[k];
        p->residuals(p->of, at, slope);
        for (size_t i = 0; i < n; i++)
                slope[i] = (slope[i] - w->fit.residual[i]) / step;
}

static void differentiate(struct work *w, const double *value, int parameters)
{
        w->value = value;
        crew_work(w->crew, differentiate_by, w, parameters);
}

/* Of the softened residual, per the residual's own. */
static double soft_slope(const struct work *w, size_t cell)
{
        double sigma = least_sigma(&w->fit, cell),
               size = fabs(w->fit.residual[cell]) / sigma;

        return (size > HUBER ? HUBER / sqrt(HUBER * (2.0 * size - HUBER)) : 1.0) / sigma;
}

/* Of the scaled x of the optimiser, which knows no limits: beyond them the residuals stay, and what is known beforehand
 * pulls back. */
static void value_of(const struct least_problem *p, const double *x, double *value)
{
        for (int a = 0; a < p->parameters; a++)
                value[a] = fmax(p->low[a],
                                fmin(p->high[a], p->start[a] + x[a] * p->scale[a]));
        for (int a = p->parameters; a < least_all(p); a++)
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
        size_t count = least_cells(w->fit.p);
        double value[N];

        value_of(w->fit.p, x, value);
        w->fit.p->residuals(w->fit.p->of, value, w->fit.residual);
        if (which == 1) {
                for (size_t i = 0; i < count; i++)
                        out[i] = isfinite(w->fit.residual[i])
                                         ? soften(w->fit.residual[i] /
                                                  least_sigma(&w->fit, i))
                                         : 0.0;
                for (int a = 0; a < n; a++)
                        out[rows - n + a] = x[a];
                return 0;
        }
        differentiate(w, value, n);
        for (int a = 0; a < n; a++) {
                double *column = slopes + (size_t)a * (size_t)stride;

                for (size_t i = 0; i < count; i++)
                        column[i] = isfinite(w->fit.residual[i])
                                            ? soft_slope(w, i) *
                                                      w->fit.slope[(size_t)a * count + i]
                                            : 0.0;
                for (int b = 0; b < n; b++)
                        column[rows - n + b] = a == b ? 1.0 : 0.0;
        }
        return 0;
}

/* One descent with the sigmas as they are. False: it came to no end. */
static bool descend(struct work *w, double *x, double tolerance, int *iterations)
{
        int n = w->fit.p->parameters, rows = (int)least_cells(w->fit.p) + n, evaluations,
            steps, info;
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
        value_of(w->fit.p, x, value);
        w->fit.p->residuals(w->fit.p->of, value, w->fit.residual);
        return measure_sigma(w);
}

/* The sigmas belong to the residuals, which belong to the values: so both in turn; then the intervals. */
static bool solve(struct work *w, struct least_result *r, char *why, size_t cap)
{
        const struct least_problem *p = w->fit.p;
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
        differentiate(w, r->value, least_all(p));
        if (!least_intervals(&w->fit, r)) {
                snprintf(why, cap, "the fit has no solution");
                return false;
        }
        return true;
}

/* A processor for each derivative at the most. NULL: one alone. */
static struct crew *open_crew(int parameters)
{
        long processors = sysconf(_SC_NPROCESSORS_ONLN);

        return processors > 1
                       ? crew_open(processors < parameters ? (int)processors : parameters)
                       : NULL;
}

bool least_squares(const struct least_problem *p, struct least_result *r, char *why,
                   size_t cap)
{
        struct work *w = calloc(1, sizeof *w);
        size_t n = least_cells(p);
        bool ok = w != NULL;

        *r = (struct least_result){ .iterations = 0 };
        if (ok) {
                w->fit.p = p;
                w->fit.residual = calloc(n, sizeof(double));
                w->fit.slope = calloc(n * (size_t)least_all(p), sizeof(double));
                w->sorted = calloc(p->rows, sizeof(double));
                w->crew = open_crew(least_all(p));
                ok = w->fit.residual != NULL && w->fit.slope != NULL && w->sorted != NULL;
        }
        if (ok)
                ok = solve(w, r, why, cap);
        else
                snprintf(why, cap, "out of memory");
        if (w != NULL) {
                free(w->fit.residual);
                crew_close(w->crew);
                free(w->fit.slope);
                free(w->sorted);
        }
        free(w);
        return ok;
}
