/* `hilrig hub`: a fleet's hub on its own, which obeys commands on its standard input. */
#include <stdio.h>
#include <stdlib.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/config/config.h"
#include "hil/reference/fc_process.h"
#include "hil/text/terminal.h"

static const struct option_spec specs[] = {
        { "--link", "LINK",
          "where the rig is, e.g. unix:/run/hub.sock, udp-listen:127.0.0.1:9100" },
        { "--once", NULL, "end with the first goodbye or hang-up" },
        { "--quiet", NULL, "no lines on standard error" },
        { NULL },
};

static const struct options options = {
        .command = "hub",
        .specs = specs,
        .usage = "hub FILE --link LINK [--once] [--quiet]\n\n"
                 "Reads commands, a line each: pause GROUP, go GROUP, behaviours GROUP "
                 "NAME...",
};

enum { OPT_LINK, OPT_ONCE, OPT_QUIET };

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
        struct fc_process_options o = { .commands = true };
        const char *link = NULL, *file = NULL, *value;
        int at = 0, opt;

        while ((opt = options_next(&options, argc, argv, &at, &value)) != -2) {
                if (opt == -4)
                        return 0;
                if (opt == -3)
                        return 2;
                if (opt == OPT_LINK)
                        link = value;
                else if (opt == OPT_ONCE)
                        o.once = true;
                else if (opt == OPT_QUIET)
                        o.quiet = true;
                else if (file == NULL)
                        file = value;
                else {
                        terminal_complain("hub", "%s: one hub file at a time", value);
                        return 2;
                }
        }
        if (link == NULL || file == NULL) {
                terminal_complain("hub", "needs FILE and --link LINK");
                return 2;
        }
        return serve_hub(&o, file, link);
}
