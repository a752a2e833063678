/* A suite as a page, and as JUnit XML. */
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

/* The run's report, or what there is of it. */
static void add_link(struct json *run, const struct suite *s, const char *prefix,
                     const struct suite_run *r)
{
        static const char *const file[] = { "report.html", "summary.json", "output.txt" };
        char path[600];

        for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
                snprintf(path, sizeof path, "%s/%s", r->folder, file[i]);
                if (access(path, F_OK) != 0)
                        continue;
                page_add_url(run, prefix, path + strlen(s->folder) + 1);
                return;
        }
}

static void add_run(struct json *run, const struct suite *s, const char *prefix,
                    const struct suite_run *r)
{
        add_link(run, s, prefix, r);
        /* A planted fault that made its run fail, as it must. */
        if (is_done(r) && r->verdict == RUN_PASSED && r->variant != NULL &&
            r->variant->must_fail[0] != '\0')
                json_add_bool(run, "found", true);
}

static void explain(const struct suite *s, char *text, size_t cap)
{
        struct suite_count c = suite_count(s);
        char firmware[COMPARE_FIRMWARE_MAX];
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
                         "Of %d that are void " NOTHING_REQUIRED ". ", c.asked_nothing);
        used = strlen(text);
        if (s->left_out > 0)
                snprintf(text + used, cap - used,
                         "%d run%s of the suite left out, of which this says nothing. ",
                         s->left_out, s->left_out == 1 ? "" : "s");
        used = strlen(text);
        suite_firmware(s, firmware, sizeof firmware);
        snprintf(text + used, cap - used, "Firmware: %s. hilrig %s, %s.",
                 firmware[0] != '\0' ? firmware : "not known", hilrig_version(),
                 s->options.file);
}

char *suite_html(const struct suite *s, const char *prefix)
{
        static const char *const tone[] = { "passed", "failed", "void", "void" };
        struct json *page, *suite = suite_document(s), *run;
        char explained[1200];
        int i = 0;

        explain(s, explained, sizeof explained);
        page = page_new("suite", tone[suite_exit_status(s)], suite_verdict_name(s),
                        explained);
        page_add_text(page, "title", "Suite %s", s->file.name);
        page_add_text(page, "name", "Suite %s", s->file.name);
        run = suite != NULL ? json_member(suite, "run")->first : NULL;
        for (; run != NULL && i < s->runs; run = run->next)
                add_run(run, s, prefix, &s->run[i++]);
        page_attach(page, "suite", suite);
        return page_text(page);
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

void suite_put_junit(FILE *f, const struct suite *s)
{
        struct suite_count c = suite_count(s);
        double wall_s = 0.0;

        for (int i = 0; i < s->runs; i++)
                wall_s += s->run[i].wall_s;
        fputs("<testsuite name=\"", f);
        markup_text(f, s->file.name);
        fprintf(f,
                "\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" "
                "time=\"%.3f\">\n",
                s->runs, c.verdict[RUN_FAILED],
                c.verdict[RUN_VOID] + c.verdict[RUN_ERROR], c.open, wall_s);
        for (int i = 0; i < s->runs; i++)
                put_case(f, &s->run[i]);
        fputs("</testsuite>\n", f);
}

char *suite_junit(const struct suite *s)
{
        char *text = NULL;
        size_t len;
        FILE *f = open_memstream(&text, &len);

        if (f == NULL)
                return NULL;
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", f);
        suite_put_junit(f, s);
        if (fclose(f) != 0) {
                free(text);
                return NULL;
        }
        return text;
}
