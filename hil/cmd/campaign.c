/* `hilrig campaign`: the flights of several firmware versions, on boards or without, and what they came to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/campaign/campaign.h"
#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/text/files.h"
#include "hil/text/terminal.h"

struct campaign_command {
        struct campaign_options options;
        bool list;
};

/* As the array that it is of was submitted; which of it, Slurm says. */
static bool take_job(void *of, const struct option_spec *spec, const char *value)
{
        struct campaign_options *o = &((struct campaign_command *)of)->options;
        const char *index = getenv("SLURM_ARRAY_TASK_ID");
        struct campaign_job *j = &o->job;
        int base, end = 0, of_array = index != NULL ? atoi(index) : 0;

        (void)spec;
        if (sscanf(value, "%d,%d,%12[0-9a-f]%n", &base, &j->attempts, j->plan, &end) !=
                    3 ||
            value[end] != '\0' || base < 0 || base > SUITE_RUNS_MAX || j->attempts < 0)
                return terminal_complain("campaign",
                                         "--job: must be what --slurm submits, is \"%s\"",
                                         value);
        if (of_array < 1 || of_array > SUITE_RUNS_MAX)
                return terminal_complain("campaign", "--job: is for Slurm, which sets "
                                                     "SLURM_ARRAY_TASK_ID");
        j->number = base + of_array;
        o->slurm = true;
        return true;
}

static const struct option_spec specs[] = {
        { "--out", "DIR",
          "folder of the campaign instead of runs/<UTC time>-campaign-<name>; what "
          "counts "
          "there is not flown again",
          TEXT(campaign_command, options.out) },
        { "--farm", "FILE", "the inventory of boards, instead of the file's",
          TEXT(campaign_command, options.farm) },
        { "--jobs", "N", "flights in parallel",
          WHOLE(campaign_command, options.jobs, 1, 256) },
        { "--slurm", NULL, "as jobs of Slurm, on whichever computers it has",
          FLAG(campaign_command, options.slurm) },
        { "--job", "BASE,ATTEMPTS,PLAN",
          "one of these jobs: the flight BASE + $SLURM_ARRAY_TASK_ID", OTHER(take_job) },
        { "--list", NULL, "print the flights with their numbers, and fly none",
          FLAG(campaign_command, list) },
        { "--set", "KEY=VALUE", "change one value of every rig",
          TEXTS(campaign_command, options.set, options.sets), .max = SUITE_ARG_MAX },
        { "--fly-again", NULL,
          "move aside and fly again what was flown there with other settings, instead of "
          "refusing",
          FLAG(campaign_command, options.fly_again) },
        { NULL },
};

static const struct options options = {
        .command = "campaign",
        .specs = specs,
        .operand = { "campaign file",
                     .help = "a campaign file, e.g. rig_configs/campaigns/default.json",
                     TEXT(campaign_command, options.file) },
        .usage = "campaign FILE [--out DIR] [--farm FILE] [--jobs N] [--slurm] [--list] "
                 "[--set "
                 "KEY=VALUE]...\n"
                 "           [--fly-again]\n\n"
                 "Exit status 0: every flight passed; 1: some failed; 2: some could not "
                 "run; 3: some are\nvoid, or it was stopped: the same command with --out "
                 "goes on.",
};

static bool complain(const char *why)
{
        options_complain("campaign", why);
        return false;
}

static bool write_beside(const struct campaign *c, const char *file, char *text)
{
        char why[700] = "out of memory";
        bool ok =
                text != NULL && run_folder_write(c->folder, file, text, why, sizeof why);

        free(text);
        return ok || complain(why);
}

static bool leave(const struct campaign *c)
{
        bool ok = write_beside(c, "campaign.json", campaign_json(c));

        ok = write_beside(c, "campaign.html", campaign_html(c)) && ok;
        return write_beside(c, "junit.xml", campaign_junit(c)) && ok;
}

static void print_result(const struct campaign *c)
{
        struct suite_count n = campaign_count(c);

        if (c->stop_reason[0] != '\0')
                terminal_print(stdout, "\nstopped: %s", c->stop_reason);
        printf("\n%s: %d flight%s: %d passed, %d failed, %d void, %d could not run, %d "
               "not "
               "flown\n",
               campaign_verdict_name(c), c->flights, c->flights == 1 ? "" : "s",
               n.verdict[RUN_PASSED], n.verdict[RUN_FAILED], n.verdict[RUN_VOID],
               n.verdict[RUN_ERROR], n.open);
        if (n.asked_nothing > 0)
                printf("of %d that are void " NOTHING_REQUIRED "\n", n.asked_nothing);
        if (c->moved_aside > 0)
                terminal_print(stdout,
                               "%d folder%s that did not count: in %s/" CAMPAIGN_ASIDE
                               "\n",
                               c->moved_aside, c->moved_aside == 1 ? "" : "s", c->folder);
        if (n.open > 0)
                terminal_print(stdout,
                               "the same command goes on, with --out %s: what counts is "
                               "not flown again\n",
                               c->folder);
        terminal_print(stdout, "campaign folder %s\n", c->folder);
}

static int list_flights(const struct campaign *c)
{
        for (int i = 0; i < c->flights; i++)
                terminal_print(stdout, "%d %s\n", c->flight[i].number,
                               campaign_flight_name(c, &c->flight[i]));
        return 0;
}

/* The campaign's page is the campaign's. */
static int fly_job(struct campaign *c)
{
        char why[CONFIG_ERROR_TEXT];

        if (!campaign_fly_job(c, stderr, why, sizeof why))
                return complain(why), 2;
        return campaign_exit_status(c);
}

static bool fly_all(struct campaign *c, char *why, size_t cap)
{
        return c->options.slurm ? campaign_fly_slurm(c, stderr, why, cap)
                                : campaign_fly(c, stderr, why, cap);
}

static int fly(struct campaign *c)
{
        char why[CONFIG_ERROR_TEXT], how[40];
        bool flown, left;

        if (!campaign_open(c, why, sizeof why))
                return complain(why), 2;
        if (c->options.job.number > 0)
                return fly_job(c);
        snprintf(how, sizeof how, "%d at a time", c->jobs);
        terminal_print(stdout,
                       "%s: %d flight%s of %d version%s, %s, %d counted "
                       "already, folder %s\n",
                       c->file.suite.name, c->flights, c->flights == 1 ? "" : "s",
                       c->file.versions, c->file.versions == 1 ? "" : "s",
                       c->options.slurm ? "as jobs of Slurm" : how,
                       campaign_count(c).kept, c->folder);
        fflush(stdout);
        flown = fly_all(c, why, sizeof why) || complain(why);
        print_result(c);
        /* On a full disk there may be no room for a page, either. */
        left = leave(c) || c->stop == CAMPAIGN_DISK_FULL;
        return left && flown ? campaign_exit_status(c) : 2;
}

int campaign_command(int argc, char **argv)
{
        struct campaign_command command = { 0 };
        struct campaign *c;
        char why[CONFIG_ERROR_TEXT] = "out of memory";
        int status = options_read(&options, argc, argv, &command);

        if (status != OPTIONS_READ)
                return status;
        status = 2;
        if (command.list && command.options.out == NULL)
                command.options.out = ".";
        c = calloc(1, sizeof *c);
        if (c != NULL && campaign_plan(c, &command.options, why, sizeof why))
                status = command.list ? list_flights(c) : fly(c);
        else
                complain(why);
        if (c != NULL)
                campaign_free(c);
        free(c);
        return status;
}
