/* The page's first part: the verdict, key figures, requirements and metrics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/markup.h"
#include "hil/page/report_page.h"

static const struct mark {
        const char *word, *sign;
} verdict_marks[] = { { "passed", "\xE2\x9C\x93" },
                      { "failed", "\xE2\x9C\x97" },
                      { "void", "\xE2\x88\x85" },
                      { "error", "!" } };

static const struct mark *verdict_mark(const struct report *r)
{
        const char *word = json_string(r->summary, "verdict");

        for (size_t i = 0; word != NULL && i < 4; i++)
                if (strcmp(verdict_marks[i].word, word) == 0)
                        return &verdict_marks[i];
        /* No summary, or one with a verdict that nobody gave: it proves nothing. */
        return &verdict_marks[2];
}

const char *report_verdict(const struct report *r)
{
        return verdict_mark(r)->word;
}

void report_put_verdict_word(FILE *out, const struct report *r)
{
        fputs(report_verdict(r), out);
}

/* What is missing must not look like what did not happen. */
static void put_unread(FILE *out, const struct report_log *log)
{
        if (log->unread == 0)
                return;
        fputs("<p class=\"warning\">This version cannot read everything in the log: what "
              "these topics hold is not shown:",
              out);
        for (int i = 0; i < log->unread; i++) {
                fputs(i > 0 ? ", " : " ", out);
                markup_text(out, log->unread_topic[i]);
        }
        fputs(log->unread == REPORT_UNREAD_MAX ? ", perhaps more.</p>\n" : ".</p>\n",
              out);
}

void report_put_verdict(FILE *out, const struct report *r)
{
        const struct mark *mark = verdict_mark(r);
        const char *reason = json_string(r->summary, "end_reason");

        fprintf(out,
                "<h1><span class=\"sign\" aria-hidden=\"true\">%s</span> %s</h1>\n<p "
                "class=\"reason\">",
                mark->sign, mark->word);
        if (r->summary == NULL) {
                fputs("The run was cut off: it left no whole summary (summary.json: ",
                      out);
                markup_text(out, r->summary_why);
                fputs(").", out);
        } else {
                markup_text(out, reason != NULL ? reason : "no reason given");
        }
        fputs("</p>\n", out);
        if (r->log_there && !r->log.readable)
                fputs("<p class=\"warning\">run.ulg is not a log that can be read: there "
                      "are "
                      "no plots.</p>\n",
                      out);
        else if (!r->log_there)
                fputs("<p class=\"warning\">There is no run.ulg: there are no "
                      "plots.</p>\n",
                      out);
        else if (r->log.truncated)
                fputs("<p class=\"warning\">The log ends inside a record: what is shown "
                      "ends "
                      "where its last whole record does.</p>\n",
                      out);
        put_unread(out, &r->log);
}

static void put_figure(FILE *out, const char *label, const char *format, double value)
{
        if (!isfinite(value))
                return;
        fprintf(out, "<div><dt>%s</dt><dd>", label);
        fprintf(out, format, value);
        fputs("</dd></div>\n", out);
}

static void put_text_figure(FILE *out, const char *label, const char *text)
{
        if (text == NULL)
                return;
        fprintf(out, "<div><dt>%s</dt><dd>", label);
        markup_text(out, text);
        fputs("</dd></div>\n", out);
}

void report_put_figures(FILE *out, const struct report *r)
{
        double sim_s = json_number(r->summary, "sim_time_s");
        double wall_s = json_number(r->summary, "wall_time_s");

        if (!isfinite(sim_s) && r->log.readable)
                sim_s = (double)r->log.end_us / 1e6;
        fputs("<dl class=\"figures\">\n", out);
        put_figure(out, "simulated", "%.3f s", sim_s);
        put_figure(out, "in", "%.3f s", wall_s);
        put_text_figure(out, "pace", json_string(r->summary, "pace"));
        put_figure(out, "period", "%.6g \xC2\xB5s",
                   json_number(r->summary, "period_ns") / 1e3);
        put_figure(out, "loop latency p99", "%.4g \xC2\xB5s",
                   json_number(r->summary, "latency_us.loop.count") > 0.0
                           ? json_number(r->summary, "latency_us.loop.p99")
                           : (double)NAN);
        put_figure(out, "periods missed", "%.0f", json_number(r->summary, "overruns"));
        put_figure(out, "seed", "%.0f", json_number(r->summary, "seed"));
        fputs("</dl>\n", out);
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
static void put_asked(FILE *out, const struct json *asked)
{
        const char *between = "";

        for (const struct json *m = asked != NULL ? asked->first : NULL; m != NULL;
             m = m->next) {
                char *text;

                if (strcmp(m->key, "name") == 0 || strcmp(m->key, "vehicle") == 0)
                        continue;
                text = m->type == JSON_STRING ? NULL : json_print_line(m);
                fprintf(out, "%s<span class=\"asked\"><b>", between);
                markup_text(out, m->key);
                fputs("</b> ", out);
                markup_text(out, m->type == JSON_STRING ? m->text : text);
                fputs("</span>", out);
                free(text);
                between = " ";
        }
}

static void put_number_cell(FILE *out, const char *head, double value)
{
        fprintf(out, "<td class=\"number\" data-head=\"%s\">", head);
        if (isfinite(value))
                fprintf(out, "%.5g", value);
        else
                fputs("\xE2\x80\x93", out);
        fputs("</td>", out);
}

static void put_requirement(FILE *out, const struct report *r, const struct json *q)
{
        static const char *const word[] = { "failed", "not judged", "passed" };
        static const char *const class[] = { "failed", "void", "passed" };
        static const char *const sign[] = { "\xE2\x9C\x97", "?", "\xE2\x9C\x93" };
        enum outcome o = outcome_of(q);
        const char *name = json_string(q, "name");
        const struct json *asked = asked_for(r, name);
        double vehicle = json_number(asked, "vehicle");
        int64_t t_us = report_worst_us(q);

        fprintf(out, "<tr class=\"requirement %s\"", class[o]);
        if (t_us >= 0)
                fprintf(out, " data-at-us=\"%lld\"", (long long)t_us);
        fprintf(out, " data-vehicle=\"%d\">",
                vehicle >= 0.0 && vehicle < VEHICLES_MAX ? (int)vehicle : 0);
        fprintf(out, "<td><span class=\"badge %s\">%s %s</span></td>\n<th scope=\"row\">",
                class[o], sign[o], word[o]);
        markup_text(out, name != NULL ? name : "(no name)");
        fputs("<div class=\"asks\">", out);
        put_asked(out, asked);
        fputs("</div></th>\n<td class=\"detail\">", out);
        markup_text(out, json_string(q, "detail"));
        fputs("</td>\n", out);
        put_number_cell(out, "worst value", json_number(q, "value"));
        put_number_cell(out, "robustness", json_number(q, "robustness"));
        fputs("<td class=\"when\">", out);
        if (t_us >= 0) {
                fputs("<button type=\"button\" class=\"jump\">", out);
                report_seconds(out, t_us);
                fputs("</button>", out);
        }
        fputs("</td></tr>\n", out);
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

void report_put_requirements(FILE *out, const struct report *r)
{
        const struct json *list = json_member(r->summary, "requirements");

        if (!json_is(list, JSON_ARRAY) || list->count == 0) {
                fputs("<p>No requirement was judged.</p>\n", out);
                return;
        }
        fprintf(out,
                "<table class=\"requirements%s\"><thead><tr><th "
                "scope=\"col\">Outcome</th>"
                "<th scope=\"col\">Requirement</th><th scope=\"col\">What happened</th>"
                "<th scope=\"col\" class=\"number\">Value</th><th scope=\"col\" "
                "class=\"number\">Robustness</th><th "
                "scope=\"col\">Moment</th></tr></thead>"
                "<tbody>\n",
                has_figures(list) ? "" : " wordy");
        for (int o = FAILED; o <= PASSED; o++)
                for (const struct json *q = list->first; q != NULL; q = q->next)
                        if ((int)outcome_of(q) == o)
                                put_requirement(out, r, q);
        fputs("</tbody></table>\n", out);
}

/* A flight has a value for some metrics only: the others say nothing. */
static bool has_value(const struct json *metric)
{
        return isfinite(json_number(metric, "value"));
}

static void put_metric(FILE *out, const struct report *r, const struct json *m)
{
        const char *name = json_string(m, "vehicle");
        double index = json_number(m, "vehicle");

        fputs("<tr><th scope=\"row\">", out);
        markup_text(out, json_string(m, "name"));
        fputs("</th><td>", out);
        if (name == NULL && index >= 0.0 && index < VEHICLES_MAX)
                name = report_vehicle_name(r, (int)index);
        markup_text(out, name);
        fputs("</td>", out);
        put_number_cell(out, "value", json_number(m, "value"));
        fputs("<td>", out);
        markup_text(out, json_string(m, "unit"));
        fputs("</td></tr>\n", out);
}

void report_put_metrics(FILE *out, const struct report *r)
{
        const struct json *list = json_member(r->summary, "metrics");
        const struct json *m;

        m = json_is(list, JSON_ARRAY) ? list->first : NULL;
        while (m != NULL && !has_value(m))
                m = m->next;
        if (m == NULL)
                return;
        fputs("<section id=\"metrics\"><h2>Metrics</h2><table><thead><tr><th "
              "scope=\"col\">Metric</th><th scope=\"col\">Vehicle</th><th scope=\"col\" "
              "class=\"number\">Value</th><th "
              "scope=\"col\">Unit</th></tr></thead><tbody>\n",
              out);
        for (; m != NULL; m = m->next)
                if (has_value(m))
                        put_metric(out, r, m);
        fputs("</tbody></table></section>\n", out);
}
