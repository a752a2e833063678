/* A comparison for people at a terminal, and as JSON. */
#include <math.h>
#include <string.h>

#include "hil/suite/compare.h"
#include "hil/text/json.h"
#include "hil/text/terminal.h"

static void print_number(FILE *out, double value)
{
        if (isnan(value))
                fprintf(out, " %11s", "-");
        else
                fprintf(out, " %11.5g", value);
}

static void print_more(FILE *out, const struct compare_row *row)
{
        if (row->verdict == COMPARE_TOO_LITTLE && row->more > 0)
                fprintf(out, "  %d more pair%s", row->more, row->more == 1 ? "" : "s");
        else if (row->verdict == COMPARE_TOO_LITTLE)
                fprintf(out, "  no number of pairs would settle it");
        if (row->note[0] != '\0')
                terminal_print(out, "  %s", row->note);
}

/* Shift, interval and effect; of one pair there is no interval, and no effect. */
static void print_shift(FILE *out, const struct compare_row *row)
{
        if (row->kind == COMPARED_OUTCOME) {
                fprintf(out, " %11s %25s %8s", "", "", "");
                return;
        }
        fprintf(out, " %+11.4g", row->shift.estimate);
        if (isfinite(row->shift.low) && isfinite(row->shift.high))
                fprintf(out, "  [%10.4g, %10.4g]", row->shift.low, row->shift.high);
        else
                fprintf(out, "  %24s", "-");
        if (!compare_has_effect(row))
                fprintf(out, " %8s", "-");
        else
                fprintf(out, " %+8.3g", row->effect);
}

static void print_row(FILE *out, const struct compare_row *row)
{
        char name[COMPARE_NAME_MAX + 32];

        snprintf(name, sizeof name, "%s%s%s", row->name, row->unit[0] ? ", " : "",
                 row->unit);
        terminal_print(out, "  %-15s  %-44s", compare_verdict_name(row->verdict), name);
        print_number(out, row->mean_a);
        print_number(out, row->mean_b);
        print_shift(out, row);
        fprintf(out, " %8.2g", row->p.among);
        print_more(out, row);
        fputc('\n', out);
}

static void print_group(FILE *out, const struct comparison *c, int from, int to)
{
        terminal_print(out, "\n%s\n", c->row[from].group);
        fprintf(out, "  %-15s  %-44s %11s %11s %11s  %-24s %8s %8s\n", "verdict",
                "requirement or metric", "baseline", "candidate", "shift (H-L)",
                "interval", "effect", "p");
        for (int v = COMPARE_REGRESSED; v <= COMPARE_SAME; v++)
                for (int i = from; i < to; i++)
                        if ((int)c->row[i].verdict == v)
                                print_row(out, &c->row[i]);
}

void compare_print(FILE *out, const struct comparison *c)
{
        char text[1200];
        int from = 0;

        compare_explain(c, text, sizeof text);
        terminal_print(out, "%s: %s\n\n", compare_verdict_name(c->verdict), text);
        terminal_print(out, "baseline  %s: %d run%s, hilrig %s\n", c->folder_a, c->runs_a,
                       c->runs_a == 1 ? "" : "s", c->version_a);
        terminal_print(out, "candidate %s: %d run%s, hilrig %s\n", c->folder_b, c->runs_b,
                       c->runs_b == 1 ? "" : "s", c->version_b);
        fprintf(out,
                "%d run%s with a twin, %d without; %d twin%s void or broken and left "
                "out; "
                "%d independent pair%s\n",
                c->twins, c->twins == 1 ? "" : "s", c->alone, c->unusable,
                c->unusable == 1 ? "" : "s", c->columns, c->columns == 1 ? "" : "s");
        for (int i = 1; i <= c->rows; i++) {
                if (i < c->rows && strcmp(c->row[i].group, c->row[from].group) == 0)
                        continue;
                print_group(out, c, from, i);
                from = i;
        }
        fprintf(out,
                "\nshift (H-L): candidate less baseline, Hodges and Lehmann's estimate "
                "from "
                "the pairs.\nChance of any false alarm in this table: at most %.3g %%. "
                "Intervals: "
                "%.3g "
                "%%. p: for all rows together.\n",
                100.0 * c->options.alpha, 100.0 * COMPARE_CONFIDENCE);
        if (c->one_sided > 0)
                fprintf(out, "Known to one side alone, and not compared: %d.\n",
                        c->one_sided);
}

static const char *kind_name(enum compared_kind kind)
{
        static const char *const name[] = { "outcome", "robustness", "metric",
                                            "latency" };

        return name[kind];
}

static const char *better_name(enum compared_better better)
{
        static const char *const name[] = { "less", "more", "zero", "unknown" };

        return name[better];
}

static void add_values(struct json *row, const char *key, const double *value, int n)
{
        struct json *list = json_add_array(row, key);

        for (int i = 0; i < n; i++)
                json_add_number(list, NULL, value[i]);
}

static void add_row(struct json *list, const struct compare_row *row)
{
        struct json *o = json_add_object(list, NULL), *interval;

        json_add_string(o, "group", row->group);
        json_add_string(o, "name", row->name);
        json_add_string(o, "kind", kind_name(row->kind));
        json_add_string(o, "unit", row->unit);
        json_add_string(o, "better", better_name(row->better));
        json_add_string(o, "verdict", compare_verdict_name(row->verdict));
        json_add_number(o, "baseline", row->mean_a);
        json_add_number(o, "candidate", row->mean_b);
        json_add_number(o, "difference", row->shift.estimate);
        interval = json_add_array(o, "interval");
        json_add_number(interval, NULL, row->shift.low);
        json_add_number(interval, NULL, row->shift.high);
        json_add_number(o, "effect", row->effect);
        json_add_number(o, "margin", row->margin);
        json_add_number(o, "p", row->p.alone);
        json_add_number(o, "p_adjusted", row->p.among);
        json_add_i64(o, "rose", row->up);
        json_add_i64(o, "fell", row->down);
        json_add_bool(o, "identical", row->identical);
        if (row->verdict == COMPARE_TOO_LITTLE && row->more > 0)
                json_add_i64(o, "more_pairs", row->more);
        json_add_string(o, "note", row->note);
        add_values(o, "baseline_values", row->a, row->pairs);
        add_values(o, "candidate_values", row->b, row->pairs);
}

static void add_side(struct json *root, const char *key, const char *folder, int runs,
                     const char *version)
{
        struct json *o = json_add_object(root, key);

        json_add_string(o, "folder", folder);
        json_add_i64(o, "runs", runs);
        json_add_string(o, "version", version);
}

struct json *compare_document(const struct comparison *c)
{
        struct json *root = json_new_object(), *list;
        char text[1200];

        compare_explain(c, text, sizeof text);
        json_add_string(root, "verdict", compare_verdict_name(c->verdict));
        json_add_string(root, "reason", text);
        add_side(root, "baseline", c->folder_a, c->runs_a, c->version_a);
        add_side(root, "candidate", c->folder_b, c->runs_b, c->version_b);
        json_add_number(root, "alpha", c->options.alpha);
        json_add_i64(root, "twins", c->twins);
        json_add_i64(root, "without_twin", c->alone);
        json_add_i64(root, "unusable_twins", c->unusable);
        json_add_i64(root, "identical_twins", c->identical);
        json_add_i64(root, "independent_pairs", c->columns);
        json_add_i64(root, "newly_failing", c->newly_failing);
        json_add_i64(root, "newly_passing", c->newly_passing);
        json_add_i64(root, "regressed", c->count[COMPARE_REGRESSED]);
        json_add_i64(root, "improved", c->count[COMPARE_IMPROVED]);
        json_add_i64(root, "too_little_data", c->count[COMPARE_TOO_LITTLE]);
        json_add_i64(root, "same", c->count[COMPARE_SAME]);
        if (c->more > 0)
                json_add_i64(root, "more_pairs", c->more);
        list = json_add_array(root, "rows");
        for (int i = 0; i < c->rows; i++)
                add_row(list, &c->row[i]);
        return root;
}

char *compare_json(const struct comparison *c)
{
        struct json *root = compare_document(c);
        char *printed = json_print(root);

        json_free(root);
        return printed;
}
