/* `hilrig report`: makes report.html of runs that are there already. */
#include <stdio.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/page/report.h"
#include "hil/text/terminal.h"

#define REPORTS_MAX 1024

struct report_words {
        const char *vehicle, *run[REPORTS_MAX];
        int runs;
};

static const struct option_spec specs[] = {
        { "--vehicle", "NAME", "show that vehicle first, and of a fleet whole",
          TEXT(report_words, vehicle) },
        { NULL },
};

static const struct options options = {
        .command = "report",
        .specs = specs,
        .operand = { "run", .help = "a run folder", TEXTS(report_words, run, runs) },
        .usage =
                "report [--vehicle NAME] RUN...\n\nRUN is a run folder; report.html in "
                "it is made anew. "
                "Exit status 0: every\nreport was written, whatever the verdicts; 2: one "
                "could not be.",
};

static bool report(const char *folder, const char *vehicle)
{
        char why[1400];

        if (!report_write(folder, vehicle, why, sizeof why))
                return terminal_complain("report", "%s", why);
        terminal_print(stdout, "%s/report.html\n", folder);
        return true;
}

int report_command(int argc, char **argv)
{
        struct report_words w = { 0 };
        int failed = 0, status = options_read(&options, argc, argv, &w);

        if (status != OPTIONS_READ)
                return status;
        for (int i = 0; i < w.runs; i++)
                failed += !report(w.run[i], w.vehicle);
        return failed > 0 ? 2 : 0;
}
