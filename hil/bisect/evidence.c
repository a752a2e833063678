#include "hil/bisect/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the shift: the ends' differences may all be the same. */
#define LEAST_SPREAD 0.1

struct gather {
        struct bisect_row *row;
        double *value; /* rows x pairs, NaN where there is none */
        int rows, pairs;
};

static const struct compared_value *find(const struct compared_result *r,
                                         const struct bisect_row *row)
{
        if (strcmp(r->group, row->group) != 0)
                return NULL;
        for (int i = 0; i < r->values; i++)
                if (r->value[i].kind == row->kind &&
                    strcmp(r->value[i].name, row->name) == 0)
                        return &r->value[i];
        return NULL;
}

/* What is compared of a value. */
static double size_of(const struct compared_value *v)
{
        if (v == NULL)
                return (double)NAN;
        return v->better == BETTER_ZERO ? fabs(v->value) : v->value;
}

static double difference_of(const struct bisect_row *row,
                            const struct compared_result *good,
                            const struct compared_result *other)
{
        return size_of(find(other, row)) - size_of(find(good, row));
}

static bool is_wanted(const struct compared_value *v, const char *wanted)
{
        return v->kind != COMPARED_HOST &&
               (wanted == NULL || strcmp(v->name, wanted) == 0);
}

/* The rows of one flight that are not there yet. */
static bool add_rows(struct gather *g, const struct compared_result *r,
                     const char *wanted)
{
        for (int i = 0; i < r->values; i++) {
                const struct compared_value *v = &r->value[i];
                struct bisect_row row = { .kind = v->kind, .better = v->better };
                struct bisect_row *more;
                bool known = false;

                if (!is_wanted(v, wanted))
                        continue;
                memcpy(row.group, r->group, sizeof row.group);
                memcpy(row.name, v->name, sizeof row.name);
                memcpy(row.unit, v->unit, sizeof row.unit);
                for (int k = 0; k < g->rows && !known; k++)
                        known = g->row[k].kind == row.kind &&
                                strcmp(g->row[k].group, row.group) == 0 &&
                                strcmp(g->row[k].name, row.name) == 0;
                if (known)
                        continue;
                more = realloc(g->row, (size_t)(g->rows + 1) * sizeof *more);
                if (more == NULL)
                        return false;
                g->row = more;
                g->row[g->rows++] = row;
        }
        return true;
}

static bool gather_rows(struct gather *g, const struct compared_side *good,
                        const struct compared_side *bad, const char *wanted)
{
        struct compared_walk walk = { 0, 0 };
        struct compared_twins twins;

        while (compared_next_twins(good, bad, &walk, &twins)) {
                g->pairs++;
                if (!add_rows(g, twins.a, wanted))
                        return false;
        }
        g->value = malloc((size_t)(g->rows * g->pairs + 1) * sizeof *g->value);
        return g->value != NULL;
}

static void gather_values(struct gather *g, const struct compared_side *good,
                          const struct compared_side *bad)
{
        struct compared_walk walk = { 0, 0 };
        struct compared_twins twins;

        for (int pair = 0; compared_next_twins(good, bad, &walk, &twins); pair++) {
                bool usable = compared_is_usable(twins.a) && compared_is_usable(twins.b);

                for (int k = 0; k < g->rows; k++) {
                        struct bisect_row *row = &g->row[k];
                        double d = usable ? difference_of(row, twins.a, twins.b)
                                          : (double)NAN;

                        g->value[k * g->pairs + pair] = d;
                        if (isnan(d))
                                continue;
                        row->good += size_of(find(twins.a, row));
                        row->shift += d;
                        row->pairs++;
                }
        }
}

static void finish_row(struct bisect_row *row, const double *d, int pairs)
{
        double squares = 0.0;

        if (row->pairs == 0)
                return;
        row->good /= row->pairs;
        row->shift /= row->pairs;
        for (int i = 0; i < pairs; i++)
                if (!isnan(d[i]))
                        squares += (d[i] - row->shift) * (d[i] - row->shift);
        row->deviation = fmax(row->pairs > 1 ? sqrt(squares / (row->pairs - 1)) : 0.0,
                              LEAST_SPREAD * fabs(row->shift));
        row->worse = row->better == BETTER_MORE      ? row->shift < 0.0
                     : row->better == BETTER_NEITHER ? false
                                                     : row->shift > 0.0;
}

static bool counts(const struct bisect_row *row, const struct flip_result *p,
                   const struct bisect_wish *wish)
{
        double least =
                row->kind == COMPARED_OUTCOME ? 0.0 : wish->margin * fabs(row->good);

        return row->pairs > 1 && row->shift != 0.0 && p->among <= wish->alpha &&
               fabs(row->shift) >= least;
}

/* A row by which the bad end is worse is what the user looks for, if it tells at all clearly. */
#define CLEAR 2.0

static bool is_preferred(const struct bisect_row *row, const struct bisect_row *best)
{
        double clear = fabs(row->shift) / row->deviation;
        double before = best->pairs > 0 ? fabs(best->shift) / best->deviation : 0.0;
        bool worse = row->worse && clear >= CLEAR;
        bool worse_before = best->worse && before >= CLEAR;

        return worse != worse_before ? worse : clear > before;
}

static enum bisect_ends choose(struct gather *g, const struct bisect_wish *wish,
                               struct bisect_row *out)
{
        const struct flip_table table = { g->rows, g->pairs, g->value };
        struct flip_result *p = calloc((size_t)g->rows, sizeof *p);
        enum bisect_ends found = BISECT_ALIKE;

        *out = (struct bisect_row){ .pairs = 0 };
        if (p == NULL || !statistics_flip(&table, p)) {
                free(p);
                return BISECT_NO_MEMORY;
        }
        for (int k = 0; k < g->rows; k++) {
                struct bisect_row *row = &g->row[k];

                finish_row(row, g->value + k * g->pairs, g->pairs);
                row->chance = p[k].among;
                if (!counts(row, &p[k], wish) || !is_preferred(row, out))
                        continue;
                *out = *row;
                found = BISECT_DIFFER;
        }
        free(p);
        return found;
}

enum bisect_ends bisect_compare_ends(const struct compared_side *good,
                                     const struct compared_side *bad,
                                     const struct bisect_wish *wish,
                                     struct bisect_row *row)
{
        struct gather g = { 0 };
        enum bisect_ends found = BISECT_NO_MEMORY;

        if (gather_rows(&g, good, bad, wish->row)) {
                gather_values(&g, good, bad);
                found = g.rows > 0          ? choose(&g, wish, row)
                        : wish->row != NULL ? BISECT_NO_SUCH_ROW
                                            : BISECT_ALIKE;
        }
        free(g.row);
        free(g.value);
        return found;
}

double bisect_level(const struct bisect_row *row, const struct compared_side *good,
                    const struct compared_side *flown, int seeds)
{
        struct compared_walk walk = { 0, 0 };
        struct compared_twins twins;
        double sum = 0.0;
        int n = 0, seen = 0;

        while (compared_next_twins(good, flown, &walk, &twins)) {
                double d;

                if (strcmp(twins.a->group, row->group) != 0 || seen++ >= seeds ||
                    !compared_is_usable(twins.a) || !compared_is_usable(twins.b))
                        continue;
                d = difference_of(row, twins.a, twins.b);
                sum += isnan(d) ? 0.0 : d;
                n += !isnan(d);
        }
        return n > 0 ? sum / n : (double)NAN;
}
