/* A report's latency: a table of quantiles, and histograms. */
#include <math.h>
#include <string.h>

#include "hil/page/page.h"
#include "hil/page/report.h"

static const struct {
        const char *key, *name, *what;
} kinds[REPORT_LATENCIES] = {
        [REPORT_LOOP] = { "loop", "Loop", "from a sensor frame to the motor command" },
        [REPORT_WAKE] = { "wake", "Wake", "how late the host woke for a period" },
        [REPORT_COMPUTE] = { "compute", "Compute",
                             "from waking until the frame was handed over" },
};

static const char *const quantiles[][2] = {
        { "p50", "p50" }, { "p99", "p99" }, { "p99_9", "p99.9" }, { "max", "max" }
};

static void add_quantiles(struct json *rows, const struct json *latency, const char *key)
{
        const struct json *o = json_member(latency, key);
        struct json *row;

        if (!(json_number(o, "count") > 0.0))
                return;
        row = page_row(rows, NULL);
        page_cell(row, "%s", key);
        page_cell(row, "%.0f", json_number(o, "count"));
        for (int i = 0; i < 4; i++)
                page_cell(row, "%.1f", json_number(o, quantiles[i][0]));
}

/* The whole distribution, where the summary has it: "bins" are pairs of a lower edge in us and
 * a count. Else the log's stays. */
static void count_bins(struct report_delays *d, const struct json *o)
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

static void add_bins(struct json *part, const struct report_delays *d)
{
        struct json *bins = json_add_array(part, "bins");

        for (int i = 0; i < REPORT_BINS; i++) {
                struct json *bin = d->bin[i] > 0 ? json_add_array(bins, NULL) : NULL;

                json_add_number(bin, NULL, report_bin_ns(i));
                json_add_number(bin, NULL, report_bin_ns(i + 1));
                json_add_u64(bin, NULL, d->bin[i]);
        }
}

static void add_histogram(struct json *parts, const struct report *r, int kind)
{
        const struct json *o =
                json_member(json_member(r->summary, "latency_us"), kinds[kind].key);
        struct report_delays d = r->log.delay[kind];
        struct json *part, *list;

        count_bins(&d, o);
        if (d.count == 0 || d.max_ns <= 0)
                return;
        part = json_add_object(parts, NULL);
        json_add_string(part, "kind", "histogram");
        json_add_string(part, "name", kinds[kind].name);
        json_add_string(part, "text", kinds[kind].what);
        json_add_u64(part, "count", d.count);
        json_add_number(part, "counted", json_number(o, "count"));
        json_add_number(part, "max_us", (double)d.max_ns / 1e3);
        add_bins(part, &d);
        list = json_add_array(part, "quantiles");
        for (int i = 0; i < 3; i++) {
                struct json *q = json_add_array(list, NULL);

                json_add_string(q, NULL, quantiles[i][1]);
                json_add_number(q, NULL, json_number(o, quantiles[i][0]));
        }
}

void report_add_latency(struct json *page, const struct report *r)
{
        const struct json *latency = json_member(r->summary, "latency_us");
        const char *pace = json_string(r->summary, "pace");
        struct json *parts = page_section(page, "latency", "Latency"), *rows;

        if (latency != NULL) {
                rows = page_table(parts, "latency", "*\xC2\xB5s", "#count", "#p50",
                                  "#p99", "#p99.9", "#max", NULL);
                add_quantiles(rows, latency, "loop");
                add_quantiles(rows, latency, "wire");
                add_quantiles(rows, latency, "wake");
                add_quantiles(rows, latency, "compute");
        }
        for (int i = 0; i < REPORT_LATENCIES; i++)
                add_histogram(parts, r, i);
        page_say(parts, "note",
                 "No period is thinned out here. Both axes are logarithmic; a bar is an "
                 "eighth of an octave wide.%s",
                 pace != NULL && strcmp(pace, "lockstep") == 0
                         ? " In lockstep these are host times: how long the rig and the "
                           "flight controller took, not what the flight felt."
                         : "");
}
