/* `hilrig host`: what this machine does to a run in real time, and what to change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/config/config.h"
#include "hil/host/host.h"
#include "hil/text/terminal.h"

#define DEFAULT_CONFIG "rig_configs/default.json"

struct host_words {
        const char *config, *root;
        int seconds;
        bool fix, json;
};

static const struct option_spec specs[] = {
        { "--config", "FILE",
          "rig whose realtime block is asked for (" DEFAULT_CONFIG ")",
          TEXT(host_words, config) },
        { "--seconds", "N", "length of each of the four blocks that measure (2); 0: none",
          WHOLE(host_words, seconds, 0, 3600) },
        { "--root", "DIR",
          "judge a copy of another machine's /proc and /sys; measure nothing",
          TEXT(host_words, root) },
        { "--fix", NULL, "write what may be written, until the next boot",
          FLAG(host_words, fix) },
        { "--json", NULL, "as JSON", FLAG(host_words, json) },
        { NULL },
};

static const struct options options = {
        .command = "host",
        .specs = specs,
        .usage = "host [--config FILE] [--seconds N] [--root DIR] [--fix] [--json]\n\n"
                 "Exit status: 0 nothing needs changing, 1 something does, 2 it could "
                 "not be "
                 "examined.",
};

static void print_json(const struct host_words *w, const struct host *h,
                       const struct host_report *r, struct json *changed)
{
        struct json *root = json_new_object();
        char *text;

        json_add_string(root, "config", w->config);
        host_add_json(root, h, r);
        if (changed != NULL)
                json_add_copy(root, "changed", changed);
        text = root != NULL ? json_print(root) : NULL;
        fputs(text != NULL ? text : "", stdout);
        free(text);
        json_free(root);
}

/* After a change everything is judged again, so that what is printed is how it is. */
static int judge(const struct host_words *w, const struct host *h)
{
        struct json *changed = w->fix ? json_new_array() : NULL;
        struct host_report r;
        int to_change;

        if (!host_judge(h, &r))
                return 2;
        if (w->fix) {
                host_fix(h, &r, w->json ? stderr : stdout, changed);
                host_report_free(&r);
                if (!host_judge(h, &r))
                        return 2;
        }
        if (w->json)
                print_json(w, h, &r, changed);
        else
                host_print(stdout, h, &r);
        to_change = host_count(&r, HOST_CHANGE);
        host_report_free(&r);
        json_free(changed);
        return to_change > 0 ? 1 : 0;
}

static int measure_and_judge(const struct host_words *w, struct host *h)
{
        struct lateness_of_host m = { .wants = h->wants,
                                      .period_ns = h->period_ns,
                                      .seconds = w->seconds };
        bool measures = w->seconds > 0 && w->root[0] == '\0';
        int status = 2;

        if (!host_look(h))
                terminal_complain("host",
                                  "%s/sys/devices/system/cpu/online: must list the CPUs",
                                  w->root);
        else if (measures && !lateness_measure(&m, &h->online))
                terminal_complain("host", "the CPUs could not be measured: no memory or "
                                          "no threads");
        else {
                h->measured = measures ? &m : NULL;
                status = judge(w, h);
        }
        h->measured = NULL;
        lateness_free(&m);
        return status;
}

int host_command(int argc, char **argv)
{
        struct host_words w = { .config = DEFAULT_CONFIG, .root = "", .seconds = 2 };
        struct rig_config config;
        struct config_error *why;
        char *resolved = NULL;
        int status = options_read(&options, argc, argv, &w);

        if (status != OPTIONS_READ)
                return status;
        why = calloc(1, sizeof *why);
        if (why == NULL)
                return 2;
        if (config_read(&config, w.config, NULL, &resolved, why)) {
                struct host h = { .root = w.root,
                                  .wants = &config.realtime,
                                  .period_ns = config.period_ns };

                status = measure_and_judge(&w, &h);
        } else {
                options_complain("host", why->text);
                status = 2;
        }
        config_free(&config);
        free(resolved);
        free(why);
        return status;
}
