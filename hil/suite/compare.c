/* Verdicts. A row has changed if the sign-flip test finds it among all rows of the comparison; it is
 * the same if its whole interval lies where a shift does not matter; else there is too little data. */
#include "hil/suite/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A smaller shift of a quantity in that unit matters to nobody, even where the baseline's mean is 0. */
static const struct {
        const char *unit;
        double floor;
} floors[] = {
        { "m", 1e-3 },     { "mps", 1e-3 }, { "m/s", 1e-3 },   { "mps2", 1e-2 },
        { "rad", 1e-4 },   { "deg", 1e-2 }, { "radps", 1e-3 }, { "rad/s", 1e-3 },
        { "deg/s", 1e-2 }, { "s", 1e-3 },   { "ms", 1e-1 },    { "us", 1.0 },
        { "V", 1e-3 },     { "A", 1e-2 },   { "%", 1e-1 },
};

const char *compare_verdict_name(enum compare_verdict v)
{
        static const char *const name[] = { "regressed", "improved", "too little data",
                                            "same" };

        return name[v];
}

int compare_exit_status(enum compare_verdict v)
{
        return v == COMPARE_REGRESSED ? 1 : v == COMPARE_TOO_LITTLE ? 3 : 0;
}

void compare_free_row(struct compare_row *row)
{
        free(row->a);
        free(row->b);
        free(row->times);
}

void comparison_free(struct comparison *c)
{
        for (int i = 0; i < c->rows; i++)
                compare_free_row(&c->row[i]);
        free(c->row);
        c->row = NULL;
        c->rows = c->capacity = 0;
}

static bool grow_rows(struct comparison *c)
{
        int capacity = c->capacity ? 2 * c->capacity : 128;
        struct compare_row *row;

        if (c->rows < c->capacity)
                return true;
        row = c->rows < COMPARE_ROWS_MAX ? realloc(c->row, (size_t)capacity * sizeof *row)
                                         : NULL;
        if (row == NULL)
                return false;
        c->row = row;
        c->capacity = capacity;
        return true;
}

struct compare_row *compare_add_row(struct comparison *c, int columns)
{
        struct compare_row row = { .pairs = columns };
        size_t n = (size_t)columns + 1;

        row.a = malloc(n * sizeof *row.a);
        row.b = malloc(n * sizeof *row.b);
        row.times = calloc(n, sizeof *row.times);
        if (!row.a || !row.b || !row.times || !grow_rows(c)) {
                compare_free_row(&row);
                return NULL;
        }
        for (int i = 0; i < columns; i++)
                row.a[i] = row.b[i] = NAN;
        c->row[c->rows] = row;
        return &c->row[c->rows++];
}

static double margin_of(const struct compare_options *o, const struct compare_row *row)
{
        double ratio = COMPARE_RATIO, margin;

        if (row->kind == COMPARED_OUTCOME)
                return 0.0;
        /* A limit of the row's own name wins over one without a name. */
        for (int pass = 0; pass < 2; pass++)
                for (int i = 0; i < o->limits; i++)
                        if (pass == 0 ? o->limit[i].name[0] == '\0'
                                      : strcmp(o->limit[i].name, row->name) == 0)
                                ratio = o->limit[i].ratio;
        margin = ratio * fabs(row->mean_a);
        for (size_t i = 0; i < sizeof floors / sizeof floors[0]; i++)
                if (strcmp(row->unit, floors[i].unit) == 0)
                        margin = fmax(margin, floors[i].floor);
        return margin;
}

/* The pairs that are there: differences packed into d, returns how many. */
static int pack_differences(struct compare_row *row, double *d)
{
        double sum_a = 0.0, sum_b = 0.0;
        int n = 0;

        row->up = row->down = 0;
        for (int i = 0; i < row->pairs; i++) {
                if (!isfinite(row->a[i]) || !isfinite(row->b[i]))
                        continue;
                sum_a += row->a[i];
                sum_b += row->b[i];
                d[n] = row->b[i] - row->a[i];
                row->up += d[n] > 0.0;
                row->down += d[n] < 0.0;
                n++;
        }
        row->mean_a = sum_a / n;
        row->mean_b = sum_b / n;
        return n;
}

static bool measure_row(const struct comparison *c, struct compare_row *row, double *d)
{
        double deviation;
        int n = pack_differences(row, d);

        if (n == 0)
                return true;
        statistics_hodges_lehmann(d, n, COMPARE_CONFIDENCE, &row->shift);
        if (isnan(row->shift.estimate) && isfinite(statistics_mean(d, n)))
                return false;
        deviation = statistics_deviation(d, n);
        row->effect =
                statistics_mean(d, n) == 0.0 ? 0.0 : statistics_mean(d, n) / deviation;
        row->margin = margin_of(&c->options, row);
        return true;
}

static enum compare_verdict row_direction(const struct compare_row *row)
{
        double shift = row->shift.estimate != 0.0 ? row->shift.estimate
                                                  : row->mean_b - row->mean_a;
        bool more = shift > 0.0;

        if (row->better == BETTER_NEITHER)
                return COMPARE_REGRESSED;
        if (row->better == BETTER_ZERO)
                return fabs(row->mean_b) < fabs(row->mean_a) ? COMPARE_IMPROVED
                                                             : COMPARE_REGRESSED;
        return more == (row->better == BETTER_MORE) ? COMPARE_IMPROVED
                                                    : COMPARE_REGRESSED;
}

static bool is_same(const struct compare_row *row, int n, int fewest)
{
        if (row->identical)
                return true;
        if (row->kind == COMPARED_OUTCOME)
                return n >= fewest && row->up + row->down == 0;
        return row->shift.low >= -row->margin && row->shift.high <= row->margin;
}

static int pairs_missing(const struct comparison *c, const struct compare_row *row,
                         const double *d, int n)
{
        double mean = statistics_mean(d, n), deviation = statistics_deviation(d, n);
        int fewest = statistics_fewest_pairs(c->options.alpha), settle;
        double alpha = c->options.alpha / c->rows;

        if (n < 2 || deviation == 0.0)
                settle = fewest;
        else
                settle = statistics_pairs_to_find(mean / deviation, alpha,
                                                  c->options.power);
        if (n >= 2 && row->kind != COMPARED_OUTCOME) {
                int exclude = statistics_pairs_to_exclude(mean, deviation, row->margin,
                                                          COMPARE_CONFIDENCE);

                settle = exclude < settle ? exclude : settle;
        }
        if (settle >= PAIRS_NEVER)
                return -1;
        settle = settle > fewest ? settle : fewest;
        return settle > n ? settle - n : 1;
}

/* Of outcomes every change matters. */
static bool is_small(const struct compare_row *row)
{
        return row->kind != COMPARED_OUTCOME && row->shift.low >= -row->margin &&
               row->shift.high <= row->margin;
}

static void remark_row(struct compare_row *row, int n)
{
        char *text = row->note;
        size_t cap = sizeof row->note;
        bool changed = row->verdict <= COMPARE_IMPROVED;

        if (row->identical)
                snprintf(text, cap, "every signal is the same to the bit");
        else if (row->kind == COMPARED_OUTCOME && row->verdict == COMPARE_SAME)
                snprintf(text, cap,
                         "no outcome changed; with %.3g %% confidence fewer than "
                         "%.2g %% of all runs would change theirs",
                         100.0 * COMPARE_CONFIDENCE,
                         100.0 * statistics_unseen_share(n, COMPARE_CONFIDENCE));
        else if (row->kind == COMPARED_OUTCOME)
                snprintf(text, cap,
                         "%d came to pass, %d came to fail, of %d; McNemar %.2g", row->up,
                         row->down, n,
                         statistics_binomial_two_sided(row->up, row->up + row->down));
        else if (changed)
                snprintf(text, cap, "%s%s%s",
                         row->better == BETTER_NEITHER
                                 ? "which way is better is not known: any change counts"
                                 : "",
                         row->better == BETTER_NEITHER && is_small(row) ? "; " : "",
                         is_small(row) ? "certain, and smaller than what matters" : "");
}

static void judge_row(struct comparison *c, struct compare_row *row, double *d)
{
        int n = pack_differences(row, d),
            fewest = statistics_fewest_pairs(c->options.alpha);

        if (n > 0 && row->p.among <= c->options.alpha)
                row->verdict = row_direction(row);
        else if (n > 0 && is_same(row, n, fewest))
                row->verdict = COMPARE_SAME;
        else {
                row->verdict = COMPARE_TOO_LITTLE;
                row->more = n > 0 ? pairs_missing(c, row, d, n) : -1;
        }
        remark_row(row, n);
        c->count[row->verdict]++;
}

static bool test_rows(struct comparison *c)
{
        size_t rows = (size_t)c->rows, n = (size_t)c->columns;
        double *d = malloc((rows * n + 1) * sizeof *d);
        struct flip_result *p = calloc(rows + 1, sizeof *p);
        struct flip_table table = { .rows = c->rows,
                                    .pairs = c->columns,
                                    .difference = d };
        bool ok = d != NULL && p != NULL;

        for (size_t j = 0; ok && j < rows; j++)
                for (size_t i = 0; i < n; i++)
                        d[j * n + i] = c->row[j].b[i] - c->row[j].a[i];
        ok = ok && statistics_flip(&table, p);
        for (size_t j = 0; ok && j < rows; j++)
                c->row[j].p = p[j];
        free(p);
        free(d);
        return ok;
}

static void conclude_verdict(struct comparison *c)
{
        c->verdict = COMPARE_SAME;
        if (c->count[COMPARE_REGRESSED] > 0)
                c->verdict = COMPARE_REGRESSED;
        else if (c->count[COMPARE_IMPROVED] > 0)
                c->verdict = COMPARE_IMPROVED;
        else if (c->count[COMPARE_TOO_LITTLE] > 0 || c->rows == 0)
                c->verdict = COMPARE_TOO_LITTLE;
        for (int i = 0; i < c->rows; i++)
                if (c->row[i].verdict == COMPARE_TOO_LITTLE && c->row[i].more > c->more)
                        c->more = c->row[i].more;
}

bool compare_judge(struct comparison *c)
{
        double *d = malloc(((size_t)c->columns + 1) * sizeof *d);
        bool ok = d != NULL;

        memset(c->count, 0, sizeof c->count);
        c->more = -1;
        for (int i = 0; ok && i < c->rows; i++)
                ok = measure_row(c, &c->row[i], d);
        ok = ok && test_rows(c);
        for (int i = 0; ok && i < c->rows; i++)
                judge_row(c, &c->row[i], d);
        if (ok)
                conclude_verdict(c);
        free(d);
        return ok;
}

static const char *plural(int n)
{
        return n == 1 ? "" : "s";
}

double compare_size(const struct compare_row *row)
{
        return row->kind == COMPARED_OUTCOME ? row->mean_b - row->mean_a
                                             : row->shift.estimate;
}

bool compare_has_effect(const struct compare_row *row)
{
        return row->up + row->down > 1 || isfinite(row->effect);
}

/* Of the rows that made the verdict and moved by more than what counts as the same, the one with the
 * largest effect; of several, the one that is furthest beyond that. */
const struct compare_row *compare_largest(const struct comparison *c)
{
        const struct compare_row *largest = NULL;

        for (int i = 0; c->verdict <= COMPARE_IMPROVED && i < c->rows; i++) {
                const struct compare_row *row = &c->row[i];
                double effect = fabs(row->effect), size = fabs(compare_size(row));

                if (row->verdict != c->verdict || !(size > row->margin))
                        continue;
                if (largest == NULL || effect > fabs(largest->effect) ||
                    (effect == fabs(largest->effect) &&
                     size * largest->margin > fabs(compare_size(largest)) * row->margin))
                        largest = row;
        }
        return largest;
}

static void explain_largest(const struct comparison *c, char *text, size_t cap)
{
        const struct compare_row *row = compare_largest(c);

        if (c->verdict > COMPARE_IMPROVED)
                return;
        if (row == NULL)
                snprintf(text, cap,
                         ". No row that %s moved by more than what counts as the same",
                         compare_verdict_name(c->verdict));
        else
                snprintf(text, cap,
                         ". The largest effect beyond what counts as the same: %s of %s, "
                         "%.4g to %.4g%s%s, effect %+.3g",
                         row->name, row->group, row->mean_a, row->mean_b,
                         row->unit[0] ? " " : "", row->unit, row->effect);
}

static void explain_verdict(const struct comparison *c, char *text, size_t cap)
{
        int pairs = c->twins - c->unusable;

        if (pairs == 0)
                snprintf(text, cap, "no run of one side has a twin that can be compared");
        else if (c->identical == pairs && c->verdict == COMPARE_SAME)
                snprintf(text, cap, "every signal of %d pair%s is the same to the bit",
                         pairs, plural(pairs));
        else if (c->verdict == COMPARE_TOO_LITTLE && c->more > 0)
                snprintf(text, cap,
                         "%d of %d row%s %s open; %d more independent pair%s (seeds; in "
                         "real time also repeats) would settle those that can be",
                         c->count[COMPARE_TOO_LITTLE], c->rows, plural(c->rows),
                         c->count[COMPARE_TOO_LITTLE] == 1 ? "is" : "are", c->more,
                         plural(c->more));
        else
                snprintf(text, cap,
                         "%d regressed, %d improved, %d the same, %d with too little "
                         "data, of %d row%s",
                         c->count[COMPARE_REGRESSED], c->count[COMPARE_IMPROVED],
                         c->count[COMPARE_SAME], c->count[COMPARE_TOO_LITTLE], c->rows,
                         plural(c->rows));
}

void compare_explain(const struct comparison *c, char *text, size_t cap)
{
        size_t used;

        explain_verdict(c, text, cap);
        used = strlen(text);
        explain_largest(c, text + used, cap - used);
        used = strlen(text);
        if (c->newly_failing > 0)
                snprintf(text + used, cap - used,
                         ". %d run%s passed before and fail%s now: %s%s",
                         c->newly_failing, plural(c->newly_failing),
                         c->newly_failing == 1 ? "s" : "", c->failing,
                         c->newly_failing > 5 ? ", ..." : "");
}
