/* The part of a summary about the flight controllers' processes: whether each was new, and how it fared. */
#include "hil/summary/summary.h"

#include <string.h>

#include "hil/text/json.h"
#include "hil/text/terminal.h"

static const char *log_name(const struct child *c)
{
        const char *slash = strrchr(c->log, '/');

        return slash != NULL ? slash + 1 : c->log;
}

void summary_process_json(struct json *root, const struct rig *rig)
{
        struct json *list = json_add_array(root, "processes");

        for (int i = 0; i < rig->config->vehicles; i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];
                const struct child *c = &rig->child[i];
                struct json *o = json_add_object(list, NULL);
                char end[100] = "";

                if (c->ended)
                        child_describe_end(c, end, sizeof end);
                json_add_string(o, "vehicle", v->config->name);
                json_add_string(o, "program", c->name);
                json_add_string(o, "log", log_name(c));
                json_add_string(o, "ended", end);
                json_add_u64(o, "restarts", v->port.restarts);
                json_add_bool(o, "flown_before", v->port.report.flown);
                json_add_number(o, "held_s", (double)v->held_ns * 1e-9);
                if (v->flight_ns > 0)
                        json_add_number(o, "starved_percent",
                                        100.0 * rig_starved_share(v));
        }
}

/* More than this is no small thing for a loop that runs in microseconds. */
#define STARVED_SHARE 0.1

void summary_process_print(FILE *out, const struct rig_vehicle *v)
{
        char text[80];

        if (rig_starved_share(v) > STARVED_SHARE) {
                standstill_describe(&v->flight, text, sizeof text);
                terminal_print(out,
                               "warning: %s: its firmware's process %s, %.0f %% of the "
                               "flight: what it did is the host's doing, too\n",
                               v->config->name, text, 100.0 * rig_starved_share(v));
        }
        if (v->port.report.flown)
                terminal_print(
                        out,
                        "%s: its firmware had flown since it was started: start it anew "
                        "for "
                        "each flight (fc.start)\n",
                        v->config->name);
        if (v->port.restarts > 0)
                terminal_print(out, "%s: its firmware restarted in flight, %u time%s\n",
                               v->config->name, v->port.restarts,
                               v->port.restarts == 1 ? "" : "s");
}
