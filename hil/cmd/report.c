/* `hilrig report`: makes report.html of runs that are there already. */
#include <stdio.h>

#include "hil/cmd/commands.h"
#include "hil/cmd/options.h"
#include "hil/page/report.h"

static const struct option_spec specs[] = { { NULL } };

static const struct options options = {
        .command = "report",
        .specs = specs,
        .usage =
                "report RUN...\n\nRUN is a run folder; report.html in it is made anew. "
                "Exit status 0: every\nreport was written, whatever the verdicts; 2: one "
                "could not be.",
};

static bool report(const char *folder)
{
        char why[1400];

        if (!report_write(folder, why, sizeof why)) {
                fprintf(stderr, "hilrig report: %s\n", why);
                return false;
        }
        printf("%s/report.html\n", folder);
        return true;
}

int report_command(int argc, char **argv)
{
        const char *value;
        int at = 0, opt, runs = 0, failed = 0;

        while ((opt = options_next(&options, argc, argv, &at, &value)) != -2) {
                if (opt == -4)
                        return 0;
                if (opt == -3)
                        return 2;
                runs++;
                failed += !report(value);
        }
        if (runs == 0)
                fprintf(stderr, "hilrig report: needs a run folder\n");
        return runs == 0 || failed > 0 ? 2 : 0;
}
