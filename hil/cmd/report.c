/* `hilrig report`: makes report.html of runs that are there already. */
#include <stdio.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/page/report.h"
#include "hil/text/terminal.h"

static const struct option_spec specs[] = {
        { "--vehicle", "NAME", "show that vehicle first, and of a fleet whole" },
        { NULL },
};

static const struct options options = {
        .command = "report",
        .specs = specs,
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
        const char *value, *vehicle = NULL;
        int at = 0, opt, runs = 0, failed = 0;

        while ((opt = options_next(&options, argc, argv, &at, &value)) != -2) {
                if (opt == -4)
                        return 0;
                if (opt == -3)
                        return 2;
                if (opt == 0) {
                        vehicle = value;
                        continue;
                }
                runs++;
                failed += !report(value, vehicle);
        }
        if (runs == 0)
                terminal_complain("report", "needs a run folder");
        return runs == 0 || failed > 0 ? 2 : 0;
}
