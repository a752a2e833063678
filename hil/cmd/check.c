/* `hilrig check`: reads rig files as `run` would and prints what would run. Opens nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/cmd/commands.h"
#include "hil/cmd/check.h"
#include "hil/console/announce.h"
#include "hil/config/config.h"
#include "hil/console/options.h"
#include "hil/console/protocols.h"
#include "hil/text/terminal.h"

static const struct option_spec specs[] = {
        { "--set", "KEY=VALUE", "change one value, as for run" },
        { "--scenario", "FILE", "fly this scenario instead of the rig file's" },
        { "--resolved", NULL, "print the whole configuration with every default" },
        { "--schema", "KIND", "print the JSON Schema of a kind of file" },
        { "--keys", "list|kinds|page",
          "print each key that --set takes, the kinds of file, or docs/keys.md" },
        { "--devices", NULL, "list what can be on a board's further ports" },
        { "--codecs", NULL, "list the protocols, their channels and dialects" },
        { "--sources", NULL, "list what a twin's telemetry can come from" },
        { NULL },
};

static const struct options options = {
        .command = "check",
        .specs = specs,
        .usage = "check [--set KEY=VALUE]... [--scenario FILE] [--resolved] CONFIG...\n"
                 "       hilrig check --schema KIND | --keys list|kinds|page\n"
                 "       hilrig check --devices | --codecs | --sources",
};

enum {
        OPT_SET,
        OPT_SCENARIO,
        OPT_RESOLVED,
        OPT_SCHEMA,
        OPT_KEYS,
        OPT_DEVICES,
        OPT_CODECS,
        OPT_SOURCES
};

struct check {
        struct config_overrides overrides;
        const char *path[64];
        int paths;
        bool resolved;
};

static bool check_rig(const char *path, const struct config_overrides *overrides,
                      bool print_all)
{
        struct rig_config *rig = calloc(1, sizeof *rig);
        struct config_error why;
        char *resolved = NULL;
        bool ok = rig != NULL && config_read(rig, path, overrides, &resolved, &why);

        if (rig != NULL && !ok)
                config_kind_explain("check", path, &why);
        if (rig == NULL)
                terminal_complain("check", "out of memory");
        else if (!ok)
                options_complain("check", why.text);
        else if (print_all)
                fputs(resolved, stdout);
        else
                check_print_rig(path, rig);
        if (ok) {
                print_doubts(stderr, rig);
                free(resolved);
        }
        if (rig)
                config_free(rig);
        free(rig);
        return ok;
}

static bool check_file(const struct check *c, const char *path)
{
        char kind[40];

        config_kind_of_file(path, kind, sizeof kind);
        if (strcmp(kind, "campaign") == 0)
                return check_campaign(path);
        if (strcmp(kind, "farm") == 0)
                return check_farm(path);
        return check_rig(path, &c->overrides, c->resolved);
}

/* text is freed; NULL: the option's value is none of `known`. */
static int print_text(char *text, const char *option, const char *known,
                      const char *value)
{
        if (text == NULL) {
                terminal_complain("check", "%s: must be %s, is \"%s\"", option, known,
                                  value);
                return 2;
        }
        fputs(text, stdout);
        free(text);
        return 0;
}

static int print_list(int opt)
{
        if (opt == OPT_DEVICES)
                protocols_print_devices();
        else if (opt == OPT_CODECS)
                protocols_print_codecs();
        else
                protocols_print_sources();
        return 0;
}

static bool take_option(struct check *c, int opt, const char *value)
{
        const int paths_max = (int)(sizeof c->path / sizeof c->path[0]);

        switch (opt) {
        case OPT_RESOLVED:
                c->resolved = true;
                return true;
        case OPT_SCENARIO:
                c->overrides.scenario = value;
                return true;
        case OPT_SET:
                if (c->overrides.sets < OVERRIDES_MAX) {
                        c->overrides.set[c->overrides.sets++] = value;
                        return true;
                }
                return terminal_complain("check", "--set: at most %d", OVERRIDES_MAX);
        default:
                if (c->paths < paths_max) {
                        c->path[c->paths++] = value;
                        return true;
                }
                return terminal_complain("check", "%s: at most %d rig files at a time",
                                         value, paths_max);
        }
}

int check_command(int argc, char **argv)
{
        struct check c = { 0 };
        int at = 0, status = 0, opt;
        const char *value;

        while ((opt = options_next(&options, argc, argv, &at, &value)) != -2) {
                if (opt == -4)
                        return 0;
                if (opt == -3)
                        return 2;
                if (opt == OPT_SCHEMA)
                        return print_text(config_schema_text(value), "--schema",
                                          "one that hilrig check --keys kinds prints",
                                          value);
                if (opt == OPT_KEYS)
                        return print_text(config_keys_text(value), "--keys",
                                          "list, kinds or page", value);
                if (opt == OPT_DEVICES || opt == OPT_CODECS || opt == OPT_SOURCES)
                        return print_list(opt);
                if (!take_option(&c, opt, value))
                        return 2;
        }
        if (c.paths == 0) {
                terminal_complain("check",
                                  "needs a rig file, e.g. rig_configs/default.json");
                return 2;
        }
        for (int i = 0; i < c.paths; i++)
                if (!check_file(&c, c.path[i]))
                        status = 2;
        return status;
}
