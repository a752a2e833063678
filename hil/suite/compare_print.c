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
        if (row->kind == COMPARED_OUTCOME)
                fprintf(out, " %10s", "");
        else
                fprintf(out, " %10.3g", row->margin);
        if (row->kind == COMPARED_HOST)
                fprintf(out, " %8s", "-");
        else
                fprintf(out, " %8.2g", row->p.among);
        print_more(out, row);
        fputc('\n', out);
}

static void print_group(FILE *out, const struct comparison *c, int from, int to)
{
        terminal_print(out, "\n%s\n", c->row[from].group);
        fprintf(out, "  %-15s  %-44s %11s %11s %11s  %-24s %8s %10s %8s\n", "verdict",
                "requirement or metric", "baseline", "candidate", "shift (H-L)",
                "interval", "effect", "margin", "p");
        for (int v = COMPARE_REGRESSED; v < COMPARE_VERDICTS; v++)
                for (int i = from; i < to; i++)
                        if ((int)c->row[i].verdict == v)
                                print_row(out, &c->row[i]);
}

static void print_side(FILE *out, const char *which, const char *folder, int runs,
                       const char *firmware, const char *version)
{
        terminal_print(out, "%-9s %s: %d run%s of %s, hilrig %s\n", which, folder, runs,
                       runs == 1 ? "" : "s",
                       firmware[0] != '\0' ? firmware : "unknown firmware", version);
}

static void print_settings(FILE *out, const struct compare_settings *list,
                           const char *whose)
{
        if (list->differ == 0)
                return;
        fprintf(out, "%d setting%s of the %s that differ%s:\n", list->differ,
                list->differ == 1 ? "" : "s", whose, list->differ == 1 ? "s" : "");
        for (int i = 0; i < list->differ && i < COMPARE_SETTINGS_MAX; i++)
                terminal_print(out, "  %s: %s, %s\n", list->of[i].key, list->of[i].a,
                               list->of[i].b);
}

static void print_sides(FILE *out, const struct comparison *c)
{
        print_side(out, "baseline", c->folder_a, c->runs_a, c->firmware_a, c->version_a);
        print_side(out, "candidate", c->folder_b, c->runs_b, c->firmware_b, c->version_b);
        print_settings(out, &c->firmware, "firmware");
        print_settings(out, &c->rig, "rig");
        fprintf(out,
                "%d run%s with a twin, %d without; %d twin%s void or broken and left "
                "out; %d independent pair%s\n",
                c->twins, c->twins == 1 ? "" : "s", c->alone, c->unusable,
                c->unusable == 1 ? "" : "s", c->columns, c->columns == 1 ? "" : "s");
}

static void print_worst(FILE *out, const struct comparison *c)
{
        const struct compare_row *row;
        int pair;

        if (c->identical == c->twins - c->unusable || !compare_worst(c, &row, &pair))
                return;
        terminal_print(out, "\nWorst pair: seed %llu%s, by %s of %s: %.4g to %.4g%s%s.\n",
                       (unsigned long long)c->column[pair].seed,
                       c->column[pair].repeat > 0 ? " repeated" : "", row->name,
                       row->group, row->a[pair], row->b[pair],
                       row->unit[0] != '\0' ? " " : "", row->unit);
}

void compare_print(FILE *out, const struct comparison *c)
{
        const struct compare_options *o = &c->options;
        char text[2000];
        int from = 0;

        compare_explain(c, text, sizeof text);
        terminal_print(out, "%s: %s\n\n", compare_verdict_name(c->verdict), text);
        print_sides(out, c);
        for (int i = 1; i <= c->rows; i++) {
                if (i < c->rows && strcmp(c->row[i].group, c->row[from].group) == 0)
                        continue;
                print_group(out, c, from, i);
                from = i;
        }
        print_worst(out, c);
        fprintf(out,
                "\nshift (H-L): candidate less baseline, Hodges and Lehmann's estimate "
                "from the pairs; within\nthe margin it is none. Chance of any false "
                "alarm "
                "in this table: at most %.3g %%; of a row\nthat moved by its margin to "
                "be "
                "called the same or no worse: %.3g %%. Intervals: %.3g %%. p: for\nall "
                "rows together.\n",
                100.0 * o->part * o->rules.alpha, 100.0 * o->part * o->rules.doubt,
                100.0 * (1.0 - 2.0 * o->part * o->rules.doubt));
        if (c->one_sided > 0)
                fprintf(out, "Known to one side alone, and not compared: %d.\n",
                        c->one_sided);
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
        json_add_string(o, "kind", compared_kind_name(row->kind));
        json_add_string(o, "unit", row->unit);
        json_add_string(o, "better", compared_better_name(row->better));
        json_add_string(o, "verdict", compare_verdict_name(row->verdict));
        json_add_number(o, "baseline", row->mean_a);
        json_add_number(o, "candidate", row->mean_b);
        json_add_number(o, "difference", row->shift.estimate);
        interval = json_add_array(o, "interval");
        json_add_number(interval, NULL, row->shift.low);
        json_add_number(interval, NULL, row->shift.high);
        json_add_number(o, "effect", row->effect);
        json_add_number(o, "margin", row->margin);
        json_add_number(o, "practical_margin", row->practical);
        json_add_number(o, "noise", row->noise);
        json_add_bool(o, "leans_to_worse", row->leans);
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
                     const char *firmware, const char *version)
{
        struct json *o = json_add_object(root, key);

        json_add_string(o, "folder", folder);
        json_add_i64(o, "runs", runs);
        json_add_string(o, "firmware", firmware);
        json_add_string(o, "version", version);
}

static void add_settings(struct json *root, const char *key,
                         const struct compare_settings *settings)
{
        struct json *list = json_add_array(root, key);

        for (int i = 0; i < settings->differ && i < COMPARE_SETTINGS_MAX; i++) {
                struct json *o = json_add_object(list, NULL);

                json_add_string(o, "key", settings->of[i].key);
                json_add_string(o, "baseline", settings->of[i].a);
                json_add_string(o, "candidate", settings->of[i].b);
        }
}

static void add_pairs(struct json *root, const struct comparison *c)
{
        struct json *list = json_add_array(root, "pairs"), *o;
        const struct compare_row *row;
        int pair;

        for (int i = 0; i < c->columns; i++) {
                o = json_add_object(list, NULL);
                json_add_u64(o, "seed", c->column[i].seed);
                json_add_i64(o, "repeat", c->column[i].repeat);
        }
        if (!compare_worst(c, &row, &pair))
                return;
        o = json_add_object(root, "worst");
        json_add_i64(o, "pair", pair);
        json_add_string(o, "row", row->name);
        json_add_string(o, "group", row->group);
}

struct json *compare_document(const struct comparison *c)
{
        const struct compare_options *o = &c->options;
        struct json *root = json_new_object(), *list;
        char text[2000];

        compare_explain(c, text, sizeof text);
        json_add_string(root, "verdict", compare_verdict_name(c->verdict));
        json_add_string(root, "reason", text);
        add_side(root, "baseline", c->folder_a, c->runs_a, c->firmware_a, c->version_a);
        add_side(root, "candidate", c->folder_b, c->runs_b, c->firmware_b, c->version_b);
        json_add_i64(root, "settings_that_differ", c->rig.differ);
        add_settings(root, "settings", &c->rig);
        json_add_i64(root, "firmware_settings_read", c->firmware_read);
        json_add_i64(root, "firmware_settings_that_differ", c->firmware.differ);
        add_settings(root, "firmware_settings", &c->firmware);
        json_add_number(root, "alpha", o->part * o->rules.alpha);
        json_add_number(root, "doubt", o->part * o->rules.doubt);
        json_add_i64(root, "fewest_pairs", compare_fewest(o));
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
        json_add_i64(root, "no_worse", c->count[COMPARE_NO_WORSE]);
        json_add_i64(root, "same", c->count[COMPARE_SAME]);
        json_add_i64(root, "not_judged", c->count[COMPARE_NOT_JUDGED]);
        if (c->more > 0)
                json_add_i64(root, "more_pairs", c->more);
        add_pairs(root, c);
        list = json_add_array(root, "rows");
        for (int i = 0; i < c->rows; i++)
                add_row(list, &c->row[i]);
        return root;
}

char *compare_json(const struct comparison *c)
{
        return json_print_free(compare_document(c));
}
