/* The joint tests of many rows: sign flips of paired differences, and exchanges of the runs of both sides. They
 * differ in what is scored and which ways there are; the step-down maximum is the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/sort.h"

#include "hil/suite/statistics.h"

#define WILD         3.0 /* times the median difference of a row */
#define EXACT_EFFORT 100e6 /* additions */
/* Sums that are equal but for rounding count as equal: against us. */
#define TIE 1e-9

struct flip {
        int rows, items; /* items: pairs, or the runs of both sides */
        bool exchange;
        double *score; /* items x rows, the rows in the order of `row` */
        double *sum, *observed; /* of a row: now, and as it was observed */
        double *turned; /* 1 or -1 of each item */
        int *row; /* the largest observed first */
        double *alone, *among; /* ways counted */
        double ways;
};

/* The differences of a row become scores in place. */
static void score_row(double *d, int n, double *scratch)
{
        double limit, squares = 0.0;
        int used = 0;

        for (int i = 0; i < n; i++) {
                if (!isfinite(d[i]))
                        d[i] = 0.0;
                if (d[i] != 0.0)
                        scratch[used++] = fabs(d[i]);
        }
        if (used == 0)
                return;
        sort_doubles(scratch, (size_t)used);
        limit = WILD * (0.5 * scratch[(used - 1) / 2] + 0.5 * scratch[used / 2]);
        for (int i = 0; i < n; i++) {
                /* In units of the limit, lest squares leave the range of a double. */
                d[i] = fmax(-1.0, fmin(1.0, d[i] / limit));
                squares += d[i] * d[i];
        }
        for (int i = 0; i < n; i++)
                d[i] /= sqrt(squares);
}

/* The rank of each value among those of pairs that are whole, less the mean rank; of equals the mean. */
static void rank_row(double *v, int n, double *scratch)
{
        double squares = 0.0;

        for (int i = 0; i < n; i++) {
                int twin = i < n / 2 ? i + n / 2 : i - n / 2;

                scratch[i] = isfinite(v[i]) && isfinite(v[twin]) ? v[i] : (double)NAN;
        }
        for (int i = 0; i < n; i++) {
                v[i] = 0.0;
                for (int k = 0; k < n && isfinite(scratch[i]); k++)
                        v[i] += 0.5 * (scratch[k] < scratch[i]) -
                                0.5 * (scratch[k] > scratch[i]);
                squares += v[i] * v[i];
        }
        for (int i = 0; i < n && squares > 0.0; i++)
                v[i] /= sqrt(squares);
}

static void add_row(struct flip *f, int at, const double *d)
{
        for (int i = 0; i < f->items; i++)
                f->score[(size_t)i * (size_t)f->rows + (size_t)at] = d[i];
}

struct ranked {
        double observed;
        int row;
};

static int descending(const void *a, const void *b)
{
        const struct ranked *x = a, *y = b;

        if (x->observed != y->observed)
                return x->observed < y->observed ? 1 : -1;
        return x->row - y->row;
}

/* The way that was observed: no sign turned; or the baseline's runs first. */
static double first_sign(const struct flip *f, int item)
{
        return f->exchange && item < f->items / 2 ? -1.0 : 1.0;
}

/* Scores of every row, then the rows in their order. */
static bool load_rows(struct flip *f, const double *value)
{
        size_t rows = (size_t)f->rows, items = (size_t)f->items;
        double *d = malloc((rows * items + items + 1) * sizeof *d);
        struct ranked *order = calloc(rows, sizeof *order);

        for (size_t j = 0; d != NULL && order != NULL && j < rows; j++) {
                double *row = d + j * items, sum = 0.0;

                memcpy(row, value + j * items, items * sizeof *row);
                (f->exchange ? rank_row : score_row)(row, f->items, d + rows * items);
                for (int i = 0; i < f->items; i++)
                        sum += first_sign(f, i) * row[i];
                order[j] = (struct ranked){ fabs(sum), (int)j };
        }
        if (d != NULL && order != NULL) {
                qsort(order, rows, sizeof *order, descending);
                for (int k = 0; k < f->rows; k++) {
                        f->row[k] = order[k].row;
                        f->observed[k] = order[k].observed;
                        add_row(f, k, d + (size_t)order[k].row * items);
                }
        }
        free(order);
        free(d);
        return d != NULL && order != NULL;
}

static void add_to_sums(struct flip *f, int item, double by)
{
        const double *score = f->score + (size_t)item * (size_t)f->rows;

        for (int k = 0; k < f->rows; k++)
                f->sum[k] += by * score[k];
}

static void turn_pair(struct flip *f, int pair)
{
        add_to_sums(f, pair, -2.0 * f->turned[pair]);
        f->turned[pair] = -f->turned[pair];
}

/* One way of turning the signs against what was observed: a row against itself, and against the
 * largest among those that are observed no larger. */
static void count_way(struct flip *f)
{
        double largest = 0.0;

        for (int k = f->rows - 1; k >= 0; k--) {
                double sum = fabs(f->sum[k]), bar = f->observed[k] - TIE;

                largest = fmax(largest, sum);
                f->alone[k] += sum >= bar;
                f->among[k] += largest >= bar;
        }
        f->ways += 1.0;
}

static void count_observed(struct flip *f)
{
        memset(f->sum, 0, (size_t)f->rows * sizeof *f->sum);
        for (int i = 0; i < f->items; i++) {
                f->turned[i] = first_sign(f, i);
                add_to_sums(f, i, f->turned[i]);
        }
        count_way(f);
}

/* Turning all signs changes no |sum|, so the first pair stays: half of the ways, in the order of a
 * Gray code, one pair at a time. */
static void try_all(struct flip *f)
{
        count_observed(f);
        for (uint32_t way = 1; way < 1U << (f->items - 1); way++) {
                turn_pair(f, 1 + __builtin_ctz(way));
                count_way(f);
        }
}

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t draw(uint64_t *state)
{
        uint64_t z = *state += 0x9E3779B97F4A7C15u;

        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
}

static void draw_signs(struct flip *f, uint64_t *state)
{
        uint64_t bits = 0;

        for (int b = 0; b < f->items; b++) {
                if (b % 64 == 0)
                        bits = draw(state);
                if (bits >> (b % 64) & 1)
                        turn_pair(f, b);
        }
}

/* Any half of the runs may be the candidate's (Fisher and Yates). A row's scores add up to 0: the sum over one
 * half is enough. */
static void draw_halves(struct flip *f, uint64_t *state)
{
        memset(f->sum, 0, (size_t)f->rows * sizeof *f->sum);
        for (int i = f->items - 1; i >= 0; i--) {
                int other = (int)((draw(state) >> 32) * (uint64_t)(i + 1) >> 32);
                double sign = f->turned[other];

                f->turned[other] = f->turned[i];
                f->turned[i] = sign;
                if (sign > 0.0)
                        add_to_sums(f, i, 2.0);
        }
}

/* What was observed is one of the ways (Phipson and Smyth, 2010): never a probability of 0. */
static void try_some(struct flip *f)
{
        uint64_t state = 1;

        count_observed(f);
        for (int way = 0; way < FLIP_DRAWS; way++) {
                (f->exchange ? draw_halves : draw_signs)(f, &state);
                count_way(f);
        }
}

static void conclude(const struct flip *f, struct flip_result *out)
{
        double among = 0.0;

        for (int k = 0; k < f->rows; k++) {
                among = fmax(among, f->among[k] / f->ways);
                out[f->row[k]] = (struct flip_result){ f->alone[k] / f->ways, among };
        }
}

static bool allocate(struct flip *f)
{
        size_t rows = (size_t)f->rows, items = (size_t)f->items;

        f->score = calloc(rows * items, sizeof *f->score);
        f->sum = calloc(rows, sizeof *f->sum);
        f->observed = calloc(rows, sizeof *f->observed);
        f->alone = calloc(rows, sizeof *f->alone);
        f->among = calloc(rows, sizeof *f->among);
        f->turned = calloc(items, sizeof *f->turned);
        f->row = calloc(rows, sizeof *f->row);
        return f->score && f->sum && f->observed && f->alone && f->among && f->turned &&
               f->row;
}

static bool test_rows(struct flip *f, const double *value, struct flip_result *out)
{
        bool ok;

        if (f->rows == 0 || f->items == 0)
                return true;
        ok = allocate(f) && load_rows(f, value);
        if (ok) {
                if (!f->exchange && f->items <= 17 &&
                    ldexp(f->rows, f->items - 1) <= EXACT_EFFORT)
                        try_all(f);
                else
                        try_some(f);
                conclude(f, out);
        }
        free(f->score);
        free(f->sum);
        free(f->observed);
        free(f->alone);
        free(f->among);
        free(f->turned);
        free(f->row);
        return ok;
}

bool statistics_flip(const struct flip_table *t, struct flip_result *out)
{
        struct flip f = { .rows = t->rows, .items = t->pairs };

        return test_rows(&f, t->value, out);
}

bool statistics_exchange(const struct flip_table *t, struct flip_result *out)
{
        struct flip f = { .rows = t->rows, .items = 2 * t->pairs, .exchange = true };

        return test_rows(&f, t->value, out);
}
