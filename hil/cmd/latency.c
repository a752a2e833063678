/* `hilrig latency`: flies a rig with a stimulus on its gyroscope, or takes a run that had one, and says how long
 * the motors took to answer. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/cmd/commands.h"
#include "hil/config/config.h"
#include "hil/cmd/latency_fly.h"
#include "hil/latency/measure.h"
#include "hil/console/options.h"
#include "hil/text/files.h"
#include "hil/text/terminal.h"

#define REPETITIONS_MAX 1000000
#define HOVER_CHIP_NS   40000000

struct job {
        struct latency_flight flight;
        struct response_model model;
        const char *run, *out;
        bool json;
        double chip_us, seconds; /* 0: not given */
        char folder[512];
        struct latency_run recorded;
        struct latency_result result;
        char why[CONFIG_ERROR_TEXT];
};

static bool take_axis(void *of, const struct option_spec *spec, const char *value)
{
        static const char *const name[3] = { "roll", "pitch", "yaw" };
        struct job *j = of;

        for (int i = 0; i < 3; i++)
                if (strcmp(value, name[i]) == 0) {
                        j->flight.axis = i;
                        return true;
                }
        return terminal_complain("latency", "%s: must be roll, pitch or yaw, is \"%s\"",
                                 spec->name, value);
}

static bool take_filter(void *of, const struct option_spec *spec, const char *value)
{
        struct job *j = of;

        return response_model_parse(&j->model, value) ||
               terminal_complain(
                       "latency",
                       "%s: must be none, lag:HZ, pt1:HZ, pt2:HZ or biquad:HZ, is "
                       "\"%s\"",
                       spec->name, value);
}

static bool take_pace(void *of, const struct option_spec *spec, const char *value)
{
        struct job *j = of;

        j->flight.pace = value;
        return strcmp(value, "realtime") == 0 || strcmp(value, "lockstep") == 0 ||
               terminal_complain("latency", "%s: must be realtime or lockstep, is \"%s\"",
                                 spec->name, value);
}

static const struct option_spec specs[] = {
        { "--run", "DIR", "fly nothing: analyse this run, which had a stimulus",
          TEXT(job, run) },
        { "--hover", NULL, "free flight, 10 s sequences: the loop and its margins too",
          FLAG(job, flight.hover) },
        { "--jig", NULL, "held still by a jig, short sequences: the default",
          FLAG(job, flight.jig) },
        { "--scenario", "FILE", "what arms and flies; its steps up to --begin-s",
          TEXT(job, flight.scenario) },
        { "--begin-s", "S", "when the stimulus begins",
          NUMBER(job, flight.begin_s, 0.001, 86400) },
        { "--arm-s", "S", "simulated time within which it must arm; 60",
          NUMBER(job, flight.arm_s, 3, 3600) },
        { "--vehicle", "N", "index of the vehicle; 0 if left out",
          WHOLE(job, flight.vehicle, 0, VEHICLES_MAX - 1) },
        { "--axis", "roll|pitch|yaw", "whose rate; roll if left out", OTHER(take_axis) },
        { "--amplitude-dps", "A", "of the stimulus; 5, or 6 in hover",
          NUMBER(job, flight.amplitude_dps, 0.01, 1000) },
        { "--bits", "N", "of the sequence, 2^N - 1 chips; 6, or 8 in hover",
          WHOLE(job, flight.bits, 3, 12) },
        { "--chip-us", "US", "its shortest step; the period, or 40000 in hover",
          NUMBER(job, chip_us, 1, 1e6) },
        { "--repetitions", "N", "that count; 2000, or 20 in hover",
          WHOLE(job, flight.repetitions, 4, REPETITIONS_MAX) },
        { "--seconds", "S", "as many repetitions as fill this, instead",
          NUMBER(job, seconds, 0.1, 80000) },
        { "--filter", "F", "none, lag:HZ, pt1:HZ, pt2:HZ or biquad:HZ in the FC",
          OTHER(take_filter) },
        { "--pace", "realtime|lockstep", "whether time waits for the flight controller",
          OTHER(take_pace) },
        { "--seed", "N", "of every noise source", TEXT(job, flight.seed) },
        { "--set", "KEY=VALUE", "change one value of the rig file",
          TEXTS_UPTO(job, flight.set, flight.sets, OVERRIDES_MAX - 5) },
        { "--out", "DIR", "run folder instead of runs/<UTC time>-<name>-latency",
          TEXT(job, out) },
        { "--json", NULL, "print latency.json to standard output, and nothing else",
          FLAG(job, json) },
        { NULL },
};

static const struct options options = {
        .command = "latency",
        .specs = specs,
        .operand = { "rig file", TEXT(job, flight.config_path) },
        .usage = "latency CONFIG [--hover|--jig] [--axis AXIS] [--repetitions N] "
                 "[--filter F]...\n"
                 "       hilrig latency --run DIR [--vehicle N] [--filter F] [--json]\n\n"
                 "The folder gets latency.json, latency.txt, latency.csv and "
                 "response.csv.\n"
                 "Exit status 0: measured; 1: the motors did not answer; 2: could not "
                 "run;\n"
                 "3: measured, but the host was too late too often.",
};

/* What was left out, and what depends on the rig's period. */
static bool complete_flight(struct job *j, const struct rig_config *rig)
{
        struct latency_flight *f = &j->flight;
        int64_t period_ns = rig->period_ns;
        int64_t wanted_ns = j->chip_us > 0.0 ? llround(1e3 * j->chip_us)
                            : f->hover       ? HOVER_CHIP_NS
                                             : period_ns;
        double repeat_s;

        f->period_ns = period_ns;
        f->chip_ns = (wanted_ns + period_ns / 2) / period_ns * period_ns;
        if (f->chip_ns == 0 || (j->chip_us > 0.0 && f->chip_ns != wanted_ns)) {
                snprintf(j->why, sizeof j->why,
                         "--chip-us: must be a multiple of the rig's period, %.6g us",
                         1e-3 * (double)period_ns);
                return false;
        }
        if (f->bits == 0)
                f->bits = f->hover ? 8 : 6;
        if (f->amplitude_dps <= 0.0)
                f->amplitude_dps = f->hover ? 6.0 : 5.0;
        repeat_s = answer_repeat_s(f->bits, f->chip_ns);
        if (j->seconds > 0.0)
                f->repetitions = (int)fmin(fmax(floor(j->seconds / repeat_s), 4.0),
                                           REPETITIONS_MAX);
        else if (f->repetitions == 0)
                f->repetitions = f->hover ? 20 : 2000;
        if (f->repetitions * repeat_s * 1e9 > LATENCY_TICKS_MAX * (double)period_ns) {
                snprintf(j->why, sizeof j->why,
                         "--repetitions %d: at most %.0f, which are %d periods",
                         f->repetitions,
                         LATENCY_TICKS_MAX * 1e-9 * (double)period_ns / repeat_s,
                         LATENCY_TICKS_MAX);
                return false;
        }
        if (f->vehicle < rig->vehicles)
                return true;
        snprintf(j->why, sizeof j->why, "--vehicle: must be less than %d, is %d",
                 rig->vehicles, f->vehicle);
        return false;
}

static bool prepare(struct job *j)
{
        struct rig_config *rig = calloc(1, sizeof *rig);
        struct config_overrides sets = { .sets = j->flight.sets };
        struct config_error error = { "out of memory" };
        char name[NAME_MAX_LEN + 16];
        char *resolved = NULL;
        bool ok;

        memcpy(sets.set, j->flight.set, sizeof sets.set);
        ok = rig != NULL &&
             config_read(rig, j->flight.config_path, &sets, &resolved, &error);
        if (rig != NULL && !ok)
                config_kind_explain("latency", j->flight.config_path, &error);
        if (!ok)
                snprintf(j->why, sizeof j->why, "%s", error.text);
        if (ok)
                ok = complete_flight(j, rig);
        if (ok) {
                snprintf(name, sizeof name, "%s-latency", rig->name);
                ok = run_folder_make(j->out, name, j->folder, sizeof j->folder, j->why,
                                     sizeof j->why);
        }
        if (rig != NULL)
                config_free(rig);
        free(rig);
        free(resolved);
        j->flight.folder = j->folder;
        return ok;
}

typedef void print_table(FILE *out, const struct latency_result *r);

static bool write_file(struct job *j, const char *name, print_table *print)
{
        char path[1024];
        FILE *out;
        bool ok;

        snprintf(path, sizeof path, "%s/%s", j->folder, name);
        out = run_file_open(path, j->why, sizeof j->why);
        if (out == NULL)
                return false;
        if (print != NULL)
                print(out, &j->result);
        else
                latency_print(out, &j->recorded, &j->result);
        ok = ferror(out) == 0;
        ok = fclose(out) == 0 && ok;
        if (!ok)
                snprintf(j->why, sizeof j->why, "%s: could not be written (%s)", path,
                         strerror(errno));
        return ok;
}

static bool write_all(struct job *j)
{
        char *json = latency_json(&j->recorded, &j->result);
        bool ok = json != NULL;

        if (!ok)
                snprintf(j->why, sizeof j->why, "out of memory");
        if (ok && j->json)
                fputs(json, stdout);
        else if (ok)
                latency_print(stdout, &j->recorded, &j->result);
        ok = ok &&
             run_folder_write(j->folder, "latency.json", json, j->why, sizeof j->why) &&
             write_file(j, "latency.txt", NULL) &&
             write_file(j, "latency.csv", latency_print_repeats) &&
             write_file(j, "response.csv", latency_print_response) &&
             write_file(j, "response.svg", latency_plot);
        free(json);
        return ok;
}

/* flown: the run's exit status. A void run is measured, and stays void, unless that is for want of
 * requirements: a measurement has none. */
static int analyse(struct job *j, int flown)
{
        int folder_fd = -1, status = 2;

        if (!latency_run_open(&j->recorded, j->folder, j->flight.vehicle))
                snprintf(j->why, sizeof j->why, "%s", j->recorded.why);
        else
                folder_fd = folder_take(j->folder, j->why, sizeof j->why);
        if (folder_fd >= 0 && !latency_measure(&j->recorded, &j->model, &j->result)) {
                snprintf(j->why, sizeof j->why, "%s: %s", j->folder, j->result.why);
                status = j->result.estimate.lines > 0 && !j->result.found ? 1 : 2;
        } else if (folder_fd >= 0 && write_all(j)) {
                status = flown == 3 && !j->recorded.asked_nothing ? 3 : 0;
        }
        latency_result_free(&j->result);
        latency_run_close(&j->recorded);
        if (folder_fd >= 0)
                close(folder_fd);
        return status;
}

static int run(struct job *j)
{
        int status = 2;

        if (j->run != NULL) {
                snprintf(j->folder, sizeof j->folder, "%s", j->run);
                status = analyse(j, 0);
        } else if (prepare(j)) {
                status = latency_fly(&j->flight, j->why, sizeof j->why);
                if (status != 2)
                        status = analyse(j, status);
        }
        options_complain("latency", j->why);
        return status;
}

int latency_command(int argc, char **argv)
{
        struct job j = { .flight.arm_s = 60.0 };
        int status = options_read(&options, argc, argv, &j);

        if (status != OPTIONS_READ)
                return status;
        j.flight.quiet = j.json;
        if (j.flight.hover && j.flight.jig) {
                terminal_complain("latency", "--hover and --jig: only one of them");
                return 2;
        }
        if ((j.flight.config_path == NULL) == (j.run == NULL)) {
                terminal_complain("latency",
                                  "needs a rig file, or --run with a run folder");
                return 2;
        }
        return run(&j);
}
