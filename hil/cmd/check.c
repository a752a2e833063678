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

struct check {
        struct config_overrides overrides;
        const char *path[64];
        int paths;
        bool resolved, devices, codecs, sources;
        const char *schema, *keys;
};

static const struct option_spec specs[] = {
        { "--set", "KEY=VALUE", "change one value, as for run",
          TEXTS(check, overrides.set, overrides.sets) },
        { "--scenario", "FILE", "fly this scenario instead of the rig file's",
          TEXT(check, overrides.scenario) },
        { "--resolved", NULL, "print the whole configuration with every default",
          FLAG(check, resolved) },
        { "--schema", "KIND", "print the JSON Schema of a kind of file",
          TEXT(check, schema) },
        { "--keys", "list|kinds|page",
          "print each key that --set takes, the kinds of file, or docs/keys.md",
          TEXT(check, keys) },
        { "--devices", NULL, "list what can be on a board's further ports",
          FLAG(check, devices) },
        { "--codecs", NULL, "list the protocols, their channels and dialects",
          FLAG(check, codecs) },
        { "--sources", NULL, "list what a twin's telemetry can come from",
          FLAG(check, sources) },
        { NULL },
};

static const struct options options = {
        .command = "check",
        .specs = specs,
        .operand = { "rig file", TEXTS(check, path, paths) },
        .usage = "check [--set KEY=VALUE]... [--scenario FILE] [--resolved] CONFIG...\n"
                 "       hilrig check --schema KIND | --keys list|kinds|page\n"
                 "       hilrig check --devices | --codecs | --sources",
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

static int print_lists(const struct check *c)
{
        if (c->devices)
                protocols_print_devices();
        if (c->codecs)
                protocols_print_codecs();
        if (c->sources)
                protocols_print_sources();
        return 0;
}

int check_command(int argc, char **argv)
{
        struct check c = { 0 };
        int status = options_read(&options, argc, argv, &c);

        if (status != OPTIONS_READ)
                return status;
        if (c.schema != NULL)
                return print_text(config_schema_text(c.schema), "--schema",
                                  "one that hilrig check --keys kinds prints", c.schema);
        if (c.keys != NULL)
                return print_text(config_keys_text(c.keys), "--keys",
                                  "list, kinds or page", c.keys);
        if (c.devices || c.codecs || c.sources)
                return print_lists(&c);
        if (c.paths == 0) {
                terminal_complain("check",
                                  "needs a rig file, e.g. rig_configs/default.json");
                return 2;
        }
        status = 0;
        for (int i = 0; i < c.paths; i++)
                if (!check_file(&c, c.path[i]))
                        status = 2;
        return status;
}
