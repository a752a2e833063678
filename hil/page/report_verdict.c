/* What a report says first: the verdict, key figures, requirements and metrics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/page/page.h"
#include "hil/page/report.h"

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

        if (!r->log_there)
                page_warn(page, "There is no run.ulg: there are no plots.");
        else if (!log->readable)
                page_warn(page, "run.ulg is not a log that can be read: there are no "
                                "plots.");
        else if (log->truncated)
                page_warn(page, "The log ends inside a record: what is shown ends where "
                                "its last whole record does.");
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

static void add_figure(struct json *page, const char *label, const char *format,
                       double value)
{
        char text[40];

        snprintf(text, sizeof text, format, value);
        if (isfinite(value))
                page_figure(page, label, "%s", text);
}

static void add_figures(struct json *page, const struct report *r)
{
        double sim_s = json_number(r->summary, "sim_time_s");
        const char *pace = json_string(r->summary, "pace");
        bool timed = json_number(r->summary, "latency_us.loop.count") > 0.0;

        if (!isfinite(sim_s) && r->log.readable)
                sim_s = (double)r->log.end_us / 1e6;
        add_figure(page, "simulated", "%.3f s", sim_s);
        add_figure(page, "in", "%.3f s", json_number(r->summary, "wall_time_s"));
        if (pace != NULL)
                page_figure(page, "pace", "%s", pace);
        add_figure(page, "period", "%.6g \xC2\xB5s",
                   json_number(r->summary, "period_ns") / 1e3);
        if (timed)
                add_figure(page, "loop latency p99", "%.4g \xC2\xB5s",
                           json_number(r->summary, "latency_us.loop.p99"));
        add_figure(page, "periods missed", "%.0f", json_number(r->summary, "overruns"));
        add_figure(page, "seed", "%.0f", json_number(r->summary, "seed"));
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

static const struct json *asked_for(const struct report *r, const char *name)
{
        const struct json *list = json_at(r->config, "scenario.requirements");

        for (const struct json *q = list != NULL ? list->first : NULL; q != NULL;
             q = q->next) {
                const char *its = json_string(q, "name");

                if (its != NULL && name != NULL && strcmp(its, name) == 0)
                        return q;
        }
        return NULL;
}

/* Everything but the name, as the scenario says it. */
static void add_asked(struct json *cell, const struct json *asked)
{
        struct json *asks = json_add_array(cell, "asks");

        for (const struct json *m = asked != NULL ? asked->first : NULL; m != NULL;
             m = m->next) {
                struct json *ask;
                char *text;

                if (strcmp(m->key, "name") == 0 || strcmp(m->key, "vehicle") == 0)
                        continue;
                text = m->type == JSON_STRING ? NULL : json_print_line(m);
                ask = json_add_array(asks, NULL);
                json_add_string(ask, NULL, m->key);
                json_add_string(ask, NULL, m->type == JSON_STRING ? m->text : text);
                free(text);
        }
}

static void add_requirement(struct json *rows, const struct report *r,
                            const struct json *q, enum outcome o)
{
        static const char *const word[] = { "failed", "not judged", "passed" };
        static const char *const tone[] = { "failed", "void", "passed" };
        const char *name = json_string(q, "name");
        const struct json *asked = asked_for(r, name);
        const char *detail = json_string(q, "detail");
        double vehicle = json_number(asked, "vehicle");
        int64_t t_us = report_worst_us(q);
        struct json *row = page_row(rows, tone[o]), *cell;

        json_add_number(row, "vehicle",
                        vehicle >= 0.0 && vehicle < VEHICLES_MAX ? floor(vehicle) : 0.0);
        cell = page_cell_object(row, word[o]);
        json_add_string(cell, "tone", tone[o]);
        add_asked(page_cell_object(row, name != NULL ? name : "(no name)"), asked);
        page_cell(row, "%s", detail != NULL ? detail : "");
        page_cell_number(row, json_number(q, "value"));
        page_cell_number(row, json_number(q, "robustness"));
        if (t_us >= 0) {
                json_add_i64(row, "at_us", t_us);
                page_cell(row, "%.3f s", (double)t_us / 1e6);
        } else {
                page_cell(row, "%s", "");
        }
}

/* A summary of an older version has them in words only: then their columns are hidden. */
static bool has_figures(const struct json *list)
{
        for (const struct json *q = list->first; q != NULL; q = q->next)
                if (isfinite(json_number(q, "value")) ||
                    isfinite(json_number(q, "robustness")))
                        return true;
        return false;
}

static void add_requirements(struct json *page, const struct report *r)
{
        const struct json *list = json_member(r->summary, "requirements");
        struct json *parts = page_section(page, "requirements", "Requirements"), *rows;

        if (!json_is(list, JSON_ARRAY) || list->count == 0) {
                page_say(parts, "words", "No requirement was judged.");
                return;
        }
        rows = page_table(parts,
                          has_figures(list) ? "requirements" : "requirements wordy",
                          "Outcome", "*Requirement", "What happened", "#Value",
                          "#Robustness", "@Moment", NULL);
        for (enum outcome o = FAILED; o <= PASSED; o++)
                for (const struct json *q = list->first; q != NULL; q = q->next)
                        if (outcome_of(q) == o)
                                add_requirement(rows, r, q, o);
}

/* A flight has a value for some metrics only: the others say nothing. */
static void add_metrics(struct json *page, const struct report *r)
{
        const struct json *list = json_member(r->summary, "metrics");
        struct json *rows = NULL;

        if (!json_is(list, JSON_ARRAY))
                return;
        for (const struct json *m = list->first; m != NULL; m = m->next) {
                const char *name = json_string(m, "name"), *unit = json_string(m, "unit");
                const char *vehicle = json_string(m, "vehicle");
                double index = json_number(m, "vehicle");
                struct json *row;

                if (!isfinite(json_number(m, "value")))
                        continue;
                if (rows == NULL)
                        rows = page_table(page_section(page, "metrics", "Metrics"),
                                          "metrics", "*Metric", "Vehicle", "#Value",
                                          "Unit", NULL);
                if (vehicle == NULL && index >= 0.0 && index < VEHICLES_MAX)
                        vehicle = report_vehicle_name(r, (int)index);
                row = page_row(rows, NULL);
                page_cell(row, "%s", name != NULL ? name : "");
                page_cell(row, "%s", vehicle != NULL ? vehicle : "");
                page_cell_number(row, json_number(m, "value"));
                page_cell(row, "%s", unit != NULL ? unit : "");
        }
}

static void add_words(struct json *page, const char *key, const char *first,
                      const char *between, const char *second)
{
        char *text = NULL;

        if (asprintf(&text, "%s%s%s", first, between, second) < 0)
                text = NULL;
        json_add_string(page, key, text);
        free(text);
}

void report_add_verdict(struct json *page, const struct report *r)
{
        const char *name = json_string(r->config, "name");
        const char *scenario = json_string(r->config, "scenario.name");
        const char *reason = json_string(r->summary, "end_reason");

        add_words(page, "title", report_verdict(r), ": ", name != NULL ? name : "run");
        add_words(page, "name", name != NULL ? name : "unnamed rig",
                  scenario != NULL ? " \xC2\xB7 " : "", scenario != NULL ? scenario : "");
        json_add_string(page, "tone", report_verdict(r));
        json_add_string(page, "verdict", report_verdict(r));
        if (r->summary == NULL)
                add_words(page, "reason",
                          "The run was cut off: it left no whole summary (summary.json: ",
                          r->summary_why, ").");
        else
                json_add_string(page, "reason",
                                reason != NULL ? reason : "no reason given");
        warn_of_log(page, r);
        add_figures(page, r);
        add_requirements(page, r);
        add_metrics(page, r);
}
