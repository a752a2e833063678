/* What became of each item of a mission. */
#include <math.h>
#include <stdio.h>

#include "hil/summary/summary.h"
#include "hil/text/terminal.h"

static double seconds(int64_t t_ns)
{
        return t_ns >= 0 ? (double)t_ns * 1e-9 : (double)NAN;
}

static void add_row(struct json *list, const struct route_stop *s,
                    const struct mission_row *row)
{
        struct json *o = json_add_object(list, NULL);

        json_add_i64(o, "item", s->item + 1);
        json_add_string(o, "what", mission_command_name(s->command));
        json_add_string(o, "outcome", mission_outcome_name(row->outcome));
        json_add_string(o, "why", row->why != NULL ? row->why : "");
        json_add_number(o, "asked_s", seconds(row->asked_ns));
        json_add_number(o, "reached_s", seconds(row->reached_ns));
        json_add_number(o, "error_m", row->error_m);
        json_add_number(o, "radius_m", s->moves ? s->radius_m : (double)NAN);
        json_add_number(o, "heading_error_deg", row->heading_error_rad * DEG_PER_RAD);
        json_add_number(o, "held_s", row->held_s);
        json_add_number(o, "hold_s", s->hold_s);
        json_add_number(o, "cross_track_m", row->cross_track_m);
        json_add_number(o, "north_m", s->at_ned_m.x);
        json_add_number(o, "east_m", s->at_ned_m.y);
        json_add_number(o, "up_m", -s->at_ned_m.z);
}

/* Corners of a polygon one after the other; a circle has a radius. */
static void add_fence(struct json *o, const struct route *r)
{
        struct json *list = json_add_array(o, "fence");

        for (int i = 0; i < r->fences; i++) {
                const struct route_fence *f = &r->fence[i];
                struct json *c = json_add_object(list, NULL);

                json_add_i64(c, "command", f->command);
                json_add_i64(c, "corners", f->corners);
                json_add_number(c, "north_m", f->north_m);
                json_add_number(c, "east_m", f->east_m);
                json_add_number(c, "radius_m", f->radius_m);
        }
}

/* "passed", "FAILED" or "not judged". */
static const char *summary_mission_fence(const struct mission_flight *f)
{
        if (f->breached_ns >= 0)
                return "FAILED";
        return f->over_ns >= 0 ? "passed" : "not judged";
}

void summary_mission_json(struct json *root, const struct rig *rig)
{
        const struct mission_flight *f = &rig->mission;
        struct json *o, *list;

        if (rig->config->mission == NULL)
                return;
        o = json_add_object(root, "mission");
        json_add_string(o, "source", rig->config->mission->settings.source);
        json_add_i64(o, "vehicle", rig->config->mission->settings.vehicle);
        json_add_number(o, "cross_track_max_m", f->limits.cross_track_m);
        json_add_number(o, "landing_max_m", f->limits.landing_m);
        list = json_add_array(o, "items");
        for (int i = 0; i < f->route->stops; i++)
                add_row(list, &f->route->stop[i], &f->row[i]);
        add_fence(o, f->route);
        json_add_string(o, "fence_outcome",
                        f->route->fences > 0 ? summary_mission_fence(f) : "");
        json_add_number(o, "breached_s", seconds(f->breached_ns));
        json_add_string(o, "breach", f->breach != NULL ? f->breach : "");
}

static void print_cell(FILE *out, int width, int digits, double value)
{
        if (isfinite(value))
                fprintf(out, " %*.*f", width, digits, value);
        else
                fprintf(out, " %*s", width, "-");
}

void summary_mission_print(FILE *out, const struct rig *rig)
{
        const struct mission_flight *f = &rig->mission;

        if (rig->config->mission == NULL)
                return;
        fprintf(out, "\n  item %-18s%10s %10s %7s %9s %6s %7s\n", "", "asked s",
                "reached s", "off m", "heading", "held s", "beside m");
        for (int i = 0; i < f->route->stops; i++) {
                const struct route_stop *s = &f->route->stop[i];
                const struct mission_row *row = &f->row[i];

                fprintf(out, "  %4d %-18s", s->item + 1,
                        mission_command_name(s->command));
                print_cell(out, 9, 2, seconds(row->asked_ns));
                print_cell(out, 10, 2, seconds(row->reached_ns));
                print_cell(out, 7, 2, row->error_m);
                print_cell(out, 9, 1, row->heading_error_rad * DEG_PER_RAD);
                print_cell(out, 6, 1, s->hold_s > 0.0 ? row->held_s : (double)NAN);
                print_cell(out, 8, 2, row->cross_track_m);
                fprintf(out, "  %s%s%s\n", mission_outcome_name(row->outcome),
                        row->why ? ": " : "", row->why ? row->why : "");
        }
        if (f->breached_ns >= 0)
                fprintf(out, "  fence FAILED: at %.3f s %s\n", seconds(f->breached_ns),
                        f->breach);
        else if (f->route->fences > 0)
                fprintf(out, "  fence %s\n", summary_mission_fence(f));
}
