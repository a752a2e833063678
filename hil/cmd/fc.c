/* `hilrig fc`: the reference flight controller on its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/cmd/commands.h"
#include "hil/reference/fc_process.h"
#include "hil/console/options.h"
#include "hil/text/terminal.h"

static const struct option_spec specs[] = {
        { "--link", "LINK",
          "where the rig is, e.g. pty:/dev/pts/5, tcp-listen:127.0.0.1:5760" },
        { "--params", "FILE", "flight-controller parameters (JSON)" },
        { "--priority", "N", "SCHED_FIFO priority 1 to 99; 0 or absent: ordinary" },
        { "--once", NULL, "end with the first goodbye or hang-up" },
        { "--quiet", NULL, "no lines on standard error" },
        { NULL },
};

static const struct options options = {
        .command = "fc",
        .specs = specs,
        .usage = "fc --link LINK --params FILE [--priority N] [--once] [--quiet]",
};

enum { OPT_LINK, OPT_PARAMS, OPT_PRIORITY, OPT_ONCE, OPT_QUIET };

static bool take_option(struct fc_process_options *o, const char **link,
                        const char **params, int opt, const char *value)
{
        unsigned long long n;

        switch (opt) {
        case OPT_LINK:
                *link = value;
                return true;
        case OPT_PARAMS:
                *params = value;
                return true;
        case OPT_PRIORITY:
                if (!options_u64(value, &n) || n > 99)
                        return terminal_complain(
                                "fc", "--priority: must be 0 to 99, is \"%s\"", value);
                o->priority = (int)n;
                return true;
        case OPT_ONCE:
                o->once = true;
                return true;
        case OPT_QUIET:
                o->quiet = true;
                return true;
        default:
                return terminal_complain("fc", "%s: takes no operands", value);
        }
}

int fc_command(int argc, char **argv)
{
        struct fc_process_options o = { 0 };
        const char *link = NULL, *params = NULL, *value;
        struct config_error config_why;
        struct link_error link_why;
        int at = 0, opt;

        while ((opt = options_next(&options, argc, argv, &at, &value)) != -2) {
                if (opt == -4)
                        return 0;
                if (opt == -3 || !take_option(&o, &link, &params, opt, value))
                        return 2;
        }
        if (link == NULL || params == NULL) {
                terminal_complain("fc", "needs --link LINK and --params FILE");
                return 2;
        }
        if (!config_read_fc(&o.params, params, &config_why)) {
                options_complain("fc", config_why.text);
                return 2;
        }
        if (!link_spec_parse(&o.link, link, &link_why)) {
                terminal_complain("fc", "%s", link_why.text);
                return 2;
        }
        return fc_process_run(&o);
}
