/* A suite as a page, and as JUnit XML. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/page/page.h"
#include "hil/suite/suite.h"
#include "hil/text/markup.h"
#include "hil/text/version.h"

static bool is_done(const struct suite_run *r)
{
        return r->state == SUITE_KEPT || r->state == SUITE_FLOWN;
}

static const char *state_name(const struct suite_run *r)
{
        return is_done(r) ? compared_run_name(r->verdict) : "open";
}

static const char *tone_of(const struct suite_run *r)
{
        if (!is_done(r))
                return "soft";
        return r->verdict == RUN_PASSED   ? "passed"
               : r->verdict == RUN_FAILED ? "failed"
                                          : "void";
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

static const char *path_below(const struct suite *s, const struct suite_run *r)
{
        return r->folder + strlen(s->folder) + 1;
}

/* To the run's report, or to what there is of it. */
static void add_link(struct json *cell, const struct suite *s, const char *prefix,
                     const struct suite_run *r)
{
        static const char *const file[] = { "report.html", "summary.json", "output.txt" };
        char path[600], *url = NULL;
        size_t len, i = 0;
        FILE *f;

        do {
                if (i == sizeof file / sizeof file[0])
                        return;
                snprintf(path, sizeof path, "%s/%s", r->folder, file[i]);
        } while (access(path, F_OK) != 0 && ++i > 0);
        f = open_memstream(&url, &len);
        if (f == NULL)
                return;
        put_url(f, prefix);
        put_url(f, path_below(s, r));
        fprintf(f, "/%s", file[i]);
        fclose(f);
        json_add_string(cell, "href", url);
        free(url);
}

/* A run as a sign, its seed and repeat, and a link. */
static void add_run(struct json *list, const struct suite *s, const char *prefix,
                    const struct suite_run *r)
{
        bool empty = suite_asked_nothing(r);
        struct json *item = json_add_object(list, NULL);
        char text[100];

        snprintf(text, sizeof text, "%llu-%d", (unsigned long long)r->seed, r->repeat);
        json_add_string(item, "text", text);
        json_add_string(item, "tone", empty ? "soft" : tone_of(r));
        snprintf(text, sizeof text, "%s%s", state_name(r),
                 empty ? ", " SUITE_ASKED_NOTHING : "");
        json_add_string(item, "title", text);
        json_add_string(item, "before",
                        !is_done(r)                ? "\xE2\x97\x8B"
                        : r->verdict == RUN_PASSED ? "\xE2\x9C\x93"
                        : r->verdict == RUN_FAILED ? "\xE2\x9C\x97"
                                                   : "?");
        if (empty)
                json_add_string(item, "after", " (" SUITE_ASKED_NOTHING ")");
        add_link(item, s, prefix, r);
}

static void add_group(struct json *rows, const struct suite *s, const char *prefix,
                      int from, int to)
{
        struct json *row = page_row(rows, NULL), *list;
        int count[4] = { 0 };
        double wall_s = 0.0;

        for (int i = from; i < to; i++) {
                if (is_done(&s->run[i]))
                        count[s->run[i].verdict]++;
                wall_s += s->run[i].wall_s;
        }
        page_cell(row, "%s", s->run[from].group);
        for (int v = RUN_PASSED; v <= RUN_ERROR; v++)
                page_cell(row, "%d", count[v]);
        page_cell(row, "%.1f", wall_s);
        list = page_cell_list(row);
        for (int i = from; i < to; i++)
                add_run(list, s, prefix, &s->run[i]);
}

static void add_groups(struct json *page, const struct suite *s, const char *prefix)
{
        struct json *rows = page_table(page_section(page, "runs", "Runs"), "groups",
                                       "*Rig/scenario", "#Passed", "#Failed", "#Void",
                                       "#Error", "#s", "Seed-repeat", NULL);
        int from = 0;

        for (int i = 1; i <= s->runs; i++) {
                if (i < s->runs && strcmp(s->run[i].group, s->run[from].group) == 0)
                        continue;
                add_group(rows, s, prefix, from, i);
                from = i;
        }
}

static bool is_trouble(const struct suite_run *r)
{
        return is_done(r) && r->verdict != RUN_PASSED;
}

/* A planted fault that made its run fail, as it must. */
static bool is_found(const struct suite_run *r)
{
        return is_done(r) && r->verdict == RUN_PASSED && r->variant != NULL &&
               r->variant->must_fail[0] != '\0';
}

/* The runs of one kind with their reasons; no section without any. */
static void add_reasons(struct json *page, const struct suite *s, const char *prefix,
                        bool (*belongs)(const struct suite_run *r), const char *id,
                        const char *title, const char *head)
{
        struct json *rows = NULL, *row;

        for (int i = 0; i < s->runs; i++) {
                const struct suite_run *r = &s->run[i];

                if (!belongs(r))
                        continue;
                if (rows == NULL)
                        rows = page_table(page_section(page, id, title), "reasons",
                                          "Verdict", "*Run", head, NULL);
                row = page_row(rows, tone_of(r));
                page_cell(row, "%s", state_name(r));
                add_link(page_cell_object(row, path_below(s, r)), s, prefix, r);
                page_cell(row, "%s", r->reason);
        }
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
        struct json *page = page_new("suite");
        char title[NAME_MAX_LEN + 16], explained[900], *text = NULL;
        size_t len;
        FILE *f = open_memstream(&text, &len);
        bool ok;

        snprintf(title, sizeof title, "Suite %s", s->file.name);
        explain(s, explained, sizeof explained);
        json_add_string(page, "title", title);
        json_add_string(page, "name", title);
        json_add_string(page, "tone",
                        status == 0   ? "passed"
                        : status == 1 ? "failed"
                                      : "void");
        json_add_string(page, "verdict", suite_verdict_name(s));
        json_add_string(page, "reason", explained);
        add_reasons(page, s, prefix, is_trouble, "trouble", "What did not pass", "Why");
        add_groups(page, s, prefix);
        add_reasons(page, s, prefix, is_found, "found", "Planted faults that were found",
                    "By");
        ok = f != NULL && page_open(f, page);
        if (ok)
                page_close(f, page);
        json_free(page);
        if (f != NULL && fclose(f) == 0 && ok)
                return text;
        free(text);
        return NULL;
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
