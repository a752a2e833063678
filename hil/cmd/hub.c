/* `hilrig hub`: a fleet's hub on its own, which obeys commands on its standard input. */
#include <stdio.h>
#include <stdlib.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/config/config.h"
#include "hil/reference/fc_process.h"
#include "hil/text/terminal.h"

struct hub_words {
        struct fc_process_options process;
        const char *file, *link;
};

static const struct option_spec specs[] = {
        { "--link", "LINK",
          "where the rig is, e.g. unix:/run/hub.sock, udp-listen:127.0.0.1:9100",
          TEXT(hub_words, link) },
        { "--once", NULL, "end with the first goodbye or hang-up",
          FLAG(hub_words, process.once) },
        { "--quiet", NULL, "no lines on standard error", FLAG(hub_words, process.quiet) },
        { NULL },
};

static const struct options options = {
        .command = "hub",
        .specs = specs,
        .operand = { "hub file", TEXT(hub_words, file) },
        .usage = "hub FILE --link LINK [--once] [--quiet]\n\n"
                 "Reads commands, a line each: pause GROUP, go GROUP, behaviours GROUP "
                 "NAME...",
};

static int serve_hub(struct fc_process_options *o, const char *file, const char *link)
{
        struct hub_params *hub = calloc(1, sizeof *hub);
        struct config_error config_why;
        struct link_error link_why;
        int status = 2;

        o->hub = hub;
        if (hub == NULL)
                terminal_complain("hub", "out of memory");
        else if (!config_read_hub(hub, file, &config_why))
                options_complain("hub", config_why.text);
        else if (!link_spec_parse(&o->link, link, &link_why))
                terminal_complain("hub", "%s", link_why.text);
        else
                status = fc_process_run(o);
        free(hub);
        return status;
}

int hub_command(int argc, char **argv)
{
        struct hub_words w = { .process.commands = true };
        int status = options_read(&options, argc, argv, &w);

        if (status != OPTIONS_READ)
                return status;
        if (w.link == NULL || w.file == NULL) {
                terminal_complain("hub", "needs FILE and --link LINK");
                return 2;
        }
        return serve_hub(&w.process, w.file, w.link);
}
