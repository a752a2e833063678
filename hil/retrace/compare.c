/* What differs between the log and the simulation, and by how much one is later. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/retrace/retrace.h"

#define LAG_MAX_S       0.4
#define LAG_POINTS_MAX  60000 /* of the stretch that is shifted: 4 min */
#define CORRELATION_MIN 0.5 /* with less there is no lag to speak of */
#define APART_M         1.0
#define APART_DEG       10.0

static bool is_angle(int quantity)
{
        return quantity >= RETRACE_ROLL && quantity <= RETRACE_YAW;
}

static double difference(int quantity, double log, double sim)
{
        double d = log - sim;

        return is_angle(quantity) ? remainder(d, 360.0) : d;
}

/* Angles on from turn to turn, so that they have a mean. */
static void unwrap(const double *from, double *to, size_t count)
{
        double turns = 0.0, before = (double)NAN;

        for (size_t i = 0; i < count; i++) {
                if (isfinite(from[i]) && isfinite(before))
                        turns -= 360.0 * nearbyint((from[i] - before) / 360.0);
                if (isfinite(from[i]))
                        before = from[i];
                to[i] = from[i] + turns;
        }
}

struct sums {
        size_t count;
        double x, y, xx, yy, xy;
};

static void sums_add(struct sums *s, double x, double y)
{
        s->count++;
        s->x += x;
        s->y += y;
        s->xx += x * x;
        s->yy += y * y;
        s->xy += x * y;
}

static double correlation(const struct sums *s)
{
        double n = (double)s->count;
        double xx = s->xx - s->x * s->x / n, yy = s->yy - s->y * s->y / n;
        double xy = s->xy - s->x * s->y / n;

        return xx > 1e-9 * n && yy > 1e-9 * n ? xy / sqrt(xx * yy) : 0.0;
}

/* Of the simulated one, shifted later by so many points. */
static double correlation_at(const double *log, const double *sim, size_t count,
                             int shift)
{
        struct sums s = { 0 };
        size_t first = shift > 0 ? (size_t)shift : 0;
        size_t end = shift < 0 ? count - (size_t)-shift : count;

        for (size_t i = first; i < end; i++) {
                double x = sim[(size_t)((ptrdiff_t)i - shift)];

                if (isfinite(log[i]) && isfinite(x))
                        sums_add(&s, x, log[i]);
        }
        return s.count > count / 2 ? correlation(&s) : 0.0;
}

/* The shift at which they are most alike, between points by a parabola. */
static void find_lag(const double *log, const double *sim, size_t count, double step_s,
                     struct retrace_difference *d)
{
        int most = (int)(LAG_MAX_S / step_s), best = -most;
        double c[3], bend;

        if (count > LAG_POINTS_MAX)
                count = LAG_POINTS_MAX;
        if (count < 4 * (size_t)most)
                return;
        for (int shift = -most; shift <= most; shift++) {
                double at = correlation_at(log, sim, count, shift);

                if (shift == -most || at > d->correlation) {
                        d->correlation = at;
                        best = shift;
                }
        }
        if (d->correlation < CORRELATION_MIN || best == most || best == -most)
                return;
        for (int i = 0; i < 3; i++)
                c[i] = correlation_at(log, sim, count, best + i - 1);
        bend = c[0] - 2.0 * c[1] + c[2];
        d->lag_s = step_s * (best + (bend < 0.0 ? 0.5 * (c[0] - c[2]) / bend : 0.0));
        d->lag_known = true;
}

static void compare_quantity(const struct retrace_series *s, int quantity, bool lags,
                             double *work, struct retrace_difference *d)
{
        double *log = work, *sim = work + s->count;
        double squares = 0.0;
        struct sums own = { 0 };

        if (is_angle(quantity)) {
                unwrap(s->log[quantity], log, s->count);
                unwrap(s->sim[quantity], sim, s->count);
        } else {
                memcpy(log, s->log[quantity], s->count * sizeof *log);
                memcpy(sim, s->sim[quantity], s->count * sizeof *sim);
        }
        for (size_t i = 0; i < s->count; i++) {
                double apart;

                if (!isfinite(log[i]) || !isfinite(sim[i]))
                        continue;
                apart = fabs(difference(quantity, log[i], sim[i]));
                squares += apart * apart;
                d->max = fmax(d->max, apart);
                sums_add(&own, log[i], log[i]);
        }
        d->count = own.count;
        if (d->count == 0)
                return;
        d->rms = sqrt(squares / (double)d->count);
        d->spread = sqrt(fmax(own.xx - own.x * own.x / (double)d->count, 0.0) /
                         (double)d->count);
        d->fit_percent = d->spread > 0.0 ? 100.0 * (1.0 - d->rms / d->spread) : 0.0;
        if (lags && quantity <= RETRACE_YAW)
                find_lag(log, sim, s->count, s->step_s, d);
}

void retrace_compare(const struct retrace_series *s, struct retrace_result *result)
{
        double *work = calloc(2 * s->count, sizeof *work);
        bool lags = result->motors_every_s <= RETRACE_SPARSE_S;

        for (int i = 0; work != NULL && i < RETRACE_QUANTITIES; i++)
                compare_quantity(s, i, lags, work, &result->of[i]);
        free(work);
}

static struct vec3 vector_at(double *const of[], int first, size_t i)
{
        return (struct vec3){ of[first][i], of[first + 1][i], of[first + 2][i] };
}

/* Of the turn that takes one attitude to the other. */
static double angle_between_deg(struct vec3 a_deg, struct vec3 b_deg)
{
        struct vec3 a = vec3_scale(1.0 / DEG_PER_RAD, a_deg);
        struct vec3 b = vec3_scale(1.0 / DEG_PER_RAD, b_deg);
        struct quat q = quat_multiply(quat_conjugate(quat_from_euler(a.x, a.y, a.z)),
                                      quat_from_euler(b.x, b.y, b.z));

        return 2.0 * DEG_PER_RAD * acos(fmin(fabs(q.w), 1.0));
}

static void note_apart(struct retrace_apart *a, double apart, double limit,
                       double after_s)
{
        if (!isfinite(apart))
                return;
        a->judged = true;
        if (a->happened || apart <= limit)
                return;
        a->happened = true;
        a->after_s = after_s;
}

void retrace_find_apart(const struct retrace_series *s, struct retrace_result *result)
{
        for (size_t i = 0; i < s->count; i++) {
                double after_s = (double)i * s->step_s;
                struct vec3 apart = vec3_sub(vector_at(s->log, RETRACE_NORTH, i),
                                             vector_at(s->sim, RETRACE_NORTH, i));

                note_apart(&result->metre, vec3_norm(apart), APART_M, after_s);
                note_apart(&result->ten_degrees,
                           angle_between_deg(vector_at(s->log, RETRACE_ROLL, i),
                                             vector_at(s->sim, RETRACE_ROLL, i)),
                           APART_DEG, after_s);
        }
}
