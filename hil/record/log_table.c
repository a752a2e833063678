#include "hil/record/log_table.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 30 years: a time beyond it is no time of a flight. */
#define TIME_MAX_US 1000000000000000

static void forget_stretch(struct report_table *t)
{
        memset(t->picked, 0, sizeof t->picked);
        t->gathered = 0;
}

/* Every moment gets its share of the rows: else the first would take them all. */
static int64_t room_around_us(const struct report_extent *e,
                              const struct report_moments *moments, size_t rows)
{
        double span = (double)e->last_us - (double)e->first_us + 1.0;
        double around;

        if (moments == NULL || moments->count == 0)
                return 0;
        around = 0.5 * (double)rows / moments->count * span / ((double)e->rows + 1.0);
        return around < (double)moments->around_us ? (int64_t)around : moments->around_us;
}

bool report_table_begin(struct report_table *t, int columns,
                        const struct report_extent *extent,
                        const struct report_moments *moments, size_t rows_max)
{
        size_t picks = 2 * (size_t)columns;

        assert(columns <= REPORT_COLUMNS_MAX);
        *t = (struct report_table){ .columns = columns, .extent = *extent };
        t->last_t_us = INT64_MIN;
        t->thinned = extent->rows > rows_max;
        t->stretches = rows_max / picks > 0 ? rows_max / picks : 1;
        t->whole_left = t->thinned ? rows_max : 0;
        t->around_us = room_around_us(extent, moments, rows_max);
        /* A moment may split a stretch, and the last row stays in any case. */
        t->room = t->thinned ? (t->stretches + REPORT_MOMENTS_MAX) * picks +
                                       t->whole_left + 1
                             : (size_t)extent->rows;
        if (t->room == 0)
                return true;
        t->t_us = reallocarray(NULL, t->room, sizeof *t->t_us);
        t->value = reallocarray(NULL, t->room, (size_t)columns * sizeof *t->value);
        return t->t_us != NULL && t->value != NULL;
}

static void keep_row(struct report_table *t, int64_t t_us, const double *value)
{
        size_t columns = (size_t)t->columns;

        if (t->rows == t->room || (t->rows > 0 && t_us < t->t_us[t->rows - 1]))
                return;
        t->t_us[t->rows] = t_us;
        memcpy(t->value + t->rows * columns, value, columns * sizeof *value);
        t->rows++;
}

static bool same_row(const struct report_table *t, int a, int b)
{
        return t->pick_t_us[a] == t->pick_t_us[b] &&
               memcmp(t->pick[a], t->pick[b], (size_t)t->columns * sizeof(double)) == 0;
}

/* The earliest pick that is left, with its doubles taken out; -1: none. */
static int next_pick(struct report_table *t)
{
        int first = -1;

        for (int i = 0; i < 2 * t->columns; i++)
                if (t->picked[i] && (first < 0 || t->pick_t_us[i] < t->pick_t_us[first]))
                        first = i;
        for (int i = 0; first >= 0 && i < 2 * t->columns; i++)
                if (t->picked[i] && same_row(t, first, i))
                        t->picked[i] = false;
        return first;
}

static void close_stretch(struct report_table *t)
{
        int i;

        while ((i = next_pick(t)) >= 0)
                keep_row(t, t->pick_t_us[i], t->pick[i]);
        forget_stretch(t);
}

static void pick_row(struct report_table *t, int slot, int64_t t_us, const double *value)
{
        t->picked[slot] = true;
        t->pick_t_us[slot] = t_us;
        memcpy(t->pick[slot], value, (size_t)t->columns * sizeof *value);
}

static void gather_row(struct report_table *t, int64_t t_us, const double *value)
{
        for (int c = 0; c < t->columns; c++) {
                int least = 2 * c, most = 2 * c + 1;
                /* What is not a number is a gap: it stays where nothing else is there. */
                bool gap = isnan(value[c]);

                if (!t->picked[least] || isnan(t->pick[least][c]) ||
                    value[c] < t->pick[least][c])
                        if (!gap || !t->picked[least])
                                pick_row(t, least, t_us, value);
                if (!t->picked[most] || isnan(t->pick[most][c]) ||
                    value[c] > t->pick[most][c])
                        if (!gap || !t->picked[most])
                                pick_row(t, most, t_us, value);
        }
        t->gathered++;
}

static size_t stretch_of(const struct report_table *t, int64_t t_us)
{
        double span = (double)t->extent.last_us - (double)t->extent.first_us + 1.0;
        double at = ((double)t_us - (double)t->extent.first_us) / span;
        size_t stretch;

        if (!(at > 0.0))
                return 0;
        stretch = at < 1.0 ? (size_t)(at * (double)t->stretches) : t->stretches - 1;
        return stretch < t->stretches ? stretch : t->stretches - 1;
}

static bool is_moment(const struct report_table *t, const struct report_moments *moments,
                      int64_t t_us)
{
        for (int i = 0; moments != NULL && i < moments->count; i++)
                if (llabs(t_us - moments->t_us[i]) <= t->around_us)
                        return true;
        return false;
}

static void add_thinned(struct report_table *t, const struct report_moments *moments,
                        int64_t t_us, const double *value)
{
        size_t stretch = stretch_of(t, t_us);

        if (stretch > t->stretch) {
                close_stretch(t);
                t->stretch = stretch;
        }
        if (t->whole_left > 0 && is_moment(t, moments, t_us)) {
                if (t->gathered > 0)
                        close_stretch(t);
                t->whole_left--;
                keep_row(t, t_us, value);
                return;
        }
        gather_row(t, t_us, value);
}

void report_table_add(struct report_table *t, const struct report_moments *moments,
                      int64_t t_us, const double *value)
{
        t->seen++;
        if (t->room == 0 || t_us < 0 || t_us > TIME_MAX_US || t_us < t->last_t_us) {
                t->refused++;
                return;
        }
        t->last_t_us = t_us;
        memcpy(t->last, value, (size_t)t->columns * sizeof *value);
        if (t->thinned)
                add_thinned(t, moments, t_us, value);
        else
                keep_row(t, t_us, value);
}

void report_table_end(struct report_table *t)
{
        if (!t->thinned)
                return;
        close_stretch(t);
        if (t->last_t_us >= 0 && t->rows > 0 && t->t_us[t->rows - 1] < t->last_t_us)
                keep_row(t, t->last_t_us, t->last);
}

void report_table_free(struct report_table *t)
{
        free(t->t_us);
        free(t->value);
        *t = (struct report_table){ 0 };
}
