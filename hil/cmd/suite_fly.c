/* What `hilrig suite` does: flies a suite, leaves suite.json and a page beside its runs, and holds it against a
 * baseline if there is one, once or until every row is decided. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/console/options.h"
#include "hil/cmd/suite.h"
#include "hil/config/config.h"
#include "hil/text/files.h"
#include "hil/text/terminal.h"

static bool complain(const char *why)
{
        options_complain("suite", why);
        return false;
}

static bool write_beside(const struct suite *s, const char *file, char *text)
{
        char why[700] = "out of memory";
        bool ok =
                text != NULL && run_folder_write(s->folder, file, text, why, sizeof why);

        free(text);
        return ok || complain(why);
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

static bool leave(const struct suite_command *c, const struct suite *s)
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
static void print_way_on(const struct suite_command *c, const struct suite *s)
{
        terminal_print(stdout, "go on with: hilrig suite %s --out %s", s->options.file,
                       s->folder);
        if (c->baseline != NULL)
                terminal_print(stdout, " --baseline %s", c->baseline);
        if (c->until_decided)
                printf(" --until-decided");
        if (c->options.seed_count > 0)
                printf(" --seeds %d", c->options.seed_count);
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

static void print_result(const struct suite_command *c, const struct suite *s)
{
        struct suite_count count = suite_count(s);

        printf("\n%s: %d run%s: %d passed, %d failed, %d void, %d could not run, %d not "
               "flown\n",
               suite_verdict_name(s), s->runs, s->runs == 1 ? "" : "s",
               count.verdict[RUN_PASSED], count.verdict[RUN_FAILED],
               count.verdict[RUN_VOID], count.verdict[RUN_ERROR], count.open);
        if (count.asked_nothing > 0)
                printf("of %d that are void " NOTHING_REQUIRED "\n", count.asked_nothing);
        if (s->left_out > 0)
                printf("%d run%s of the suite %s left out, of which this says nothing\n",
                       s->left_out, s->left_out == 1 ? "" : "s",
                       s->left_out == 1 ? "was" : "were");
        if (s->interrupted)
                print_way_on(c, s);
        terminal_print(stdout, "suite folder %s\n", s->folder);
}

/* Of what is left open all is named: nobody flies on. */
static void print_undecided(const struct comparison *c)
{
        printf("\nnot decided with %d independent pair%s:\n", c->columns,
               c->columns == 1 ? "" : "s");
        for (int i = 0; i < c->rows; i++)
                if (compare_is_open(c, &c->row[i]))
                        terminal_print(stdout, "  %s: %s\n", c->row[i].group,
                                       c->row[i].name);
}

static bool leave_comparison(const struct suite_command *c, const struct suite *s,
                             const struct comparison *result,
                             const struct compared_side side[2])
{
        putchar('\n');
        compare_print(stdout, result);
        if (c->until_decided && result->verdict == COMPARE_TOO_LITTLE)
                print_undecided(result);
        return write_beside(s, "compare.html", compare_html(result, side)) &&
               write_beside(s, "compare.json", compare_json(result));
}

/* Exit status of the comparison; -1: it is open, and there are more seeds to fly. */
static int compare(const struct suite_command *c, const struct suite *s, double part,
                   bool last)
{
        const struct compare_options o = { .rules = s->file.comparison, .part = part };
        struct compared_side side[2] = { 0 };
        struct comparison result = { 0 };
        char why[700];
        int status = 2;

        if (!compared_side_read(&side[0], c->baseline, why, sizeof why) ||
            !compared_side_read(&side[1], s->folder, why, sizeof why) ||
            !compare_sides(&result, &o, &side[0], &side[1], why, sizeof why)) {
                complain(why);
        } else if (!last && result.columns > 0 && result.verdict == COMPARE_TOO_LITTLE) {
                printf("open after %d independent pairs: %d rows with too little data, "
                       "%d that "
                       "lean to the worse\n",
                       result.columns, result.count[COMPARE_TOO_LITTLE], result.leaning);
                status = -1;
        } else if (leave_comparison(c, s, &result, side)) {
                status = compare_exit_status(result.verdict);
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

static int list_runs(const struct suite *s)
{
        for (int i = 0; i < s->runs; i++)
                terminal_print(stdout, "%s\n", s->run[i].folder + strlen(s->folder) + 1);
        return 0;
}

/* What can be decided is known before an hour of flight, not after it. */
static bool foretell(const struct suite *s, const struct compared_side *baseline,
                     double part)
{
        char text[1000];
        bool ok = suite_foretell(s, baseline, part, text, sizeof text);

        if (!ok)
                return complain(text);
        terminal_print(stdout, "%s\n", text);
        return true;
}

/* Exit status; -1: the comparison is open, and there are more seeds. */
static int fly(const struct suite_command *c, struct suite *s,
               const struct compared_side *baseline, double part, bool last)
{
        struct suite_count before = suite_count(s);
        char why[600];
        int status, compared;
        bool flown;

        terminal_print(stdout,
                       "%s: %d run%s, %d at a time, %d finished already, folder %s\n",
                       s->file.name, s->runs, s->runs == 1 ? "" : "s", s->jobs,
                       before.kept, s->folder);
        if (c->baseline != NULL && !foretell(s, baseline, part))
                return 2;
        fflush(stdout);
        flown = suite_fly(s, stderr, why, sizeof why) || complain(why);
        print_result(c, s);
        if (!leave(c, s) || !flown)
                return 2;
        status = suite_exit_status(s);
        if (c->baseline == NULL || s->interrupted)
                return status;
        compared = compare(c, s, part, last);
        return compared < 0 ? compared : worse(status, compared);
}

static bool plan(struct suite *s, const struct suite_options *o)
{
        char why[CONFIG_ERROR_TEXT];

        suite_free(s);
        return suite_plan(s, o, why, sizeof why) || complain(why);
}

/* As many seeds as the baseline has; false: too few for anything. */
static bool count_seeds(struct suite *s, struct suite_options *o,
                        const struct compared_side *baseline)
{
        struct compare_options first = { .part = 0.5 };
        char why[CONFIG_ERROR_TEXT];

        s->options = *o;
        if (!suite_read(s, why, sizeof why))
                return complain(why);
        o->seed_count = suite_seeds_of(s, baseline);
        first.rules = s->file.comparison;
        if (o->seed_count >= compare_fewest(&first))
                return true;
        return terminal_complain("suite",
                                 "--until-decided: %s has %d of the suite's seeds from "
                                 "%llu on, and it takes %d to "
                                 "decide every row: fly it with --seeds %d or more",
                                 baseline->folder, o->seed_count,
                                 (unsigned long long)suite_seed(&s->file, 0),
                                 compare_fewest(&first), compare_fewest(&first));
}

/* What is flown at one look is kept at the next. */
static int fly_until_decided(const struct suite_command *c, struct suite *s,
                             const struct compared_side *baseline)
{
        struct suite_options o = c->options;
        char folder[sizeof s->folder];
        struct suite_look look, next;
        int status = -1, most, at;

        if (!count_seeds(s, &o, baseline) || !plan(s, &o))
                return 2;
        if (o.list)
                return list_runs(s);
        snprintf(folder, sizeof folder, "%s", s->folder);
        o.out = folder;
        most = o.seed_count;
        at = suite_first_look(s, most);
        while (status < 0 && suite_look(at, most, &look)) {
                o.seed_count = look.seeds;
                status = plan(s, &o) ? fly(c, s, baseline, look.part,
                                           !suite_look(++at, most, &next))
                                     : 2;
        }
        return status;
}

int suite_command_run(const struct suite_command *c)
{
        struct suite *s = calloc(1, sizeof *s);
        struct compared_side baseline = { 0 };
        char why[700] = "out of memory";
        int status = 2;

        if (s == NULL || (c->baseline != NULL &&
                          !compared_side_read(&baseline, c->baseline, why, sizeof why)))
                complain(why);
        else if (c->until_decided)
                status = fly_until_decided(c, s, &baseline);
        else if (plan(s, &c->options))
                status = c->options.list ? list_runs(s) : fly(c, s, &baseline, 1.0, true);
        compared_side_free(&baseline);
        if (s != NULL)
                suite_free(s);
        free(s);
        return status;
}
