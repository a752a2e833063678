/* A comparison as a page: of every rig and scenario a table with both sides' numbers, their pairs as drawings,
 * and the flights over each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/page/compare_lines.h"
#include "hil/page/page.h"
#include "hil/suite/compare.h"

static const char *tone_of(enum compare_verdict v)
{
        return v == COMPARE_REGRESSED    ? "failed"
               : v == COMPARE_TOO_LITTLE ? "void"
                                         : "passed";
}

static const char *plural(int n)
{
        return n == 1 ? "" : "s";
}

/* What is no number, as the effect in a single pair, is a dash. */
static void add_number(struct json *row, const char *format, double value)
{
        char text[40];

        snprintf(text, sizeof text, format, value);
        page_cell(row, "%s", isnan(value) ? "\xE2\x80\x93" : text);
}

static void add_shift(struct json *row, const struct compare_row *r)
{
        const struct interval *s = &r->shift;

        if (r->kind == COMPARED_OUTCOME) {
                page_cell(row, "%s", "");
                page_cell(row, "%s", "");
                return;
        }
        if (isnan(s->estimate))
                add_number(row, "%g", NAN);
        else if (isfinite(s->low) && isfinite(s->high))
                page_cell(row, "%+.4g\n%.4g to %.4g", s->estimate, s->low, s->high);
        else
                page_cell(row, "%+.4g\n\xE2\x80\x93", s->estimate);
        add_number(row, "%+.3g", compare_has_effect(r) ? r->effect : (double)NAN);
}

static void add_values(struct json *drawing, const char *key, const double *value, int n)
{
        struct json *list = json_add_array(drawing, key);

        for (int i = 0; i < n; i++)
                json_add_number(list, NULL, value[i]);
}

static void add_drawing(struct json *row, const struct compare_row *r)
{
        struct json *drawing = json_add_object(row, "drawing");

        add_values(drawing, "a", r->a, r->pairs);
        add_values(drawing, "b", r->b, r->pairs);
        add_values(drawing, "mean", (double[]){ r->mean_a, r->mean_b }, 2);
        json_add_number(drawing, "margin", r->margin);
        add_values(drawing, "shift",
                   (double[]){ r->shift.low, r->shift.estimate, r->shift.high }, 3);
}

static void add_note(struct json *row, const struct compare_row *r)
{
        char more[80] = "", note[300];

        if (r->verdict == COMPARE_TOO_LITTLE && r->more > 0)
                snprintf(more, sizeof more, "%d more pair%s would settle it. ", r->more,
                         plural(r->more));
        else if (r->verdict == COMPARE_TOO_LITTLE)
                snprintf(more, sizeof more, "No number of pairs would settle it. ");
        snprintf(note, sizeof note, "%s%s", more, r->note);
        json_add_string(row, "note", note);
}

static void add_row(struct json *rows, const struct compare_row *r)
{
        struct json *row = page_row(rows, tone_of(r->verdict));

        page_cell(row, "%s", compare_verdict_name(r->verdict));
        page_cell(row, "%s%s%s", r->name, r->unit[0] != '\0' ? " " : "", r->unit);
        add_number(row, "%.5g", r->mean_a);
        add_number(row, "%.5g", r->mean_b);
        add_shift(row, r);
        add_number(row, "%.2g", r->p.among);
        add_note(row, r);
        if (r->kind != COMPARED_OUTCOME)
                add_drawing(row, r);
}

static void add_group(struct json *page, const struct comparison *c, int from, int to)
{
        struct json *rows =
                page_table(page_section(page, NULL, c->row[from].group), "pairs",
                           "Verdict", "*Requirement or metric", "#Baseline", "#Candidate",
                           "#Shift (Hodges-Lehmann)", "#Effect", "#p", NULL);

        for (int v = COMPARE_REGRESSED; v <= COMPARE_SAME; v++)
                for (int i = from; i < to; i++)
                        if ((int)c->row[i].verdict == v)
                                add_row(rows, &c->row[i]);
}

static void add_sides(struct json *page, const struct comparison *c)
{
        struct json *parts = page_section(page, "sides", "What was compared");

        page_say(
                parts, "words",
                "Baseline %s, %d run%s, hilrig %s. Candidate %s, %d run%s, hilrig %s. %d "
                "run%s with a twin, %d without; %d twin%s void or broken and left out; "
                "%d independent pair%s.",
                c->folder_a, c->runs_a, plural(c->runs_a), c->version_a, c->folder_b,
                c->runs_b, plural(c->runs_b), c->version_b, c->twins, plural(c->twins),
                c->alone, c->unusable, plural(c->unusable), c->columns,
                plural(c->columns));
        page_say(parts, "note",
                 "Shift: candidate less baseline, Hodges and Lehmann's estimate from the "
                 "pairs. Chance of any false alarm on this page: at most %.3g %%. "
                 "Intervals: %.3g %%. p: for all rows together. In the drawings, values "
                 "left and paired differences right; baseline is orange and above, "
                 "candidate blue and below; the band is what counts as the same.",
                 100.0 * c->options.alpha, 100.0 * COMPARE_CONFIDENCE);
}

static struct json *document(const struct comparison *c, bool plots)
{
        struct json *page = page_new("comparison");
        char explained[1200];
        int from = 0;

        compare_explain(c, explained, sizeof explained);
        json_add_string(page, "title", "Baseline against candidate");
        json_add_string(page, "name", "Baseline against candidate");
        json_add_string(page, "tone", tone_of(c->verdict));
        json_add_string(page, "verdict", compare_verdict_name(c->verdict));
        json_add_string(page, "reason", explained);
        add_sides(page, c);
        for (int i = 1; i <= c->rows; i++) {
                if (i < c->rows && strcmp(c->row[i].group, c->row[from].group) == 0)
                        continue;
                add_group(page, c, from, i);
                from = i;
        }
        if (plots)
                page_plots(page, "flights", "Flights over each other");
        return page;
}

char *compare_html(const struct comparison *c, const struct compared_side side[2])
{
        /* Without a twin there is nothing to lay over each other. */
        bool plots = side != NULL && c->twins > c->unusable, ok;
        struct json *page = document(c, plots);
        char *text = NULL;
        size_t len;
        FILE *f = open_memstream(&text, &len);

        ok = f != NULL && page_open(f, page);
        ok = ok && (!plots || compare_plots_put(f, c, side));
        if (ok)
                page_close(f, page);
        json_free(page);
        if (f != NULL && fclose(f) == 0 && ok)
                return text;
        free(text);
        return NULL;
}
