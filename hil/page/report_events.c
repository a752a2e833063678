/* The page's list of what happened, and what was said. */
#include <string.h>

#include "hil/text/markup.h"
#include "hil/page/report_page.h"

static const struct {
        const char *word, *class;
} kinds[] = { [REPORT_COLLISION] = { "collision", "collision" },
              [REPORT_MEETING] = { "vehicles met", "collision" },
              [REPORT_STEP] = { "step", "step" },
              [REPORT_ACTION_BEGINS] = { "begins", "fault" },
              [REPORT_ACTION_OVER] = { "is over", "fault" },
              [REPORT_SETPOINT_CHANGED] = { "step", "step" } };

/* A log that names its steps needs none worked out from the setpoints. */
static bool names_steps(const struct report_log *log)
{
        for (int i = 0; i < log->events; i++)
                if (log->event[i].kind == REPORT_STEP)
                        return true;
        return false;
}

static bool is_shown(const struct report_log *log, const struct report_event *e)
{
        return e->kind != REPORT_SETPOINT_CHANGED || !names_steps(log);
}

static void put_event(FILE *out, const struct report *r, const struct report_event *e)
{
        fprintf(out,
                "<tr data-at-us=\"%lld\" data-vehicle=\"%d\"><td class=\"when\"><button "
                "type=\"button\" class=\"jump\">",
                (long long)e->t_us, e->vehicle);
        report_seconds(out, e->t_us);
        fprintf(out, "</button></td><td class=\"%s\">%s</td><td>", kinds[e->kind].class,
                kinds[e->kind].word);
        markup_text(out, report_vehicle_name(r, e->vehicle));
        fputs("</td><td>", out);
        markup_text(out, e->what);
        if (e->kind == REPORT_COLLISION || e->kind == REPORT_MEETING)
                fprintf(out, ", %.3g m/s", e->impact_mps);
        fputs("</td></tr>\n", out);
}

void report_put_events(FILE *out, const struct report *r)
{
        const struct report_log *log = &r->log;

        if (log->events == 0) {
                fputs("<p>The log holds no step, stimulus, fault or collision that can "
                      "be "
                      "read.</p>\n",
                      out);
                return;
        }
        fputs("<table class=\"events\"><thead><tr><th scope=\"col\">Time</th><th "
              "scope=\"col\">Kind</th><th scope=\"col\">Vehicle</th><th "
              "scope=\"col\">What</th></tr></thead><tbody>\n",
              out);
        for (int i = 0; i < log->events; i++)
                if (is_shown(log, &log->event[i]))
                        put_event(out, r, &log->event[i]);
        fputs("</tbody></table>\n", out);
        if (log->events_more > 0)
                fprintf(out, "<p class=\"note\">%llu later events are not shown.</p>\n",
                        (unsigned long long)log->events_more);
}

void report_put_lines(FILE *out, const struct report *r)
{
        const struct report_log *log = &r->log;

        if (log->lines == 0)
                return;
        fprintf(out,
                "<details><summary>What was said: %d "
                "lines</summary><table><thead><tr><th "
                "scope=\"col\">Time</th><th "
                "scope=\"col\">Text</th></tr></thead><tbody>\n",
                log->lines);
        for (int i = 0; i < log->lines; i++) {
                const struct report_line *line = &log->line[i];

                fprintf(out, "<tr%s><td class=\"when\">",
                        line->level <= '4' ? " class=\"bad\"" : "");
                report_seconds(out, line->t_us);
                fputs("</td><td>", out);
                markup_text(out, line->text);
                fputs("</td></tr>\n", out);
        }
        fputs("</tbody></table></details>\n", out);
        if (log->lines_more > 0)
                fprintf(out, "<p class=\"note\">%llu later lines are not shown.</p>\n",
                        (unsigned long long)log->lines_more);
}
