/* Maximum likelihood on a grid of the ratios of the three noises; their common size is found for each. The logarithms of
 * the variances are taken as normal, with the covariance that the noises themselves give them: that is a generalised
 * method of wavelet moments (Guerrier and others 2013). An interval is what the likelihood ratio does not refuse. */
#include "hil/rest/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLOOR       0.44127120 /* 2 ln 2/pi */
#define TAUS_LEAST  6
#define RATIO_LEAST 1e-2 /* to white noise at the record's length: nobody would see it */
#define RATIO_MOST  1e7
#define FINE        1.08
#define COARSE      1.6
#define REFUSED     3.841458821 /* chi-square of one degree of freedom, 95 % */
#define BELIEVED                                                                         \
        0.999 /* of the misfit: one axis in twenty must not lose its best octaves to chance */
#define IMPOSSIBLE 0.9995
#define BEYOND     4 /* octaves past the first that fits: bandwidth shows a little there */
#define WHITE_PART 0.1 /* told: half of the interval over what was found */
#define SLOW_PART  0.5

/* What remains of a grid's point. Deviance = least + weight (y - log_size)^2 with y the logarithm of the size. */
struct point {
        double ratio[ALLAN_NOISES];
        double least, misfit, log_size, weight;
};

struct search {
        const struct noise_records *of;
        int first; /* octave of each record */
        double length_s; /* at which the ratios are */
        struct point best;
};

/* psi and its derivative, by recurrence and asymptotic series. */
static double digamma(double x)
{
        double below = 0.0, r;

        for (; x < 10.0; x++)
                below += 1.0 / x;
        r = 1.0 / (x * x);
        return log(x) - 0.5 / x - r * (1.0 / 12.0 - r * (1.0 / 120.0 - r / 252.0)) -
               below;
}

static double trigamma(double x)
{
        double below = 0.0, r;

        for (; x < 10.0; x++)
                below += 1.0 / (x * x);
        r = 1.0 / (x * x);
        return 1.0 / x + 0.5 * r +
               r / x * (1.0 / 6.0 - r * (1.0 / 30.0 - r * (1.0 / 42.0))) + below;
}

/* In place, the lower half; false: it is not positive. */
static bool decompose(int n, double a[ALLAN_TAUS_MAX][ALLAN_TAUS_MAX])
{
        for (int i = 0; i < n; i++)
                for (int k = 0; k <= i; k++) {
                        double sum = a[i][k];

                        for (int l = 0; l < k; l++)
                                sum -= a[i][l] * a[k][l];
                        if (i == k && sum <= 0.0)
                                return false;
                        a[i][k] = i == k ? sqrt(sum) : sum / a[k][k];
                }
        return true;
}

static void solve_lower(int n, double a[ALLAN_TAUS_MAX][ALLAN_TAUS_MAX], double *b)
{
        for (int i = 0; i < n; i++) {
                for (int k = 0; k < i; k++)
                        b[i] -= a[i][k] * b[k];
                b[i] /= a[i][i];
        }
}

/* Residuals of the logarithms for size 1, and the lower half of their covariance. */
static void residuals_of(const struct allan *a, const struct allan_scatter *s, int first,
                         const double amount[ALLAN_NOISES], double *off,
                         double cov[ALLAN_TAUS_MAX][ALLAN_TAUS_MAX])
{
        double wide[ALLAN_TAUS_MAX], own[ALLAN_TAUS_MAX];

        for (int i = 0; i < a->taus - first; i++) {
                double mean = allan_expected(first + i, amount), half;

                own[i] = allan_covariance(s, first + i, first + i, amount);
                half = mean * mean / own[i];
                wide[i] = sqrt(trigamma(half) / own[i]);
                off[i] = log(a->variance[first + i] / mean) - digamma(half) + log(half);
                for (int k = 0; k <= i; k++)
                        cov[i][k] = wide[i] * wide[k] *
                                    allan_covariance(s, first + k, first + i, amount);
        }
}

static bool add_record(const struct search *f, int record, struct point *p,
                       double sums[4])
{
        const struct allan *a = f->of->allan[record];
        double cov[ALLAN_TAUS_MAX][ALLAN_TAUS_MAX];
        double off[ALLAN_TAUS_MAX], one[ALLAN_TAUS_MAX];
        const double amount[ALLAN_NOISES] = { p->ratio[0] * f->length_s / a->period_s,
                                              p->ratio[1],
                                              p->ratio[2] * a->period_s / f->length_s };
        int n = a->taus - f->first;

        if (n < 1)
                return true;
        residuals_of(a, f->of->scatter[record], f->first, amount, off, cov);
        if (!decompose(n, cov))
                return false;
        for (int i = 0; i < n; i++) {
                one[i] = 1.0;
                sums[3] += 2.0 * log(cov[i][i]);
        }
        solve_lower(n, cov, off);
        solve_lower(n, cov, one);
        for (int i = 0; i < n; i++) {
                sums[0] += one[i] * one[i];
                sums[1] += one[i] * off[i];
                sums[2] += off[i] * off[i];
        }
        return true;
}

static bool try_point(const struct search *f, struct point *p)
{
        double sums[4] = { 0.0 };

        for (int i = 0; i < f->of->records; i++)
                if (!add_record(f, i, p, sums))
                        return false;
        p->weight = sums[0];
        p->log_size = sums[1] / sums[0];
        p->misfit = sums[2] - sums[1] * sums[1] / sums[0];
        p->least = p->misfit + sums[3];
        return true;
}

/* 0, and from the least to the largest ratio; the number of them if there is no room. */
static int make_ratios(double step, double *out)
{
        int n = 1;

        if (out != NULL)
                out[0] = 0.0;
        for (double r = RATIO_LEAST; r < RATIO_MOST; r *= step, n++)
                if (out != NULL)
                        out[n] = r;
        return n;
}

/* Every point of a grid; the best one into f->best. NULL: out of memory. */
static struct point *search_grid(struct search *f, double step, int *points)
{
        int n = make_ratios(step, NULL);
        double *ratio = malloc((size_t)n * sizeof *ratio);
        struct point *p = malloc((size_t)n * (size_t)n * sizeof *p);

        *points = 0;
        f->best.least = INFINITY;
        if (ratio == NULL || p == NULL) {
                free(ratio);
                free(p);
                return NULL;
        }
        make_ratios(step, ratio);
        for (int i = 0; i < n * n; i++) {
                struct point *at = &p[*points];

                *at = (struct point){ .ratio = { 1.0, ratio[i / n], ratio[i % n] } };
                if (!try_point(f, at))
                        continue;
                if (at->least < f->best.least)
                        f->best = *at;
                ++*points;
        }
        free(ratio);
        return p;
}

/* The probability of a smaller misfit from that octave on. */
static double misfit_from(struct search *f, int first)
{
        int points, taus = 0;

        f->first = first;
        free(search_grid(f, COARSE, &points));
        for (int i = 0; i < f->of->records; i++)
                if (f->of->allan[i]->taus > first)
                        taus += f->of->allan[i]->taus - first;
        return points > 0 ? allan_chi_square_below(f->best.misfit, taus - ALLAN_NOISES)
                          : 1.0;
}

/* From which octave on the three noises can have made the records. -1: from none. */
static int find_first(struct search *f)
{
        double least = 1.0, misfit = 1.0;
        int most = 0, first = -1;

        for (int i = 0; i < f->of->records; i++)
                most = f->of->allan[i]->taus > most ? f->of->allan[i]->taus : most;
        for (int i = 0; i + TAUS_LEAST <= most && misfit > BELIEVED; i++) {
                misfit = misfit_from(f, i);
                if (misfit < least) {
                        least = misfit;
                        first = i;
                }
        }
        if (least > IMPOSSIBLE)
                return -1;
        return first > 0 && first + BEYOND + TAUS_LEAST <= most ? first + BEYOND : first;
}

static void widen(struct rest_value *v, double square_from, double square_to)
{
        v->from = fmin(v->from, sqrt(square_from));
        v->to = fmax(v->to, sqrt(square_to));
}

static void take_intervals(const struct search *f, const struct point *p, int points,
                           struct noise *out)
{
        struct rest_value *value[ALLAN_NOISES] = { &out->n, &out->b, &out->k };
        const double per[ALLAN_NOISES] = { f->length_s, 1.0 / FLOOR, 3.0 / f->length_s };

        for (int k = 0; k < ALLAN_NOISES; k++) {
                double found = f->best.ratio[k] * per[k] * exp(f->best.log_size);

                *value[k] = (struct rest_value){ sqrt(found), INFINITY, 0.0, false };
        }
        for (int i = 0; i < points; i++) {
                double room = REFUSED - (p[i].least - f->best.least), wide;

                if (room < 0.0)
                        continue;
                wide = sqrt(room / p[i].weight);
                for (int k = 0; k < ALLAN_NOISES; k++)
                        widen(value[k],
                              p[i].ratio[k] * per[k] * exp(p[i].log_size - wide),
                              p[i].ratio[k] * per[k] * exp(p[i].log_size + wide));
        }
        for (int k = 0; k < ALLAN_NOISES; k++)
                value[k]->told =
                        value[k]->from > 0.0 &&
                        value[k]->to - value[k]->from <=
                                2.0 * (k == 0 ? WHITE_PART : SLOW_PART) * value[k]->found;
}

bool noise_find(const struct noise_records *of, struct noise *out)
{
        struct search f = { of, 0, 0.0, { .least = 0.0 } };
        struct point *p;
        int points;

        *out = (struct noise){ .described = false };
        for (int i = 0; i < of->records; i++)
                f.length_s = fmax(f.length_s,
                                  of->allan[i]->period_s * (double)of->allan[i]->count);
        f.first = find_first(&f);
        if (f.first < 0)
                return false;
        p = search_grid(&f, FINE, &points);
        if (p != NULL && points > 0) {
                take_intervals(&f, p, points, out);
                out->described = true;
                out->from_s = allan_tau_s(of->allan[0], f.first);
                out->square[ALLAN_WHITE] = out->n.found * out->n.found;
                out->square[ALLAN_FLICKER] = FLOOR * out->b.found * out->b.found;
                out->square[ALLAN_WALK] = out->k.found * out->k.found / 3.0;
        }
        free(p);
        return out->described;
}

void noise_amounts(const struct noise *noise, double period_s,
                   double amount[ALLAN_NOISES])
{
        amount[ALLAN_WHITE] = noise->square[ALLAN_WHITE] / period_s;
        amount[ALLAN_FLICKER] = noise->square[ALLAN_FLICKER];
        amount[ALLAN_WALK] = noise->square[ALLAN_WALK] * period_s;
}
