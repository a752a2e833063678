/* What a comparison comes to, in words. */
#include "hil/suite/compare.h"

#include <math.h>
#include <string.h>

#define OPEN_NAMED 4

static const char *plural(int n)
{
        return n == 1 ? "" : "s";
}

/* Candidate less baseline: the shift, of outcomes the difference of the means. */
static double compare_size(const struct compare_row *row)
{
        return row->kind == COMPARED_OUTCOME ? row->mean_b - row->mean_a
                                             : row->shift.estimate;
}

bool compare_has_effect(const struct compare_row *row)
{
        return row->up + row->down > 1 || isfinite(row->effect);
}

/* Of the rows that made the verdict, the one with the largest effect; of several, the one that is furthest beyond
 * what counts as the same. */
const struct compare_row *compare_largest(const struct comparison *c)
{
        const struct compare_row *largest = NULL;

        for (int i = 0; i < c->rows; i++) {
                const struct compare_row *row = &c->row[i];
                double effect = fabs(row->effect), size = fabs(compare_size(row));

                if (row->verdict != c->verdict ||
                    (c->verdict != COMPARE_REGRESSED && c->verdict != COMPARE_IMPROVED))
                        continue;
                if (largest == NULL || effect > fabs(largest->effect) ||
                    (effect == fabs(largest->effect) &&
                     size * largest->margin > fabs(compare_size(largest)) * row->margin))
                        largest = row;
        }
        return largest;
}

/* Where nothing regressed, the row that leans furthest to the worse, in margins. */
static const struct compare_row *worst_row(const struct comparison *c)
{
        const struct compare_row *worst = NULL;
        double most = 0.0;

        if (c->verdict == COMPARE_REGRESSED)
                return compare_largest(c);
        for (int i = 0; i < c->rows; i++) {
                const struct compare_row *row = &c->row[i];
                double harm = compare_harm(row, compare_size(row)) /
                              (row->margin > 0.0 ? row->margin : 1.0);

                if (row->kind == COMPARED_HOST || !(harm > most))
                        continue;
                most = harm;
                worst = row;
        }
        return worst;
}

bool compare_worst(const struct comparison *c, const struct compare_row **row, int *pair)
{
        double most = 0.0;

        *row = worst_row(c);
        *pair = -1;
        for (int i = 0; *row != NULL && i < (*row)->pairs; i++) {
                double harm =
                        compare_harm(*row, compared_size(*row, (*row)->b[i]) -
                                                   compared_size(*row, (*row)->a[i]));

                if (!(harm > most))
                        continue;
                most = harm;
                *pair = i;
        }
        return *pair >= 0;
}

static void explain_largest(const struct comparison *c, char *text, size_t cap)
{
        const struct compare_row *row = compare_largest(c);

        if (row != NULL)
                snprintf(text, cap,
                         ". The largest effect: %s of %s, %.4g to %.4g%s%s, effect %+.3g",
                         row->name, row->group, row->mean_a, row->mean_b,
                         row->unit[0] ? " " : "", row->unit, row->effect);
}

bool compare_is_open(const struct comparison *c, const struct compare_row *row)
{
        return row->verdict == COMPARE_TOO_LITTLE ||
               (row->leans && c->verdict == COMPARE_TOO_LITTLE &&
                c->count[COMPARE_IMPROVED] > 0);
}

static void name_open_rows(const struct comparison *c, char *text, size_t cap)
{
        int named = 0;

        for (int i = 0; i < c->rows && named <= OPEN_NAMED; i++) {
                size_t used = strlen(text);

                if (!compare_is_open(c, &c->row[i]))
                        continue;
                snprintf(text + used, cap - used, "%s%.100s", named == 0 ? ": " : ", ",
                         named == OPEN_NAMED ? "..." : c->row[i].name);
                named++;
        }
}

/* With fewer pairs than this there was never anything to hope for. */
static void explain_least(const struct comparison *c, char *text, size_t cap)
{
        int every = compare_fewest(&c->options), any = compare_fewest_any(&c->options);

        if (c->columns < every)
                snprintf(text, cap,
                         ". With %d independent pair%s %s: it takes %d to decide every "
                         "row, "
                         "and fewer than %d can decide none",
                         c->columns, plural(c->columns),
                         c->columns < any ? "no row can be found changed"
                                          : "only a large change can be found",
                         every, any);
}

static int judged_rows(const struct comparison *c)
{
        return c->rows - c->count[COMPARE_NOT_JUDGED];
}

static void explain_open(const struct comparison *c, char *text, size_t cap)
{
        int open = c->count[COMPARE_TOO_LITTLE];
        size_t used;

        if (open > 0)
                snprintf(text, cap, "%d of %d row%s %s open", open, judged_rows(c),
                         plural(judged_rows(c)), open == 1 ? "is" : "are");
        else
                snprintf(text, cap,
                         "%d row%s improved, but %d lean%s to the worse, by no more than "
                         "noise may do",
                         c->count[COMPARE_IMPROVED], plural(c->count[COMPARE_IMPROVED]),
                         c->leaning, c->leaning == 1 ? "s" : "");
        name_open_rows(c, text, cap);
        used = strlen(text);
        if (c->more > 0)
                snprintf(text + used, cap - used,
                         "; %d more independent pair%s (seeds; in real time also "
                         "repeats) would settle those that can be",
                         c->more, plural(c->more));
        used = strlen(text);
        explain_least(c, text + used, cap - used);
}

static void explain_counts(const struct comparison *c, char *text, size_t cap)
{
        static const char *const words[] = { "regressed", "with too little data",
                                             "improved", "no worse", "the same" };
        size_t used = 0;

        for (int v = COMPARE_REGRESSED; v < COMPARE_NOT_JUDGED; v++)
                if (c->count[v] > 0 && used < cap)
                        used += (size_t)snprintf(text + used, cap - used, "%s%d %s",
                                                 used > 0 ? ", " : "", c->count[v],
                                                 words[v]);
        snprintf(text + used, cap - used, ", of %d row%s from %d independent pair%s",
                 judged_rows(c), plural(judged_rows(c)), c->columns, plural(c->columns));
}

static void explain_verdict(const struct comparison *c, char *text, size_t cap)
{
        int pairs = c->twins - c->unusable;

        if (pairs == 0)
                snprintf(text, cap, "no run of one side has a twin that can be compared");
        else if (c->identical == pairs && c->verdict == COMPARE_SAME)
                snprintf(text, cap, "every signal of %d pair%s is the same to the bit",
                         pairs, plural(pairs));
        else if (c->verdict == COMPARE_TOO_LITTLE)
                explain_open(c, text, cap);
        else
                explain_counts(c, text, cap);
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
