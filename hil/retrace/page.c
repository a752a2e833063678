/* A retraced flight as a page: the table, and the log's curves beside the simulation's. One HTML file that needs nothing
 * else. */
#include <math.h>
#include <stdlib.h>

#include "hil/retrace/retrace.h"
#include "hil/text/markup.h"

#define WIDTH  900
#define LEFT   60
#define RIGHT  890
#define HEIGHT 150
#define POINTS 1600

static const char style[] =
        "<style>body{font:15px/1.4 sans-serif;max-width:920px;margin:1em auto;padding:0 "
        "1em;color:#222;background:#fff}pre{white-space:pre-wrap}svg{display:block;width:"
        "100%"
        "}text{font:12px sans-serif;fill:#222}.g{stroke:#ccc}.l{fill:none;stroke:#1565c0;"
        "stroke-width:1.4}.s{fill:none;stroke:#c62828;stroke-width:1.2}.b{color:#1565c0}"
        ".r{color:#c62828}@media(prefers-color-scheme:dark){body{background:#121212;"
        "color:#ddd}text{fill:#ddd}.g{stroke:#444}.l{stroke:#64b5f6}.s{stroke:#ef9a9a}"
        ".b{color:#64b5f6}.r{color:#ef9a9a}}</style>\n";

struct panel {
        FILE *out;
        size_t count;
        double step_s, low, high;
};

/* What both need, but no more than twice what the log does: a simulation that tumbles would flatten it. */
static void find_range(struct panel *p, const double *log, const double *sim)
{
        double low = INFINITY, high = -INFINITY, least, most, span;

        for (size_t i = 0; i < p->count; i++)
                if (isfinite(log[i])) {
                        low = fmin(low, log[i]);
                        high = fmax(high, log[i]);
                }
        least = low;
        most = high;
        span = fmax(high - low, 1e-3);
        for (size_t i = 0; i < p->count; i++)
                if (isfinite(sim[i])) {
                        least = fmin(least, sim[i]);
                        most = fmax(most, sim[i]);
                }
        p->low = fmax(least, low - span) - 0.05 * span;
        p->high = fmin(most, high + span) + 0.05 * span;
}

/* A pen that is lifted where nothing is known. */
static void draw_curve(const struct panel *p, const double *v, const char *class)
{
        size_t stride = 1 + p->count / POINTS;
        bool down = false;

        fprintf(p->out, "<path class=\"%s\" d=\"", class);
        for (size_t i = 0; i < p->count; i += stride) {
                double part = (v[i] - p->low) / (p->high - p->low);

                if (!isfinite(part)) {
                        down = false;
                        continue;
                }
                fprintf(p->out, "%c%.1f %.1f", down ? 'L' : 'M',
                        LEFT + (RIGHT - LEFT) * (double)i / (double)p->count,
                        10.0 + HEIGHT * (1.0 - fmin(fmax(part, 0.0), 1.0)));
                down = true;
        }
        fputs("\"/>\n", p->out);
}

static void draw_grid(const struct panel *p)
{
        double seconds = (double)p->count * p->step_s;
        double step_s = pow(10.0, floor(log10(seconds)));

        if (seconds / step_s < 4.0)
                step_s /= 4.0;
        for (int i = 0; i <= 4; i++) {
                double y = 10.0 + HEIGHT * i / 4.0;

                fprintf(p->out,
                        "<line class=\"g\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n",
                        LEFT, y, RIGHT, y, LEFT - 6, y + 4,
                        p->high - (p->high - p->low) * i / 4.0);
        }
        for (double t = 0.0; t <= seconds; t += step_s)
                fprintf(p->out,
                        "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                        LEFT + (RIGHT - LEFT) * t / seconds, HEIGHT + 26, t);
}

static void draw_panel(FILE *out, const struct retrace_series *s, int quantity,
                       const char *what)
{
        struct panel p = { .out = out, .count = s->count, .step_s = s->step_s };

        find_range(&p, s->log[quantity], s->sim[quantity]);
        if (!isfinite(p.low) || !isfinite(p.high))
                return;
        fprintf(out, "<h3>%s, %s%s</h3>\n<svg viewBox=\"0 0 %d %d\">\n",
                retrace_names[quantity].name, retrace_names[quantity].unit, what, WIDTH,
                HEIGHT + 32);
        draw_grid(&p);
        draw_curve(&p, s->log[quantity], "l");
        draw_curve(&p, s->sim[quantity], "s");
        fputs("</svg>\n", out);
}

void retrace_page(FILE *out, const char *title, const struct track *t,
                  const struct retrace_result *r,
                  const struct retrace_series series[RETRACE_RUNS])
{
        char *text = NULL;
        size_t len = 0;
        FILE *memory = open_memstream(&text, &len);

        fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
              "name=\"viewport\" content=\"width=device-width\">\n<title>",
              out);
        markup_text(out, title);
        fprintf(out, "</title>\n%s</head><body>\n<h1>", style);
        markup_text(out, title);
        fputs("</h1>\n<p><span class=\"b\">blue: the log</span>, <span class=\"r\">red: "
              "the rig's vehicle with the log's motor commands</span></p>\n<pre>",
              out);
        if (memory != NULL) {
                retrace_print(memory, t, r);
                if (fclose(memory) == 0)
                        markup_text(out, text);
                free(text);
        }
        fputs("</pre>\n", out);
        for (int i = 0; i < RETRACE_QUANTITIES; i++)
                draw_panel(out, &series[RETRACE_ANEW], i, "");
        for (int i = RETRACE_NORTH; i <= RETRACE_DOWN; i++)
                draw_panel(out, &series[RETRACE_FREE], i, ", simulated in one go");
        fputs("</body></html>\n", out);
}
