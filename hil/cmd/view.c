/* `hilrig view`: recorded runs on the live page, until it is told to stop. */
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "hil/cmd/commands.h"
#include "hil/cmd/options.h"
#include "hil/live/server.h"
#include "hil/text/terminal.h"
#include "hil/time/stop_signals.h"

static const struct option_spec specs[] = {
        { "--at", "ADDRESS:PORT",
          "where to listen instead of 127.0.0.1 and a free port" },
        { NULL },
};

static const struct options options = {
        .command = "view",
        .specs = specs,
        .usage = "view RUN... [--at ADDRESS:PORT]\n\n"
                 "Serves run folders on the page of `hilrig run --live`, until SIGINT or "
                 "SIGTERM.\n"
                 "Exit status 0, or 2: a run could not be read, or the address not be "
                 "used.",
};

static int serve(const struct live_setup *setup)
{
        int stop_fd = stop_signals_open();
        struct pollfd stop = { .fd = stop_fd, .events = POLLIN };
        struct live_server *server;
        char why[CONFIG_ERROR_TEXT];

        server = live_server_open(setup, why, sizeof why);
        if (server == NULL)
                options_complain("view", why);
        else {
                terminal_print(stdout, "live page: %s\n", live_server_url(server));
                fflush(stdout);
                while (stop_fd >= 0 && !stop_signals_came(stop_fd))
                        poll(&stop, 1, -1);
                live_server_close(server);
        }
        if (stop_fd >= 0)
                close(stop_fd);
        return server != NULL ? 0 : 2;
}

int view_command(int argc, char **argv)
{
        char *run[LIVE_RUNS_MAX];
        struct live_setup setup = { .run = run };
        const char *value, *address = NULL;
        char why[200];
        int at = 0, opt;

        while ((opt = options_next(&options, argc, argv, &at, &value)) != -2) {
                if (opt == -4)
                        return 0;
                if (opt == -3)
                        return 2;
                if (opt == 0)
                        address = value;
                else if (setup.runs == LIVE_RUNS_MAX) {
                        terminal_complain("view", "at most %d runs", LIVE_RUNS_MAX);
                        return 2;
                } else
                        run[setup.runs++] = argv[at - 1];
        }
        if (setup.runs == 0) {
                terminal_complain("view", "needs a run folder");
                return 2;
        }
        if (!live_address_read(&setup.address, address, why, sizeof why)) {
                terminal_complain("view", "--at: %s", why);
                return 2;
        }
        return serve(&setup);
}
