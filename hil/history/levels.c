#include "hil/history/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SWEEPS 30

/* Of one flight. */
struct entry {
        const struct compared_result *run;
        const struct compared_value *value;
        int release;
        int column; /* its seed and repeat */
};

static int by_row(const void *a, const void *b)
{
        const struct entry *x = a, *y = b;
        int order = strcmp(x->run->group, y->run->group);

        if (order == 0)
                order = (int)x->value->kind - (int)y->value->kind;
        if (order == 0)
                order = strcmp(x->value->name, y->value->name);
        if (order == 0)
                order = (x->run->seed > y->run->seed) - (x->run->seed < y->run->seed);
        if (order == 0)
                order = x->run->repeat - y->run->repeat;
        return order != 0 ? order : x->release - y->release;
}

static bool is_same_row(const struct entry *x, const struct entry *y)
{
        return strcmp(x->run->group, y->run->group) == 0 &&
               x->value->kind == y->value->kind &&
               strcmp(x->value->name, y->value->name) == 0;
}

static double size_of(const struct compared_value *v)
{
        return v->better == BETTER_ZERO ? fabs(v->value) : v->value;
}

/* All values of all flights that count, by rows; freed by the caller. NULL: no memory. */
static struct entry *gather(const struct history *h, size_t *count)
{
        struct entry *entries;
        size_t room = 0, n = 0;

        for (int i = 0; i < h->releases; i++)
                for (int k = 0; k < h->release[i].side.runs; k++)
                        room += (size_t)h->release[i].side.run[k].values;
        entries = malloc((room + 1) * sizeof *entries);
        for (int i = 0; entries != NULL && i < h->releases; i++)
                for (int k = 0; k < h->release[i].side.runs; k++) {
                        const struct compared_result *run = &h->release[i].side.run[k];

                        for (int v = 0; compared_is_usable(run) && v < run->values; v++)
                                if (run->value[v].kind != COMPARED_HOST &&
                                    !isnan(run->value[v].value))
                                        entries[n++] =
                                                (struct entry){ run, &run->value[v], i,
                                                                0 };
                }
        if (entries != NULL)
                qsort(entries, n, sizeof *entries, by_row);
        *count = n;
        return entries;
}

/* Columns of a row's entries, which lie together; returns how many. A seed that a single release has flown has none of its own:
 * nothing tells it from the release. */
static int number_columns(struct entry *e, size_t n)
{
        int columns = 0;

        for (size_t from = 0, to; from < n; from = to) {
                for (to = from + 1; to < n && e[to].run->seed == e[from].run->seed &&
                                    e[to].run->repeat == e[from].run->repeat;)
                        to++;
                for (size_t i = from; i < to; i++)
                        e[i].column = to - from > 1 ? columns : -1;
                columns += to - from > 1;
        }
        return columns;
}

/* A row's flights, and the share of each seed. */
struct fit {
        struct history_row *row;
        int releases, columns;
        const struct entry *e;
        size_t n;
        double *seed; /* [columns] */
        int *count; /* the same */
};

static double share_of(const struct fit *f, const struct entry *e)
{
        return e->column >= 0 ? f->seed[e->column] : 0.0;
}

static void level_releases(struct fit *f)
{
        for (int r = 0; r < f->releases; r++)
                f->row->point[r].level = 0.0;
        for (size_t i = 0; i < f->n; i++) {
                struct history_point *p = &f->row->point[f->e[i].release];

                p->level += (size_of(f->e[i].value) - share_of(f, &f->e[i])) / p->flights;
        }
}

static void share_seeds(struct fit *f)
{
        for (int c = 0; c < f->columns; c++)
                f->seed[c] = f->count[c] = 0;
        for (size_t i = 0; i < f->n; i++)
                if (f->e[i].column >= 0) {
                        double own = size_of(f->e[i].value) -
                                     f->row->point[f->e[i].release].level;
                        double *share = &f->seed[f->e[i].column];

                        *share += (own - *share) / ++f->count[f->e[i].column];
                }
}

/* The two-way fit: a flight is its release's level, its seed's own share, and noise. Where every release has flown the same
 * seeds, the first sweep is exact. */
static void fit(struct fit *f)
{
        double squares = 0.0;
        int freedom = (int)f->n - f->releases - f->columns + 1;

        for (int sweep = 0; sweep < SWEEPS; sweep++) {
                level_releases(f);
                share_seeds(f);
        }
        for (size_t i = 0; i < f->n; i++) {
                double d = size_of(f->e[i].value) - f->row->point[f->e[i].release].level -
                           share_of(f, &f->e[i]);

                squares += d * d;
        }
        f->row->noise = sqrt(squares / (freedom > 1 ? freedom : 1));
}

static void note_points(struct history_row *row, const struct entry *e, size_t n)
{
        for (size_t i = 0; i < n; i++) {
                struct history_point *p = &row->point[e[i].release];
                double v = size_of(e[i].value);

                p->least = p->flights == 0 ? v : fmin(p->least, v);
                p->most = p->flights == 0 ? v : fmax(p->most, v);
                p->mean += (v - p->mean) / ++p->flights;
        }
}

/* A row of n entries. False: no memory. */
static bool make_row(struct history *h, struct history_row *row, struct entry *e,
                     size_t n)
{
        struct fit f = { row, h->releases, number_columns(e, n), e, n, NULL, NULL };
        bool ok;

        memcpy(row->group, e->run->group, sizeof row->group);
        memcpy(row->name, e->value->name, sizeof row->name);
        memcpy(row->unit, e->value->unit, sizeof row->unit);
        row->kind = e->value->kind;
        row->better = e->value->better;
        row->point = calloc((size_t)h->releases, sizeof *row->point);
        f.seed = calloc((size_t)f.columns + 1, sizeof *f.seed);
        f.count = calloc((size_t)f.columns + 1, sizeof *f.count);
        ok = row->point != NULL && f.seed != NULL && f.count != NULL;
        if (ok) {
                note_points(row, e, n);
                fit(&f);
        }
        free(f.seed);
        free(f.count);
        return ok;
}

bool history_make_rows(struct history *h)
{
        size_t n, from = 0;
        struct entry *e = gather(h, &n);
        bool ok = e != NULL;
        size_t rows = 0;

        for (size_t i = 0; ok && i < n; i++)
                rows += i == 0 || !is_same_row(&e[i - 1], &e[i]);
        h->row = ok ? calloc(rows + 1, sizeof *h->row) : NULL;
        ok = h->row != NULL;
        while (ok && from < n) {
                size_t to = from + 1;

                while (to < n && is_same_row(&e[from], &e[to]))
                        to++;
                ok = make_row(h, &h->row[h->rows++], e + from, to - from);
                from = to;
        }
        free(e);
        return ok;
}
