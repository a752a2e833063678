/* A report as a document: the verdict, requirements, metrics, and what the log says of itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/page/page.h"
#include "hil/page/report.h"
#include "hil/page/scene.h"

const char *report_verdict(const struct report *r)
{
        static const char *const words[] = { "passed", "failed", "void", "error" };
        const char *word = json_string(r->summary, "verdict");

        for (size_t i = 0; word != NULL && i < 4; i++)
                if (strcmp(words[i], word) == 0)
                        return words[i];
        /* No summary, or one with a verdict that nobody gave: it proves nothing. */
        return "void";
}

const char *report_vehicle_name(const struct report *r, int vehicle)
{
        const char *name;
        char path[40];

        snprintf(path, sizeof path, "vehicles.%d.name", vehicle);
        name = json_string(r->config, path);
        return name != NULL ? name : "vehicle";
}

/* What is missing must not look like what did not happen. */
static void warn_of_log(struct json *page, const struct report *r)
{
        char topics[REPORT_UNREAD_MAX * (ULOG_NAME_MAX + 2) + 1] = "";
        const struct report_log *log = &r->log;

        if (!r->log_there && r->log_why == NULL)
                page_warn(page, "There is no run.ulg: there are no plots.");
        else if (!r->log_there || !log->readable)
                page_warn(page, "There are no plots: run.ulg %s.", r->log_why);
        else if (log->truncated)
                page_warn(page, "The log ends inside a record: what is shown ends where "
                                "its last whole record does.");
        if (log->readable && log->ticks == 0)
                page_warn(page, "There are no plots: run.ulg ends before the first "
                                "period.");
        for (int i = 0; i < log->unread; i++) {
                strcat(topics, i > 0 ? ", " : "");
                strcat(topics, log->unread_topic[i]);
        }
        if (log->unread > 0)
                page_warn(page,
                          "This version cannot read everything in the log: what these "
                          "topics hold is not shown: %s%s.",
                          topics,
                          log->unread == REPORT_UNREAD_MAX ? ", perhaps more" : "");
}

/* A summary of an older version says it in words only. */
static double moment_in_words(const char *detail)
{
        const char *at = detail != NULL ? strstr(detail, " at ") : NULL;
        char *end;
        double t_s;

        if (at == NULL)
                return NAN;
        t_s = strtod(at + 4, &end);
        return end != at + 4 && strncmp(end, " s", 2) == 0 ? t_s : (double)NAN;
}

int64_t report_worst_us(const struct json *requirement)
{
        double t_s = json_number(requirement, "at_s");

        if (!json_member(requirement, "at_s"))
                t_s = moment_in_words(json_string(requirement, "detail"));
        return t_s >= 0.0 && t_s < 1e9 ? (int64_t)llround(t_s * 1e6) : -1;
}

enum outcome { FAILED, NOT_JUDGED, PASSED };

static enum outcome outcome_of(const struct json *requirement)
{
        const char *word = json_string(requirement, "outcome");

        if (word != NULL && strcmp(word, "not judged") == 0)
                return NOT_JUDGED;
        if (word != NULL)
                return strcmp(word, "passed") == 0 ? PASSED : FAILED;
        return json_bool(requirement, "passed", false) ? PASSED : FAILED;
}

bool report_failed(const struct json *requirement)
{
        return outcome_of(requirement) == FAILED;
}

/* More vehicles than are told of one by one: the summary says which are worst. */
static bool report_is_fleet(const struct report *r)
{
        return json_member(r->summary, "fleet") != NULL;
}

const struct json *report_asked_for(const struct report *r,
                                    const struct json *requirement)
{
        const char *name = json_string(requirement, "name");
        const struct json *list = json_at(r->config, "scenario.requirements");

        for (const struct json *q = list != NULL ? list->first : NULL; q != NULL;
             q = q->next) {
                const char *its = json_string(q, "name");

                if (its != NULL && name != NULL && strcmp(its, name) == 0)
                        return q;
        }
        return NULL;
}

static void add_requirement(struct json *list, const struct report *r,
                            const struct json *q, enum outcome o)
{
        static const char *const word[] = { "failed", "not judged", "passed" };
        static const char *const tone[] = { "failed", "void", "passed" };
        const char *name = json_string(q, "name");
        const struct json *asked = report_asked_for(r, q);
        double vehicle = json_number(asked, "vehicle");
        int64_t t_us = report_worst_us(q);
        struct json *o_q = json_add_object(list, NULL);

        json_add_string(o_q, "tone", tone[o]);
        json_add_string(o_q, "outcome", word[o]);
        json_add_string(o_q, "name", name != NULL ? name : "(no name)");
        if (asked != NULL)
                json_add_copy(o_q, "asked", asked);
        json_add_string(o_q, "detail", json_string(q, "detail"));
        json_add_number(o_q, "value", json_number(q, "value"));
        json_add_number(o_q, "robustness", json_number(q, "robustness"));
        if (t_us >= 0)
                json_add_i64(o_q, "at_us", t_us);
        json_add_number(o_q, "vehicle",
                        vehicle >= 0.0 && vehicle < VEHICLES_MAX ? floor(vehicle) : 0.0);
}

/* When a failed one had failed: what was broken says so, what did not happen had until the end of its window. */
static double failed_at_s(const struct report *r, const struct json *q)
{
        static const char broken[] = "broken at ";
        const char *detail = json_string(q, "detail"), *at;
        const struct json *asked = report_asked_for(r, q);
        double to_s = json_number(asked, "to_s"), worst_s = json_number(q, "at_s");

        at = detail != NULL ? strstr(detail, broken) : NULL;
        if (at != NULL)
                return strtod(at + sizeof broken - 1, NULL);
        return to_s >= 0.0 && to_s > worst_s ? to_s : worst_s;
}

/* In the order in which they failed; those of which that is not known last, as in the file. */
static int sort_failed(const struct report *r, const struct json **failed, int max)
{
        const struct json *list = json_member(r->summary, "requirements");
        double at_s[REPORT_MOMENTS_MAX];
        int count = 0, i;

        for (const struct json *q = json_is(list, JSON_ARRAY) ? list->first : NULL;
             q != NULL && count < max; q = q->next) {
                double t_s = failed_at_s(r, q);

                if (!report_failed(q))
                        continue;
                t_s = isfinite(t_s) ? t_s : INFINITY;
                for (i = count++; i > 0 && at_s[i - 1] > t_s; i--) {
                        at_s[i] = at_s[i - 1];
                        failed[i] = failed[i - 1];
                }
                at_s[i] = t_s;
                failed[i] = q;
        }
        return count;
}

static void add_requirements(struct json *page, const struct report *r)
{
        const struct json *list = json_member(r->summary, "requirements");
        const struct json *failed[REPORT_MOMENTS_MAX];
        struct json *to = json_add_array(page, "requirements");
        int count = sort_failed(r, failed, REPORT_MOMENTS_MAX);

        for (int i = 0; i < count; i++)
                add_requirement(to, r, failed[i], FAILED);
        for (enum outcome o = NOT_JUDGED; json_is(list, JSON_ARRAY) && o <= PASSED; o++)
                for (const struct json *q = list->first; q != NULL; q = q->next)
                        if (outcome_of(q) == o)
                                add_requirement(to, r, q, o);
}

/* What failed first, and when. */
static void add_headline(struct json *page, const struct report *r)
{
        const struct json *failed[REPORT_MOMENTS_MAX];
        const char *name;
        double t_s;

        if (sort_failed(r, failed, REPORT_MOMENTS_MAX) == 0)
                return;
        name = json_string(failed[0], "name");
        t_s = failed_at_s(r, failed[0]);
        if (isfinite(t_s))
                page_add_text(page, "headline", "%s, at %.3f s",
                              name != NULL ? name : "(no name)", t_s);
        else
                json_add_string(page, "headline", name);
}

/* A flight has a value for some metrics only: the others say nothing. */
static void add_metrics(struct json *page, const struct report *r)
{
        const struct json *list = json_member(r->summary, "metrics"), *m;
        struct json *to = json_add_array(page, "metrics");

        /* Of a fleet its summary has the worst and the median. */
        if (report_is_fleet(r))
                return;
        for (m = json_is(list, JSON_ARRAY) ? list->first : NULL; m != NULL; m = m->next) {
                const char *vehicle = json_string(m, "vehicle");
                double index = json_number(m, "vehicle");
                struct json *metric;

                if (!isfinite(json_number(m, "value")))
                        continue;
                if (vehicle == NULL && index >= 0.0 && index < VEHICLES_MAX)
                        vehicle = report_vehicle_name(r, (int)index);
                metric = json_add_object(to, NULL);
                json_add_string(metric, "name", json_string(m, "name"));
                json_add_string(metric, "vehicle", vehicle);
                json_add_number(metric, "value", json_number(m, "value"));
                json_add_string(metric, "unit", json_string(m, "unit"));
        }
}

/* All digits: a seed has 64 bits, and a script's number fewer. */
static void add_seed(struct json *page, const struct report *r)
{
        const struct json *seed = json_member(r->summary, "seed");
        char *text;

        if (seed == NULL)
                seed = json_member(r->config, "seed");
        text = json_is(seed, JSON_NUMBER) ? json_print_line(seed) : NULL;
        json_add_string(page, "seed", text);
        free(text);
}

/* The whole distribution, where the summary has it: "bins" are pairs of a lower edge in us and
 * a count. Else the log's stays. */
static void count_bins(struct report_delays *d, const struct json *o)
{
        const struct json *list = json_member(o, "bins");

        if (!json_is(list, JSON_ARRAY) || list->count == 0)
                return;
        memset(d->bin, 0, sizeof d->bin);
        d->count = 0;
        for (const struct json *b = list->first; b != NULL; b = b->next) {
                double us = json_number(b, "0"), count = json_number(b, "1");

                if (!(us >= 0.0) || !(count >= 1.0) || !(count < 1e15))
                        continue;
                d->bin[report_bin(1e3 * us)] += (uint64_t)count;
                d->count += (uint64_t)count;
        }
}

static void add_delays(struct json *log, const struct report *r, int kind,
                       const char *key)
{
        struct report_delays d = r->log.delay[kind];
        struct json *o = json_add_object(json_member(log, "delays"), key), *bins;

        json_add_number(o, "max_us", (double)d.max_ns / 1e3);
        json_add_number(o, "max_at_s", (double)d.max_at_us / 1e6);
        count_bins(&d, json_member(json_member(r->summary, "latency_us"), key));
        json_add_u64(o, "count", d.count);
        bins = json_add_array(o, "bins");
        for (int i = 0; i < REPORT_BINS; i++) {
                struct json *bin = d.bin[i] > 0 ? json_add_array(bins, NULL) : NULL;

                json_add_number(bin, NULL, report_bin_ns(i));
                json_add_number(bin, NULL, report_bin_ns(i + 1));
                json_add_u64(bin, NULL, d.bin[i]);
        }
}

static void add_log(struct json *page, const struct report *r)
{
        const struct report_log *l = &r->log;
        struct json *log = json_add_object(page, "log"), *lines;

        json_add_bool(log, "readable", l->readable);
        json_add_bool(log, "truncated", l->truncated);
        json_add_string(log, "version", l->version);
        json_add_string(log, "config_sha256", l->config_sha256);
        json_add_number(log, "end_s", (double)l->end_us / 1e6);
        json_add_u64(log, "ticks", l->ticks);
        json_add_u64(log, "missed", l->missed);
        json_add_u64(log, "dropouts", l->dropouts);
        json_add_u64(log, "skipped", l->skipped + l->refused);
        json_add_u64(log, "events_more", l->events_more);
        json_add_u64(log, "lines_more", l->lines_more);
        json_add_object(log, "delays");
        add_delays(log, r, REPORT_LOOP, "loop");
        add_delays(log, r, REPORT_WAKE, "wake");
        add_delays(log, r, REPORT_COMPUTE, "compute");
        lines = json_add_array(log, "lines");
        for (int i = 0; i < l->lines; i++) {
                struct json *line = json_add_array(lines, NULL);

                json_add_number(line, NULL, (double)l->line[i].t_us / 1e6);
                json_add_string(line, NULL, l->line[i].text);
                json_add_i64(line, NULL, l->line[i].level - '0');
        }
}

/* Of a fleet without what it has of each vehicle, which the page shows elsewhere or not at all. */
static void add_summary(struct json *page, const struct report *r)
{
        static const char *const of_each[] = { "metrics",     "flight_controllers",
                                               "wire_faults", "ports",
                                               "pads",        "processes",
                                               "wiring",      "left_armed",
                                               "lost" };
        struct json *summary = json_copy(r->summary);

        for (size_t i = 0; i < sizeof of_each / sizeof of_each[0]; i++) {
                struct json *list = json_member(summary, of_each[i]);

                if (list != NULL && report_is_fleet(r))
                        json_free(json_detach(list));
        }
        page_attach(page, "summary", summary);
}

static void add_config(struct json *page, const struct report *r)
{
        bool brief = report_is_fleet(r) && r->config != NULL;
        char *text = brief ? report_brief_config(r->config) : NULL;

        json_add_bool(page, "config_brief", brief);
        json_add_string(page, "config_text", brief ? text : r->config_text);
        json_add_string(page, "config_why", r->config_why);
        free(text);
}

static struct json *new_page(const struct report *r)
{
        const char *reason = json_string(r->summary, "end_reason");
        char cut[400];

        if (r->summary == NULL) {
                snprintf(cut, sizeof cut,
                         "The run was cut off: it left no whole summary (summary.json: "
                         "%s).",
                         r->summary_why);
                reason = cut;
        }
        return page_new("report", report_verdict(r), report_verdict(r),
                        reason != NULL ? reason : "no reason given");
}

struct json *report_document(const struct report *r)
{
        const char *name = json_string(r->config, "name");
        const char *scenario = json_string(r->config, "scenario.name");
        struct json *page = new_page(r);

        page_add_text(page, "title", "%s: %s", report_verdict(r),
                      name != NULL ? name : "run");
        page_add_text(page, "name", "%s%s%s", name != NULL ? name : "unnamed rig",
                      scenario != NULL ? " \xC2\xB7 " : "",
                      scenario != NULL ? scenario : "");
        json_add_bool(page, "plots", true);
        warn_of_log(page, r);
        add_headline(page, r);
        add_requirements(page, r);
        add_metrics(page, r);
        if (r->summary != NULL)
                add_summary(page, r);
        add_config(page, r);
        add_seed(page, r);
        add_log(page, r);
        json_add_bool(page, "space", true);
        if (r->rig != NULL) {
                page_attach(page, "map", report_map(r));
                page_scene_add(json_add_object(page, "scene"), r->rig);
        }
        return page;
}
