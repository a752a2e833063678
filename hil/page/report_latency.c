/* The page's latency: a table of quantiles, and histograms over logarithmic axes, so that
 * a single late one among millions is seen. */
#include <math.h>
#include <string.h>

#include "hil/text/markup.h"
#include "hil/page/report_page.h"

/* Of a picture, in its own units. */
#define WIDTH  720
#define HEIGHT 170
#define LEFT   46
#define BOTTOM 24
#define TOP    18

static const struct {
        const char *key, *name, *what;
} kinds[REPORT_LATENCIES] = {
        [REPORT_LOOP] = { "loop", "Loop", "from a sensor frame to the motor command" },
        [REPORT_WAKE] = { "wake", "Wake", "how late the host woke for a period" },
        [REPORT_COMPUTE] = { "compute", "Compute",
                             "from waking until the frame was handed over" },
};

static void put_cell(FILE *out, const char *head, double us)
{
        fprintf(out, "<td class=\"number\" data-head=\"%s\">%.1f</td>", head, us);
}

static void put_quantiles(FILE *out, const struct report *r, const char *key,
                          const char *name)
{
        static const struct {
                const char *key, *head;
        } quantile[] = {
                { "p50", "p50" }, { "p99", "p99" }, { "p99_9", "p99.9" }, { "max", "max" }
        };
        const struct json *o = json_member(json_member(r->summary, "latency_us"), key);

        if (!(json_number(o, "count") > 0.0))
                return;
        fprintf(out,
                "<tr><th scope=\"row\">%s</th><td class=\"number\" "
                "data-head=\"count\">%.0f</td>",
                name, json_number(o, "count"));
        for (size_t i = 0; i < sizeof quantile / sizeof quantile[0]; i++)
                put_cell(out, quantile[i].head, json_number(o, quantile[i].key));
        fputs("</tr>\n", out);
}

/* The whole distribution, where the summary has it: "bins" are pairs of a lower edge in us and
 * a count. Else the log's stays. */
static void take_bins(struct report_delays *d, const struct json *o)
{
        const struct json *list = json_member(o, "bins");

        if (!json_is(list, JSON_ARRAY) || list->count == 0)
                return;
        memset(d, 0, sizeof *d);
        d->max_ns = (int64_t)fmin(1e3 * fmax(json_number(o, "max"), 0.0), 1e12);
        for (const struct json *b = list->first; b != NULL; b = b->next) {
                double us = json_number(b, "0"), count = json_number(b, "1");

                if (!(us >= 0.0) || !(count >= 1.0) || !(count < 1e15))
                        continue;
                d->bin[report_bin(1e3 * us)] += (uint64_t)count;
                d->count += (uint64_t)count;
        }
}

/* Whole decades about what there is, the table's figures too. */
static void span_of(const struct report_delays *d, const struct json *o, double *low_ns,
                    double *high_ns)
{
        int first = 0, last = REPORT_BINS - 1;

        while (first < last && d->bin[first] == 0)
                first++;
        while (last > first && d->bin[last] == 0)
                last--;
        *low_ns = pow(10.0, floor(log10(report_bin_ns(first))));
        *high_ns = fmax(report_bin_ns(last + 1),
                        1.05e3 * fmax(json_number(o, "p99_9"), 0.0));
        *high_ns = pow(10.0, ceil(log10(fmin(*high_ns, 1e12))));
}

struct axes {
        double low_ns, high_ns, top; /* top: of the counts, a power of ten */
};

static double x_of(const struct axes *a, double ns)
{
        double at = log10(ns / a->low_ns) / log10(a->high_ns / a->low_ns);

        return LEFT + (WIDTH - LEFT - 10) * fmin(fmax(at, 0.0), 1.0);
}

/* One sample stands a little above nothing, so that it shows. */
static double y_of(const struct axes *a, double count)
{
        double share = (log10(count) + 0.3) / (log10(a->top) + 0.3);

        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * fmax(share, 0.0);
}

static void put_time(FILE *out, double ns)
{
        if (ns < 1e3)
                fprintf(out, "%.4g ns", ns);
        else if (ns < 1e6)
                fprintf(out, "%.4g \xC2\xB5s", ns / 1e3);
        else if (ns < 1e9)
                fprintf(out, "%.4g ms", ns / 1e6);
        else
                fprintf(out, "%.4g s", ns / 1e9);
}

static void put_axes(FILE *out, const struct axes *a)
{
        for (double ns = a->low_ns; ns < a->high_ns * 1.01; ns *= 10.0) {
                double x = x_of(a, ns);

                fprintf(out,
                        "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" "
                        "y2=\"%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">",
                        x, x, TOP, HEIGHT - BOTTOM, x, HEIGHT - 6,
                        ns * 1.01 > a->high_ns ? "end" : "middle");
                put_time(out, ns);
                fputs("</text>\n", out);
        }
        for (double n = 1.0; n<a->top * 1.01; n *= a->top> 1e4 ? 100.0 : 10.0)
                fprintf(out,
                        "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" "
                        "y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
                        "text-anchor=\"end\">%.0f</text>\n",
                        LEFT, WIDTH - 10, y_of(a, n), y_of(a, n), LEFT - 5,
                        y_of(a, n) + 4.0, n);
}

static void put_quantile_marks(FILE *out, const struct json *o, const struct axes *a)
{
        static const char *const quantile[] = { "p50", "p99", "p99_9" };
        static const char *const word[] = { "p50", "p99", "p99.9" };
        double before = -1e9;

        for (int i = 0; i < 3; i++) {
                double us = json_number(o, quantile[i]);
                double x = us > 0.0 ? x_of(a, us * 1e3) : 0.0;

                if (!(us > 0.0))
                        continue;
                fprintf(out,
                        "<line class=\"quantile\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" "
                        "y2=\"%d\"/>",
                        x, x, TOP - 4, HEIGHT - BOTTOM);
                /* Words that would lie on each other stay out: the table has them. */
                if (x - before > 34.0)
                        fprintf(out,
                                "<text x=\"%.1f\" y=\"%d\" "
                                "text-anchor=\"middle\">%s</text>\n",
                                x, TOP - 6, word[i]);
                before = x - before > 34.0 ? x : before;
        }
}

static void put_bars(FILE *out, const struct report_delays *d, const struct axes *a)
{
        fputs("<path class=\"bars\" d=\"", out);
        for (int i = 0; i < REPORT_BINS; i++) {
                double left = x_of(a, report_bin_ns(i));
                double right = x_of(a, report_bin_ns(i + 1));

                if (d->bin[i] > 0)
                        fprintf(out, "M%.1f %dV%.1fH%.1fV%dZ", left, HEIGHT - BOTTOM,
                                y_of(a, (double)d->bin[i]), right - 0.6, HEIGHT - BOTTOM);
        }
        fputs("\"/>\n", out);
}

/* What the log holds can be less than what was counted: of several commands in one period, as
 * after a stall, it keeps the newest. */
static void put_caption(FILE *out, int kind, const struct report_delays *d,
                        const struct json *o)
{
        double counted = json_number(o, "count");

        fprintf(out, "<figcaption><b>%s</b>: %s", kinds[kind].name, kinds[kind].what);
        if (counted > (double)d->count)
                fprintf(out,
                        ". %llu of %.0f samples: the log keeps the newest of a period, "
                        "the "
                        "table and the dashed lines count all",
                        (unsigned long long)d->count, counted);
        fputs("</figcaption>", out);
}

static void put_histogram(FILE *out, const struct report *r, int kind)
{
        const struct json *o =
                json_member(json_member(r->summary, "latency_us"), kinds[kind].key);
        struct report_delays d = r->log.delay[kind];
        struct axes a = { .top = 10.0 };

        take_bins(&d, o);
        if (d.count == 0 || d.max_ns <= 0)
                return;
        span_of(&d, o, &a.low_ns, &a.high_ns);
        for (int i = 0; i < REPORT_BINS; i++)
                while ((double)d.bin[i] > a.top)
                        a.top *= 10.0;
        fputs("<figure>", out);
        put_caption(out, kind, &d, o);
        fprintf(out,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Histogram of the "
                "%s "
                "latency: %llu samples, the largest %.1f microseconds\">\n",
                WIDTH, HEIGHT, kinds[kind].key, (unsigned long long)d.count,
                (double)d.max_ns / 1e3);
        put_axes(out, &a);
        put_bars(out, &d, &a);
        put_quantile_marks(out, o, &a);
        fputs("</svg></figure>\n", out);
}

void report_put_latency(FILE *out, const struct report *r)
{
        const struct json *latency = json_member(r->summary, "latency_us");
        const char *pace = json_string(r->summary, "pace");

        if (latency != NULL) {
                fputs("<table class=\"latency\"><thead><tr><th "
                      "scope=\"col\">\xC2\xB5s</th><th scope=\"col\" "
                      "class=\"number\">count</th><th scope=\"col\" "
                      "class=\"number\">p50</th><th scope=\"col\" "
                      "class=\"number\">p99</th><th scope=\"col\" "
                      "class=\"number\">p99.9</th><th scope=\"col\" "
                      "class=\"number\">max</th></tr></thead><tbody>\n",
                      out);
                put_quantiles(out, r, "loop", "loop");
                put_quantiles(out, r, "wire", "wire");
                put_quantiles(out, r, "wake", "wake");
                put_quantiles(out, r, "compute", "compute");
                fputs("</tbody></table>\n", out);
        }
        fputs("<div class=\"histograms\">\n", out);
        for (int i = 0; i < REPORT_LATENCIES; i++)
                put_histogram(out, r, i);
        fputs("</div>\n<p class=\"note\">No period is thinned out here. Both axes "
              "are "
              "logarithmic; a bar is an eighth of an octave wide.",
              out);
        if (pace != NULL && strcmp(pace, "lockstep") == 0)
                fputs(" In lockstep these are host times: how long the rig and the "
                      "flight "
                      "controller took, not what the flight felt.",
                      out);
        fputs("</p>\n", out);
}
