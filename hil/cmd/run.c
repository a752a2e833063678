/* `hilrig run`: reads the configuration, makes the run folder, starts what has to be started, flies,
 * and leaves summary.json, config.json, junit.xml and report.html beside the record. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/time/clock.h"
#include "hil/console/announce.h"
#include "hil/cmd/commands.h"
#include "hil/config/config.h"
#include "hil/console/options.h"
#include "hil/console/watch.h"
#include "hil/page/report.h"
#include "hil/rig/rig.h"
#include "hil/text/files.h"
#include "hil/record/signal_hash.h"
#include "hil/rig/spawn.h"
#include "hil/time/stop_signals.h"
#include "hil/summary/summary.h"
#include "hil/text/version.h"
#include "hil/text/terminal.h"

struct run {
        const char *config_path, *out;
        bool json;
        struct watch watch;
        struct config_overrides overrides;
        char set_text[3][64]; /* of --pace, --seconds and --seed */
        struct rig_config *config;
        char *resolved;
        char folder[512];
        int folder_fd; /* while it is taken */
        struct rig rig;
        struct child *child; /* of each vehicle, what was started */
        struct summary summary;
        char why[CONFIG_ERROR_TEXT];
};

static bool add_set(struct run *r, const char *set)
{
        if (r->overrides.sets == OVERRIDES_MAX)
                return terminal_complain("run", "--set: at most %d", OVERRIDES_MAX);
        r->overrides.set[r->overrides.sets++] = set;
        return true;
}

static bool take_pace(void *of, const struct option_spec *spec, const char *value)
{
        struct run *r = of;

        if (strcmp(value, "realtime") != 0 && strcmp(value, "lockstep") != 0)
                return terminal_complain("run",
                                         "%s: must be realtime or lockstep, is \"%s\"",
                                         spec->name, value);
        snprintf(r->set_text[0], sizeof r->set_text[0], "pace=\"%s\"", value);
        return add_set(r, r->set_text[0]);
}

static bool take_seconds(void *of, const struct option_spec *spec, const char *value)
{
        struct run *r = of;
        double s;

        if (!options_double(value, &s) || !(s > 0.0))
                return terminal_complain("run",
                                         "%s: must be a number greater than 0, is \"%s\"",
                                         spec->name, value);
        snprintf(r->set_text[1], sizeof r->set_text[1], "stop_after_s=%.17g", s);
        return add_set(r, r->set_text[1]);
}

static bool take_seed(void *of, const struct option_spec *spec, const char *value)
{
        struct run *r = of;
        unsigned long long n;

        if (!options_u64(value, &n))
                return terminal_complain("run", "%s: must be a whole number, is \"%s\"",
                                         spec->name, value);
        snprintf(r->set_text[2], sizeof r->set_text[2], "seed=%llu", n);
        return add_set(r, r->set_text[2]);
}

static bool take_live(void *of, const struct option_spec *spec, const char *value)
{
        struct run *r = of;
        char why[200];

        r->watch.wanted = true;
        return live_address_read(&r->watch.at, value, why, sizeof why) ||
               terminal_complain("run", "%s: %s", spec->name, why);
}

static const struct option_spec specs[] = {
        { "--scenario", "FILE", "fly this scenario instead of the rig file's",
          TEXT(run, overrides.scenario) },
        { "--mission", "FILE", "fly this .plan or QGC WPL file in place of a scenario",
          TEXT(run, overrides.mission) },
        { "--pace", "realtime|lockstep", "whether time waits for the flight controller",
          OTHER(take_pace) },
        { "--seconds", "S", "simulated time after which the flight ends",
          OTHER(take_seconds) },
        { "--seed", "N", "of every noise source", OTHER(take_seed) },
        { "--out", "DIR", "run folder instead of runs/<UTC time>-<name>",
          TEXT(run, out) },
        { "--set", "KEY=VALUE", "change one value, e.g. vehicles.0.vehicle.mass_kg=1.1",
          TEXTS(run, overrides.set, overrides.sets) },
        { "--live", "[ADDRESS:PORT]",
          "show the flight on a page for browsers, at 127.0.0.1 and a free port",
          OTHER(take_live) },
        { "--live-control", NULL,
          "the same, and whoever has its URL may hold, change or end the flight",
          FLAG(run, watch.control) },
        { "--live-held", NULL, "the same, and the flight begins when the page says so",
          FLAG(run, watch.held) },
        { "--json", NULL, "print summary.json to standard output, and nothing else there",
          FLAG(run, json) },
        { NULL },
};

static const struct options options = {
        .command = "run",
        .specs = specs,
        .operand = { "rig file", .help = "a rig file, e.g. rig_configs/default.json",
                     TEXT(run, config_path) },
        .usage = "run CONFIG [--scenario FILE] [--mission FILE] [--pace "
                 "realtime|lockstep]\n"
                 "           [--seconds S] [--seed N] [--out DIR] [--set KEY=VALUE]...\n"
                 "           [--live [ADDRESS:PORT]] [--live-control] [--live-held] "
                 "[--json]",
};

static bool open_record(struct run *r)
{
        struct recorder_setup setup = {
                .folder = r->folder,
                .config_sha256 = r->summary.config_sha256,
                .version = hilrig_version(),
                .seed = r->config->seed,
                .rotors = rig_most_rotors(r->config),
                .vehicles = r->config->vehicles,
                .period_ns = r->config->period_ns,
                .truth_period_ns = r->config->log.truth_period_ns,
                .wait = r->config->pace == PACE_LOCKSTEP,
                .watched = watch_words(&r->rig),
        };

        r->rig.recorder = recorder_open(&setup, r->why, sizeof r->why);
        return r->rig.recorder != NULL;
}

static bool write_text(struct run *r, const char *file, char *text)
{
        bool ok = false;

        if (text == NULL)
                snprintf(r->why, sizeof r->why, "%s: out of memory", file);
        else
                ok = run_folder_write(r->folder, file, text, r->why, sizeof r->why);
        if (!ok)
                terminal_complain("run", "%s", r->why);
        free(text);
        return ok;
}

/* Without a whole record nothing that the flight showed can be looked at again. */
static void close_record(struct run *r)
{
        const char *failure = r->summary.record.failure;

        recorder_close(r->rig.recorder, &r->summary.record);
        if (failure[0] == '\0' || r->rig.end == END_NO_HELLO)
                return;
        r->rig.end = END_RECORD_FAILED;
        snprintf(r->rig.end_reason, sizeof r->rig.end_reason, "%s", failure);
}

/* The exit status: a result that could not be left behind is void, whatever it was. */
static int conclude(struct run *r)
{
        struct summary *s = &r->summary;
        bool left;
        char *json;

        close_record(r);
        if (!watch_keep_faults(&r->rig, r->folder, &r->resolved, r->why, sizeof r->why))
                terminal_complain("run", "%s", r->why);
        sha256_hex(r->resolved, strlen(r->resolved), s->config_sha256);
        s->verdict = rig_verdict(&r->rig, s->record.drops, s->reason, sizeof s->reason);
        json = summary_json(s, &r->rig);
        if (r->json && json != NULL)
                fputs(json, stdout);
        else if (!r->json)
                summary_print(stdout, s, &r->rig);
        if (r->rig.realtime.missing[0] != '\0')
                terminal_print(stderr, "realtime: %s\n", r->rig.realtime.missing);
        left = write_text(r, "summary.json", json);
        left = write_text(r, "junit.xml", summary_junit(s, &r->rig)) && left;
        if (s->verdict != VERDICT_ERROR &&
            !report_write(r->folder, NULL, r->why, sizeof r->why)) {
                terminal_complain("run", "%s", r->why);
                left = false;
        }
        if (!r->json)
                terminal_print(stdout, "run folder %s\n", r->folder);
        return verdict_exit_status(left || s->verdict == VERDICT_ERROR ? s->verdict
                                                                       : VERDICT_VOID);
}

/* Whether what is to be done by hand can be. */
static bool check_hands(struct run *r)
{
        if (r->watch.held && r->config->pace != PACE_LOCKSTEP) {
                snprintf(r->why, sizeof r->why,
                         "--live-held: %s: pace: time can be held in lockstep alone",
                         r->config_path);
                return false;
        }
        for (int i = 0; i < r->config->vehicles && !r->watch.control; i++)
                if (config_joystick_on_page(&r->config->vehicle[i].joystick)) {
                        snprintf(r->why, sizeof r->why,
                                 "%s: vehicles.%d.joystick.source: is \"page\", which "
                                 "needs --live-control",
                                 r->config_path, i);
                        return false;
                }
        return true;
}

static bool prepare(struct run *r)
{
        struct config_error error;

        r->summary.start.main_ns = clock_now_ns();
        r->summary.config_path = r->config_path;
        if (!config_read(r->config, r->config_path, &r->overrides, &r->resolved,
                         &error)) {
                config_kind_explain("run", r->config_path, &error);
                snprintf(r->why, sizeof r->why, "%s", error.text);
                return false;
        }
        sha256_hex(r->resolved, strlen(r->resolved), r->summary.config_sha256);
        if (!check_hands(r))
                return false;
        watch_reserve(&r->watch, r->config);
        r->child = calloc((size_t)config_boards(r->config), sizeof *r->child);
        if (r->child == NULL) {
                snprintf(r->why, sizeof r->why, "out of memory");
                return false;
        }
        print_doubts(stderr, r->config);
        r->summary.start.read_ns = clock_now_ns();
        return true;
}

static bool make_folder(struct run *r)
{
        if (!run_folder_make(r->out, r->config->name, r->folder, sizeof r->folder, r->why,
                             sizeof r->why))
                return false;
        r->folder_fd = run_folder_take(r->folder, r->why, sizeof r->why);
        return r->folder_fd >= 0 && run_folder_write(r->folder, "config.json",
                                                     r->resolved, r->why, sizeof r->why);
}

/* Firmware that the rig starts is up before its links are opened. The folder comes after them: a port that is
 * not there leaves none behind; but firmware runs in it. */
static bool open_rig(struct run *r)
{
        bool starts = rig_starts_firmware(r->config);

        if (starts && (!make_folder(r) ||
                       !rig_start(r->child, r->config, r->folder, r->why, sizeof r->why)))
                return false;
        announce_wait(r->config);
        if (!rig_open(&r->rig, r->config, r->child, r->why, sizeof r->why))
                return false;
        if (starts || make_folder(r))
                return true;
        rig_close(&r->rig);
        return false;
}

static void print_headline(const struct run *r)
{
        terminal_print(stdout, "%s, seed %llu, %s, period %.6g us, run folder %s\n",
                       r->config->name, (unsigned long long)r->config->seed,
                       r->config->pace == PACE_LOCKSTEP ? "lockstep" : "realtime",
                       (double)r->config->period_ns * 1e-3, r->folder);
}

static int fly(struct run *r)
{
        int status;

        r->summary.start.opened_ns = clock_now_ns();
        announce_links(&r->rig);
        if (!r->json)
                print_headline(r);
        fflush(stdout);
        r->rig.stop_fd = stop_signals_open();
        /* Children first: they must not inherit threads. */
        if (!rig_spawn(&r->rig, r->why, sizeof r->why) ||
            !watch_open(&r->watch, &r->rig, r->why, sizeof r->why) || !open_record(r)) {
                watch_close(&r->rig, NULL);
                return 2;
        }
        r->summary.start.ready_ns = clock_now_ns();
        r->rig.live = live_start(stderr, r->rig.ticks * r->config->period_ns);
        rig_run(&r->rig);
        live_stop(r->rig.live);
        if (!rig_write_joysticks(&r->rig, r->folder, r->why, sizeof r->why))
                terminal_complain("run", "%s", r->why);
        status = conclude(r);
        watch_close(&r->rig, &r->summary);
        return status;
}

static int run(struct run *r)
{
        int status = 2;

        r->config = calloc(1, sizeof *r->config);
        if (r->config == NULL) {
                terminal_complain("run", "out of memory");
                return 2;
        }
        if (prepare(r)) {
                if (open_rig(r)) {
                        status = fly(r);
                        rig_close(&r->rig);
                        if (r->rig.stop_fd >= 0)
                                close(r->rig.stop_fd);
                }
                rig_reap(r->child, r->config);
                if (r->folder_fd >= 0)
                        close(r->folder_fd);
        }
        if (status == 2)
                options_complain("run", r->why[0] != '\0' ? r->why : r->summary.reason);
        free(r->resolved);
        free(r->child);
        if (r->config)
                config_free(r->config);
        free(r->config);
        return status;
}

int run_command(int argc, char **argv)
{
        struct run r = { .folder_fd = -1 };
        int status = options_read(&options, argc, argv, &r);

        if (status != OPTIONS_READ)
                return status;
        r.watch.control = r.watch.control || r.watch.held;
        r.watch.wanted = r.watch.wanted || r.watch.control;
        return run(&r);
}
