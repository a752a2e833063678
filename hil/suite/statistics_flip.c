/* The joint sign-flip test of many rows of paired differences. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/suite/statistics.h"

#define WILD         3.0 /* times the median difference of a row */
#define EXACT_EFFORT 100e6 /* additions */
/* Sums that are equal but for rounding count as equal: against us. */
#define TIE 1e-9

struct flip {
        int rows, pairs;
        double *score; /* pairs x rows, the rows in the order of `row` */
        double *sum, *observed; /* of a row: now, and with no sign turned */
        double *turned; /* 1 or -1 of each pair */
        int *row; /* the largest observed first */
        double *alone, *among; /* ways counted */
        double ways;
};

static int ascending(const void *a, const void *b)
{
        double x = *(const double *)a, y = *(const double *)b;

        return (x > y) - (x < y);
}

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
        qsort(scratch, (size_t)used, sizeof *scratch, ascending);
        limit = WILD * (0.5 * scratch[(used - 1) / 2] + 0.5 * scratch[used / 2]);
        for (int i = 0; i < n; i++) {
                /* In units of the limit, lest squares leave the range of a double. */
                d[i] = fmax(-1.0, fmin(1.0, d[i] / limit));
                squares += d[i] * d[i];
        }
        for (int i = 0; i < n; i++)
                d[i] /= sqrt(squares);
}

static void add_row(struct flip *f, int at, const double *d)
{
        for (int i = 0; i < f->pairs; i++)
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

/* Scores of every row, then the rows in their order. */
static bool load(struct flip *f, const struct flip_table *t)
{
        size_t rows = (size_t)t->rows, pairs = (size_t)t->pairs;
        double *d = malloc((rows * pairs + pairs + 1) * sizeof *d);
        struct ranked *order = calloc(rows, sizeof *order);

        for (size_t j = 0; d != NULL && order != NULL && j < rows; j++) {
                double *row = d + j * pairs, sum = 0.0;

                memcpy(row, t->difference + j * pairs, pairs * sizeof *row);
                score_row(row, t->pairs, d + rows * pairs);
                for (size_t i = 0; i < pairs; i++)
                        sum += row[i];
                order[j] = (struct ranked){ fabs(sum), (int)j };
        }
        if (d != NULL && order != NULL) {
                qsort(order, rows, sizeof *order, descending);
                for (int k = 0; k < t->rows; k++) {
                        f->row[k] = order[k].row;
                        f->observed[k] = order[k].observed;
                        add_row(f, k, d + (size_t)order[k].row * pairs);
                }
        }
        free(order);
        free(d);
        return d != NULL && order != NULL;
}

static void turn(struct flip *f, int pair)
{
        const double *score = f->score + (size_t)pair * (size_t)f->rows;
        double by = -2.0 * f->turned[pair];

        for (int k = 0; k < f->rows; k++)
                f->sum[k] += by * score[k];
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

static void start(struct flip *f)
{
        for (int k = 0; k < f->rows; k++)
                f->sum[k] = 0.0;
        for (int b = 0; b < f->pairs; b++) {
                f->turned[b] = 1.0;
                for (int k = 0; k < f->rows; k++)
                        f->sum[k] += f->score[(size_t)b * (size_t)f->rows + (size_t)k];
        }
}

/* Turning all signs changes no |sum|, so the first pair stays: half of the ways, in the order of a
 * Gray code, one pair at a time. */
static void try_all(struct flip *f)
{
        start(f);
        count_way(f);
        for (uint32_t way = 1; way < 1U << (f->pairs - 1); way++) {
                turn(f, 1 + __builtin_ctz(way));
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

/* What was observed is one of the ways (Phipson and Smyth, 2010): never a probability of 0. */
static void try_some(struct flip *f)
{
        uint64_t state = 1;

        start(f);
        count_way(f);
        for (int way = 0; way < FLIP_DRAWS; way++) {
                uint64_t bits = 0;

                for (int b = 0; b < f->pairs; b++) {
                        if (b % 64 == 0)
                                bits = draw(&state);
                        if (bits >> (b % 64) & 1)
                                turn(f, b);
                }
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
        size_t rows = (size_t)f->rows, pairs = (size_t)f->pairs;

        f->score = calloc(rows * pairs, sizeof *f->score);
        f->sum = calloc(rows, sizeof *f->sum);
        f->observed = calloc(rows, sizeof *f->observed);
        f->alone = calloc(rows, sizeof *f->alone);
        f->among = calloc(rows, sizeof *f->among);
        f->turned = calloc(pairs, sizeof *f->turned);
        f->row = calloc(rows, sizeof *f->row);
        return f->score && f->sum && f->observed && f->alone && f->among && f->turned &&
               f->row;
}

bool statistics_flip(const struct flip_table *t, struct flip_result *out)
{
        struct flip f = { .rows = t->rows, .pairs = t->pairs };
        bool ok;

        if (f.rows == 0 || f.pairs == 0)
                return true;
        ok = allocate(&f) && load(&f, t);
        if (ok) {
                if (f.pairs <= 17 && ldexp(f.rows, f.pairs - 1) <= EXACT_EFFORT)
                        try_all(&f);
                else
                        try_some(&f);
                conclude(&f, out);
        }
        free(f.score);
        free(f.sum);
        free(f.observed);
        free(f.alone);
        free(f.among);
        free(f.turned);
        free(f.row);
        return ok;
}
