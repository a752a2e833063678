/* `hilrig suite`: flies a suite, leaves suite.json and a page beside its runs, and holds it against a
 * baseline if there is one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/cmd/commands.h"
#include "hil/cmd/options.h"
#include "hil/text/files.h"
#include "hil/suite/suite.h"

static const struct option_spec specs[] = {
        { "--baseline", "DIR", "compare with the runs of this folder afterwards" },
        { "--repeat", "N", "fly each so often, instead of the file's repeats" },
        { "--jobs", "N", "so many runs at a time, where they may fly side by side" },
        { "--only", "NAME",
          "fly only runs of this rig, variant, scenario or SEED-REPEAT, or of several in "
          "a row, as in default/own/3-1; with * and ?; may be given several times" },
        { "--seed", "N", "fly this seed instead of the file's; several times for more" },
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
                 "           [--baseline DIR] [--repeat N] [--jobs N]\n"
                 "           [--out DIR] [--fly-again] [--html FILE] [--junit FILE]\n\n"
                 "Exit status 0: every run passed; 1: some failed, or regressed against "
                 "the baseline;\n2: some could not run; 3: some are void, or it was "
                 "interrupted (the same command\nwith --out goes on), or too little data "
                 "for the baseline.\n"
                 "With --only or --seed that is about the runs flown; how many are left "
                 "out is said.",
};

enum {
        OPT_BASELINE,
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

struct command {
        struct suite_options options;
        const char *baseline, *html, *junit;
};

static bool take_number(int opt, const char *value, unsigned long long most, int *out)
{
        unsigned long long n;

        if (options_u64(value, &n) && n >= 1 && n <= most) {
                *out = (int)n;
                return true;
        }
        fprintf(stderr,
                "hilrig suite: %s: must be a whole number from 1 to %llu, is \"%s\"\n",
                specs[opt].name, most, value);
        return false;
}

static bool take_set(struct suite_options *o, const char *value)
{
        if (o->sets == SUITE_CLI_SETS_MAX) {
                fprintf(stderr, "hilrig suite: --set: at most %d\n", SUITE_CLI_SETS_MAX);
                return false;
        }
        if (strlen(value) >= SUITE_ARG_MAX) {
                fprintf(stderr,
                        "hilrig suite: --set: must be shorter than %d characters\n",
                        SUITE_ARG_MAX);
                return false;
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
        fprintf(stderr, "hilrig suite: --only: at most %d\n", SUITE_ONLY_MAX);
        return false;
}

static bool take_seed(struct suite_options *o, const char *value)
{
        unsigned long long n;

        if (!options_u64(value, &n)) {
                fprintf(stderr,
                        "hilrig suite: --seed: must be a whole number, is \"%s\"\n",
                        value);
                return false;
        }
        for (int i = 0; i < o->seeds; i++)
                if (o->seed[i] == n)
                        return true;
        if (o->seeds < SUITE_SEED_MAX) {
                o->seed[o->seeds++] = n;
                return true;
        }
        fprintf(stderr, "hilrig suite: --seed: at most %d\n", SUITE_SEED_MAX);
        return false;
}

static bool take_option(struct command *c, int opt, const char *value)
{
        switch (opt) {
        case OPT_BASELINE:
                c->baseline = value;
                return true;
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
                fprintf(stderr, "hilrig suite: %s: one suite file at a time\n", value);
                return false;
        }
}

static bool complain(const char *why)
{
        fprintf(stderr, "hilrig suite: %s\n", why);
        return false;
}

static bool write_beside(const struct suite *s, const char *file, char *text)
{
        char path[600];

        snprintf(path, sizeof path, "%s/%s", s->folder, file);
        return text_file_leave("suite", path, text);
}

/* A page elsewhere needs the way to the runs. */
static char *page_elsewhere(const struct suite *s)
{
        char *folder = realpath(s->folder, NULL), *prefix = NULL, *text;

        if (folder == NULL || asprintf(&prefix, "%s/", folder) < 0) {
                free(folder);
                return NULL;
        }
        text = suite_html(s, prefix);
        free(prefix);
        free(folder);
        return text;
}

static bool leave(const struct command *c, const struct suite *s)
{
        bool ok = write_beside(s, "suite.json", suite_json(s));

        ok = (c->html ? text_file_leave("suite", c->html, page_elsewhere(s))
                      : write_beside(s, "suite.html", suite_html(s, ""))) &&
             ok;
        if (c->junit != NULL)
                ok = text_file_leave("suite", c->junit, suite_junit(s)) && ok;
        return ok;
}

/* A word as a shell takes it. */
static void print_quoted(const char *word)
{
        fputs(" '", stdout);
        for (; *word != '\0'; word++) {
                if (*word == '\'')
                        fputs("'\\''", stdout);
                else
                        putchar(*word);
        }
        putchar('\'');
}

/* With everything that is part of the runs: other settings would be refused. */
static void print_way_on(const struct suite *s)
{
        printf("go on with: hilrig suite %s --out %s", s->options.file, s->folder);
        if (s->options.repeats > 0)
                printf(" --repeat %d", s->options.repeats);
        for (int i = 0; i < s->options.onlys; i++) {
                fputs(" --only", stdout);
                print_quoted(s->options.only[i]);
        }
        for (int i = 0; i < s->options.seeds; i++)
                printf(" --seed %llu", (unsigned long long)s->options.seed[i]);
        for (int i = 0; i < s->options.sets; i++) {
                fputs(" --set", stdout);
                print_quoted(s->options.set[i]);
        }
        puts(s->options.fly_again ? " --fly-again" : "");
}

static void print_result(const struct suite *s)
{
        struct suite_count c = suite_count(s);

        printf("\n%s: %d run%s: %d passed, %d failed, %d void, %d could not run, %d not "
               "flown\n",
               suite_verdict_name(s), s->runs, s->runs == 1 ? "" : "s",
               c.verdict[RUN_PASSED], c.verdict[RUN_FAILED], c.verdict[RUN_VOID],
               c.verdict[RUN_ERROR], c.open);
        if (c.asked_nothing > 0)
                printf("of %d that passed " SUITE_ASKED_NOTHING "\n", c.asked_nothing);
        if (s->left_out > 0)
                printf("%d run%s of the suite %s left out, of which this says nothing\n",
                       s->left_out, s->left_out == 1 ? "" : "s",
                       s->left_out == 1 ? "was" : "were");
        if (s->interrupted)
                print_way_on(s);
        printf("suite folder %s\n", s->folder);
}

/* Exit status of the comparison. */
static int compare(const struct command *c, const struct suite *s)
{
        const struct compare_options o = { .rules = s->file.comparison, .part = 1.0 };
        struct compared_side side[2] = { 0 };
        struct comparison result = { 0 };
        char why[700];
        int status = 2;

        if (compared_side_read(&side[0], c->baseline, why, sizeof why) &&
            compared_side_read(&side[1], s->folder, why, sizeof why) &&
            compare_sides(&result, &o, &side[0], &side[1], why, sizeof why)) {
                putchar('\n');
                compare_print(stdout, &result);
                if (write_beside(s, "compare.html", compare_html(&result, side)) &&
                    write_beside(s, "compare.json", compare_json(&result)))
                        status = compare_exit_status(result.verdict);
        } else {
                complain(why);
        }
        comparison_free(&result);
        compared_side_free(&side[0]);
        compared_side_free(&side[1]);
        return status;
}

/* A failed run weighs more than what the comparison says, and what could not be done at all more than
 * too little data. */
static int worse(int a, int b)
{
        static const int rank[] = { 0, 3, 2, 1 };

        return rank[a] >= rank[b] ? a : b;
}

static int list(const struct suite *s)
{
        for (int i = 0; i < s->runs; i++)
                puts(s->run[i].folder + strlen(s->folder) + 1);
        return 0;
}

static int fly(const struct command *c, struct suite *s)
{
        struct suite_count before = suite_count(s);
        char why[600];
        bool flown;
        int status;

        printf("%s: %d run%s, %d at a time, %d finished already, folder %s\n",
               s->file.name, s->runs, s->runs == 1 ? "" : "s", s->jobs, before.kept,
               s->folder);
        fflush(stdout);
        flown = suite_fly(s, stderr, why, sizeof why) || complain(why);
        print_result(s);
        if (!leave(c, s) || !flown)
                return 2;
        status = suite_exit_status(s);
        if (c->baseline != NULL && !s->interrupted)
                status = worse(status, compare(c, s));
        return status;
}

/* Before an hour of flight, not after it. */
static bool has_baseline(const struct command *c, char *why, size_t cap)
{
        struct compared_side side = { 0 };
        bool ok = c->baseline == NULL || compared_side_read(&side, c->baseline, why, cap);

        compared_side_free(&side);
        return ok;
}

static int run(const struct command *c)
{
        struct suite *s = calloc(1, sizeof *s);
        char why[700] = "out of memory";
        int status = 2;

        if (s != NULL && has_baseline(c, why, sizeof why) &&
            suite_plan(s, &c->options, why, sizeof why))
                status = c->options.list ? list(s) : fly(c, s);
        else
                complain(why);
        if (s != NULL)
                suite_free(s);
        free(s);
        return status;
}

int suite_command(int argc, char **argv)
{
        struct command c = { 0 };
        const char *value;
        int at = 0, opt;

        while ((opt = options_next(&options, argc, argv, &at, &value)) != -2) {
                if (opt == -4)
                        return 0;
                if (opt == -3 || !take_option(&c, opt, value))
                        return 2;
        }
        if (c.options.file == NULL) {
                fprintf(stderr, "hilrig suite: needs a suite file, e.g. "
                                "rig_configs/suites/default.json\n");
                return 2;
        }
        return run(&c);
}
