/* A campaign as a page, and as JUnit XML. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/campaign/campaign.h"
#include "hil/page/page.h"
#include "hil/text/markup.h"
#include "hil/text/version.h"

static void explain(const struct campaign *c, char *text, size_t cap)
{
        struct suite_count n = campaign_count(c);

        snprintf(text, cap,
                 "%d flight%s of %d version%s: %d passed, %d failed, %d void, %d could "
                 "not "
                 "run, %d not flown yet. hilrig %s, %s.",
                 c->flights, c->flights == 1 ? "" : "s", c->file.versions,
                 c->file.versions == 1 ? "" : "s", n.verdict[RUN_PASSED],
                 n.verdict[RUN_FAILED], n.verdict[RUN_VOID], n.verdict[RUN_ERROR], n.open,
                 hilrig_version(), c->options.file);
}

/* The flight's report, or what there is of it. */
static void add_link(struct json *flight, const struct campaign *c,
                     const struct campaign_flight *f)
{
        static const char *const file[] = { "report.html", "summary.json", "output.txt" };
        char path[600];

        for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
                snprintf(path, sizeof path, "%s/%s", f->run->folder, file[i]);
                if (access(path, F_OK) != 0)
                        continue;
                page_add_url(flight, "", path + strlen(c->folder) + 1);
                return;
        }
}

char *campaign_html(const struct campaign *c)
{
        static const char *const tone[] = { "passed", "failed", "void", "void" };
        struct json *page, *campaign = campaign_document(c), *flight;
        char explained[1000];
        int i = 0;

        explain(c, explained, sizeof explained);
        page = page_new("campaign", tone[campaign_exit_status(c)],
                        campaign_verdict_name(c), explained);
        page_add_text(page, "title", "Campaign %s", c->file.suite.name);
        page_add_text(page, "name", "Campaign %s", c->file.suite.name);
        if (c->stop_reason[0] != '\0')
                page_warn(page, "Stopped: %s", c->stop_reason);
        flight = campaign != NULL ? json_member(campaign, "flight")->first : NULL;
        for (; flight != NULL && i < c->flights; flight = flight->next)
                add_link(flight, c, &c->flight[i++]);
        page_attach(page, "campaign", campaign);
        return page_text(page);
}

/* A test suite for each version. */
char *campaign_junit(const struct campaign *c)
{
        char *text = NULL;
        size_t len;
        FILE *f = open_memstream(&text, &len);

        if (f == NULL)
                return NULL;
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"", f);
        markup_text(f, c->file.suite.name);
        fputs("\">\n", f);
        for (int v = 0; v < c->file.versions; v++)
                suite_put_junit(f, &c->suite[v]);
        fputs("</testsuites>\n", f);
        if (fclose(f) == 0)
                return text;
        free(text);
        return NULL;
}
