/* The covariance is the jackknife over stretches, to first order: what leaving one out would change (MacKinnon and White 1985,
 * HC3, over clusters). */
#include <math.h>
#include <string.h>

#include "hil/sysid/least_fit.h"

#define N      LEAST_PARAMETERS
#define NORMAL 1.96 /* sigmas of a 95 % interval */

struct work {
        const struct least_fit *fit;
        double normal[N][N], inverse[N][N];
};

/* Huber's weight over the variance. */
static double weigh(double residual, double sigma)
{
        double size = fabs(residual) / sigma;

        return (size > LEAST_HUBER ? LEAST_HUBER / size : 1.0) / (sigma * sigma);
}

static void add_normal(struct work *w)
{
        const struct least_problem *p = w->fit->p;
        size_t n = least_cells(p);

        memset(w->normal, 0, sizeof w->normal);
        for (size_t i = 0; i < n; i++) {
                double weight;

                if (!isfinite(w->fit->residual[i]))
                        continue;
                weight = weigh(w->fit->residual[i], least_sigma(w->fit, i));
                for (int a = 0; a < p->parameters; a++) {
                        double left = weight * w->fit->slope[(size_t)a * n + i];

                        for (int b = 0; b <= a; b++)
                                w->normal[a][b] +=
                                        left * w->fit->slope[(size_t)b * n + i];
                }
        }
        for (int a = 0; a < p->parameters; a++) {
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
        const struct least_problem *p = w->fit->p;
        size_t n = least_cells(p), channels = (size_t)p->channels;
        int stretch = p->stretch[*row];
        bool any = false;

        memset(sum, 0, N * sizeof *sum);
        for (; *row < p->rows && p->stretch[*row] == stretch; ++*row)
                for (size_t i = *row * channels; i < (*row + 1) * channels; i++) {
                        double weight, left;

                        if (!isfinite(w->fit->residual[i]))
                                continue;
                        any = true;
                        weight = weigh(w->fit->residual[i], least_sigma(w->fit, i));
                        for (int a = 0; a < p->parameters; a++) {
                                left = weight * w->fit->slope[(size_t)a * n + i];
                                sum[a] += left * w->fit->residual[i];
                                for (int b = 0; b < p->parameters; b++)
                                        rest[a][b] -=
                                                left * w->fit->slope[(size_t)b * n + i];
                        }
                }
        return any;
}

/* Squares of what is found less what would be found without one stretch, in scales, summed over all of them. False: the
 * others would not do. */
static bool jackknife(const struct work *w, double *squares, size_t *stretches)
{
        int n = w->fit->p->parameters;
        double rest[N][N], sum[N];

        for (size_t row = 0; row < w->fit->p->rows;) {
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
        const struct least_problem *p = w->fit->p;
        size_t n = least_cells(p);
        double pull[N] = { 0 };

        for (size_t i = 0; i < n; i++) {
                double left;

                if (!isfinite(w->fit->residual[i]))
                        continue;
                left = weigh(w->fit->residual[i], least_sigma(w->fit, i)) *
                       w->fit->slope[(size_t)parameter * n + i];
                for (int b = 0; b < p->parameters; b++)
                        pull[b] += left * w->fit->slope[(size_t)b * n + i];
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
        const struct least_problem *p = w->fit->p;
        double variance[N] = { 0 }, squares[N] = { 0 }, factor, t;
        int n = p->parameters;

        for (int a = 0; a < n; a++)
                r->half[a] = (double)INFINITY;
        for (int a = n; a < least_all(p); a++) {
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

/* What is known beforehand makes the matrix invertible. */
bool least_intervals(const struct least_fit *f, struct least_result *r)
{
        struct work w = { .fit = f };

        add_normal(&w);
        memcpy(w.inverse, w.normal, sizeof w.normal);
        if (!invert(w.inverse, f->p->parameters))
                return false;
        spread(&w, r);
        return true;
}
