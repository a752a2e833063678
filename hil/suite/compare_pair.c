/* Finds each run's twin and lays their values side by side: a row for each quantity of a group, a
 * column for each independent pair. In lockstep repeats of a seed are the same flight again, so their
 * mean is one pair; in real time each is a pair of its own. Twins of which one is void or could not
 * run are counted, and are in no row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/suite/compare.h"

#define PRESENCE ": has a number"

struct twins {
        const struct compared_result *a, *b;
        int column;
};

struct pairing {
        struct comparison *c;
        int twins;
        struct twins *twin; /* usable ones, by group */
        int columns;
        struct compare_column *column;
        char *why;
        size_t cap;
};

static bool refuse_pairing(struct pairing *p, const char *text)
{
        snprintf(p->why, p->cap, "%s", text);
        return false;
}

bool compared_is_usable(const struct compared_result *r)
{
        return r->verdict == RUN_PASSED || r->verdict == RUN_FAILED || r->unasked;
}

static bool same_signal(const struct twins *t)
{
        return t->a->signal_sha256[0] != '\0' &&
               strcmp(t->a->signal_sha256, t->b->signal_sha256) == 0;
}

static void note_failing(struct comparison *c, const struct compared_result *b)
{
        size_t used = strlen(c->failing);

        c->newly_failing++;
        if (c->newly_failing <= 5)
                snprintf(c->failing + used, sizeof c->failing - used, "%s%.90s",
                         used ? ", " : "", b->path[0] ? b->path : "the run");
}

static void add_twins(struct pairing *p, const struct compared_result *a,
                      const struct compared_result *b)
{
        struct comparison *c = p->c;
        struct twins *t = &p->twin[p->twins];

        c->twins++;
        if (!compared_is_usable(a) || !compared_is_usable(b)) {
                c->unusable++;
                return;
        }
        *t = (struct twins){ .a = a, .b = b };
        p->twins++;
        c->identical += same_signal(t);
        if (a->verdict == RUN_PASSED && b->verdict == RUN_FAILED)
                note_failing(c, b);
        c->newly_passing += a->verdict == RUN_FAILED && b->verdict == RUN_PASSED;
}

/* Both sides are in the order of their keys. */
bool compared_next_twins(const struct compared_side *a, const struct compared_side *b,
                         struct compared_walk *walk, struct compared_twins *twins)
{
        while (walk->a < a->runs && walk->b < b->runs) {
                int order = compared_order(&a->run[walk->a], &b->run[walk->b]);

                if (order == 0) {
                        *twins = (struct compared_twins){ &a->run[walk->a++],
                                                          &b->run[walk->b++] };
                        return true;
                }
                (*(order < 0 ? &walk->a : &walk->b))++;
        }
        return false;
}

static void find_twins(struct pairing *p, const struct compared_side *a,
                       const struct compared_side *b)
{
        struct compared_walk walk = { 0 };
        struct compared_twins t;

        while (compared_next_twins(a, b, &walk, &t))
                add_twins(p, t.a, t.b);
        p->c->alone = a->runs + b->runs - 2 * p->c->twins;
}

static int by_seed(const void *a, const void *b)
{
        const struct compare_column *x = a, *y = b;

        if (x->seed != y->seed)
                return x->seed < y->seed ? -1 : 1;
        return x->repeat - y->repeat;
}

static struct compare_column column_of(const struct twins *t)
{
        return (struct compare_column){ t->a->seed, t->a->lockstep && t->b->lockstep
                                                            ? 0
                                                            : t->a->repeat };
}

static bool find_columns(struct pairing *p)
{
        int kept = 0;

        p->column = calloc((size_t)p->twins + 1, sizeof *p->column);
        if (p->column == NULL)
                return refuse_pairing(p, "out of memory");
        for (int i = 0; i < p->twins; i++)
                p->column[i] = column_of(&p->twin[i]);
        qsort(p->column, (size_t)p->twins, sizeof *p->column, by_seed);
        for (int i = 0; i < p->twins; i++)
                if (kept == 0 || by_seed(&p->column[kept - 1], &p->column[i]) != 0)
                        p->column[kept++] = p->column[i];
        p->columns = kept;
        if (kept > COMPARE_PAIRS_MAX)
                return refuse_pairing(p, "more than 1000 seeds and repeats");
        for (int i = 0; i < p->twins; i++) {
                struct compare_column own = column_of(&p->twin[i]);
                const struct compare_column *at =
                        bsearch(&own, p->column, (size_t)kept, sizeof own, by_seed);

                p->twin[i].column = (int)(at - p->column);
                p->column[p->twin[i].column].failed |=
                        p->twin[i].a->verdict == RUN_FAILED;
        }
        memcpy(p->c->column, p->column, (size_t)kept * sizeof *p->column);
        return true;
}

static const struct compared_value *find_value(const struct compared_result *r,
                                               const struct compared_value *like,
                                               int hint)
{
        if (hint < r->values && r->value[hint].kind == like->kind &&
            strcmp(r->value[hint].name, like->name) == 0)
                return &r->value[hint];
        for (int i = 0; i < r->values; i++)
                if (r->value[i].kind == like->kind &&
                    strcmp(r->value[i].name, like->name) == 0)
                        return &r->value[i];
        return NULL;
}

static int find_row(const struct comparison *c, int first, enum compared_kind kind,
                    const char *name)
{
        for (int i = first; i < c->rows; i++)
                if (c->row[i].kind == kind && strcmp(c->row[i].name, name) == 0)
                        return i;
        return -1;
}

static int row_for(struct pairing *p, int first, const char *group,
                   const struct compared_value *v)
{
        int at = find_row(p->c, first, v->kind, v->name);
        struct compare_row *row;

        if (at >= 0)
                return at;
        row = compare_add_row(p->c, p->columns);
        if (row == NULL)
                return -1;
        snprintf(row->group, sizeof row->group, "%s", group);
        snprintf(row->name, sizeof row->name, "%s", v->name);
        snprintf(row->unit, sizeof row->unit, "%s", v->unit);
        row->kind = v->kind;
        row->better = v->better;
        return p->c->rows - 1;
}

/* Sums for now; the means follow when all twins are in. */
static bool add_pair(struct pairing *p, int row, int column, double a, double b)
{
        struct compare_row *r;
        int *times;

        if (row < 0)
                return refuse_pairing(p, "more than 20000 rows, or no memory");
        r = &p->c->row[row];
        times = &r->times[column];
        r->a[column] = *times ? r->a[column] + a : a;
        r->b[column] = *times ? r->b[column] + b : b;
        ++*times;
        return true;
}

/* That a number is there is worth a row where it came or went: an oscillation that never settles has
 * no settling time. */
static bool add_presence(struct pairing *p, int first, const struct twins *t,
                         const struct compared_value *a, const struct compared_value *b)
{
        struct compared_value v = { .kind = COMPARED_OUTCOME, .better = BETTER_MORE };
        bool here = isfinite(a->value), there = isfinite(b->value);

        snprintf(v.name, sizeof v.name, "%.120s" PRESENCE, a->name);
        return add_pair(p, row_for(p, first, t->a->group, &v), t->column, here, there);
}

static bool add_value(struct pairing *p, int first, const struct twins *t, int index)
{
        const struct compared_value *a = &t->a->value[index];
        const struct compared_value *b = find_value(t->b, a, index);

        if (b == NULL)
                return true;
        if (isfinite(a->value) && isfinite(b->value) &&
            !add_pair(p, row_for(p, first, t->a->group, a), t->column, a->value,
                      b->value))
                return false;
        return a->kind == COMPARED_OUTCOME || add_presence(p, first, t, a, b);
}

static int one_sided(const struct compared_result *x, const struct compared_result *y)
{
        int n = 0;

        /* A metric without a number is as good as left out. */
        for (int i = 0; i < x->values; i++)
                n += (x->value[i].kind == COMPARED_OUTCOME ||
                      isfinite(x->value[i].value)) &&
                     find_value(y, &x->value[i], i) == NULL;
        return n;
}

static bool is_presence(const struct compare_row *row)
{
        size_t len = strlen(row->name), end = strlen(PRESENCE);

        return row->kind == COMPARED_OUTCOME && len > end &&
               strcmp(row->name + len - end, PRESENCE) == 0;
}

/* Means from sums; returns whether any pair differs. */
static bool average_pairs(struct compare_row *row)
{
        bool differs = false;

        for (int k = 0; k < row->pairs; k++) {
                int n = row->times[k] > 0 ? row->times[k] : 1;

                row->a[k] /= n;
                row->b[k] /= n;
                differs = differs || (row->times[k] > 0 && row->a[k] != row->b[k]);
        }
        return differs;
}

static void conclude_group(struct pairing *p, int from, int to, int first)
{
        bool identical = true;
        int kept = first;

        for (int i = from; i < to; i++)
                identical = identical && same_signal(&p->twin[i]);
        for (int r = first; r < p->c->rows; r++) {
                struct compare_row *row = &p->c->row[r];
                bool differs = average_pairs(row);

                row->identical = identical && !differs;
                if (is_presence(row) && !differs)
                        compare_free_row(row);
                else
                        p->c->row[kept++] = *row;
        }
        p->c->rows = kept;
}

static bool lay_out_group(struct pairing *p, int from, int to)
{
        int first = p->c->rows;

        p->c->one_sided += one_sided(p->twin[from].a, p->twin[from].b) +
                           one_sided(p->twin[from].b, p->twin[from].a);
        for (int i = from; i < to; i++)
                for (int v = 0; v < p->twin[i].a->values; v++)
                        if (!add_value(p, first, &p->twin[i], v))
                                return false;
        conclude_group(p, from, to, first);
        return true;
}

/* Twins are in the order of their groups. */
static bool lay_out_groups(struct pairing *p)
{
        int from = 0;

        for (int to = 1; to <= p->twins; to++) {
                if (to < p->twins &&
                    strcmp(p->twin[to].a->group, p->twin[from].a->group) == 0)
                        continue;
                if (!lay_out_group(p, from, to))
                        return false;
                from = to;
        }
        return true;
}

bool compare_sides(struct comparison *c, const struct compare_options *o,
                   const struct compared_side *a, const struct compared_side *b,
                   char *why, size_t cap)
{
        struct pairing p = { .c = c, .why = why, .cap = cap };
        bool ok;

        why[0] = '\0';
        *c = (struct comparison){ .options = *o };
        compare_describe(c, a, b);
        p.twin = calloc((size_t)a->runs + 1, sizeof *p.twin);
        ok = p.twin != NULL || refuse_pairing(&p, "out of memory");
        if (ok)
                find_twins(&p, a, b);
        ok = ok && find_columns(&p);
        c->columns = p.columns;
        ok = ok && lay_out_groups(&p) &&
             (compare_judge(c) || refuse_pairing(&p, "out of memory"));
        free(p.column);
        free(p.twin);
        if (!ok)
                comparison_free(c);
        return ok;
}
