/* The likelihood by a Kalman filter of one state, on a grid of time constants; the ratio of the two variances, their common size
 * and the means are found for each (restricted likelihood). No grid of ratios would do: what a record tells of ratio over time
 * constant is far narrower than of either. An interval is what the likelihood ratio does not refuse. */
#include "hil/rest/markov.h"

#include <math.h>
#include <stdlib.h>

#define SAMPLES_LEAST 100
#define POINTS        40 /* of a grid */
#define POINTS_NEXT   24 /* of those that look closer */
#define LOOKS         3
#define RATIO_LEAST   1e-4
#define RATIO_MOST    1e4
#define NARROW        0.01 /* of a ratio's logarithm: as near as it is found */
#define HALVINGS      10 /* of where a ratio is refused */
#define BEYOND        10.0 /* lengths of a record: longer time constants are a slope */
#define NORMAL_95     1.959964
#define WHITE_PART    0.1 /* told: half of the interval over what was found */
#define DRIFT_PART    0.5
#define TAU_PART      0.75

struct point {
        double tau_s, ratio; /* drift over white, of variances */
        double least, log_size, samples;
        double refused; /* the deviance beyond the best one's from which on it is */
};

struct scan {
        double tau_ns, ratio, step_ns, keep;
        /* Sums of squared innovations over their variances, of the record, of ones, of both; of the logarithms. */
        double squares, ones, both, logs;
        /* Of the sample before: what is the same for long is not found again. */
        double p, total, gain, log_total;
};

static double kept(const struct scan *s, int64_t gap_ns)
{
        double gap = (double)gap_ns;

        return fabs(gap - s->step_ns) < 0.01 * s->step_ns ? s->keep
                                                          : exp(-gap / s->tau_ns);
}

static void scan_record(struct scan *s, const struct markov_record *r)
{
        double x = 0.0, one = 0.0, p = s->ratio, first = r->value[0];

        s->step_ns =
                (double)(r->t_ns[r->count - 1] - r->t_ns[0]) / (double)(r->count - 1);
        s->keep = exp(-s->step_ns / s->tau_ns);
        for (size_t i = 0; i < r->count; i++) {
                double off, off_one;

                if (i > 0) {
                        double keep = kept(s, r->t_ns[i] - r->t_ns[i - 1]);

                        x *= keep;
                        one *= keep;
                        p = s->ratio + keep * keep * (p - s->ratio);
                }
                if (fabs(p - s->p) > 1e-12 * p) {
                        s->p = p;
                        s->total = 1.0 / (p + 1.0);
                        s->gain = p * s->total;
                        s->log_total = log(s->total);
                }
                off = r->value[i * (size_t)r->stride] - first - x;
                off_one = 1.0 - one;
                s->squares += off * off * s->total;
                s->both += off * off_one * s->total;
                s->ones += off_one * off_one * s->total;
                s->logs -= s->log_total;
                x += s->gain * off;
                one += s->gain * off_one;
                p *= s->total;
        }
}

/* As 95 % of Student's t with as many degrees of freedom as the records have times of two time constants (Cornish and Fisher):
 * fewer say less than chi-square has it. */
static double refused_of(double length_s, double tau_s)
{
        double n = fmax(0.5 * length_s / tau_s, 1.0);
        double t =
                NORMAL_95 + (pow(NORMAL_95, 3) + NORMAL_95) / (4.0 * n) +
                (5.0 * pow(NORMAL_95, 5) + 16.0 * pow(NORMAL_95, 3) + 3.0 * NORMAL_95) /
                        (96.0 * n * n);

        return t * t;
}

static void try_point(const struct markov_records *of, struct point *p)
{
        double squares = 0.0, logs = 0.0, length_s = 0.0;

        p->samples = 0.0;
        for (int i = 0; i < of->records; i++) {
                struct scan s = { .tau_ns = 1e9 * p->tau_s,
                                  .ratio = p->ratio,
                                  .p = -1.0 };

                scan_record(&s, &of->record[i]);
                squares += s.squares - s.both * s.both / s.ones;
                logs += s.logs + log(s.ones);
                length_s += 1e-9 * s.step_ns * (double)of->record[i].count;
                p->samples += (double)of->record[i].count - 1.0;
        }
        p->log_size = log(squares / p->samples);
        p->least = p->samples * p->log_size + logs;
        p->refused = refused_of(length_s, p->tau_s);
}

static void limits_of(const struct markov_records *of, double *shortest_s,
                      double *longest_s)
{
        *shortest_s = INFINITY;
        *longest_s = 0.0;
        for (int i = 0; i < of->records; i++) {
                const struct markov_record *r = &of->record[i];
                double s = 1e-9 * (double)(r->t_ns[r->count - 1] - r->t_ns[0]);

                *shortest_s = fmin(*shortest_s, 2.0 * s / (double)(r->count - 1));
                *longest_s = fmax(*longest_s, BEYOND * s);
        }
}

/* Of the white noise, of which each sample tells. */
static void widen_white(const struct point *p, double deviance, struct markov *m)
{
        double room = NORMAL_95 * NORMAL_95 - deviance, wide;

        if (room < 0.0)
                return;
        wide = sqrt(0.5 * room / p->samples);
        m->white.from = fmin(m->white.from, exp(0.5 * p->log_size - wide));
        m->white.to = fmax(m->white.to, exp(0.5 * p->log_size + wide));
}

/* Takes in what the likelihood does not refuse of a point. False: all of it is. */
static bool widen(const struct point *p, const struct point *best, struct markov *m)
{
        double room = best->refused - (p->least - best->least), wide, drift;

        widen_white(p, p->least - best->least, m);
        if (room < 0.0)
                return false;
        wide = sqrt(0.5 * room / p->samples);
        drift = sqrt(p->ratio) * exp(0.5 * p->log_size);
        m->drift.from = fmin(m->drift.from, drift * exp(-wide));
        m->drift.to = fmax(m->drift.to, drift * exp(wide));
        return true;
}

/* The best ratio at a time constant, by golden section of its logarithm. */
static struct point try_tau(const struct markov_records *of, double tau_s)
{
        const double golden = 0.6180339887;
        double low = log(RATIO_LEAST), high = log(RATIO_MOST);
        struct point p[2];

        for (int i = 0; i < 2; i++) {
                double at = i == 0 ? high - golden * (high - low)
                                   : low + golden * (high - low);

                p[i] = (struct point){ .tau_s = tau_s, .ratio = exp(at) };
                try_point(of, &p[i]);
        }
        while (high - low > NARROW) {
                int worse = p[0].least < p[1].least;

                if (worse == 1)
                        high = log(p[1].ratio);
                else
                        low = log(p[0].ratio);
                p[worse] = p[1 - worse];
                p[1 - worse].ratio = exp(worse == 1 ? high - golden * (high - low)
                                                    : low + golden * (high - low));
                try_point(of, &p[1 - worse]);
        }
        return p[0].least < p[1].least ? p[0] : p[1];
}

/* Takes in the ratios up to where they are refused on one side of p. True: as far as `most`, none is. */
static bool widen_ratio(const struct markov_records *of, const struct point *p,
                        const struct point *best, double most, struct markov *m)
{
        double in = log(p->ratio), out = log(most);
        struct point at = *p;

        at.ratio = most;
        try_point(of, &at);
        if (widen(&at, best, m))
                return true;
        for (int i = 0; i < HALVINGS; i++) {
                double middle = 0.5 * (in + out);

                at.ratio = exp(middle);
                try_point(of, &at);
                if (widen(&at, best, m))
                        in = middle;
                else
                        out = middle;
        }
        return false;
}

/* What is left of a range of time constants, and whether the ratios that are not refused there reach their limits. */
struct region {
        double tau_s[2];
        bool least, most;
};

/* Tries a grid over the region and shrinks it to what is not refused there, a step more on each side. `none` is the point
 * without drift. */
static void look(const struct markov_records *of, int points, const struct point *none,
                 struct region *r, struct point *room, struct point *best)
{
        double step = pow(r->tau_s[1] / r->tau_s[0], 1.0 / (points - 1));
        double first_s = r->tau_s[0];

        *best = *none;
        for (int i = 0; i < points; i++) {
                room[i] = try_tau(of, first_s * pow(step, i));
                if (room[i].least < best->least)
                        *best = room[i];
        }
        r->tau_s[0] = INFINITY;
        r->tau_s[1] = 0.0;
        for (int i = 0; i < points; i++)
                if (room[i].least - best->least <= best->refused) {
                        r->tau_s[0] = fmin(r->tau_s[0], room[i].tau_s / step);
                        r->tau_s[1] = fmax(r->tau_s[1], room[i].tau_s * step);
                }
}

/* Intervals of what a grid has left. */
static void take_in(const struct markov_records *of, int points, const struct point *none,
                    const struct point *room, const struct point *best, struct region *r,
                    struct markov *m)
{
        m->white.from = m->drift.from = INFINITY;
        m->white.to = m->drift.to = 0.0;
        r->least = widen(none, best, m);
        r->most = false;
        for (int i = 0; i < points; i++)
                if (widen(&room[i], best, m)) {
                        r->least |= widen_ratio(of, &room[i], best, RATIO_LEAST, m);
                        r->most |= widen_ratio(of, &room[i], best, RATIO_MOST, m);
                }
}

static bool is_within(const struct rest_value *v, double part)
{
        return v->from > 0.0 && v->to - v->from <= 2.0 * part * v->found;
}

/* What reaches the edge of all has no limit there. */
static void judge(const struct point *best, const struct region *left,
                  const double all_s[2], struct markov *m)
{
        m->white.found = exp(0.5 * best->log_size);
        m->drift.found = sqrt(best->ratio) * m->white.found;
        m->tau_s =
                (struct rest_value){ best->tau_s, left->tau_s[0], left->tau_s[1], false };
        if (left->most)
                m->white.from = 0.0;
        if (left->least)
                m->drift.from = m->tau_s.from = 0.0;
        if (left->tau_s[0] <= all_s[0])
                m->tau_s.from = 0.0;
        if (left->tau_s[1] >= all_s[1])
                m->tau_s.to = m->drift.to = INFINITY;
        m->white.told = is_within(&m->white, WHITE_PART);
        m->drift.told = is_within(&m->drift, DRIFT_PART);
        m->tau_s.told = is_within(&m->tau_s, TAU_PART);
}

bool markov_find(const struct markov_records *of, struct markov *out)
{
        struct point room[POINTS], best, none;
        struct region left;
        double all_s[2];
        int points = POINTS;

        *out = (struct markov){ .white.told = false };
        for (int i = 0; i < of->records; i++)
                if (of->record[i].count < SAMPLES_LEAST)
                        return false;
        limits_of(of, &all_s[0], &all_s[1]);
        none = (struct point){ .tau_s = all_s[0] };
        try_point(of, &none);
        left = (struct region){ .tau_s = { all_s[0], all_s[1] } };
        for (int i = 0; i < LOOKS; i++) {
                points = i == 0 ? POINTS : POINTS_NEXT;
                look(of, points, &none, &left, room, &best);
                if (isinf(left.tau_s[0]))
                        left.tau_s[0] = all_s[0], left.tau_s[1] = all_s[1];
                left.tau_s[0] = fmax(left.tau_s[0], all_s[0]);
                left.tau_s[1] = fmin(left.tau_s[1], all_s[1]);
        }
        take_in(of, points, &none, room, &best, &left, out);
        judge(&best, &left, all_s, out);
        return true;
}
