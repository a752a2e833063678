/* A comparison as a page: a table with, for every row, both sides' values over each other and the
 * paired differences beside what would be the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/suite/compare.h"
#include "hil/page/compare_plots.h"
#include "hil/text/markup.h"
#include "hil/page/verdict_page.h"

/* Of a drawing, in its own units. */
#define WIDTH 240.0
#define EDGE  6.0

struct scale {
        double low, high;
};

static double place(const struct scale *s, double value)
{
        double span = s->high - s->low;
        double at = span > 0.0 ? (value - s->low) / span : 0.5;

        return EDGE + (WIDTH - 2.0 * EDGE) * fmax(0.0, fmin(1.0, at));
}

static void widen(struct scale *s, double value)
{
        if (!isfinite(value))
                return;
        s->low = fmin(s->low, value);
        s->high = fmax(s->high, value);
}

/* One side's values on the common scale, slightly above each other, with a line at their mean. */
static void draw_side(FILE *f, const struct scale *s, const double *value, int n,
                      double mean, double y, const char *ink)
{
        fprintf(f, "<g fill=\"var(--%s)\" fill-opacity=\".55\">", ink);
        for (int i = 0; i < n; i++)
                if (isfinite(value[i]))
                        fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\"/>",
                                place(s, value[i]), y + 1.5 * (i % 3 - 1));
        fputs("</g>", f);
        if (isfinite(mean))
                fprintf(f,
                        "<path d=\"M%.1f %.1fv12\" stroke=\"var(--%s)\" "
                        "stroke-width=\"1.6\"/>",
                        place(s, mean), y - 6.0, ink);
}

static void draw_values(FILE *f, const struct compare_row *row)
{
        struct scale s = { INFINITY, -INFINITY };

        for (int i = 0; i < row->pairs; i++) {
                if (!isfinite(row->a[i]) || !isfinite(row->b[i]))
                        continue;
                widen(&s, row->a[i]);
                widen(&s, row->b[i]);
        }
        fprintf(f,
                "<svg viewBox=\"0 0 %.0f 56\" role=\"img\" aria-label=\"baseline above, "
                "candidate below\">",
                WIDTH);
        draw_side(f, &s, row->a, row->pairs, row->mean_a, 12.0, "a");
        draw_side(f, &s, row->b, row->pairs, row->mean_b, 30.0, "b");
        if (isfinite(s.low))
                fprintf(f,
                        "<text x=\"%.0f\" y=\"52\">%.4g</text><text x=\"%.0f\" y=\"52\" "
                        "text-anchor=\"end\">%.4g</text>",
                        EDGE, s.low, WIDTH - EDGE, s.high);
        fputs("</svg>", f);
}

/* Differences, zero, the band in which they are the same, and the interval. */
static void draw_differences(FILE *f, const struct compare_row *row)
{
        struct scale s = { -row->margin, row->margin };

        for (int i = 0; i < row->pairs; i++)
                widen(&s, row->b[i] - row->a[i]);
        fprintf(f,
                "<svg viewBox=\"0 0 %.0f 56\" role=\"img\" aria-label=\"candidate less "
                "baseline, each pair\">"
                "<rect x=\"%.1f\" y=\"4\" width=\"%.1f\" height=\"34\" "
                "fill=\"var(--band)\"/>"
                "<path d=\"M%.1f 4v34\" stroke=\"var(--soft)\" stroke-dasharray=\"2 2\"/>"
                "<g fill=\"var(--b)\" fill-opacity=\".6\">",
                WIDTH, place(&s, -row->margin),
                place(&s, row->margin) - place(&s, -row->margin), place(&s, 0.0));
        for (int i = 0; i < row->pairs; i++)
                if (isfinite(row->b[i] - row->a[i]))
                        fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\"/>",
                                place(&s, row->b[i] - row->a[i]), 14.0 + 2.0 * (i % 4));
        fputs("</g>", f);
        if (isfinite(row->shift.low) && isfinite(row->shift.high))
                fprintf(f,
                        "<path d=\"M%.1f 32H%.1f\" stroke=\"var(--ink)\" "
                        "stroke-width=\"2\"/>"
                        "<circle cx=\"%.1f\" cy=\"32\" r=\"3\" fill=\"var(--ink)\"/>",
                        place(&s, row->shift.low), place(&s, row->shift.high),
                        place(&s, row->shift.estimate));
        fprintf(f,
                "<text x=\"%.0f\" y=\"52\">%+.4g</text><text x=\"%.0f\" y=\"52\" "
                "text-anchor=\"end\">%+.4g</text></svg>",
                EDGE, s.low, WIDTH - EDGE, s.high);
}

static const char *tone(enum compare_verdict v)
{
        return v == COMPARE_REGRESSED ? "bad" : v == COMPARE_TOO_LITTLE ? "open" : "good";
}

static void put_more(FILE *f, const struct compare_row *row)
{
        if (row->verdict != COMPARE_TOO_LITTLE)
                return;
        if (row->more > 0)
                fprintf(f, "%d more pair%s would settle it. ", row->more,
                        row->more == 1 ? "" : "s");
        else
                fputs("No number of pairs would settle it. ", f);
}

/* A cell with its column's head, which a narrow screen shows beside it. What is no number, as the
 * effect in a single pair, is a dash. */
static void put_number(FILE *f, const char *head, const char *text, double value)
{
        fprintf(f, "<td class=\"n\" data-head=\"%s\"><span>%s</span></td>", head,
                isnan(value) ? "&ndash;" : text);
}

static void put_mean(FILE *f, const char *head, double value)
{
        char text[32];

        snprintf(text, sizeof text, "%.5g", value);
        put_number(f, head, text, value);
}

static void put_shift(FILE *f, const struct compare_row *row)
{
        char text[120];

        if (row->kind == COMPARED_OUTCOME) {
                fputs("<td></td><td></td>", f);
                return;
        }
        if (isfinite(row->shift.low) && isfinite(row->shift.high))
                snprintf(text, sizeof text,
                         "%+.4g<br><span class=\"soft\">%.4g to %.4g</span>",
                         row->shift.estimate, row->shift.low, row->shift.high);
        else
                snprintf(text, sizeof text,
                         "%+.4g<br><span class=\"soft\">&ndash;</span>",
                         row->shift.estimate);
        put_number(f, "shift (Hodges-Lehmann)", text, row->shift.estimate);
        snprintf(text, sizeof text, "%+.3g", row->effect);
        put_number(f, "effect", text, compare_has_effect(row) ? row->effect : NAN);
}

static void put_name(FILE *f, const struct compare_row *row)
{
        fputs("<td class=\"name\">", f);
        markup_text(f, row->name);
        if (row->unit[0] != '\0') {
                fputs(" <span class=\"soft\">", f);
                markup_text(f, row->unit);
                fputs("</span>", f);
        }
        fputs("</td>", f);
}

/* Drawings and note have a row of their own below the numbers, and wrap there. */
static void put_below(FILE *f, const struct compare_row *row)
{
        bool draws = row->kind != COMPARED_OUTCOME;

        fputs("<tr class=\"below\"><td colspan=\"7\"><div class=\"side\">", f);
        if (draws) {
                draw_values(f, row);
                draw_differences(f, row);
        }
        fputs("<div class=\"note\">", f);
        put_more(f, row);
        markup_text(f, row->note);
        fputs("</div></div></td></tr>\n", f);
}

static void put_row(FILE *f, const struct compare_row *row)
{
        char text[32];

        fprintf(f, "<tr class=\"numbers\"><td class=\"%s\">%s</td>", tone(row->verdict),
                compare_verdict_name(row->verdict));
        put_name(f, row);
        put_mean(f, "baseline", row->mean_a);
        put_mean(f, "candidate", row->mean_b);
        put_shift(f, row);
        snprintf(text, sizeof text, "%.2g", row->p.among);
        put_number(f, "p", text, row->p.among);
        fputs("</tr>\n", f);
        put_below(f, row);
}

static void put_group(FILE *f, const struct comparison *c, int from, int to)
{
        fputs("<h2>", f);
        markup_text(f, c->row[from].group);
        fputs("</h2>\n<div class=\"scroll\"><table class=\"pairs\">\n<tr "
              "class=\"heads\"><th>verdict<th>requirement or metric"
              "<th class=\"n\">baseline<th class=\"n\">candidate"
              "<th class=\"n\">shift (Hodges-Lehmann)<th class=\"n\">effect"
              "<th class=\"n\">p</tr>\n",
              f);
        for (int v = COMPARE_REGRESSED; v <= COMPARE_SAME; v++)
                for (int i = from; i < to; i++)
                        if ((int)c->row[i].verdict == v)
                                put_row(f, &c->row[i]);
        fputs("</table></div>\n", f);
}

static void put_sides(FILE *f, const struct comparison *c)
{
        fputs("<p class=\"soft\">Baseline ", f);
        markup_text(f, c->folder_a);
        fprintf(f, ", %d run%s, hilrig ", c->runs_a, c->runs_a == 1 ? "" : "s");
        markup_text(f, c->version_a);
        fputs(". Candidate ", f);
        markup_text(f, c->folder_b);
        fprintf(f, ", %d run%s, hilrig ", c->runs_b, c->runs_b == 1 ? "" : "s");
        markup_text(f, c->version_b);
        fprintf(f,
                ". %d run%s with a twin, %d without; %d twin%s void or broken and left "
                "out; %d independent pair%s. Shift: candidate less baseline, Hodges and "
                "Lehmann's estimate from the pairs. Chance of any false alarm on this "
                "page: at most "
                "%.3g %%. Intervals: %.3g %%. p: for all rows together. In the drawings, "
                "values "
                "left and paired differences right; baseline is orange and above, "
                "candidate blue and below; the band is what "
                "counts as the same.</p>\n",
                c->twins, c->twins == 1 ? "" : "s", c->alone, c->unusable,
                c->unusable == 1 ? "" : "s", c->columns, c->columns == 1 ? "" : "s",
                100.0 * c->options.alpha, 100.0 * COMPARE_CONFIDENCE);
}

char *compare_html(const struct comparison *c, const struct compared_side side[2])
{
        char explained[1200], *text = NULL;
        size_t len;
        FILE *f = open_memstream(&text, &len);
        /* Without a twin there is nothing to lay over each other. */
        bool plots = side != NULL && c->twins > c->unusable, ok = true;
        int from = 0;

        if (f == NULL)
                return NULL;
        compare_explain(c, explained, sizeof explained);
        verdict_page_head(f, "Baseline against candidate", tone(c->verdict),
                          compare_verdict_name(c->verdict), explained, plots);
        put_sides(f, c);
        if (plots)
                fputs("<p><a href=\"#flights\">Flights over each other</a></p>\n", f);
        for (int i = 1; i <= c->rows; i++) {
                if (i < c->rows && strcmp(c->row[i].group, c->row[from].group) == 0)
                        continue;
                put_group(f, c, from, i);
                from = i;
        }
        if (plots)
                ok = compare_plots_put(f, c, side);
        verdict_page_tail(f);
        if (fclose(f) != 0 || !ok) {
                free(text);
                return NULL;
        }
        return text;
}
