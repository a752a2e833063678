/* `hilrig suite`: what it is asked to do. suite_fly.c does it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/cmd/suite.h"
#include "hil/text/terminal.h"

static bool take_seed(void *of, const struct option_spec *spec, const char *value)
{
        struct suite_options *o = &((struct suite_command *)of)->options;
        unsigned long long n;

        if (!options_u64(value, &n)) {
                return terminal_complain("suite", "%s: must be a whole number, is \"%s\"",
                                         spec->name, value);
        }
        for (int i = 0; i < o->seeds; i++)
                if (o->seed[i] == n)
                        return true;
        if (o->seeds < SUITE_SEED_MAX) {
                o->seed[o->seeds++] = n;
                return true;
        }
        return terminal_complain("suite", "%s: at most %d", spec->name, SUITE_SEED_MAX);
}

static const struct option_spec specs[] = {
        { "--baseline", "DIR", "compare with the runs of this folder afterwards",
          TEXT(suite_command, baseline) },
        { "--until-decided", NULL,
          "fly 10 seeds, 20, 40, ... of those that the baseline has, until the "
          "comparison "
          "is decided",
          FLAG(suite_command, until_decided) },
        { "--seeds", "N", "fly this many seeds, starting with the file's first",
          WHOLE(suite_command, options.seed_count, 1, SUITE_SEEDS_MAX) },
        { "--repeat", "N", "fly each this often, instead of the file's repeats",
          WHOLE(suite_command, options.repeats, 1, 1000) },
        { "--jobs", "N", "runs in parallel, where that is possible",
          WHOLE(suite_command, options.jobs, 1, 256) },
        { "--only", "NAME",
          "fly only runs of this rig, variant, scenario or SEED-REPEAT, or a path of "
          "them such as default/own/3-1; with * and ?; may be given several times",
          TEXTS(suite_command, options.only, options.onlys) },
        { "--seed", "N",
          "fly this seed instead of the file's; may be given several times",
          OTHER(take_seed) },
        { "--list", NULL, "print the runs, and fly none",
          FLAG(suite_command, options.list) },
        { "--set", "KEY=VALUE", "change one value of every rig",
          TEXTS(suite_command, options.set, options.sets), .max = SUITE_ARG_MAX },
        { "--out", "DIR",
          "folder of the suite instead of runs/<UTC time>-suite-<name>; what is finished "
          "there is kept",
          TEXT(suite_command, options.out) },
        { "--fly-again", NULL,
          "overwrite runs there that finished with other settings, instead of refusing",
          FLAG(suite_command, options.fly_again) },
        { "--html", "FILE", "write the page there instead of DIR/suite.html",
          TEXT(suite_command, html) },
        { "--junit", "FILE", "write JUnit XML, a test case a run",
          TEXT(suite_command, junit) },
        { NULL },
};

static const struct options options = {
        .command = "suite",
        .specs = specs,
        .operand = { "suite file",
                     .help = "a suite file, e.g. rig_configs/suites/default.json",
                     TEXT(suite_command, options.file) },
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

int suite_command(int argc, char **argv)
{
        struct suite_command c = { 0 };
        int status = options_read(&options, argc, argv, &c);

        if (status != OPTIONS_READ)
                return status;
        if (c.until_decided && (c.baseline == NULL || c.options.seeds > 0)) {
                terminal_complain("suite", "--until-decided: needs --baseline, and goes "
                                           "without --seed");
                return 2;
        }
        return suite_command_run(&c);
}
