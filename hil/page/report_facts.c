/* A report's facts: what happened when, how late the host was, what the link counted, what exactly flew. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "hil/page/page.h"
#include "hil/page/report.h"

static struct json *add_facts(struct json *parts, const char *look)
{
        return page_table(parts, look, "*", "", NULL);
}

__attribute__((format(printf, 4, 5))) static void add_fact(struct json *rows,
                                                           const char *head, bool bad,
                                                           const char *format, ...)
{
        struct json *row = page_row(rows, bad ? "bad" : NULL);
        char *text = NULL;
        va_list args;

        va_start(args, format);
        if (vasprintf(&text, format, args) < 0)
                text = NULL;
        va_end(args);
        page_cell(row, "%s", head);
        page_cell(row, "%s", text != NULL ? text : "");
        free(text);
}

static void add_count(struct json *rows, const char *head, double count, bool bad_if_any)
{
        if (isfinite(count))
                add_fact(rows, head, bad_if_any && count > 0.0, "%.0f", count);
}

static void add_text(struct json *rows, const char *head, const char *text)
{
        if (text != NULL && text[0] != '\0')
                add_fact(rows, head, false, "%s", text);
}

/* One text, or a list of texts. */
static void add_missing(struct json *rows, const struct report *r)
{
        const struct json *m = json_member(r->summary, "realtime_missing");
        char *text = NULL;
        size_t len;
        FILE *f = m != NULL ? open_memstream(&text, &len) : NULL;

        if (f == NULL)
                return;
        if (json_is(m, JSON_STRING))
                fputs(m->text, f);
        for (const struct json *i = m->first; i != NULL; i = i->next)
                fprintf(f, "%s%s", i == m->first ? "" : "; ",
                        json_is(i, JSON_STRING) ? i->text : "");
        fclose(f);
        add_fact(rows, "Real-time facilities missing", false, "%s",
                 text[0] != '\0' ? text : "none");
        free(text);
}

/* What is allowed, in brackets, if anything is known of it. */
static const char *allowed(char *text, size_t cap, double limit, const char *unit)
{
        snprintf(text, cap, isfinite(limit) ? " (allowed: %.6g %s)" : "", limit, unit);
        return text;
}

static void add_lateness(struct json *rows, const struct report *r)
{
        const struct report_delays *wake = &r->log.delay[REPORT_WAKE];
        double limit_ms = json_number(r->config, "realtime.stall_max_ms");
        char text[60];

        if (wake->count > 0)
                add_fact(rows, "Latest wake-up", (double)wake->max_ns / 1e6 > limit_ms,
                         "%.1f \xC2\xB5s, at %.3f s%s", (double)wake->max_ns / 1e3,
                         (double)wake->max_at_us / 1e6,
                         allowed(text, sizeof text, limit_ms, "ms"));
}

static void add_missed(struct json *rows, const struct report *r)
{
        bool counted = isfinite(json_number(r->summary, "overruns"));
        double ticks = json_number(r->summary, "ticks");
        double missed = json_number(r->summary, "overruns");
        double limit = json_number(r->config, "realtime.missed_max_percent");
        double percent;
        char text[60];

        if (!counted && r->log.readable) {
                missed = (double)r->log.missed;
                ticks = (double)r->log.ticks;
        }
        percent = ticks > 0.0 ? 100.0 * missed / ticks : 0.0;
        add_count(rows, "Periods", ticks, false);
        if (isfinite(missed))
                add_fact(rows, "Periods missed (overruns)", percent > limit,
                         "%.0f, %.3g %%%s", missed, percent,
                         allowed(text, sizeof text, limit, "%"));
}

static bool is_lockstep(const struct report *r)
{
        const char *pace = json_string(r->summary, "pace");

        return pace != NULL && strcmp(pace, "lockstep") == 0;
}

static void add_host(struct json *page, const struct report *r)
{
        struct json *parts = page_section(page, "host", "Host honesty");
        struct json *rows = add_facts(parts, "facts");
        const struct report_log *log = &r->log;

        add_text(rows, "Pace", json_string(r->summary, "pace"));
        add_missed(rows, r);
        if (!is_lockstep(r))
                add_lateness(rows, r);
        add_count(rows, "Records dropped", json_number(r->summary, "record_drops"), true);
        add_missing(rows, r);
        add_fact(rows, "Log", log->truncated || !log->readable,
                 "%s; %llu periods, to %.3f s",
                 !log->readable   ? "cannot be read"
                 : log->truncated ? "cut off inside a record"
                                  : "whole",
                 (unsigned long long)log->ticks, (double)log->end_us / 1e6);
        add_count(rows, "Gaps in the log", (double)log->dropouts, true);
        add_count(rows, "Records in the log that made no sense",
                  (double)(log->skipped + log->refused), true);
        if (is_lockstep(r))
                page_say(parts, "note",
                         "In lockstep simulated time waits for the flight controller: "
                         "the host cannot be late.");
}

static void add_link(struct json *page, const struct report *r)
{
        static const struct {
                const char *key, *head;
                bool bad;
        } row[] = { { "link.frames_sent", "Frames sent", false },
                    { "link.frames_received", "Messages received", false },
                    { "link.crc_errors", "Wrong checksums", true },
                    { "link.lost", "Lost", true },
                    { "link.bytes_sent", "Bytes sent", false },
                    { "link.bytes_received", "Bytes received", false } };
        struct json *parts = page_section(page, "link", "Link"), *rows;

        if (json_member(r->summary, "link") == NULL) {
                page_say(parts, "words", "Not counted: there is no summary.");
                return;
        }
        rows = add_facts(parts, "facts");
        for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
                add_count(rows, row[i].head, json_number(r->summary, row[i].key),
                          row[i].bad);
}

static void add_firmware(struct json *rows, const struct report *r)
{
        const struct json *list = json_member(r->summary, "firmware");
        int vehicle = 0;

        if (!json_is(list, JSON_ARRAY)) {
                add_text(rows, "Firmware", "not recorded");
                return;
        }
        for (const struct json *f = list->first; f != NULL; f = f->next, vehicle++)
                add_fact(rows, "Firmware", false, "%s%s%s",
                         list->count > 1 ? report_vehicle_name(r, vehicle) : "",
                         list->count > 1 ? ": " : "",
                         json_is(f, JSON_STRING) && f->text[0] != '\0' ? f->text
                                                                       : "did not say");
}

/* All digits: a seed has 64 bits. */
static void add_seed(struct json *rows, const struct report *r)
{
        const struct json *seed = json_member(r->summary, "seed");
        char *text;

        if (seed == NULL)
                seed = json_member(r->config, "seed");
        text = json_is(seed, JSON_NUMBER) ? json_print_line(seed) : NULL;
        add_text(rows, "Seed", text);
        free(text);
}

static void add_versions(struct json *page, const struct report *r)
{
        const char *version = json_string(r->summary, "version");
        const char *sha256 = json_string(r->summary, "config_sha256");
        struct json *parts = page_section(page, "versions", "What flew");
        struct json *rows = add_facts(parts, "facts versions");

        add_firmware(rows, r);
        add_text(rows, "hilrig", version != NULL ? version : r->log.version);
        add_text(rows, "Rig file", json_string(r->summary, "config"));
        add_text(rows, "Configuration, SHA-256",
                 sha256 != NULL ? sha256 : r->log.config_sha256);
        add_seed(rows, r);
        add_text(rows, "Signal, SHA-256", json_string(r->summary, "signal_sha256"));
        if (r->config_text == NULL)
                page_say(parts, "words", "There is no config.json.");
        else if (r->config == NULL)
                page_say(parts, "warning", "%s", r->config_why);
        if (r->config_text != NULL)
                page_say(page_fold(parts, "config.json, every default written out"),
                         "code", "%s", r->config_text);
}

void report_add_facts(struct json *page, const struct report *r)
{
        add_host(page, r);
        add_link(page, r);
        add_versions(page, r);
}

/* A log that names its steps needs none worked out from the setpoints. */
static bool names_steps(const struct report_log *log)
{
        for (int i = 0; i < log->events; i++)
                if (log->event[i].kind == REPORT_STEP)
                        return true;
        return false;
}

static void add_event(struct json *rows, const struct report *r,
                      const struct report_event *e)
{
        static const struct {
                const char *word, *tone;
        } kinds[] = { [REPORT_COLLISION] = { "collision", "failed" },
                      [REPORT_MEETING] = { "vehicles met", "failed" },
                      [REPORT_STEP] = { "step", NULL },
                      [REPORT_ACTION_BEGINS] = { "begins", "failed" },
                      [REPORT_ACTION_OVER] = { "is over", "failed" },
                      [REPORT_SETPOINT_CHANGED] = { "step", NULL } };
        struct json *row = page_row(rows, kinds[e->kind].tone);

        json_add_i64(row, "at_us", e->t_us);
        json_add_number(row, "vehicle", e->vehicle);
        page_cell(row, "%.3f s", (double)e->t_us / 1e6);
        page_cell(row, "%s", kinds[e->kind].word);
        page_cell(row, "%s", report_vehicle_name(r, e->vehicle));
        if (e->kind == REPORT_COLLISION || e->kind == REPORT_MEETING)
                page_cell(row, "%s, %.3g m/s", e->what, e->impact_mps);
        else
                page_cell(row, "%s", e->what);
}

static void add_lines(struct json *parts, const struct report_log *log)
{
        char title[60];
        struct json *rows;

        if (log->lines == 0)
                return;
        snprintf(title, sizeof title, "What was said: %d lines", log->lines);
        rows = page_table(page_fold(parts, title), "lines", "@Time", "Text", NULL);
        for (int i = 0; i < log->lines; i++) {
                const struct report_line *line = &log->line[i];
                struct json *row = page_row(rows, line->level <= '4' ? "bad" : NULL);

                page_cell(row, "%.3f s", (double)line->t_us / 1e6);
                page_cell(row, "%s", line->text);
        }
        if (log->lines_more > 0)
                page_say(parts, "note", "%llu later lines are not shown.",
                         (unsigned long long)log->lines_more);
}

void report_add_flight(struct json *page, const struct report *r)
{
        struct json *parts, *rows;
        const struct report_log *log = &r->log;
        bool named = names_steps(log);

        page_plots(page, "flight", "The flight");
        parts = page_section(page, "events", "What happened when");
        if (log->events == 0) {
                page_say(parts, "words",
                         "The log holds no step, stimulus, fault or collision that can "
                         "be read.");
        } else {
                rows = page_table(parts, "events", "@Time", "Kind", "Vehicle", "What",
                                  NULL);
                for (int i = 0; i < log->events; i++)
                        if (log->event[i].kind != REPORT_SETPOINT_CHANGED || !named)
                                add_event(rows, r, &log->event[i]);
        }
        if (log->events_more > 0)
                page_say(parts, "note", "%llu later events are not shown.",
                         (unsigned long long)log->events_more);
        add_lines(parts, log);
}
