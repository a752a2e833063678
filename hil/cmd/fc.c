/* `hilrig fc`: the reference flight controller on its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/cmd/commands.h"
#include "hil/reference/fc_process.h"
#include "hil/console/options.h"
#include "hil/text/terminal.h"

struct fc_words {
        struct fc_process_options process;
        const char *link, *params;
};

static const struct option_spec specs[] = {
        { "--link", "LINK",
          "where the rig is, e.g. pty:/dev/pts/5, tcp-listen:127.0.0.1:5760",
          TEXT(fc_words, link) },
        { "--params", "FILE", "flight-controller parameters (JSON)",
          TEXT(fc_words, params) },
        { "--priority", "N", "SCHED_FIFO priority 1 to 99; 0 or absent: ordinary",
          WHOLE(fc_words, process.priority, 0, 99) },
        { "--once", NULL, "end with the first goodbye or hang-up",
          FLAG(fc_words, process.once) },
        { "--quiet", NULL, "no lines on standard error", FLAG(fc_words, process.quiet) },
        { NULL },
};

static const struct options options = {
        .command = "fc",
        .specs = specs,
        .usage = "fc --link LINK --params FILE [--priority N] [--once] [--quiet]",
};

int fc_command(int argc, char **argv)
{
        struct fc_words w = { 0 };
        struct config_error config_why;
        struct link_error link_why;
        int status = options_read(&options, argc, argv, &w);

        if (status != OPTIONS_READ)
                return status;
        if (w.link == NULL || w.params == NULL) {
                terminal_complain("fc", "needs --link LINK and --params FILE");
                return 2;
        }
        if (!config_read_fc(&w.process.params, w.params, &config_why)) {
                options_complain("fc", config_why.text);
                return 2;
        }
        if (!link_spec_parse(&w.process.link, w.link, &link_why)) {
                terminal_complain("fc", "%s", link_why.text);
                return 2;
        }
        return fc_process_run(&w.process);
}
