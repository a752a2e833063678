/* Waves to Fourier lines, lines to spectra. */
#include "hil/latency/response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Segments that a line needs for a scatter. */
#define EFFECTIVE_MIN 1.9

static bool grow(struct wave *w)
{
        int capacity = w->capacity > 0 ? 2 * w->capacity : 1024;
        double *time_s = realloc(w->time_s, (size_t)capacity * sizeof *time_s);
        double *value;

        if (time_s == NULL)
                return false;
        w->time_s = time_s;
        value = realloc(w->value, (size_t)capacity * sizeof *value);
        if (value == NULL)
                return false;
        w->value = value;
        w->capacity = capacity;
        return true;
}

bool wave_add(struct wave *w, double time_s, double value)
{
        if (w->count > 0 && w->value[w->count - 1] == value)
                return true;
        if (w->count == w->capacity && !grow(w))
                return false;
        w->time_s[w->count] = time_s;
        w->value[w->count] = value;
        w->count++;
        return true;
}

void wave_free(struct wave *w)
{
        free(w->time_s);
        free(w->value);
        *w = (struct wave){ 0 };
}

/* Index of the edge that is in force at a time; -1 before the first. */
static int wave_at(const struct wave *w, double time_s)
{
        int low = -1, high = w->count;

        while (high - low > 1) {
                int middle = low + (high - low) / 2;

                if (w->time_s[middle] <= time_s)
                        low = middle;
                else
                        high = middle;
        }
        return low;
}

bool response_begin(struct response *s, int lines, double segment_s,
                    enum response_window window)
{
        *s = (struct response){ .lines = lines,
                                .segment_s = segment_s,
                                .window = window };
        return lines > 0 && lines <= RESPONSE_LINES_MAX && segment_s > 0.0;
}

void response_free(struct response *s)
{
        free(s->r);
        free(s->u);
        free(s->y);
        free(s->power);
        *s = (struct response){ 0 };
}

static bool widen(double complex **lines, size_t count)
{
        double complex *more = realloc(*lines, count * sizeof *more);

        if (more == NULL)
                return false;
        *lines = more;
        return true;
}

static bool room_for_one(struct response *s)
{
        int capacity = s->capacity > 0 ? 2 * s->capacity : 64;
        size_t count = (size_t)capacity * (size_t)s->lines;
        double *power;

        if (s->segments < s->capacity)
                return true;
        if (!widen(&s->r, count) || !widen(&s->u, count) || !widen(&s->y, count))
                return false;
        power = realloc(s->power, (size_t)capacity * sizeof *power);
        if (power == NULL)
                return false;
        s->power = power;
        s->capacity = capacity;
        return true;
}

/* Integral of w(t) exp(-i k omega (t - from_s)) over the segment, for k = 0 to lines + 1. exp() is 1 at
 * both ends of the segment, so each edge inside adds its jump alone. Line 0 is not needed exactly: it
 * only serves the window's neighbours, so the mean is taken off. */
static void transform(const struct wave *w, double from_s, double segment_s, int lines,
                      double complex *out)
{
        double omega = 2.0 * M_PI / segment_s;
        int first = wave_at(w, from_s);
        double last = first >= 0 ? w->value[first] : 0.0, begin = last;

        memset(out, 0, (size_t)(lines + 2) * sizeof *out);
        for (int i = first + 1; i < w->count && w->time_s[i] < from_s + segment_s; i++) {
                double complex turn = cexp(-I * omega * (w->time_s[i] - from_s));
                double complex at = turn;
                double jump = w->value[i] - last;

                last = w->value[i];
                for (int k = 1; k <= lines + 1; k++) {
                        out[k] += jump * at;
                        at *= turn;
                }
        }
        for (int k = 1; k <= lines + 1; k++)
                out[k] = (out[k] - (last - begin)) / (I * omega * k);
}

/* Hann's window in time is a sum of neighbours in frequency. */
static void transform_lines(const struct response *s, const struct wave *w, double from_s,
                            double complex *into)
{
        double complex line[RESPONSE_LINES_MAX + 2];

        transform(w, from_s, s->segment_s, s->lines, line);
        for (int k = 1; k <= s->lines; k++)
                into[k - 1] =
                        s->window == RESPONSE_WHOLE
                                ? line[k]
                                : 0.5 * line[k] - 0.25 * (line[k - 1] + line[k + 1]);
}

bool response_add(struct response *s, const struct wave *r, const struct wave *u,
                  const struct wave *y, double from_s)
{
        size_t at = (size_t)s->segments * (size_t)s->lines;

        if (!room_for_one(s))
                return false;
        transform_lines(s, r, from_s, s->r + at);
        transform_lines(s, u, from_s, s->u + at);
        transform_lines(s, y, from_s, s->y + at);
        s->power[s->segments] = 0.0;
        for (int k = 0; k < s->lines; k++)
                s->power[s->segments] += complex_square(s->y[at + (size_t)k]);
        s->segments++;
        return true;
}

struct spectra {
        int count;
        double rr, rr2, yy;
        double complex yr, ur;
};

static struct spectra spectra_of(const struct response *s, int line, int first, int last)
{
        struct spectra sum = { 0 };

        for (int i = 0; i < s->segments; i++) {
                size_t at = (size_t)i * (size_t)s->lines + (size_t)line;

                if (i >= first && i < last)
                        continue;
                sum.count++;
                sum.rr += complex_square(s->r[at]);
                sum.rr2 += complex_square(s->r[at]) * complex_square(s->r[at]);
                sum.yy += complex_square(s->y[at]);
                sum.yr += s->y[at] * conj(s->r[at]);
                sum.ur += s->u[at] * conj(s->r[at]);
        }
        return sum;
}

/* Mean over segments of |r|^2 times |what the quotient leaves|^2, for y and for u without r. */
static void scatter(const struct response *s, int line, int first, int last,
                    const struct response_line *l, double out[2])
{
        out[0] = out[1] = 0.0;
        for (int i = 0; i < s->segments; i++) {
                size_t at = (size_t)i * (size_t)s->lines + (size_t)line;
                double rr = complex_square(s->r[at]);

                if (i >= first && i < last)
                        continue;
                out[0] += rr * complex_square(s->y[at] - l->gain * s->u[at]);
                out[1] += rr * complex_square(s->r[at] - (1.0 + l->loop) * s->u[at]);
        }
}

static bool estimate_line(const struct response *s, int line, int first, int last,
                          struct response_line *l)
{
        struct spectra sum = spectra_of(s, line, first, last);
        /* As many segments as the stimulus is in: a chirp passes a line in few of them. */
        double n = sum.rr2 > 0.0 ? sum.rr * sum.rr / sum.rr2 : 0.0;
        double left[2], lost = n / (n - 1.0);

        l->hz = (line + 1) / s->segment_s;
        if (n < EFFECTIVE_MIN || !(sum.rr > 0.0) || !(complex_square(sum.ur) > 0.0))
                return false;
        l->gain = sum.yr / sum.ur;
        l->loop = sum.rr / sum.ur - 1.0;
        l->coherence = sum.yy > 0.0
                               ? fmin(complex_square(sum.yr) / (sum.rr * sum.yy), 1.0)
                               : 0.0;
        scatter(s, line, first, last, l, left);
        l->variance = lost * left[0] / complex_square(sum.ur);
        l->loop_variance = lost * left[1] / complex_square(sum.ur);
        return true;
}

bool response_estimate(const struct response *s, int first, int last,
                       struct response_estimate *out)
{
        out->lines = 0;
        out->segments = 0;
        for (int i = 0; i < s->segments; i++)
                out->segments += i < first || i >= last;
        /* A line at which the stimulus has nothing is left out. */
        for (int k = 0; k < s->lines; k++)
                if (estimate_line(s, k, first, last, &out->line[out->lines]))
                        out->lines++;
        return out->lines > 0;
}

int response_groups(const struct response *s)
{
        int groups = s->segments < RESPONSE_GROUPS ? s->segments : RESPONSE_GROUPS;

        return groups > 2 ? groups : 0;
}

bool response_estimate_without(const struct response *s, int group, int groups,
                               struct response_estimate *out)
{
        return response_estimate(s, group * s->segments / groups,
                                 (group + 1) * s->segments / groups, out);
}

void response_spread_add(struct response_spread *s, double off)
{
        s->count++;
        s->sum += off;
        s->squares += off * off;
}

double response_spread_error(const struct response_spread *s)
{
        double n = s->count;

        return n > 1.0 ? sqrt(fmax(s->squares - s->sum * s->sum / n, 0.0) * (n - 1.0) / n)
                       : 0.0;
}

double response_unwrap(double before_rad, double complex z)
{
        double rad = carg(z);

        return rad + 2.0 * M_PI * round((before_rad - rad) / (2.0 * M_PI));
}
