#include "models/twin/source_clock.h"

#include <math.h>

/* Whatever a stranger's clock says. */
static int64_t difference_ns(int64_t a_ns, int64_t b_ns)
{
        return (int64_t)((uint64_t)a_ns - (uint64_t)b_ns);
}

static void set_anew(struct source_clock *c, int64_t theirs_ns, int64_t ours_ns)
{
        uint64_t jumps = c->jumps + (c->known ? 1 : 0);

        *c = (struct source_clock){ .known = true,
                                    .first_ns = ours_ns,
                                    .zero_ns = difference_ns(ours_ns, theirs_ns),
                                    .window_end_ns = ours_ns + SOURCE_CLOCK_WINDOW_NS,
                                    .jumps = jumps };
}

struct line {
        int points;
        double mean_at, mean, spread, slope, at_zero, scatter;
};

/* Through the full windows' minima, by least squares. */
static struct line fit_line(const struct source_clock *c)
{
        struct line l = { .points = c->windows < SOURCE_CLOCK_WINDOWS
                                            ? c->windows
                                            : SOURCE_CLOCK_WINDOWS };
        double product = 0.0;

        for (int i = 0; i < l.points; i++) {
                l.mean_at += c->window[i].at_s / l.points;
                l.mean += c->window[i].least_s / l.points;
        }
        for (int i = 0; i < l.points; i++) {
                double at = c->window[i].at_s - l.mean_at;

                l.spread += at * at;
                product += at * (c->window[i].least_s - l.mean);
        }
        l.slope = l.spread > 0.0 ? product / l.spread : 0.0;
        l.at_zero = l.mean - l.slope * l.mean_at;
        for (int i = 0; i < l.points; i++) {
                double off =
                        c->window[i].least_s - l.at_zero - l.slope * c->window[i].at_s;

                l.scatter += off * off;
        }
        return l;
}

#define DRIFT_LEAST 4

bool source_clock_drift(const struct source_clock *c, double *ppm, double *sigma_ppm)
{
        struct line l = fit_line(c);

        if (l.points < DRIFT_LEAST || !(l.spread > 0.0))
                return false;
        *ppm = l.slope * 1e6;
        *sigma_ppm = sqrt(l.scatter / (l.points - 2) / l.spread) * 1e6;
        return true;
}

/* The difference that a word without delay would have at that time. */
static double least_at(const struct source_clock *c, double at_s)
{
        struct line l;

        if (c->windows < DRIFT_LEAST)
                return c->least_s;
        l = fit_line(c);
        return fmin(c->least_s, l.at_zero + l.slope * at_s);
}

static void close_window(struct source_clock *c, int64_t ours_ns)
{
        int at = c->windows % SOURCE_CLOCK_WINDOWS;

        c->window[at].at_s = c->at_s;
        c->window[at].least_s = c->least_s;
        if (++c->windows == 2 * SOURCE_CLOCK_WINDOWS)
                c->windows = SOURCE_CLOCK_WINDOWS;
        c->window_end_ns = ours_ns + SOURCE_CLOCK_WINDOW_NS;
}

int64_t source_clock_hear(struct source_clock *c, int64_t theirs_ns, int64_t ours_ns)
{
        int64_t off_ns = difference_ns(difference_ns(ours_ns, theirs_ns), c->zero_ns);
        double off_s, at_s, late_s;
        bool opens;

        off_s = (double)off_ns * 1e-9;
        at_s = (double)(ours_ns - c->first_ns) * 1e-9;
        if (!c->known || fabs(off_s - least_at(c, at_s)) > SOURCE_CLOCK_JUMP_S) {
                set_anew(c, theirs_ns, ours_ns);
                off_s = at_s = 0.0;
        }
        opens = ours_ns >= c->window_end_ns;
        if (opens)
                close_window(c, ours_ns);
        if (opens || off_s < c->least_s) {
                c->least_s = off_s;
                c->at_s = at_s;
        }
        late_s = off_s - least_at(c, at_s);
        return late_s > 0.0 ? (int64_t)(late_s * 1e9) : 0;
}
