/* How much later than the average one repetition's answer came. */
#include "hil/latency/response.h"

#include <math.h>

#define STEPS       8 /* of the first search, in a period of the highest line */
#define ROUNDS      4
#define LEAST_MATCH 0.5 /* correlation of a repetition with the average one */

/* One repetition against what the average one would have given for its own input. */
struct match {
        int lines;
        double omega[RESPONSE_LINES_MAX], weight[RESPONSE_LINES_MAX];
        double complex is[RESPONSE_LINES_MAX], wanted[RESPONSE_LINES_MAX];
};

static void match_begin(struct match *m, const struct response *s,
                        const struct response_estimate *e, int segment)
{
        size_t at = (size_t)segment * (size_t)s->lines;
        double least = response_floor(e);

        m->lines = e->lines;
        for (int k = 0; k < e->lines; k++) {
                const struct response_line *l = &e->line[k];
                int line = (int)lround(l->hz * s->segment_s) - 1;

                m->omega[k] = 2.0 * M_PI * l->hz;
                m->weight[k] = 1.0 / (l->variance * e->segments + least);
                m->is[k] = s->y[at + (size_t)line];
                m->wanted[k] = l->gain * s->u[at + (size_t)line];
        }
}

static double match_value(const struct match *m, double shift_s)
{
        double sum = 0.0;

        for (int k = 0; k < m->lines; k++)
                sum += m->weight[k] * creal(m->is[k] * conj(m->wanted[k]) *
                                            cexp(I * m->omega[k] * shift_s));
        return sum;
}

static double match_search(const struct match *m, double most_s)
{
        double step_s = 2.0 * M_PI / (STEPS * m->omega[m->lines - 1]);
        double best_s = 0.0, best = match_value(m, 0.0);

        for (double off_s = step_s; off_s <= most_s; off_s += step_s)
                for (int sign = -1; sign <= 1; sign += 2) {
                        double v = match_value(m, sign * off_s);

                        if (v > best) {
                                best = v;
                                best_s = sign * off_s;
                        }
                }
        return best_s;
}

/* Gauss and Newton; *information: what the lines together know of the shift; *variance: of the shift, from what each
 * line leaves (White 1980), because the weights are those of the gain and not of this answer. */
static double match_refine(const struct match *m, double shift_s, double *information,
                           double *variance)
{
        for (int round = 0; round < ROUNDS; round++) {
                double slope = 0.0;

                *information = *variance = 0.0;
                for (int k = 0; k < m->lines; k++) {
                        double complex p =
                                m->wanted[k] * cexp(-I * m->omega[k] * shift_s);
                        double complex by = -I * m->omega[k] * p;

                        slope += m->weight[k] * creal(conj(by) * (m->is[k] - p));
                        *information += m->weight[k] * complex_square(by);
                        *variance += 0.5 * m->weight[k] * m->weight[k] *
                                     complex_square(by) * complex_square(m->is[k] - p);
                }
                if (!(*information > 0.0))
                        return shift_s;
                *variance /= *information * *information;
                shift_s += slope / *information;
        }
        return shift_s;
}

bool response_shift(const struct response *s, const struct response_estimate *e,
                    int segment, double most_s, double *shift_s, double *se_s)
{
        struct match m = { 0 };
        double is = 0.0, wanted = 0.0, information, variance, start_s;

        match_begin(&m, s, e, segment);
        for (int k = 0; k < m.lines; k++) {
                is += m.weight[k] * complex_square(m.is[k]);
                wanted += m.weight[k] * complex_square(m.wanted[k]);
        }
        start_s = match_search(&m, most_s);
        if (!(match_value(&m, start_s) >= LEAST_MATCH * sqrt(is * wanted)) ||
            !(is * wanted > 0.0))
                return false;
        *shift_s = match_refine(&m, start_s, &information, &variance);
        *se_s = sqrt(variance);
        return fabs(*shift_s - start_s) <= 2.0 / m.omega[m.lines - 1] + most_s;
}
