/* What would explain the difference: the log's specific force along the thrust, and its turning accelerations, as
 * multiples of the simulated ones that come later by a delay. y(t) = g x(t - d) is y = g x - g d x' for short delays,
 * linear in g and g d. Turning has a constant besides: of rotors that are not the same, or a centre of mass aside. */
#include <math.h>
#include <stdlib.h>

#include "hil/retrace/retrace.h"

#define STRETCHES     20 /* of which each is left out once */
#define POINTS_MIN    200
#define EXPLAINED_MIN 0.9 /* what explains less is no explanation */
#define REACH         3 /* points to either side, of a slope */

/* Of the normal equations, for a stretch. */
struct moments {
        double xx, xs, ss, xy, sy, yy, x, s, y;
        size_t count;
};

static void moments_add(struct moments *m, double x, double slope, double y)
{
        m->xx += x * x;
        m->xs += x * slope;
        m->ss += slope * slope;
        m->xy += x * y;
        m->sy += slope * y;
        m->yy += y * y;
        m->x += x;
        m->s += slope;
        m->y += y;
        m->count++;
}

static void moments_join(struct moments *m, const struct moments *with, double sign)
{
        m->xx += sign * with->xx;
        m->xs += sign * with->xs;
        m->ss += sign * with->ss;
        m->xy += sign * with->xy;
        m->sy += sign * with->sy;
        m->yy += sign * with->yy;
        m->x += sign * with->x;
        m->s += sign * with->s;
        m->y += sign * with->y;
        m->count = sign > 0.0 ? m->count + with->count : m->count - with->count;
}

/* About the means, which leaves out a constant. */
static void moments_centre(struct moments *m)
{
        double n = (double)m->count;

        m->xx -= m->x * m->x / n;
        m->xs -= m->x * m->s / n;
        m->ss -= m->s * m->s / n;
        m->xy -= m->x * m->y / n;
        m->sy -= m->s * m->y / n;
        m->yy -= m->y * m->y / n;
}

/* False: what was simulated did not move enough to tell. */
static bool solve(struct moments moments, bool centred, double *gain, double *delay_s,
                  double *explained)
{
        struct moments *m = &moments;
        double determinant, slope;

        if (m->count < POINTS_MIN)
                return false;
        if (centred)
                moments_centre(m);
        determinant = m->xx * m->ss - m->xs * m->xs;
        if (!(determinant > 1e-12 * m->xx * m->ss))
                return false;
        *gain = (m->xy * m->ss - m->sy * m->xs) / determinant;
        slope = (m->sy * m->xx - m->xy * m->xs) / determinant;
        *delay_s = -slope / *gain;
        *explained = m->yy > 0.0 ? (*gain * m->xy + slope * m->sy) / m->yy : 0.0;
        return isfinite(*gain) && isfinite(*delay_s);
}

/* Standard errors by leaving out each stretch in turn, which makes no matter of how noise hangs together within one. */
static void estimate(const struct moments part[STRETCHES], bool centred,
                     struct retrace_gain *out)
{
        double gain[STRETCHES], delay_s[STRETCHES], explained;
        double mean_gain = 0.0, mean_delay_s = 0.0, gain_sum = 0.0, delay_sum = 0.0;
        struct moments all = { 0 };
        int n = 0;

        for (int i = 0; i < STRETCHES; i++)
                moments_join(&all, &part[i], 1.0);
        if (!solve(all, centred, &out->gain, &out->delay_s, &out->explained))
                return;
        for (int i = 0; i < STRETCHES; i++) {
                struct moments rest = all;

                moments_join(&rest, &part[i], -1.0);
                if (part[i].count == 0 ||
                    !solve(rest, centred, &gain[n], &delay_s[n], &explained))
                        continue;
                mean_gain += gain[n];
                mean_delay_s += delay_s[n];
                n++;
        }
        for (int i = 0; i < n; i++) {
                double g = gain[i] - mean_gain / n, d = delay_s[i] - mean_delay_s / n;

                gain_sum += g * g;
                delay_sum += d * d;
        }
        out->gain_error = n > 1 ? sqrt((n - 1.0) / n * gain_sum) : 0.0;
        out->delay_error_s = n > 1 ? sqrt((n - 1.0) / n * delay_sum) : 0.0;
        out->known = n > 1 && out->explained >= EXPLAINED_MIN;
        if (centred)
                out->offset = (all.y - out->gain * (all.x - out->delay_s * all.s)) /
                              (double)all.count;
}

/* In which no simulated one began anew, and nothing was touched. */
static bool is_whole(const struct retrace_series *s, size_t i, size_t reach)
{
        for (size_t k = i - reach; k <= i + reach; k++)
                if (!s->flies[k] || (s->begins[k] && k > i - reach))
                        return false;
        return true;
}

static double slope_of(const double *v, size_t i, double step_s)
{
        return (v[i + REACH] - v[i - REACH]) / (2.0 * REACH * step_s);
}

static void explain_force(const struct retrace_series *s, struct retrace_gain *out)
{
        const double *x = s->sim[RETRACE_AZ], *y = s->log[RETRACE_AZ];
        struct moments part[STRETCHES] = { { 0 } };

        for (size_t i = REACH; i + REACH < s->count; i++)
                if (isfinite(y[i]) && isfinite(x[i]) && is_whole(s, i, REACH))
                        moments_add(&part[i * STRETCHES / s->count], x[i],
                                    slope_of(x, i, s->step_s), y[i]);
        estimate(part, false, out);
}

/* Of both the slope of the rate is taken in the same way, so that it does the same to both. */
static void explain_turning(const struct retrace_series *s, int axis,
                            struct retrace_gain *out)
{
        const double *x = s->sim[RETRACE_P + axis], *y = s->log[RETRACE_P + axis];
        struct moments part[STRETCHES] = { { 0 } };
        size_t reach = 2 * REACH;

        for (size_t i = reach; i + reach < s->count; i++) {
                double turning = slope_of(x, i, s->step_s);
                double bend = (slope_of(x, i + REACH, s->step_s) -
                               slope_of(x, i - REACH, s->step_s)) /
                              (2.0 * REACH * s->step_s);
                double measured = slope_of(y, i, s->step_s);

                if (isfinite(measured) && isfinite(turning) && is_whole(s, i, reach))
                        moments_add(&part[i * STRETCHES / s->count], turning, bend,
                                    measured);
        }
        estimate(part, true, out);
}

static bool is_sparse(double every_s)
{
        return every_s > RETRACE_SPARSE_S;
}

/* A force is there for long enough to be told from seldom samples, if not how late it is. */
void retrace_explain(const struct retrace_series *s, struct retrace_result *result)
{
        bool motors = is_sparse(result->motors_every_s);

        explain_force(s, &result->cause[CAUSE_THRUST]);
        result->cause[CAUSE_THRUST].sparse = motors || is_sparse(result->forces_every_s);
        for (int axis = 0; axis < 3; axis++) {
                struct retrace_gain *turning = &result->cause[CAUSE_ROLL + axis];

                turning->sparse = motors || is_sparse(result->rates_every_s);
                if (!turning->sparse)
                        explain_turning(s, axis, turning);
        }
}
