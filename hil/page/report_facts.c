/* The page's facts: how far the host can be believed, what the link counted, what exactly
 * flew, what happened when. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/markup.h"
#include "hil/page/report_page.h"

const char *report_vehicle_name(const struct report *r, int vehicle)
{
        const char *name;
        char path[40];

        snprintf(path, sizeof path, "vehicles.%d.name", vehicle);
        name = json_string(r->config, path);
        return name != NULL ? name : "vehicle";
}

static void open_row(FILE *out, const char *head, bool bad)
{
        fprintf(out, "<tr%s><th scope=\"row\">%s</th><td>", bad ? " class=\"bad\"" : "",
                head);
}

static void close_row(FILE *out)
{
        fputs("</td></tr>\n", out);
}

static void put_count(FILE *out, const char *head, double count, bool bad_if_any)
{
        if (!isfinite(count))
                return;
        open_row(out, head, bad_if_any && count > 0.0);
        fprintf(out, "%.0f", count);
        close_row(out);
}

static void put_words(FILE *out, const char *head, const char *text, bool code)
{
        if (text == NULL || text[0] == '\0')
                return;
        open_row(out, head, false);
        fputs(code ? "<code>" : "", out);
        markup_text(out, text);
        fputs(code ? "</code>" : "", out);
        close_row(out);
}

/* One text, or a list of texts. */
static void put_missing(FILE *out, const struct report *r)
{
        const struct json *m = json_member(r->summary, "realtime_missing");
        const char *between = "";

        if (m == NULL)
                return;
        open_row(out, "Real-time facilities missing", false);
        if (json_is(m, JSON_STRING))
                markup_text(out, m->text);
        for (const struct json *i = m->first; i != NULL; i = i->next) {
                fputs(between, out);
                markup_text(out, i->text);
                between = "; ";
        }
        if (json_is(m, JSON_NULL) || (json_is(m, JSON_STRING) && m->text[0] == '\0') ||
            (json_is(m, JSON_ARRAY) && m->count == 0))
                fputs("none", out);
        close_row(out);
}

static void put_lateness(FILE *out, const struct report *r)
{
        const struct report_delays *wake = &r->log.delay[REPORT_WAKE];
        double allowed_ms = json_number(r->config, "realtime.stall_max_ms");

        if (wake->count == 0)
                return;
        open_row(out, "Latest wake-up",
                 isfinite(allowed_ms) && (double)wake->max_ns / 1e6 > allowed_ms);
        fprintf(out, "%.1f \xC2\xB5s, at %.3f s", (double)wake->max_ns / 1e3,
                (double)wake->max_at_us / 1e6);
        if (isfinite(allowed_ms))
                fprintf(out, " (allowed: %.6g ms)", allowed_ms);
        close_row(out);
}

static void put_log_rows(FILE *out, const struct report_log *log)
{
        open_row(out, "Log", log->truncated || !log->readable);
        fputs(!log->readable   ? "cannot be read"
              : log->truncated ? "cut off inside a record"
                               : "whole",
              out);
        fprintf(out, "; %llu periods, to ", (unsigned long long)log->ticks);
        report_seconds(out, log->end_us);
        close_row(out);
        put_count(out, "Gaps in the log", (double)log->dropouts, true);
        put_count(out, "Records in the log that made no sense",
                  (double)(log->skipped + log->refused), true);
}

void report_put_host(FILE *out, const struct report *r)
{
        const char *pace = json_string(r->summary, "pace");
        double ticks = json_number(r->summary, "ticks");
        double missed = json_number(r->summary, "overruns");
        double allowed = json_number(r->config, "realtime.missed_max_percent");

        if (!isfinite(missed) && r->log.readable) {
                missed = (double)r->log.missed;
                ticks = (double)r->log.ticks;
        }
        fputs("<table class=\"facts\"><tbody>\n", out);
        put_words(out, "Pace", pace, false);
        put_count(out, "Periods", ticks, false);
        if (isfinite(missed)) {
                double percent = ticks > 0.0 ? 100.0 * missed / ticks : 0.0;

                open_row(out, "Periods missed (overruns)",
                         isfinite(allowed) && percent > allowed);
                fprintf(out, "%.0f, %.3g %%", missed, percent);
                if (isfinite(allowed))
                        fprintf(out, " (allowed: %.6g %%)", allowed);
                close_row(out);
        }
        if (pace == NULL || strcmp(pace, "lockstep") != 0)
                put_lateness(out, r);
        put_count(out, "Records dropped", json_number(r->summary, "record_drops"), true);
        put_missing(out, r);
        put_log_rows(out, &r->log);
        fputs("</tbody></table>\n", out);
        if (pace != NULL && strcmp(pace, "lockstep") == 0)
                fputs("<p class=\"note\">In lockstep simulated time waits for the flight "
                      "controller: the host cannot be late.</p>\n",
                      out);
}

void report_put_link(FILE *out, const struct report *r)
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

        if (json_member(r->summary, "link") == NULL) {
                fputs("<p>Not counted: there is no summary.</p>\n", out);
                return;
        }
        fputs("<table class=\"facts\"><tbody>\n", out);
        for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
                put_count(out, row[i].head, json_number(r->summary, row[i].key),
                          row[i].bad);
        fputs("</tbody></table>\n", out);
}

static void put_firmware(FILE *out, const struct report *r)
{
        const struct json *list = json_member(r->summary, "firmware");
        int vehicle = 0;

        if (!json_is(list, JSON_ARRAY)) {
                put_words(out, "Firmware", "not recorded", false);
                return;
        }
        for (const struct json *f = list->first; f != NULL; f = f->next, vehicle++) {
                open_row(out, "Firmware", false);
                if (list->count > 1) {
                        markup_text(out, report_vehicle_name(r, vehicle));
                        fputs(": ", out);
                }
                markup_text(out, json_is(f, JSON_STRING) && f->text[0] != '\0'
                                         ? f->text
                                         : "did not say");
                close_row(out);
        }
}

/* All digits: a seed has 64 bits. */
static void put_seed(FILE *out, const struct report *r)
{
        const struct json *seed = json_member(r->summary, "seed");
        char *text;

        if (seed == NULL)
                seed = json_member(r->config, "seed");
        text = json_is(seed, JSON_NUMBER) ? json_print_line(seed) : NULL;
        put_words(out, "Seed", text, true);
        free(text);
}

void report_put_versions(FILE *out, const struct report *r)
{
        const char *version = json_string(r->summary, "version");
        const char *sha256 = json_string(r->summary, "config_sha256");

        fputs("<table class=\"facts versions\"><tbody>\n", out);
        put_firmware(out, r);
        put_words(out, "hilrig", version != NULL ? version : r->log.version, true);
        put_words(out, "Rig file", json_string(r->summary, "config"), true);
        put_words(out, "Configuration, SHA-256",
                  sha256 != NULL ? sha256 : r->log.config_sha256, true);
        put_seed(out, r);
        put_words(out, "Signal, SHA-256", json_string(r->summary, "signal_sha256"), true);
        fputs("</tbody></table>\n", out);
}

void report_put_config(FILE *out, const struct report *r)
{
        if (r->config_text == NULL) {
                fputs("<p>There is no config.json.</p>\n", out);
                return;
        }
        if (r->config == NULL) {
                fputs("<p class=\"warning\">", out);
                markup_text(out, r->config_why);
                fputs("</p>\n", out);
        }
        fputs("<details><summary>config.json, every default written out</summary><pre>",
              out);
        markup_text(out, r->config_text);
        fputs("</pre></details>\n", out);
}
