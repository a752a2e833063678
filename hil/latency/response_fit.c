/* Delays out of a frequency response, in three ways. */
#include "hil/latency/response.h"

#include <math.h>

#define STEPS       16 /* of the first search, in a period of the highest line */
#define GOLDEN      0.61803398874989485
#define WIDTH_S     1e-10 /* to which a maximum is found */
#define FLOOR_RATIO 1e-4 /* of the largest gain: no line is better known */

/* Something that has a maximum over time. */
struct search {
        const struct response_estimate *e;
        const struct response_model *m; /* NULL: the cross-correlation */
        double weight[RESPONSE_LINES_MAX];
        double gain; /* of the last model tried */
};

double response_floor(const struct response_estimate *e)
{
        double largest = 0.0;

        for (int k = 0; k < e->lines; k++)
                largest = fmax(largest, complex_square(e->line[k].gain));
        return FLOOR_RATIO * FLOOR_RATIO * largest;
}

/* What least squares gains with the best factor for the model at this delay. */
static double fit_value(struct search *f, double delay_s)
{
        double both = 0.0, model = 0.0;

        for (int k = 0; k < f->e->lines; k++) {
                double complex at = response_model_at(f->m, delay_s, f->e->line[k].hz);

                both += f->weight[k] * creal(conj(at) * f->e->line[k].gain);
                model += f->weight[k] * complex_square(at);
        }
        f->gain = model > 0.0 ? both / model : 0.0;
        return f->gain * both;
}

static double correlation_value(struct search *f, double delay_s)
{
        double sum = 0.0;

        for (int k = 0; k < f->e->lines; k++) {
                const struct response_line *l = &f->e->line[k];

                sum += f->weight[k] *
                       creal(l->gain * cexp(I * 2.0 * M_PI * l->hz * delay_s));
        }
        f->gain = sum;
        return fabs(sum);
}

static double search_value(struct search *f, double delay_s)
{
        return f->m != NULL ? fit_value(f, delay_s) : correlation_value(f, delay_s);
}

/* Golden section: the maximum lies between low and high. */
static double climb(struct search *f, double low, double high)
{
        double left = high - GOLDEN * (high - low), right = low + GOLDEN * (high - low);
        double at_left = search_value(f, left), at_right = search_value(f, right);

        while (high - low > WIDTH_S) {
                if (at_left > at_right) {
                        high = right;
                        right = left;
                        at_right = at_left;
                        left = high - GOLDEN * (high - low);
                        at_left = search_value(f, left);
                } else {
                        low = left;
                        left = right;
                        at_left = at_right;
                        right = low + GOLDEN * (high - low);
                        at_right = search_value(f, right);
                }
        }
        return 0.5 * (low + high);
}

static double search_between(struct search *f, double from_s, double to_s)
{
        double step_s = 1.0 / (STEPS * f->e->line[f->e->lines - 1].hz);
        double best_s = from_s, best = -INFINITY;

        for (double at_s = from_s; at_s <= to_s; at_s += step_s) {
                double v = search_value(f, at_s);

                if (v > best) {
                        best = v;
                        best_s = at_s;
                }
        }
        return climb(f, best_s - step_s, best_s + step_s);
}

static void weigh_fit(struct search *f)
{
        double least = response_floor(f->e);

        for (int k = 0; k < f->e->lines; k++)
                f->weight[k] = 1.0 / (f->e->line[k].variance + least);
}

static void fit_between(struct search *f, double from_s, double to_s,
                        struct response_delay *out)
{
        double left = 0.0, least = response_floor(f->e);

        weigh_fit(f);
        out->s = search_between(f, from_s, to_s);
        search_value(f, out->s);
        out->gain = f->gain;
        for (int k = 0; k < f->e->lines; k++) {
                const struct response_line *l = &f->e->line[k];
                double complex off =
                        l->gain - out->gain * response_model_at(f->m, out->s, l->hz);

                left += complex_square(off) / (l->variance + least);
        }
        out->misfit = sqrt(left / f->e->lines);
}

bool response_fit(const struct response_estimate *e, const struct response_model *m,
                  double most_s, struct response_delay *out)
{
        struct search f = { .e = e, .m = m };

        *out = (struct response_delay){ .found = e->lines > 1 };
        if (out->found)
                fit_between(&f, -2.0 * m->period_s, most_s, out);
        return out->found;
}

bool response_fit_jackknife(const struct response *s, const struct response_model *m,
                            double most_s, struct response_delay *out)
{
        struct response_estimate e;
        struct response_spread spread = { 0 };
        int groups = response_groups(s);

        *out = (struct response_delay){ 0 };
        if (!response_estimate(s, 0, 0, &e) || !response_fit(&e, m, most_s, out))
                return false;
        for (int g = 0; g < groups; g++) {
                struct search f = { .e = &e, .m = m };
                double near_s = 2.0 / (STEPS * s->lines / s->segment_s);
                struct response_delay without;

                if (!response_estimate_without(s, g, groups, &e))
                        continue;
                fit_between(&f, out->s - near_s, out->s + near_s, &without);
                response_spread_add(&spread, without.s - out->s);
        }
        out->se_s = response_spread_error(&spread);
        return true;
}

bool response_peak(const struct response_estimate *e, double most_s,
                   struct response_delay *out)
{
        struct search f = { .e = e };

        *out = (struct response_delay){ .found = e->lines > 1 };
        if (!out->found)
                return false;
        for (int k = 0; k < e->lines; k++)
                f.weight[k] = e->line[k].coherence;
        out->s = search_between(&f, 0.0, most_s);
        correlation_value(&f, out->s);
        out->gain = f.gain;
        return true;
}

bool response_slope(const struct response_estimate *e, double near_s,
                    struct response_delay *out)
{
        double w = 0.0, wx = 0.0, wy = 0.0, wxx = 0.0, wxy = 0.0, rad = 0.0;
        int lines = 0;

        for (int k = 0; k < e->lines; k++) {
                const struct response_line *l = &e->line[k];
                double weight = l->coherence / (1.0 - l->coherence + 1e-4);
                double x = 2.0 * M_PI * l->hz;
                /* Without the delay that is known the phase hardly turns from one line to the next, so that
                 * neither noise nor lines that are left out make it slip by a turn. */
                double complex left = l->gain * cexp(I * x * near_s);

                if (l->coherence < 0.5)
                        continue;
                rad = lines++ > 0 ? response_unwrap(rad, left) : carg(left);
                w += weight;
                wx += weight * x;
                wy += weight * rad;
                wxx += weight * x * x;
                wxy += weight * x * rad;
        }
        *out = (struct response_delay){ .found = lines > 2 };
        if (out->found)
                out->s = near_s - (w * wxy - wx * wy) / (w * wxx - wx * wx);
        return out->found;
}
