/* `hilrig ports`: what is attached that could be a board or an analyzer. */
#include <stdio.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/attached/ports_scan.h"

struct ports_words {
        bool json;
};

static const struct option_spec specs[] = {
        { "--json", NULL, "as JSON", FLAG(ports_words, json) },
        { NULL },
};

static const struct options options = {
        .command = "ports",
        .specs = specs,
        .usage = "ports [--json]",
};

int ports_command(int argc, char **argv)
{
        struct ports_words w = { 0 };
        int status = options_read(&options, argc, argv, &w);

        if (status != OPTIONS_READ)
                return status;
        return ports_print(stdout, w.json);
}
