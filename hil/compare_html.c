/* A comparison as a page: a table with, for every row, both sides' values over each other and the
 * paired differences beside what would be the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/compare.h"
#include "hil/suite_markup.h"

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
                fprintf(f, "%d more pairs would settle it. ", row->more);
        else
                fputs("No number of pairs would settle it. ", f);
}

static void put_row(FILE *f, const struct compare_row *row)
{
        fprintf(f, "<tr><td class=\"%s\">%s</td><td class=\"name\">", tone(row->verdict),
                compare_verdict_name(row->verdict));
        markup_text(f, row->name);
        if (row->unit[0] != '\0') {
                fputs(" <span class=\"soft\">", f);
                markup_text(f, row->unit);
                fputs("</span>", f);
        }
        fprintf(f, "</td><td class=\"n\">%.5g</td><td class=\"n\">%.5g</td>", row->mean_a,
                row->mean_b);
        if (row->kind == COMPARED_OUTCOME)
                fputs("<td></td><td></td>", f);
        else
                fprintf(f,
                        "<td class=\"n\">%+.4g<br><span class=\"soft\">%.4g to "
                        "%.4g</span></td>"
                        "<td class=\"n\">%+.3g</td>",
                        row->shift.estimate, row->shift.low, row->shift.high,
                        row->effect);
        fprintf(f, "<td class=\"n\">%.2g</td>", row->p.among);
        if (row->kind == COMPARED_OUTCOME) {
                fputs("<td colspan=\"3\">", f);
        } else {
                fputs("<td>", f);
                draw_values(f, row);
                fputs("</td><td>", f);
                draw_differences(f, row);
                fputs("</td><td class=\"note\">", f);
        }
        put_more(f, row);
        markup_text(f, row->note);
        fputs("</td></tr>\n", f);
}

static void put_group(FILE *f, const struct comparison *c, int from, int to)
{
        fputs("<h2>", f);
        markup_text(f, c->row[from].group);
        fputs("</h2>\n<div class=\"scroll\"><table>\n<tr><th>verdict<th>requirement or "
              "metric"
              "<th class=\"n\">baseline<th class=\"n\">candidate<th "
              "class=\"n\">difference"
              "<th class=\"n\">effect<th class=\"n\">p<th>values<th>paired "
              "differences<th></tr>\n",
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
        fprintf(f, ", %d runs, hilrig ", c->runs_a);
        markup_text(f, c->version_a);
        fputs(". Candidate ", f);
        markup_text(f, c->folder_b);
        fprintf(f, ", %d runs, hilrig ", c->runs_b);
        markup_text(f, c->version_b);
        fprintf(f,
                ". %d runs with a twin, %d without; %d twins void or broken and left "
                "out; "
                "%d independent pairs. Chance of any false alarm on this page: at most "
                "%.3g %%. Intervals: %.3g %%. p: for all rows together. In the drawings, "
                "baseline is grey and above, candidate blue and below; the band is what "
                "counts as the same.</p>\n",
                c->twins, c->alone, c->unusable, c->columns, 100.0 * c->options.alpha,
                100.0 * COMPARE_CONFIDENCE);
}

char *compare_html(const struct comparison *c)
{
        char explained[1200], *text = NULL;
        size_t len;
        FILE *f = open_memstream(&text, &len);
        int from = 0;

        if (f == NULL)
                return NULL;
        compare_explain(c, explained, sizeof explained);
        markup_head(f, "Baseline against candidate", tone(c->verdict),
                    compare_verdict_name(c->verdict), explained);
        put_sides(f, c);
        for (int i = 1; i <= c->rows; i++) {
                if (i < c->rows && strcmp(c->row[i].group, c->row[from].group) == 0)
                        continue;
                put_group(f, c, from, i);
                from = i;
        }
        markup_tail(f);
        if (fclose(f) != 0) {
                free(text);
                return NULL;
        }
        return text;
}
