/* JUnit XML as CI systems read it. */
#include <stdio.h>
#include <stdlib.h>

#include "hil/text/markup.h"
#include "hil/summary/summary.h"

static double sim_time_s(const struct rig *rig)
{
        return (double)(rig->tick * rig->config->period_ns) * 1e-9;
}

static void put_case(FILE *f, const struct rig *rig, const char *name, double time_s,
                     const char *outcome, const char *detail)
{
        fputs("  <testcase classname=\"", f);
        markup_text(f, rig->config->scenario.name);
        fputs("\" name=\"", f);
        markup_text(f, name);
        fprintf(f, "\" time=\"%.3f\"", time_s);
        if (outcome == NULL) {
                fputs("/>\n", f);
                return;
        }
        fprintf(f, "><%s message=\"", outcome);
        markup_text(f, detail);
        fputs("\"/></testcase>\n", f);
}

/* Its time is that of the flight at which it was decided. */
static void put_requirement(FILE *f, const struct rig *rig, int i)
{
        static const char *const outcome[] = { [JUDGE_PASSED] = NULL,
                                               [JUDGE_FAILED] = "failure",
                                               [JUDGE_OPEN] = "skipped" };
        int64_t decided_ns = judge_decided_ns(&rig->judge, i);
        char detail[200];

        judge_detail(&rig->judge, i, detail, sizeof detail);
        put_case(f, rig, rig->config->scenario.requirement[i].name,
                 decided_ns >= 0 ? (double)decided_ns * 1e-9 : sim_time_s(rig),
                 outcome[judge_result(&rig->judge, i)], detail);
}

/* A case of its own that failed, where there is something to say; returns whether. f NULL: only counts. */
static int put_fault(FILE *f, const struct rig *rig, const char *what, int vehicle,
                     const char *text)
{
        char name[NAME_MAX_LEN + 16];

        if (text[0] == '\0')
                return 0;
        snprintf(name, sizeof name, "%s of %s", what, rig->config->vehicle[vehicle].name);
        if (f != NULL)
                put_case(f, rig, name, sim_time_s(rig), "failure", text);
        return 1;
}

/* Boards that were found to be wired wrong, or were left armed. */
static int put_faults(FILE *f, const struct rig *rig)
{
        int faults = 0;

        for (int i = 0; i < rig->config->vehicles; i++) {
                char text[WIRING_TEXT_MAX];

                wiring_describe(&rig->vehicle[i].wiring, text, sizeof text);
                faults += put_fault(f, rig, "wiring", i, text);
                rig_left_armed(&rig->vehicle[i], text, sizeof text);
                faults += put_fault(f, rig, "disarming", i, text);
        }
        return faults;
}

/* A case an item that is judged, and one for the fence. */
static void put_mission(FILE *f, const struct rig *rig)
{
        static const char *const outcome[] = {
                [MISSION_OPEN] = "skipped", [MISSION_UNMET] = "failure"
        };
        const struct mission_flight *m = &rig->mission;
        const struct route *r = m->route;
        char name[80];

        for (int i = 0; rig->config->mission != NULL && i < r->stops; i++) {
                const struct mission_row *row = &m->row[i];
                int64_t at_ns = row->reached_ns >= 0 ? row->reached_ns : m->over_ns;

                if (!r->stop[i].moves)
                        continue;
                snprintf(name, sizeof name, "mission item %d: %s", r->stop[i].item + 1,
                         mission_command_name(r->stop[i].command));
                put_case(f, rig, name,
                         at_ns >= 0 ? (double)at_ns * 1e-9 : sim_time_s(rig),
                         row->outcome == MISSION_MET ? NULL : outcome[row->outcome],
                         row->why != NULL ? row->why : "the flight did not come to it");
        }
        if (rig->config->mission != NULL && r->fences > 0)
                put_case(f, rig, "mission: fence",
                         m->breached_ns >= 0 ? (double)m->breached_ns * 1e-9
                                             : sim_time_s(rig),
                         m->breached_ns >= 0 ? "failure"
                         : m->over_ns >= 0   ? NULL
                                             : "skipped",
                         m->breach != NULL ? m->breach : "the flight was cut short");
}

char *summary_junit(const struct summary *s, const struct rig *rig)
{
        int requirements = rig->config->scenario.requirements;
        bool broken = s->verdict == VERDICT_VOID || s->verdict == VERDICT_ERROR;
        bool ended = rig->end == END_FC_GONE || rig->end == END_WRECKED;
        int faults = put_faults(NULL, rig), failures = faults, open = 0;
        char *text = NULL;
        size_t len;
        FILE *f = open_memstream(&text, &len);
        struct mission_tally flown = { 0 };

        if (f == NULL)
                return NULL;
        if (rig->config->mission != NULL)
                flown = mission_flight_tally(&rig->mission);
        failures += flown.unmet;
        open += flown.all - flown.met - flown.unmet;
        for (int i = 0; i < requirements; i++) {
                failures += judge_result(&rig->judge, i) == JUDGE_FAILED;
                open += judge_result(&rig->judge, i) == JUDGE_OPEN;
        }
        fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"");
        markup_text(f, rig->config->name);
        fprintf(f,
                "\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" "
                "time=\"%.3f\">\n",
                requirements + flown.all + faults + 1, failures + (!broken && ended),
                broken, open, (double)(rig->end_ns - rig->start_ns) * 1e-9);
        put_case(f, rig, "the run itself", sim_time_s(rig),
                 broken  ? "error"
                 : ended ? "failure"
                         : NULL,
                 s->reason);
        for (int i = 0; i < requirements; i++)
                put_requirement(f, rig, i);
        put_mission(f, rig);
        put_faults(f, rig);
        fputs("</testsuite>\n", f);
        if (fclose(f) != 0) {
                free(text);
                return NULL;
        }
        return text;
}
