/* `hilrig ports`: what is attached that could be a board or an analyzer. */
#include <stdio.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/attached/ports_scan.h"
#include "hil/text/terminal.h"

static const struct option_spec specs[] = {
        { "--json", NULL, "as JSON" },
        { NULL },
};

static const struct options options = {
        .command = "ports",
        .specs = specs,
        .usage = "ports [--json]",
};

int ports_command(int argc, char **argv)
{
        const char *value;
        bool json = false;
        int at = 0, opt;

        while ((opt = options_next(&options, argc, argv, &at, &value)) != -2) {
                if (opt == -4)
                        return 0;
                if (opt == -3)
                        return 2;
                if (opt == -1) {
                        terminal_complain("ports", "%s: takes no operands", value);
                        return 2;
                }
                json = true;
        }
        return ports_print(stdout, json);
}
