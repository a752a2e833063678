/* The numbers behind the page's plots, as JSON: times as differences in whole microseconds,
 * values by column. */
#include <string.h>

#include "hil/text/markup.h"
#include "hil/page/report.h"

static void put_times(FILE *out, const struct report_table *t)
{
        int64_t before = 0;

        for (size_t i = 0; i < t->rows; i++) {
                if (i > 0)
                        putc_unlocked(',', out);
                markup_json_integer(out, t->t_us[i] - before);
                before = t->t_us[i];
        }
}

/* Columns beyond those of the rig (of eight rotors it may have four) are left out. */
static int columns_used(const struct report *r, int id)
{
        int columns = report_table_columns(id);

        if ((id == REPORT_DUTY || id == REPORT_ROTORS) && r->log.rotors > 0)
                return r->log.rotors < columns ? r->log.rotors : columns;
        return columns;
}

static void put_table(FILE *out, const struct report *r, const struct report_table *t,
                      int id)
{
        size_t width = (size_t)t->columns;

        fprintf(out, "{\"n\":%llu,\"t\":[", (unsigned long long)t->seen);
        put_times(out, t);
        if (t->thinned)
                fprintf(out, "],\"stretch_us\":%lld,\"v\":[",
                        (long long)((t->extent.last_us - t->extent.first_us) /
                                    (int64_t)t->stretches));
        else
                fputs("],\"v\":[", out);
        for (size_t c = 0; c < (size_t)columns_used(r, id); c++) {
                fputs(c > 0 ? ",[" : "[", out);
                for (size_t i = 0; i < t->rows; i++) {
                        if (i > 0)
                                putc_unlocked(',', out);
                        markup_json_number(out, t->value[i * width + c]);
                }
                putc_unlocked(']', out);
        }
        fputs("]}", out);
}

/* What its place in a scene follows from. */
static bool is_path(int id)
{
        return id == REPORT_POSITION_TRUTH || id == REPORT_ATTITUDE_TRUTH ||
               id == REPORT_ROTORS || id == REPORT_SETPOINT;
}

static void put_vehicle(FILE *out, const struct report *r, int vehicle, bool path)
{
        const char *between = "";

        fputs("{\"name\":", out);
        markup_json(out, report_vehicle_name(r, vehicle));
        if (r->log.vehicle[vehicle].few)
                fputs(",\"few\":true", out);
        fputs(",\"tables\":{", out);
        for (int id = 0; id < REPORT_TABLES; id++) {
                const struct report_table *t = &r->log.vehicle[vehicle].table[id];

                if (t->rows == 0 || (path && !is_path(id)))
                        continue;
                fprintf(out, "%s\n\"%s", between, report_table_name(id));
                if (id >= REPORT_SONAR)
                        fprintf(out, "%d", id - REPORT_SONAR);
                fputs("\":", out);
                put_table(out, r, t, id);
                between = ",";
        }
        fputs("}}", out);
}

static void put_vehicles(FILE *out, const struct report *r, bool path)
{
        fputs("\"vehicles\":[", out);
        for (int i = 0; i < r->log.vehicles; i++) {
                fputs(i > 0 ? ",\n" : "\n", out);
                put_vehicle(out, r, i, path);
        }
        fputs("]}", out);
}

void report_put_paths(FILE *out, const struct report *r)
{
        fprintf(out, "{\"end_s\":%.6f,", (double)r->log.end_us / 1e6);
        put_vehicles(out, r, true);
}

/* What was asked of all stands in the log as the first one's. */
static bool concerns_all(const struct report *r, const struct report_event *e)
{
        return e->kind == REPORT_STEP && r->log.vehicles > 1 && r->rig != NULL &&
               e->index >= 0 && e->index < r->rig->scenario.steps &&
               r->rig->scenario.step[e->index].vehicle < 0 &&
               !r->rig->scenario.step[e->index].chooses;
}

static void put_events(FILE *out, const struct report *r)
{
        const struct report_log *log = &r->log;

        for (int i = 0; i < log->events; i++) {
                const struct report_event *e = &log->event[i];

                fprintf(out, "%s\n{\"at\":%.6f,\"kind\":%d,\"vehicle\":%d,\"index\":%d,",
                        i > 0 ? "," : "", (double)e->t_us / 1e6, e->kind,
                        concerns_all(r, e) ? -1 : e->vehicle, e->index);
                fputs("\"impact_mps\":", out);
                markup_json_number(out, e->impact_mps);
                fputs(",\"what\":", out);
                markup_json(out, e->what);
                putc_unlocked('}', out);
        }
}

/* Which vehicles the page begins with. */
static void put_fleet(FILE *out, const struct report *r)
{
        static const char *const rank[] = { "worst", "median", "best" };
        const struct json *fleet = json_member(r->summary, "fleet");
        const char *by = json_string(fleet, "by");
        bool known = by != NULL;

        if (r->vehicle >= 0)
                fprintf(out, "\"first\":%d,", r->vehicle);
        for (int i = 0; i < 3; i++)
                known = known && json_number(fleet, rank[i]) >= 0.0 &&
                        json_number(fleet, rank[i]) < r->log.vehicles;
        if (!known)
                return;
        fputs("\"fleet\":{\"by\":", out);
        markup_json(out, by);
        for (int i = 0; i < 3; i++)
                fprintf(out, ",\"%s\":%d", rank[i], (int)json_number(fleet, rank[i]));
        fputs("},", out);
}

void report_put_flight(FILE *out, const struct report *r)
{
        fprintf(out, ",\n\"flight\":{\"end_s\":%.6f,\"world\":%s,\"events\":[",
                (double)r->log.end_us / 1e6, r->world.known ? "true" : "false");
        put_events(out, r);
        fputs("],", out);
        put_fleet(out, r);
        put_vehicles(out, r, false);
}
