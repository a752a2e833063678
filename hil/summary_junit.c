/* JUnit XML as CI systems read it. */
#include <stdio.h>
#include <stdlib.h>

#include "hil/markup.h"
#include "hil/summary.h"

static void put_case(FILE *f, const struct rig *rig, const char *name,
                     const char *outcome, const char *detail)
{
        fputs("  <testcase classname=\"", f);
        markup_text(f, rig->config->name);
        fputs("\" name=\"", f);
        markup_text(f, name);
        if (outcome == NULL) {
                fputs("\"/>\n", f);
                return;
        }
        fprintf(f, "\"><%s message=\"", outcome);
        markup_text(f, detail);
        fputs("\"/></testcase>\n", f);
}

static void put_requirement(FILE *f, const struct rig *rig, int i)
{
        static const char *const outcome[] = { [JUDGE_PASSED] = NULL,
                                               [JUDGE_FAILED] = "failure",
                                               [JUDGE_OPEN] = "skipped" };
        char detail[200];

        judge_detail(&rig->judge, i, detail, sizeof detail);
        put_case(f, rig, rig->config->scenario.requirement[i].name,
                 outcome[judge_result(&rig->judge, i)], detail);
}

char *summary_junit(const struct summary *s, const struct rig *rig)
{
        int requirements = rig->config->scenario.requirements;
        bool broken = s->verdict == VERDICT_VOID || s->verdict == VERDICT_ERROR;
        int failures = 0, open = 0;
        char *text = NULL;
        size_t len;
        FILE *f = open_memstream(&text, &len);

        if (f == NULL)
                return NULL;
        for (int i = 0; i < requirements; i++) {
                failures += judge_result(&rig->judge, i) == JUDGE_FAILED;
                open += judge_result(&rig->judge, i) == JUDGE_OPEN;
        }
        fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"");
        markup_text(f, rig->config->name);
        fprintf(f,
                "\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" "
                "time=\"%.3f\">\n",
                requirements + 1, failures + (!broken && rig->end == END_FC_GONE), broken,
                open, (double)(rig->end_ns - rig->start_ns) * 1e-9);
        put_case(f, rig, "the run itself",
                 broken                    ? "error"
                 : rig->end == END_FC_GONE ? "failure"
                                           : NULL,
                 s->reason);
        for (int i = 0; i < requirements; i++)
                put_requirement(f, rig, i);
        fputs("</testsuite>\n", f);
        if (fclose(f) != 0) {
                free(text);
                return NULL;
        }
        return text;
}
