/* `hilrig identify`: a vehicle file from the log of a flight, with an interval for each number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/cmd/commands.h"
#include "hil/cmd/identify.h"
#include "hil/console/options.h"
#include "hil/config/config.h"
#include "hil/config/load.h"
#include "hil/sysid/sysid.h"
#include "hil/text/files.h"
#include "hil/text/terminal.h"

struct request {
        const char *log[SYSID_LOGS];
        int logs;
        const char *start, *out;
        int output[ROTORS_MAX];
        int outputs; /* that were given */
        double air_density_kgpm3;
        double level_deg, until_s; /* with --rest */
        bool json, rest, bench, has_parts;
        char why[CONFIG_ERROR_TEXT];
};

static bool take_outputs(void *of, const struct option_spec *spec, const char *value)
{
        struct request *q = of;
        const char *at = value;
        char *end;

        for (q->outputs = 0; q->outputs < ROTORS_MAX; at = end + 1) {
                long n = strtol(at, &end, 10);

                if (end == at || n < 0 || n >= ROTORS_MAX)
                        break;
                q->output[q->outputs++] = (int)n;
                if (*end == '\0')
                        return true;
                if (*end != ',')
                        break;
        }
        return terminal_complain(
                "identify",
                "%s: must be numbers of 0 to %d with commas between, is \"%s\"",
                spec->name, ROTORS_MAX - 1, value);
}

static const struct option_spec specs[] = {
        { "--vehicle", "START", "vehicle file to start from; its mass is taken as right",
          TEXT(request, start) },
        { "--out", "NEW", "leave a vehicle file there that includes START",
          TEXT(request, out) },
        { "--outputs", "LIST",
          "which output of the log drives rotor 0, 1, ...; 0,1,2,... if left out",
          OTHER(take_outputs) },
        { "--air-density", "KGPM3", "of the flight; 1.225 if left out",
          NUMBER(request, air_density_kgpm3, 0.1, 2) },
        { "--json", NULL, "print the result as JSON, and nothing else",
          FLAG(request, json) },
        { "--rest", NULL,
          "the errors of the sensors, from logs in which the vehicle stands still",
          FLAG(request, rest) },
        { "--level", "DEG",
          "with --rest: it stands upright to so many degrees, which tells the "
          "accelerometer's bias",
          NUMBER(request, level_deg, 0, 45) },
        { "--bench", NULL,
          "what to do on a bench; with tables of a thrust stand, what they tell and "
          "what to do next",
          FLAG(request, bench) },
        { "--until", "S", "with --rest: end S seconds after a log's first sample",
          NUMBER(request, until_s, 0, 1e6) },
        { NULL },
};

static const struct options options = {
        .command = "identify",
        .specs = specs,
        .operand = { "log", TEXTS(request, log, logs) },
        .usage = "identify LOG[#N]... --vehicle START [--out NEW]\n"
                 "       hilrig identify --rest LOG[@S]... [--vehicle START --out "
                 "NEW]\n"
                 "       hilrig identify --bench [TABLE... --vehicle START [--out "
                 "NEW]]\n\n"
                 "LOG is one that hilrig retrace reads; of a run of the rig its truth is "
                 "not read. Of several\nthe last is held back. Exit status 0: NEW "
                 "predicts "
                 "what was held back better than START;\n1: it does not; 2: could not be "
                 "found.",
};

char *identify_find_file(const struct identify_request *q, const char *name)
{
        char *found = config_file_named(name);
        char *full = found != NULL ? realpath(found, NULL) : NULL;

        free(found);
        if (full == NULL)
                snprintf(q->why, CONFIG_ERROR_TEXT, "%s: no such file", name);
        return full;
}

/* The rig in which a vehicle is read. */
static char *rig_around(const char *rig, const char *vehicle)
{
        struct json *root = json_new_object(), *one, *fc;

        json_add_string(root, "include", rig);
        json_add_string(root, "name", "identify");
        one = json_add_object(json_add_array(root, "vehicles"), NULL);
        json_add_string(one, "name", "vehicle");
        json_add_string(one, "vehicle", vehicle);
        fc = json_add_object(one, "fc");
        json_add_string(fc, "codec", "hilp");
        json_add_string(fc, "link", "pty");
        return json_print_free(root);
}

bool identify_read_vehicle(const struct identify_request *q, const char *file,
                           struct rig_config *rig, char **resolved)
{
        struct config_error *error = calloc(1, sizeof *error);
        char *vehicle = identify_find_file(q, file), *around = NULL, *text = NULL;
        bool ok;

        if (vehicle != NULL)
                around = identify_find_file(q, "rig_configs/default.json");
        if (around != NULL)
                text = rig_around(around, vehicle);
        ok = error != NULL && text != NULL &&
             config_read_text(rig, file, text, strlen(text), NULL, resolved, error);
        if (!ok && around != NULL)
                snprintf(q->why, CONFIG_ERROR_TEXT, "%s",
                         error != NULL && text != NULL ? error->text : "out of memory");
        free(around);
        free(vehicle);
        free(text);
        free(error);
        return ok;
}

bool identify_write_vehicle(const struct identify_request *q, struct json *root)
{
        struct rig_config *rig = calloc(1, sizeof *rig);
        char *text = json_print(root), *resolved = NULL;
        bool ok = rig != NULL && text != NULL &&
                  text_file_write(q->out, text, q->why, CONFIG_ERROR_TEXT) &&
                  identify_read_vehicle(q, q->out, rig, &resolved);

        json_free(root);
        free(text);
        free(resolved);
        if (rig != NULL)
                config_free(rig);
        free(rig);
        return ok;
}

static struct identify_request request_of(struct request *q)
{
        return (struct identify_request){ q->log,       q->logs,    q->start, q->out,
                                          q->level_deg, q->until_s, q->json,  q->why };
}

static bool read_start(struct request *q, struct rig_config *rig)
{
        char *resolved = NULL;
        const struct vehicle_params *p;
        const struct identify_request shared = request_of(q);
        bool ok = identify_read_vehicle(&shared, q->start, rig, &resolved);

        q->has_parts = resolved != NULL && strstr(resolved, "\"parts\": [") != NULL;
        free(resolved);
        if (!ok)
                return false;
        p = &rig->vehicle[0].params;
        if (p->blades.radius_m > 0.0) {
                snprintf(q->why, sizeof q->why,
                         "%s: rotors.blades: must not be there, rotors of blade elements "
                         "are not identified",
                         q->start);
                return false;
        }
        if (q->outputs > 0 && q->outputs != p->rotors) {
                snprintf(
                        q->why, sizeof q->why,
                        "--outputs: must be %d numbers, one for each rotor of %s, are %d",
                        p->rotors, q->start, q->outputs);
                return false;
        }
        return true;
}

static bool find(struct request *q, const struct rig_config *rig,
                 const struct track *tracks, struct sysid_result *r)
{
        const struct sysid_search search = { tracks,      q->logs,
                                             q->output,   &rig->vehicle[0].params,
                                             &rig->world, q->air_density_kgpm3 };
        char why[300];
        int wrong;

        if (sysid_search(&search, r, &wrong, why, sizeof why))
                return true;
        snprintf(q->why, sizeof q->why, "%s: %s", q->log[wrong], why);
        return false;
}

static bool read_logs(struct request *q, struct track *tracks)
{
        struct flight_log_place place;

        for (int i = 0; i < q->logs; i++)
                if (!flight_log_place_parse(&place, q->log[i], q->why, sizeof q->why) ||
                    !track_read_measured(&tracks[i], &place, q->why, sizeof q->why))
                        return false;
        return true;
}

static bool write_new(struct request *q, const struct sysid_result *r,
                      const struct vehicle_params *start)
{
        const struct identify_request shared = request_of(q);
        char *name = identify_find_file(&shared, q->start);
        bool ok = name != NULL &&
                  identify_write_vehicle(
                          &shared, sysid_vehicle_file(r, name, start, q->has_parts));

        free(name);
        return ok;
}

bool identify_print_json(struct json *root)
{
        char *text = json_print_free(root);

        if (text != NULL)
                fputs(text, stdout);
        free(text);
        return text != NULL;
}

static bool tell(const struct request *q, const struct sysid_result *r)
{
        if (q->json)
                return identify_print_json(sysid_json(r));
        sysid_print(stdout, r);
        return true;
}

static int identify(struct request *q)
{
        struct rig_config *rig = calloc(1, sizeof *rig);
        struct track tracks[SYSID_LOGS] = { { .motors = 0 } };
        struct sysid_result result;
        int status = 2;

        if (rig != NULL && read_start(q, rig) && read_logs(q, tracks)) {
                const struct vehicle_params *start = &rig->vehicle[0].params;

                if (find(q, rig, tracks, &result) && tell(q, &result) &&
                    (q->out == NULL || write_new(q, &result, start)))
                        status = result.better ? 0 : 1;
        }
        for (int i = 0; i < q->logs; i++)
                track_free(&tracks[i]);
        if (rig != NULL)
                config_free(rig);
        free(rig);
        return status;
}

int identify_command(int argc, char **argv)
{
        struct request q = { .air_density_kgpm3 = 1.225,
                             .level_deg = -1.0,
                             .until_s = -1.0 };
        int status;
        bool ok = true;

        for (int i = 0; i < ROTORS_MAX; i++)
                q.output[i] = i;
        status = options_read(&options, argc, argv, &q);
        if (status != OPTIONS_READ)
                return status;
        status = 2;
        if (ok && !q.rest && !q.bench && (q.logs == 0 || q.start == NULL)) {
                snprintf(q.why, sizeof q.why,
                         "needs a log, and --vehicle with a vehicle file");
                ok = false;
        }
        if (ok && (q.rest || q.bench)) {
                const struct identify_request shared = request_of(&q);

                status = (q.rest ? identify_rest : identify_bench)(&shared);
        } else if (ok) {
                status = identify(&q);
        }
        if (status == 2)
                options_complain("identify", q.why[0] != '\0' ? q.why : "out of memory");
        return status;
}
