/* `hilrig suite`: what it is asked to do. suite_fly.c does it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/cmd/suite.h"
#include "hil/text/terminal.h"

static const struct option_spec specs[] = {
        { "--baseline", "DIR", "compare with the runs of this folder afterwards" },
        { "--until-decided", NULL,
          "fly 10 seeds, 20, 40, ... of those that the baseline has, until the "
          "comparison "
          "is decided" },
        { "--seeds", "N", "fly this many seeds, starting with the file's first" },
        { "--repeat", "N", "fly each this often, instead of the file's repeats" },
        { "--jobs", "N", "runs in parallel, where that is possible" },
        { "--only", "NAME",
          "fly only runs of this rig, variant, scenario or SEED-REPEAT, or a path of "
          "them such as default/own/3-1; with * and ?; may be given several times" },
        { "--seed", "N",
          "fly this seed instead of the file's; may be given several times" },
        { "--list", NULL, "print the runs, and fly none" },
        { "--set", "KEY=VALUE", "change one value of every rig" },
        { "--out", "DIR",
          "folder of the suite instead of runs/<UTC time>-suite-<name>; what is finished "
          "there is kept" },
        { "--fly-again", NULL,
          "overwrite runs there that finished with other settings, instead of refusing" },
        { "--html", "FILE", "write the page there instead of DIR/suite.html" },
        { "--junit", "FILE", "write JUnit XML, a test case a run" },
        { NULL },
};

static const struct options options = {
        .command = "suite",
        .specs = specs,
        .usage = "suite FILE [--only NAME]... [--seed N]... [--list] [--set "
                 "KEY=VALUE]...\n"
                 "           [--baseline DIR [--until-decided]] [--seeds N] [--repeat N] "
                 "[--jobs N]\n"
                 "           [--out DIR] [--fly-again] [--html FILE] [--junit FILE]\n\n"
                 "Exit status 0: every run passed; 1: some failed, or regressed against "
                 "the baseline;\n2: some could not run; 3: some are void, or it was "
                 "interrupted (the same command\nwith --out goes on), or too little data "
                 "for the baseline.\n"
                 "With --only or --seed this is about the runs flown; the others are "
                 "counted.",
};

enum {
        OPT_BASELINE,
        OPT_UNTIL_DECIDED,
        OPT_SEEDS,
        OPT_REPEAT,
        OPT_JOBS,
        OPT_ONLY,
        OPT_SEED,
        OPT_LIST,
        OPT_SET,
        OPT_OUT,
        OPT_FLY_AGAIN,
        OPT_HTML,
        OPT_JUNIT
};

static bool take_number(int opt, const char *value, unsigned long long most, int *out)
{
        unsigned long long n;

        if (options_u64(value, &n) && n >= 1 && n <= most) {
                *out = (int)n;
                return true;
        }
        return terminal_complain("suite",
                                 "%s: must be a whole number from 1 to %llu, is \"%s\"",
                                 specs[opt].name, most, value);
}

static bool take_set(struct suite_options *o, const char *value)
{
        if (o->sets == SUITE_CLI_SETS_MAX) {
                return terminal_complain("suite", "--set: at most %d",
                                         SUITE_CLI_SETS_MAX);
        }
        if (strlen(value) >= SUITE_ARG_MAX) {
                return terminal_complain("suite",
                                         "--set: must be shorter than %d characters",
                                         SUITE_ARG_MAX);
        }
        o->set[o->sets++] = value;
        return true;
}

static bool take_only(struct suite_options *o, const char *value)
{
        if (o->onlys < SUITE_ONLY_MAX) {
                o->only[o->onlys++] = value;
                return true;
        }
        return terminal_complain("suite", "--only: at most %d", SUITE_ONLY_MAX);
}

static bool take_seed(struct suite_options *o, const char *value)
{
        unsigned long long n;

        if (!options_u64(value, &n)) {
                return terminal_complain(
                        "suite", "--seed: must be a whole number, is \"%s\"", value);
        }
        for (int i = 0; i < o->seeds; i++)
                if (o->seed[i] == n)
                        return true;
        if (o->seeds < SUITE_SEED_MAX) {
                o->seed[o->seeds++] = n;
                return true;
        }
        return terminal_complain("suite", "--seed: at most %d", SUITE_SEED_MAX);
}

static bool take_option(struct suite_command *c, int opt, const char *value)
{
        switch (opt) {
        case OPT_BASELINE:
                c->baseline = value;
                return true;
        case OPT_UNTIL_DECIDED:
                c->until_decided = true;
                return true;
        case OPT_SEEDS:
                return take_number(opt, value, SUITE_SEEDS_MAX, &c->options.seed_count);
        case OPT_REPEAT:
                return take_number(opt, value, 1000, &c->options.repeats);
        case OPT_JOBS:
                return take_number(opt, value, 256, &c->options.jobs);
        case OPT_ONLY:
                return take_only(&c->options, value);
        case OPT_SEED:
                return take_seed(&c->options, value);
        case OPT_LIST:
                c->options.list = true;
                return true;
        case OPT_SET:
                return take_set(&c->options, value);
        case OPT_OUT:
                c->options.out = value;
                return true;
        case OPT_FLY_AGAIN:
                c->options.fly_again = true;
                return true;
        case OPT_HTML:
                c->html = value;
                return true;
        case OPT_JUNIT:
                c->junit = value;
                return true;
        default:
                if (c->options.file == NULL) {
                        c->options.file = value;
                        return true;
                }
                return terminal_complain("suite", "%s: one suite file at a time", value);
        }
}

int suite_command(int argc, char **argv)
{
        struct suite_command c = { 0 };
        const char *value;
        int at = 0, opt;

        while ((opt = options_next(&options, argc, argv, &at, &value)) != -2) {
                if (opt == -4)
                        return 0;
                if (opt == -3 || !take_option(&c, opt, value))
                        return 2;
        }
        if (c.options.file == NULL) {
                terminal_complain("suite", "needs a suite file, e.g. "
                                           "rig_configs/suites/default.json");
                return 2;
        }
        if (c.until_decided && (c.baseline == NULL || c.options.seeds > 0)) {
                terminal_complain("suite", "--until-decided: needs --baseline, and goes "
                                           "without --seed");
                return 2;
        }
        return suite_command_run(&c);
}
