/* `hilrig retrace`: the rig's vehicle beside a log of a flight, with the commands that the log's motors got. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/config/load.h"
#include "hil/retrace/retrace.h"
#include "hil/text/files.h"
#include "hil/text/terminal.h"

struct request {
        struct retrace_job job;
        struct config_overrides sets;
        const char *log, *rig, *out;
        bool json;
        char why[CONFIG_ERROR_TEXT];
};

static const struct option_spec specs[] = {
        { "--rig", "RIG", "rig file with the vehicle", TEXT(request, rig) },
        { "--vehicle", "N", "index of the vehicle in the rig; 0 if left out",
          WHOLE(request, job.vehicle, 0, VEHICLES_MAX - 1) },
        { "--from", "S", "after the log's first command; at take-off if left out",
          NUMBER(request, job.from_s, 0, 86400) },
        { "--for", "S", "no longer than this; to the landing if left out",
          NUMBER(request, job.for_s, 0, 86400) },
        { "--every", "S", "simulate anew from the log's state so often; 1, 0: never",
          NUMBER(request, job.every_s, 0, 86400) },
        { "--set", "KEY=VALUE", "change one value of the rig file",
          TEXTS(request, sets.set, sets.sets) },
        { "--out", "DIR", "leave retrace.html and retrace.json there",
          TEXT(request, out) },
        { "--json", NULL, "print retrace.json to standard output, and nothing else",
          FLAG(request, json) },
        { NULL },
};

static const struct options options = {
        .command = "retrace",
        .specs = specs,
        .operand = { "log", TEXT(request, log) },
        .usage =
                "retrace LOG[#N] --rig RIG [--from S] [--every S] [--out DIR]\n\n"
                "LOG is a ULog (PX4's or a run's run.ulg), ArduPilot's .bin, "
                "Betaflight's "
                "or INAV's\nblackbox, or a table (.csv); #N is its N-th log, or the N-th "
                "vehicle of a run. Exit\nstatus 0: compared; 2: could not be.",
};

static bool read_rig(struct request *q, struct rig_config *rig)
{
        struct config_error error;
        char *resolved = NULL;
        bool ok = config_read(rig, q->rig, &q->sets, &resolved, &error);

        free(resolved);
        if (!ok)
                snprintf(q->why, sizeof q->why, "%s", error.text);
        else if (q->job.vehicle >= rig->vehicles)
                snprintf(q->why, sizeof q->why, "--vehicle: must be less than %d, is %d",
                         rig->vehicles, q->job.vehicle);
        return ok && q->job.vehicle < rig->vehicles;
}

static bool write_page(struct request *q, const struct retrace_result *r,
                       const struct retrace_series series[RETRACE_RUNS])
{
        char path[1024], title[700];
        FILE *out;
        bool ok;

        snprintf(path, sizeof path, "%s/retrace.html", q->out);
        snprintf(title, sizeof title, "%s beside %s", q->log,
                 q->job.rig->vehicle[q->job.vehicle].name);
        out = run_file_open(path, q->why, sizeof q->why);
        if (out == NULL)
                return false;
        retrace_page(out, title, q->job.track, r, series);
        ok = ferror(out) == 0;
        ok = fclose(out) == 0 && ok;
        if (!ok)
                snprintf(q->why, sizeof q->why, "%s: could not be written (%s)", path,
                         strerror(errno));
        return ok;
}

static bool tell(struct request *q, const struct retrace_result *r,
                 const struct retrace_series series[RETRACE_RUNS])
{
        struct json *root = retrace_json(q->job.track, r);
        char *text = json_print(root);
        bool ok = text != NULL;

        json_free(root);
        if (!ok)
                snprintf(q->why, sizeof q->why, "out of memory");
        else if (q->json)
                fputs(text, stdout);
        else
                retrace_print(stdout, q->job.track, r);
        if (ok && q->out != NULL)
                ok = folder_make(q->out, q->why, sizeof q->why) &&
                     run_folder_write(q->out, "retrace.json", text, q->why,
                                      sizeof q->why) &&
                     write_page(q, r, series);
        free(text);
        return ok;
}

static bool retrace(struct request *q)
{
        struct rig_config *rig = calloc(1, sizeof *rig);
        struct retrace_series series[RETRACE_RUNS] = { { 0 } };
        struct track track = { .motors = 0 };
        struct flight_log_place place;
        struct retrace_result result;
        char why[300];
        bool ok = rig != NULL && read_rig(q, rig) &&
                  flight_log_place_parse(&place, q->log, q->why, sizeof q->why) &&
                  track_read(&track, &place, q->why, sizeof q->why);

        q->job.rig = rig;
        q->job.track = &track;
        if (ok && !retrace_fly(&q->job, series, &result, why, sizeof why)) {
                snprintf(q->why, sizeof q->why, "%s: %s", q->log, why);
                ok = false;
        }
        if (ok) {
                retrace_compare(&series[RETRACE_ANEW], &result);
                retrace_find_apart(&series[RETRACE_FREE], &result);
                retrace_explain(&series[RETRACE_CLOSE], &result);
                ok = tell(q, &result, series);
        }
        for (int i = 0; i < RETRACE_RUNS; i++)
                retrace_series_free(&series[i]);
        track_free(&track);
        q->job.track = NULL;
        q->job.rig = NULL;
        if (rig != NULL)
                config_free(rig);
        free(rig);
        return ok;
}

int retrace_command(int argc, char **argv)
{
        struct request q = { .job = { .from_s = -1.0, .every_s = 1.0 } };
        bool ok = true;
        int status = options_read(&options, argc, argv, &q);

        if (status != OPTIONS_READ)
                return status;
        if (q.log == NULL || q.rig == NULL) {
                snprintf(q.why, sizeof q.why, "needs a log, and --rig with a rig file");
                ok = false;
        }
        ok = ok && retrace(&q);
        if (!ok)
                options_complain("retrace", q.why[0] != '\0' ? q.why : "out of memory");
        return ok ? 0 : 2;
}
