/* A suite as a page, and as JUnit XML. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/suite/suite.h"
#include "hil/text/markup.h"
#include "hil/page/verdict_page.h"
#include "hil/text/version.h"

static bool is_done(const struct suite_run *r)
{
        return r->state == SUITE_KEPT || r->state == SUITE_FLOWN;
}

static const char *state_name(const struct suite_run *r)
{
        return is_done(r) ? compared_run_name(r->verdict) : "open";
}

static const char *tone(const struct suite_run *r)
{
        if (!is_done(r))
                return "soft";
        return r->verdict == RUN_PASSED   ? "good"
               : r->verdict == RUN_FAILED ? "bad"
                                          : "open";
}

/* A path as a URL: whatever could mean something else is written in hex. */
static void put_url(FILE *f, const char *path)
{
        for (; *path != '\0'; path++) {
                if (isalnum((unsigned char)*path) || strchr("/._-+~", *path))
                        fputc(*path, f);
                else
                        fprintf(f, "%%%02X", (unsigned char)*path);
        }
}

/* To the run's report, or to what there is of it. */
static void put_link(FILE *f, const struct suite *s, const char *prefix,
                     const struct suite_run *r, const char *text)
{
        static const char *const file[] = { "report.html", "summary.json", "output.txt" };
        char path[600];

        for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
                snprintf(path, sizeof path, "%s/%s", r->folder, file[i]);
                if (access(path, F_OK) != 0)
                        continue;
                fputs("<a href=\"", f);
                put_url(f, prefix);
                put_url(f, r->folder + strlen(s->folder) + 1);
                fprintf(f, "/%s\">", file[i]);
                markup_text(f, text);
                fputs("</a>", f);
                return;
        }
        markup_text(f, text);
}

static void put_group(FILE *f, const struct suite *s, const char *prefix, int from,
                      int to)
{
        int count[4] = { 0 };
        double wall_s = 0.0;

        for (int i = from; i < to; i++) {
                if (is_done(&s->run[i]))
                        count[s->run[i].verdict]++;
                wall_s += s->run[i].wall_s;
        }
        fputs("<tr><td>", f);
        markup_text(f, s->run[from].group);
        fputs("</td>", f);
        for (int v = RUN_PASSED; v <= RUN_ERROR; v++)
                fprintf(f, "<td class=\"n\">%d</td>", count[v]);
        fprintf(f, "<td class=\"n\">%.1f</td><td>", wall_s);
        for (int i = from; i < to; i++) {
                bool empty = suite_asked_nothing(&s->run[i]);
                char text[40];

                snprintf(text, sizeof text, "%llu-%d", (unsigned long long)s->run[i].seed,
                         s->run[i].repeat);
                fprintf(f, "<span class=\"%s\" title=\"%s%s\">%s",
                        empty ? "soft" : tone(&s->run[i]), state_name(&s->run[i]),
                        empty ? ", " SUITE_ASKED_NOTHING : "",
                        !is_done(&s->run[i])              ? "&#9675;"
                        : s->run[i].verdict == RUN_PASSED ? "&#10003;"
                        : s->run[i].verdict == RUN_FAILED ? "&#10007;"
                                                          : "?");
                put_link(f, s, prefix, &s->run[i], text);
                fputs(empty ? " (" SUITE_ASKED_NOTHING ")</span> " : "</span> ", f);
        }
        fputs("</td></tr>\n", f);
}

static void put_groups(FILE *f, const struct suite *s, const char *prefix)
{
        int from = 0;

        fputs("<h2>Runs</h2>\n<div class=\"scroll\"><table>\n<tr><th>rig/scenario"
              "<th class=\"n\">passed<th class=\"n\">failed<th class=\"n\">void"
              "<th class=\"n\">error<th class=\"n\">s<th>seed-repeat</tr>\n",
              f);
        for (int i = 1; i <= s->runs; i++) {
                if (i < s->runs && strcmp(s->run[i].group, s->run[from].group) == 0)
                        continue;
                put_group(f, s, prefix, from, i);
                from = i;
        }
        fputs("</table></div>\n", f);
}

static void put_trouble(FILE *f, const struct suite *s, const char *prefix)
{
        struct suite_count c = suite_count(s);

        if (c.verdict[RUN_PASSED] + c.open == s->runs)
                return;
        fputs("<h2>What did not pass</h2>\n<div class=\"scroll\"><table>\n<tr><th>verdict"
              "<th>run<th>why</tr>\n",
              f);
        for (int i = 0; i < s->runs; i++) {
                const struct suite_run *r = &s->run[i];

                if (!is_done(r) || r->verdict == RUN_PASSED)
                        continue;
                fprintf(f, "<tr><td class=\"%s\">%s</td><td>", tone(r), state_name(r));
                put_link(f, s, prefix, r, r->folder + strlen(s->folder) + 1);
                fputs("</td><td>", f);
                markup_text(f, r->reason);
                fputs("</td></tr>\n", f);
        }
        fputs("</table></div>\n", f);
}

static bool has_found(const struct suite_run *r)
{
        return is_done(r) && r->verdict == RUN_PASSED && r->variant != NULL &&
               r->variant->must_fail[0] != '\0';
}

/* Of runs with a planted fault that passed: what found it. */
static void put_found(FILE *f, const struct suite *s, const char *prefix)
{
        int from = 0;

        while (from < s->runs && !has_found(&s->run[from]))
                from++;
        if (from == s->runs)
                return;
        fputs("<h2>Planted faults that were found</h2>\n<div class=\"scroll\"><table>\n"
              "<tr><th>run<th>by</tr>\n",
              f);
        for (int i = from; i < s->runs; i++) {
                const struct suite_run *r = &s->run[i];

                if (!has_found(r))
                        continue;
                fputs("<tr><td>", f);
                put_link(f, s, prefix, r, r->folder + strlen(s->folder) + 1);
                fputs("</td><td>", f);
                markup_text(f, r->reason);
                fputs("</td></tr>\n", f);
        }
        fputs("</table></div>\n", f);
}

static void explain(const struct suite *s, char *text, size_t cap)
{
        struct suite_count c = suite_count(s);
        size_t used;

        snprintf(
                text, cap,
                "%d run%s: %d passed, %d failed, %d void, %d could not run, %d not flown "
                "yet. ",
                s->runs, s->runs == 1 ? "" : "s", c.verdict[RUN_PASSED],
                c.verdict[RUN_FAILED], c.verdict[RUN_VOID], c.verdict[RUN_ERROR], c.open);
        used = strlen(text);
        if (c.asked_nothing > 0)
                snprintf(text + used, cap - used,
                         "Of %d that passed " SUITE_ASKED_NOTHING ". ", c.asked_nothing);
        used = strlen(text);
        if (s->left_out > 0)
                snprintf(text + used, cap - used,
                         "%d run%s of the suite left out, of which this says nothing. ",
                         s->left_out, s->left_out == 1 ? "" : "s");
        used = strlen(text);
        snprintf(text + used, cap - used, "hilrig %s, %s.", hilrig_version(),
                 s->options.file);
}

char *suite_html(const struct suite *s, const char *prefix)
{
        int status = suite_exit_status(s);
        char title[NAME_MAX_LEN + 16], explained[900], *text = NULL;
        size_t len;
        FILE *f = open_memstream(&text, &len);

        if (f == NULL)
                return NULL;
        snprintf(title, sizeof title, "Suite %s", s->file.name);
        explain(s, explained, sizeof explained);
        verdict_page_head(f, title,
                          status == 0   ? "good"
                          : status == 1 ? "bad"
                                        : "open",
                          suite_verdict_name(s), explained, false);
        put_trouble(f, s, prefix);
        put_groups(f, s, prefix);
        put_found(f, s, prefix);
        verdict_page_tail(f);
        if (fclose(f) != 0) {
                free(text);
                return NULL;
        }
        return text;
}

/* A run is a test case; one that is void or could not run is an error, one not flown is skipped. */
static void put_case(FILE *f, const struct suite_run *r)
{
        const char *element = !is_done(r)                ? "skipped"
                              : r->verdict == RUN_FAILED ? "failure"
                                                         : "error";

        fputs("  <testcase classname=\"", f);
        markup_text(f, r->group);
        fprintf(f, "\" name=\"%llu-%d\" time=\"%.3f\"", (unsigned long long)r->seed,
                r->repeat, r->wall_s);
        if (is_done(r) && r->verdict == RUN_PASSED) {
                fputs("/>\n", f);
                return;
        }
        fprintf(f, "><%s message=\"", element);
        markup_text(f, is_done(r) ? r->reason : "not flown yet");
        fputs("\"/></testcase>\n", f);
}

char *suite_junit(const struct suite *s)
{
        struct suite_count c = suite_count(s);
        double wall_s = 0.0;
        char *text = NULL;
        size_t len;
        FILE *f = open_memstream(&text, &len);

        if (f == NULL)
                return NULL;
        for (int i = 0; i < s->runs; i++)
                wall_s += s->run[i].wall_s;
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"", f);
        markup_text(f, s->file.name);
        fprintf(f,
                "\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" "
                "time=\"%.3f\">\n",
                s->runs, c.verdict[RUN_FAILED],
                c.verdict[RUN_VOID] + c.verdict[RUN_ERROR], c.open, wall_s);
        for (int i = 0; i < s->runs; i++)
                put_case(f, &s->run[i]);
        fputs("</testsuite>\n", f);
        if (fclose(f) != 0) {
                free(text);
                return NULL;
        }
        return text;
}
