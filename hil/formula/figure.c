#include "hil/formula/figure.h"

#include <math.h>
#include <stddef.h>

const char *const figure_names[] = {
        "settling_time_s",
        "rise_time_s",
        "overshoot_percent",
        "steady_error",
        "rms",
        "mean",
        "peak",
        "minimum",
        "maximum",
        "holds_since_s",
        NULL,
};

_Static_assert(sizeof figure_names / sizeof figure_names[0] == FIGURE_KINDS + 1,
               "a name for each");

/* Default of the band, as in most textbooks. */
#define BAND_RATIO 0.02

static double since_s(const struct figure_setup *p, int64_t t_ns)
{
        return (double)(t_ns - p->from_ns) * 1e-9;
}

static double band_of(const struct figure *f, const struct figure_setup *p)
{
        return isnan(p->band) ? BAND_RATIO * fabs(p->target - f->first) : p->band;
}

/* When a line from the last value to this one meets `level`. */
static double crossing_s(const struct figure *f, const struct figure_setup *p,
                         int64_t t_ns, double value, double level)
{
        double before_s = since_s(p, f->last_ns), now_s = since_s(p, t_ns);

        if (f->count == 0 || value == f->last)
                return now_s;
        return before_s + (now_s - before_s) * (level - f->last) / (value - f->last);
}

static void add_rise(struct figure *f, const struct figure_setup *p, int64_t t_ns,
                     double value)
{
        double step = p->target - f->first;
        double low = f->first + 0.1 * step, high = f->first + 0.9 * step;
        double up = step < 0.0 ? -1.0 : 1.0;

        if (isnan(f->low_s) && up * (value - low) >= 0.0)
                f->low_s = crossing_s(f, p, t_ns, value, low);
        if (isnan(f->high_s) && up * (value - high) >= 0.0) {
                f->high_s = crossing_s(f, p, t_ns, value, high);
                f->at_ns = t_ns;
        }
}

static void add_settling(struct figure *f, const struct figure_setup *p, int64_t t_ns,
                         double value)
{
        double band = band_of(f, p), off = value - p->target;

        if (fabs(off) > band) {
                f->settled_s = INFINITY;
                f->outside_s = since_s(p, t_ns);
                f->at_ns = t_ns;
        } else if (f->count == 0) {
                f->settled_s = f->outside_s = 0.0;
                f->at_ns = t_ns;
        } else if (isinf(f->settled_s)) {
                f->settled_s =
                        crossing_s(f, p, t_ns, value,
                                   p->target + copysign(band, f->last - p->target));
                f->at_ns = t_ns;
        }
}

static void add_holding(struct figure *f, const struct figure_setup *p, int64_t t_ns,
                        double value)
{
        bool held = f->count > 0 && isfinite(f->settled_s);

        if (value == 0.0)
                f->settled_s = INFINITY;
        else if (!held)
                f->settled_s = since_s(p, t_ns);
        if (value == 0.0)
                f->outside_s = since_s(p, t_ns);
        if (held != (value != 0.0))
                f->at_ns = t_ns;
}

/* What grows: the largest so far. */
static double growing(const struct figure *f, const struct figure_setup *p, double value)
{
        switch (p->kind) {
        case FIGURE_OVERSHOOT:
                return (value - p->target) * (p->target < f->first ? -1.0 : 1.0);
        case FIGURE_PEAK:
                return fabs(value);
        case FIGURE_MINIMUM:
                return -value;
        default:
                return value;
        }
}

static void add_extreme(struct figure *f, const struct figure_setup *p, int64_t t_ns,
                        double value)
{
        double x = growing(f, p, value);

        if (f->count == 0 || x > f->extreme) {
                f->extreme = x;
                f->at_ns = t_ns;
        }
}

static void begin_figure(struct figure *f, const struct figure_setup *p, double value)
{
        f->first = isnan(p->from) ? value : p->from;
        f->low_s = f->high_s = NAN;
        f->settled_s = INFINITY;
}

static void add_sums(struct figure *f, const struct figure_setup *p, int64_t t_ns,
                     double value)
{
        f->sum += p->kind == FIGURE_RMS ? value * value : value;
        if (t_ns >= p->to_ns - (p->to_ns - p->from_ns) / 5) {
                f->tail_sum += value;
                f->tail_count++;
        }
        f->at_ns = t_ns;
}

void figure_add(struct figure *f, const struct figure_setup *p, int64_t t_ns,
                double value)
{
        if (isnan(value)) {
                if (!f->undefined)
                        f->at_ns = t_ns;
                f->undefined = true;
        }
        if (f->undefined)
                return;
        if (f->count == 0)
                begin_figure(f, p, value);
        if (p->kind == FIGURE_RISE_TIME)
                add_rise(f, p, t_ns, value);
        else if (p->kind == FIGURE_SETTLING_TIME)
                add_settling(f, p, t_ns, value);
        else if (p->kind == FIGURE_HOLDS_SINCE)
                add_holding(f, p, t_ns, value);
        else if (p->kind == FIGURE_STEADY_ERROR || p->kind == FIGURE_RMS ||
                 p->kind == FIGURE_MEAN)
                add_sums(f, p, t_ns, value);
        else
                add_extreme(f, p, t_ns, value);
        f->last = value;
        f->last_ns = t_ns;
        f->count++;
}

static double overshoot_percent(const struct figure *f, const struct figure_setup *p)
{
        double step = fabs(p->target - f->first);

        return step > 0.0 ? 100.0 * fmax(f->extreme, 0.0) / step : NAN;
}

static double rise_s(const struct figure *f, const struct figure_setup *p)
{
        if (p->target == f->first)
                return NAN;
        return isnan(f->high_s) ? INFINITY : f->high_s - f->low_s;
}

double figure_value(const struct figure *f, const struct figure_setup *p)
{
        if (f->undefined || f->count == 0)
                return NAN;
        switch (p->kind) {
        case FIGURE_SETTLING_TIME:
        case FIGURE_HOLDS_SINCE:
                return f->settled_s;
        case FIGURE_RISE_TIME:
                return rise_s(f, p);
        case FIGURE_OVERSHOOT:
                return overshoot_percent(f, p);
        case FIGURE_STEADY_ERROR:
                return f->tail_count > 0
                               ? fabs(f->tail_sum / (double)f->tail_count - p->target)
                               : NAN;
        case FIGURE_RMS:
                return sqrt(f->sum / (double)f->count);
        case FIGURE_MEAN:
                return f->sum / (double)f->count;
        case FIGURE_MINIMUM:
                return -f->extreme;
        default:
                return f->extreme;
        }
}

void figure_bounds(const struct figure *f, const struct figure_setup *p, double *least,
                   double *most)
{
        double value = figure_value(f, p);

        *least = -INFINITY;
        *most = INFINITY;
        if (f->undefined || f->count == 0)
                return;
        if (p->kind == FIGURE_SETTLING_TIME || p->kind == FIGURE_HOLDS_SINCE)
                *least = f->outside_s;
        else if (p->kind == FIGURE_RISE_TIME && isfinite(value))
                *least = *most = value;
        else if (p->kind == FIGURE_OVERSHOOT || p->kind == FIGURE_PEAK ||
                 p->kind == FIGURE_MAXIMUM)
                *least = value;
        else if (p->kind == FIGURE_MINIMUM)
                *most = value;
}
