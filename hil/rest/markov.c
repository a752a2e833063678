/* The likelihood on a grid of time constants and ratios of the two variances, by a Kalman filter of one state; common size and
 * means are found for each (restricted likelihood). An interval is what the likelihood ratio does not refuse. */
#include "hil/rest/markov.h"

#include <math.h>
#include <stdlib.h>

#define SAMPLES_LEAST 100
#define POINTS        40 /* of a grid along each side */
#define POINTS_NEXT   24 /* of those that look closer */
#define LOOKS         3
#define RATIO_LEAST   1e-4
#define RATIO_MOST    1e4
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

/* A part of the plane of time constants and ratios. */
struct region {
        double tau_s[2], ratio[2];
};

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

static void stretch(double range[2], double value, double step, bool first)
{
        range[0] = first ? value / step : fmin(range[0], value / step);
        range[1] = first ? value * step : fmax(range[1], value * step);
}

static void limit(struct region *r, const struct region *all)
{
        r->tau_s[0] = fmax(r->tau_s[0], all->tau_s[0]);
        r->tau_s[1] = fmin(r->tau_s[1], all->tau_s[1]);
        r->ratio[0] = fmax(r->ratio[0], all->ratio[0]);
        r->ratio[1] = fmin(r->ratio[1], all->ratio[1]);
}

static double step_of(const double range[2], int points)
{
        return pow(range[1] / range[0], 1.0 / (points - 1));
}

/* Tries a grid over the region and shrinks it to what is not refused there, a step more on each side. `none` is the point
 * without drift. */
static void look(const struct markov_records *of, int points, const struct point *none,
                 struct region *r, struct point *room, struct point *best,
                 struct markov *m)
{
        double tau_step = step_of(r->tau_s, points), step = step_of(r->ratio, points);
        bool first = true;

        *best = *none;
        m->white.from = m->drift.from = INFINITY;
        m->white.to = m->drift.to = 0.0;
        for (int i = 0; i < points * points; i++) {
                room[i] =
                        (struct point){ .tau_s = r->tau_s[0] * pow(tau_step, i / points),
                                        .ratio = r->ratio[0] * pow(step, i % points) };
                try_point(of, &room[i]);
                if (room[i].least < best->least)
                        *best = room[i];
        }
        widen(none, best, m);
        for (int i = 0; i < points * points; i++)
                if (widen(&room[i], best, m)) {
                        stretch(r->tau_s, room[i].tau_s, tau_step, first);
                        stretch(r->ratio, room[i].ratio, step, first);
                        first = false;
                }
}

static bool is_within(const struct rest_value *v, double part)
{
        return v->from > 0.0 && v->to - v->from <= 2.0 * part * v->found;
}

/* What reaches the edge of all has no limit there. */
static void judge(const struct point *best, const struct region *left,
                  const struct region *all, bool none, struct markov *m)
{
        m->white.found = exp(0.5 * best->log_size);
        m->drift.found = sqrt(best->ratio) * m->white.found;
        m->tau_s =
                (struct rest_value){ best->tau_s, left->tau_s[0], left->tau_s[1], false };
        if (left->ratio[1] >= all->ratio[1])
                m->white.from = 0.0;
        if (none || left->ratio[0] <= all->ratio[0])
                m->drift.from = 0.0;
        if (none || left->tau_s[0] <= all->tau_s[0])
                m->tau_s.from = 0.0;
        if (left->tau_s[1] >= all->tau_s[1])
                m->tau_s.to = m->drift.to = INFINITY;
        m->white.told = is_within(&m->white, WHITE_PART);
        m->drift.told = is_within(&m->drift, DRIFT_PART);
        m->tau_s.told = is_within(&m->tau_s, TAU_PART);
}

bool markov_find(const struct markov_records *of, struct markov *out)
{
        struct region all = { .ratio = { RATIO_LEAST, RATIO_MOST } }, left;
        struct point *room = malloc(sizeof *room * POINTS * POINTS), best, none;

        *out = (struct markov){ .white.told = false };
        for (int i = 0; i < of->records; i++)
                if (of->record[i].count < SAMPLES_LEAST || room == NULL) {
                        free(room);
                        return false;
                }
        limits_of(of, &all.tau_s[0], &all.tau_s[1]);
        none = (struct point){ .tau_s = all.tau_s[0] };
        try_point(of, &none);
        left = all;
        for (int i = 0; i < LOOKS; i++) {
                look(of, i == 0 ? POINTS : POINTS_NEXT, &none, &left, room, &best, out);
                limit(&left, &all);
        }
        judge(&best, &left, &all, none.least - best.least <= best.refused, out);
        free(room);
        return true;
}
