/* `hilrig bisect`: the first bad one of an ordered list of builds. */
#include "hil/cmd/bisect.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/config/load.h"
#include "hil/text/files.h"
#include "hil/text/json.h"
#include "hil/text/terminal.h"
#include "hil/text/version.h"

static const struct option_spec specs[] = {
        { "--builds", "FILE",
          "the builds, from a good one to a bad one: lines \"NAME [KEY=VALUE]...\"",
          TEXT(bisect_command, builds_file) },
        { "--git", "DIR", "or the commits of this repository",
          TEXT(bisect_command, git) },
        { "--range", "GOOD..BAD", "between these two", TEXT(bisect_command, range) },
        { "--prepare", "COMMAND",
          "run by sh before a build first flies, with its name in HILRIG_BUILD; if it "
          "fails, the build is skipped",
          TEXT(bisect_command, prepare) },
        { "--out", "DIR",
          "folder of all flights; what is finished there is not flown again",
          TEXT(bisect_command, out) },
        { "--row", "NAME",
          "the requirement or metric to judge by, instead of the one that separates the "
          "ends best",
          TEXT(bisect_command, row) },
        { "--error", "PERCENT", "chance of a false alarm or of naming a wrong build (5)",
          PERCENT(bisect_command, alpha, 50) },
        { "--margin", "PERCENT",
          "a shift of this share of the good end's mean counts as none (1)",
          PERCENT(bisect_command, margin, 1000) },
        { "--seeds", "N", "seeds of each end, and at most of any build (10)",
          WHOLE(bisect_command, seeds, 1, SUITE_SEEDS_MAX) },
        { "--jobs", "N", "flights in parallel, where that is possible",
          WHOLE(bisect_command, jobs, 1, 256) },
        { "--max-flights", "N", "stop after this many flights",
          WHOLE(bisect_command, flights_max, 1, 1e6) },
        { "--set", "KEY=VALUE",
          "change one value of every rig; {build} is the build's name",
          TEXTS(bisect_command, set, sets) },
        { "--json", "FILE", "write the result there", TEXT(bisect_command, json) },
        { NULL },
};

static const struct options options = {
        .command = "bisect",
        .specs = specs,
        .operand = { "suite file", TEXT(bisect_command, suite) },
        .usage =
                "bisect SUITE --builds FILE|--git DIR --range GOOD..BAD --out DIR\n"
                "           [--prepare COMMAND] [--row NAME] [--error PERCENT]\n"
                "           [--margin PERCENT] [--seeds N] [--jobs N] [--max-flights N]\n"
                "           [--set KEY=VALUE]... [--json FILE]\n\n"
                "Exit status: 0: the first bad build is named; 1: the ends fly alike; "
                "2:\ncould not be done; 3: undecided, and the same command goes on.",
};

bool bisect_read_builds(struct builds *b, const char *file, char *why, size_t cap)
{
        struct config_error error;
        size_t len;
        char *text = config_load_text(file, &len, &error);
        bool ok = text != NULL && builds_parse(b, file, text, why, cap);

        if (text == NULL)
                snprintf(why, cap, "%s", error.text);
        free(text);
        return ok;
}

static bool read_builds(struct bisect_command *c, const char *range)
{
        char why[CONFIG_ERROR_TEXT];
        bool ok;

        if ((c->builds_file != NULL) == (c->git != NULL) ||
            (c->git != NULL) != (range != NULL))
                return terminal_complain("bisect",
                                         "needs --builds, or --git with --range");
        ok = c->git != NULL
                     ? bisect_list_commits(&c->builds, c->git, range, why, sizeof why)
                     : bisect_read_builds(&c->builds, c->builds_file, why, sizeof why);
        if (!ok)
                return options_complain("bisect", why), false;
        return c->builds.count >= 3 ||
               terminal_complain("bisect",
                                 "%s: needs 3 builds or more, a good one first and a bad "
                                 "one last; has %d",
                                 c->builds_file ? c->builds_file : range,
                                 c->builds.count);
}

static bool check(const struct bisect_command *c)
{
        int fewest = bisect_fewest_seeds(0.5 * c->alpha);

        if (c->suite == NULL || c->out == NULL)
                return terminal_complain("bisect", "needs a suite file and --out");
        return c->seeds >= fewest ||
               terminal_complain("bisect",
                                 "--seeds: with an error of %g %% it takes %d or more to "
                                 "tell the ends apart, is %d",
                                 100.0 * c->alpha, fewest, c->seeds);
}

static const char *name_of(const struct bisect_command *c, int build)
{
        return c->builds.build[build].name;
}

static void print_row(const struct bisect_row *row)
{
        terminal_print(
                stdout,
                "ends differ: %s, %s: from %.4g by %+.3g %s, deviation %.3g, chance "
                "of such a row without a change %.2g%s\n",
                row->group, row->name, row->good, row->shift, row->unit, row->deviation,
                row->chance,
                row->worse ? ""
                : row->better == BETTER_NEITHER
                        ? "; which way is worse is not known"
                        : "; by this the last build is the better one");
}

static void print_found(const struct bisect_command *c, const struct bisect_result *r)
{
        const struct bisect_range *g = &r->range;

        if (g->first == g->last)
                terminal_print(stdout, "%s: first bad build %d of %d, %s (%.2f %%)\n",
                               r->verdict == BISECT_FOUND ? "found" : "so far",
                               g->first + 1, c->builds.count, name_of(c, g->first),
                               100.0 * g->probability);
        else
                terminal_print(stdout,
                               "%s: first bad build is one of %d to %d of %d, %s to %s "
                               "(%.2f %%)\n",
                               r->verdict == BISECT_FOUND ? "found" : "so far",
                               g->first + 1, g->last + 1, c->builds.count,
                               name_of(c, g->first), name_of(c, g->last),
                               100.0 * g->probability);
}

static void print_result(const struct bisect_command *c, const struct bisect_result *r)
{
        putchar('\n');
        if (r->bad != NULL) {
                print_row(&r->row);
                if (r->verdict != BISECT_ENDS_ALIKE)
                        print_found(c, r);
        }
        if (r->why[0] != '\0')
                terminal_print(r->verdict == BISECT_FAILED ? stderr : stdout, "%s%s\n",
                               r->verdict == BISECT_FAILED ? "hilrig bisect: " : "",
                               r->why);
        printf("%d flights of %d builds, %d of which could not be flown\n", r->flights,
               c->builds.count, r->unseen);
}

static char *document(const struct bisect_command *c, const struct bisect_result *r)
{
        struct json *root = json_new_object(), *o, *list;

        json_add_string(root, "verdict", bisect_verdict_name(r->verdict));
        json_add_string(root, "why", r->why);
        json_add_string(root, "version", hilrig_version());
        json_add_string(root, "suite", c->suite);
        json_add_i64(root, "flights", r->flights);
        json_add_i64(root, "could_not_fly", r->unseen);
        if (r->bad != NULL) {
                json_add_string(root, "first_bad", name_of(c, r->range.first));
                json_add_string(root, "last_bad", name_of(c, r->range.last));
                json_add_number(root, "probability", r->range.probability);
                json_add_number(root, "no_change", r->no_change);
                o = json_add_object(root, "row");
                json_add_string(o, "group", r->row.group);
                json_add_string(o, "name", r->row.name);
                json_add_string(o, "unit", r->row.unit);
                json_add_number(o, "good", r->row.good);
                json_add_number(o, "shift", r->row.shift);
                json_add_number(o, "deviation", r->row.deviation);
                json_add_number(o, "chance", r->row.chance);
                json_add_bool(o, "worse", r->row.worse);
        }
        list = json_add_array(root, "builds");
        for (int i = 0; i < c->builds.count; i++) {
                o = json_add_object(list, NULL);
                json_add_string(o, "name", name_of(c, i));
                json_add_i64(o, "seeds", r->seeds != NULL ? r->seeds[i] : 0);
                if (r->bad != NULL) {
                        json_add_number(o, "level", r->level[i]);
                        json_add_number(o, "bad", r->bad[i]);
                }
        }
        return json_print_free(root);
}

static int search(struct bisect_command *c)
{
        const char **names = calloc((size_t)c->builds.count, sizeof *names);
        struct bisect_options o = {
                .builds = c->builds.count,
                .name = names,
                .wish = { c->row, 0.5 * c->alpha, c->margin },
                .alpha = 0.5 * c->alpha,
                .seeds = c->seeds,
                .at_once = c->jobs > 0 ? c->jobs : 2,
                .flights_max = c->flights_max,
                .pilot = { bisect_fly_build, c },
                .out = stdout,
        };
        struct bisect_result r;
        int status = 2;

        c->prepared = calloc((size_t)c->builds.count, sizeof *c->prepared);
        if (names == NULL || c->prepared == NULL) {
                terminal_complain("bisect", "out of memory");
        } else {
                for (int i = 0; i < c->builds.count; i++)
                        names[i] = name_of(c, i);
                terminal_print(stdout, "%d builds, %s to %s, folder %s", c->builds.count,
                               names[0], names[c->builds.count - 1], c->folder);
                puts("\n\nflown");
                bisect_run(&o, &r);
                print_result(c, &r);
                status = r.verdict == BISECT_FOUND        ? 0
                         : r.verdict == BISECT_ENDS_ALIKE ? 1
                         : r.verdict == BISECT_FAILED     ? 2
                                                          : 3;
                if (c->json != NULL &&
                    !text_file_leave("bisect", c->json, document(c, &r)))
                        status = 2;
                bisect_result_free(&r);
        }
        free(c->prepared);
        free(names);
        return status;
}

int bisect_command(int argc, char **argv)
{
        struct bisect_command c = { .alpha = 0.05, .margin = 0.01, .seeds = 10 };
        int status = options_read(&options, argc, argv, &c);

        if (status != OPTIONS_READ)
                return status;
        status = 2;
        setvbuf(stdout, NULL, _IOLBF, 0);
        if (check(&c) && read_builds(&c, c.range)) {
                char why[700];

                snprintf(c.folder, sizeof c.folder, "%s", c.out);
                if (folder_make(c.folder, why, sizeof why))
                        status = search(&c);
                else
                        terminal_complain("bisect", "%s", why);
        }
        builds_free(&c.builds);
        return status;
}
