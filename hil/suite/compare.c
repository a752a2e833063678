/* Verdicts. A row has changed if a test finds it among all rows of the comparison, and it moved by more than its
 * margin; it is the same, or no worse, if its interval says so; else there is too little data. */
#include "hil/suite/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *compare_verdict_name(enum compare_verdict v)
{
        static const char *const name[] = { "regressed", "too little data",
                                            "improved",  "no worse",
                                            "same",      "not judged" };

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

/* Each of the two tests has half of the chance. */
static double alpha_of(const struct compare_options *o)
{
        return o->part * o->rules.alpha;
}

int compare_fewest(const struct compare_options *o)
{
        return statistics_fewest_pairs(0.5 * alpha_of(o));
}

int compare_fewest_any(const struct compare_options *o)
{
        return statistics_fewest_exchanged(0.5 * alpha_of(o));
}

static double confidence_of(const struct compare_options *o)
{
        return 1.0 - 2.0 * o->part * o->rules.doubt;
}

double compared_size(const struct compare_row *row, double value)
{
        return row->better == BETTER_ZERO ? fabs(value) : value;
}

/* The pairs that are there: differences packed into d, returns how many. */
static int pack_differences(struct compare_row *row, double *d)
{
        double sum_a = 0.0, sum_b = 0.0;
        int n = 0;

        row->up = row->down = 0;
        for (int i = 0; i < row->pairs; i++) {
                double a = compared_size(row, row->a[i]),
                       b = compared_size(row, row->b[i]);

                if (!isfinite(a) || !isfinite(b))
                        continue;
                sum_a += a;
                sum_b += b;
                d[n] = b - a;
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
        statistics_hodges_lehmann(d, n, confidence_of(&c->options), &row->shift);
        if (isnan(row->shift.estimate) && isfinite(statistics_mean(d, n)))
                return false;
        deviation = statistics_deviation(d, n);
        row->effect =
                statistics_mean(d, n) == 0.0 ? 0.0 : statistics_mean(d, n) / deviation;
        row->noise = compare_noise(c, row, d, n, d + row->pairs);
        row->margin = compare_margin(&c->options.rules, row, row->noise);
        row->practical = compare_margin(&c->options.rules, row, 0.0);
        return true;
}

double compare_harm(const struct compare_row *row, double shift)
{
        return row->better == BETTER_MORE      ? -shift
               : row->better == BETTER_NEITHER ? fabs(shift)
                                               : shift;
}

static double size_of_change(const struct compare_row *row)
{
        double shift = row->shift.estimate;

        return row->kind == COMPARED_OUTCOME || shift == 0.0 ? row->mean_b - row->mean_a
                                                             : shift;
}

static enum compare_verdict row_direction(const struct compare_row *row)
{
        return compare_harm(row, size_of_change(row)) > 0.0 ? COMPARE_REGRESSED
                                                            : COMPARE_IMPROVED;
}

static bool is_same(const struct compare_row *row, int n, int fewest)
{
        if (row->identical)
                return true;
        if (row->kind == COMPARED_OUTCOME)
                return n >= fewest && row->up + row->down == 0;
        return row->shift.low >= -row->margin && row->shift.high <= row->margin;
}

/* The end of the interval that is worse does not reach the margin. */
static bool is_no_worse(const struct compare_row *row, int n, int fewest)
{
        if (row->kind == COMPARED_OUTCOME)
                return n >= fewest && row->down == 0;
        return compare_harm(row, row->shift.low) <= row->margin &&
               compare_harm(row, row->shift.high) <= row->margin;
}

static int pairs_missing(const struct comparison *c, const struct compare_row *row,
                         const double *d, int n)
{
        double mean = statistics_mean(d, n), deviation = statistics_deviation(d, n);
        double alpha = 0.5 * alpha_of(&c->options) / c->rows;
        int fewest = compare_fewest(&c->options), settle;

        if (n < 2 || deviation == 0.0)
                settle = fewest;
        else
                settle = statistics_pairs_to_find(mean / deviation, alpha, COMPARE_POWER);
        if (n >= 2 && row->kind != COMPARED_OUTCOME) {
                int exclude = statistics_pairs_to_exclude(mean, deviation, row->margin,
                                                          confidence_of(&c->options));

                settle = exclude < settle ? exclude : settle;
        }
        if (settle >= PAIRS_NEVER)
                return -1;
        settle = settle > fewest ? settle : fewest;
        return settle > n ? settle - n : 1;
}

const struct compare_row *compare_outlook(const struct comparison *c, int pairs,
                                          int *asked)
{
        const struct compare_row *most = NULL;

        *asked = pairs;
        for (int i = 0; i < c->rows; i++) {
                const struct compare_row *row = &c->row[i];
                double noise = M_SQRT2 * statistics_deviation(row->a, row->pairs);
                int n;

                if (row->kind == COMPARED_HOST || row->kind == COMPARED_OUTCOME ||
                    !isfinite(noise) || noise == 0.0)
                        continue;
                n = statistics_pairs_to_exclude(
                        0.0, noise, compare_margin(&c->options.rules, row, noise),
                        confidence_of(&c->options));
                if (n <= *asked)
                        continue;
                *asked = n;
                most = row;
        }
        return most;
}

static void remark_row(struct compare_row *row, int n)
{
        bool changed =
                row->verdict == COMPARE_REGRESSED || row->verdict == COMPARE_IMPROVED;
        char *text = row->note;
        size_t cap = sizeof row->note;

        if (row->identical)
                snprintf(text, cap, "every signal is the same to the bit");
        else if (row->kind == COMPARED_HOST)
                snprintf(text, cap, "of the host that the rig ran on");
        else if (row->kind == COMPARED_OUTCOME && row->verdict == COMPARE_SAME)
                snprintf(text, cap,
                         "no outcome changed; with %.3g %% confidence fewer than "
                         "%.2g %% of all runs would change theirs",
                         95.0, 100.0 * statistics_unseen_share(n, 0.95));
        else if (row->kind == COMPARED_OUTCOME)
                snprintf(text, cap,
                         "%d came to pass, %d came to fail, of %d; McNemar %.2g", row->up,
                         row->down, n,
                         statistics_binomial_two_sided(row->up, row->up + row->down));
        else if (changed && row->better == BETTER_NEITHER)
                snprintf(text, cap,
                         "which way is better is not known: any change counts");
        else if (row->leans)
                snprintf(text, cap,
                         "leans to the worse by more than %.3g: that may be noise",
                         row->practical);
        else if (!changed && row->certain)
                snprintf(text, cap, "certain, and %s what matters",
                         row->verdict == COMPARE_TOO_LITTLE ? "perhaps smaller than"
                                                            : "smaller than");
        else if (row->better == BETTER_ZERO)
                snprintf(text, cap, "distance from 0");
}

/* For the worse what is practical is enough, since it is certain; an improvement must stand out of the noise, too. */
static bool is_change(const struct compare_row *row)
{
        return fabs(size_of_change(row)) >
               (row_direction(row) == COMPARE_REGRESSED ? row->practical : row->margin);
}

static void judge_row(struct comparison *c, struct compare_row *row, double *d)
{
        int n = pack_differences(row, d), fewest = compare_fewest(&c->options);

        row->certain = n > 0 && row->p.among <= alpha_of(&c->options);
        if (row->kind == COMPARED_HOST)
                row->verdict = COMPARE_NOT_JUDGED;
        else if (row->certain && is_change(row))
                row->verdict = row_direction(row);
        else if (n > 0 && is_same(row, n, fewest))
                row->verdict = COMPARE_SAME;
        else if (n > 0 && is_no_worse(row, n, fewest))
                row->verdict = COMPARE_NO_WORSE;
        else {
                row->verdict = COMPARE_TOO_LITTLE;
                row->more = n > 0 ? pairs_missing(c, row, d, n) : -1;
        }
        row->leans = (row->verdict == COMPARE_SAME || row->verdict == COMPARE_NO_WORSE) &&
                     compare_harm(row, size_of_change(row)) > row->practical;
        remark_row(row, n);
        c->count[row->verdict]++;
        c->leaning += row->leans;
}

/* Values of the rows that are judged, as the tests want them: differences, or both sides' values. */
static void lay_out_values(const struct comparison *c, bool both, double *value)
{
        size_t n = (size_t)c->columns, at = 0;

        for (int j = 0; j < c->rows; j++) {
                const struct compare_row *row = &c->row[j];

                if (row->kind == COMPARED_HOST)
                        continue;
                for (size_t i = 0; i < n; i++) {
                        double a = compared_size(row, row->a[i]);
                        double b = compared_size(row, row->b[i]);

                        value[at + i] = both ? a : b - a;
                        if (both)
                                value[at + n + i] = b;
                }
                at += both ? 2 * n : n;
        }
}

/* A row's probability is twice the smaller of the two tests': Bonferroni's bound for both. */
static void take_results(struct comparison *c, const struct flip_result *flip,
                         const struct flip_result *exchange)
{
        int k = 0;

        for (int j = 0; j < c->rows; j++) {
                struct compare_row *row = &c->row[j];

                if (row->kind == COMPARED_HOST) {
                        row->p = (struct flip_result){ NAN, NAN };
                        continue;
                }
                row->p.alone = fmin(1.0, 2.0 * fmin(flip[k].alone, exchange[k].alone));
                row->p.among = fmin(1.0, 2.0 * fmin(flip[k].among, exchange[k].among));
                k++;
        }
}

static bool test_rows(struct comparison *c)
{
        size_t rows = (size_t)c->rows, n = (size_t)c->columns;
        double *value = malloc((2 * rows * n + 1) * sizeof *value);
        struct flip_result *p = calloc(2 * rows + 1, sizeof *p);
        struct flip_table table = { .pairs = c->columns, .value = value };
        bool ok = value != NULL && p != NULL;

        for (int j = 0; j < c->rows; j++)
                table.rows += c->row[j].kind != COMPARED_HOST;
        if (ok) {
                lay_out_values(c, false, value);
                ok = statistics_flip(&table, p);
        }
        if (ok) {
                lay_out_values(c, true, value);
                ok = statistics_exchange(&table, p + rows);
        }
        if (ok)
                take_results(c, p, p + rows);
        free(p);
        free(value);
        return ok;
}

/* A row that is open, or leans to the worse, may have become worse: nothing is called improved beside it. */
static void conclude_verdict(struct comparison *c)
{
        c->verdict = COMPARE_SAME;
        if (c->count[COMPARE_REGRESSED] > 0)
                c->verdict = COMPARE_REGRESSED;
        else if (c->count[COMPARE_TOO_LITTLE] > 0 ||
                 c->rows == c->count[COMPARE_NOT_JUDGED])
                c->verdict = COMPARE_TOO_LITTLE;
        else if (c->count[COMPARE_IMPROVED] > 0)
                c->verdict = c->leaning > 0 ? COMPARE_TOO_LITTLE : COMPARE_IMPROVED;
        for (int i = 0; i < c->rows; i++)
                if (c->row[i].verdict == COMPARE_TOO_LITTLE && c->row[i].more > c->more)
                        c->more = c->row[i].more;
}

bool compare_judge(struct comparison *c)
{
        double *d = malloc((2 * (size_t)c->columns + 1) * sizeof *d);
        bool ok = d != NULL;

        memset(c->count, 0, sizeof c->count);
        c->leaning = 0;
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
