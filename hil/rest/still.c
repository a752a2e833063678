/* Whether a log is one of a vehicle that stands still, and the steps in which its sensors speak. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/sort.h"

#include "hil/rest/rest.h"

#define WINDOW_NS    INT64_C(500000000)
#define WINDOWS_MOST 100000
#define SCATTERS     3.0 /* times the usual scatter is movement */
#define SIGMAS       8.0
#define MOTOR_TURNS  0.05
#define STEP_SAMPLES 20000

/* What no drift of a sensor does within a log: of the mean of a window, and of its scatter. */
static const struct limits {
        enum track_kind kind;
        double mean, scatter;
        const char *what;
} limits[] = { { TRACK_RATE, 0.03, 1e-3, "turns" }, { TRACK_ACCEL, 0.2, 0.02, "moves" } };

struct window {
        int64_t t_ns;
        double mean, scatter;
        size_t count;
};

void rest_cut(struct track *t, double until_s)
{
        for (int k = 0; k < TRACK_KINDS; k++) {
                struct track_samples *s = &t->of[k];

                while (s->count > 0 &&
                       (double)(s->t_ns[s->count - 1] - t->first_ns) > 1e9 * until_s)
                        s->count--;
        }
}

static size_t make_windows(const struct track_samples *s, int axis, struct window *w)
{
        size_t windows = 0;

        for (size_t i = 0, k; i < s->count && windows < WINDOWS_MOST; i = k) {
                double sum = 0.0, squares = 0.0, n;

                for (k = i; k < s->count && s->t_ns[k] - s->t_ns[i] < WINDOW_NS; k++)
                        sum += s->value[k * (size_t)s->columns + (size_t)axis];
                n = (double)(k - i);
                for (size_t m = i; m < k; m++) {
                        double off =
                                s->value[m * (size_t)s->columns + (size_t)axis] - sum / n;

                        squares += off * off;
                }
                if (k - i >= 3)
                        w[windows++] =
                                (struct window){ s->t_ns[i], sum / n,
                                                 sqrt(squares / (n - 1.0)), k - i };
        }
        return windows;
}

static double middle_of(const struct window *w, size_t windows, bool scatter,
                        double *room)
{
        for (size_t i = 0; i < windows; i++)
                room[i] = scatter ? w[i].scatter : w[i].mean;
        sort_doubles(room, windows);
        return room[windows / 2];
}

/* The first window in which an axis moves; -1: none. */
static int64_t find_movement(const struct track_samples *s, int axis,
                             const struct limits *l, struct window *w, double *room)
{
        size_t windows = make_windows(s, axis, w);
        double mean, scatter;

        if (windows == 0)
                return -1;
        mean = middle_of(w, windows, false, room);
        scatter = middle_of(w, windows, true, room);
        for (size_t i = 0; i < windows; i++)
                if (fabs(w[i].mean - mean) >
                            l->mean + SIGMAS * scatter / sqrt((double)w[i].count) ||
                    w[i].scatter > SCATTERS * scatter + l->scatter)
                        return w[i].t_ns;
        return -1;
}

static int64_t find_motors(const struct track *t)
{
        const struct track_samples *s = &t->of[TRACK_MOTORS];

        for (size_t i = 0; i < s->count; i++)
                for (int m = 0; m < t->motors; m++)
                        if (s->value[i * (size_t)s->columns + (size_t)m] > MOTOR_TURNS)
                                return s->t_ns[i];
        return -1;
}

static bool refuse(const struct track *t, const char *what, int64_t t_ns, char *why,
                   size_t cap)
{
        snprintf(why, cap,
                 "must be of a vehicle at rest, but %s at %.1f s; LOG@S begins S seconds "
                 "after its first sample, --until ends there",
                 what, 1e-9 * (double)(t_ns - t->first_ns));
        return false;
}

bool rest_is_still(const struct track *t, char *why, size_t cap)
{
        struct window *w = malloc(WINDOWS_MOST * sizeof *w);
        double *room = malloc(WINDOWS_MOST * sizeof *room);
        int64_t turns_ns = find_motors(t), first_ns = turns_ns;
        const char *what = "its motors turn";

        for (int i = 0; w != NULL && room != NULL && i < 6; i++) {
                const struct limits *l = &limits[i / 3];
                int64_t at_ns = find_movement(&t->of[l->kind], i % 3, l, w, room);

                if (at_ns >= 0 && (first_ns < 0 || at_ns < first_ns)) {
                        first_ns = at_ns;
                        what = l->what;
                }
        }
        if (w == NULL || room == NULL)
                snprintf(why, cap, "out of memory");
        else if (first_ns >= 0)
                refuse(t, what, first_ns, why, cap);
        else
                why[0] = '\0';
        free(w);
        free(room);
        return why[0] == '\0';
}

/* The smallest gap of sorted values, if all others are whole multiples of it. */
static double common_step(const double *value, size_t count)
{
        double step = INFINITY, least = 1e-9 * (value[count - 1] - value[0]), whole;
        size_t repeats = 0;

        for (size_t i = 1; i < count; i++) {
                double gap = value[i] - value[i - 1];

                repeats += gap <= least;
                if (gap > least && gap < step)
                        step = gap;
        }
        if (isinf(step) || repeats < count / 2)
                return 0.0;
        whole = round((value[count - 1] - value[0]) / step);
        step = (value[count - 1] - value[0]) / whole;
        for (size_t i = 1; i < count; i++) {
                double steps = (value[i] - value[0]) / step;

                if (fabs(steps - round(steps)) > 0.05)
                        return 0.0;
        }
        return step;
}

double rest_step(const struct track_samples *s, int axis)
{
        size_t count = s->count < STEP_SAMPLES ? s->count : STEP_SAMPLES;
        double *value = malloc((count + 1) * sizeof *value), step = 0.0;

        if (value == NULL || count < 100) {
                free(value);
                return 0.0;
        }
        for (size_t i = 0; i < count; i++)
                value[i] = s->value[i * (size_t)s->columns + (size_t)axis];
        sort_doubles(value, count);
        step = common_step(value, count);
        free(value);
        return step;
}
