/* `hilrig view`: recorded runs on the live page, until it is told to stop; or one of them as a video. */
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/film/browser.h"
#include "hil/film/film.h"
#include "hil/live/server.h"
#include "hil/text/terminal.h"
#include "hil/time/stop_signals.h"

struct view_words {
        const char *at, *record, *run[LIVE_RUNS_MAX];
        int runs;
};

static const struct option_spec specs[] = {
        { "--at", "ADDRESS:PORT", "where to listen instead of 127.0.0.1 and a free port",
          TEXT(view_words, at) },
        { "--record", "FILE.webm|FOLDER/",
          "leave a video, or PNGs, of the page instead, by Chromium",
          TEXT(view_words, record) },
        { NULL },
};

static const struct options options = {
        .command = "view",
        .specs = specs,
        .operand = { "run", .help = "a run folder", TEXTS(view_words, run, runs) },
        .usage = "view RUN... [--at ADDRESS:PORT]\n"
                 "       hilrig view RUN --record FILE.webm|FOLDER/\n\n"
                 "Serves run folders on the page of `hilrig run --live`, until SIGINT or "
                 "SIGTERM.\n"
                 "With --record it leaves a video of the page, in real time, or a "
                 "sequence "
                 "of PNGs, 25 a second.\n"
                 "Exit status 0, or 2: a run could not be read, the address not be used, "
                 "or the video not be made.",
};

static void await_stop(const struct live_server *server, int stop_fd)
{
        struct pollfd stop = { .fd = stop_fd, .events = POLLIN };

        terminal_print(stdout, "live page: %s\n", live_server_url(server));
        fflush(stdout);
        while (stop_fd >= 0 && !stop_signals_came(stop_fd))
                poll(&stop, 1, -1);
}

static bool record(const struct live_server *server, struct browser *browser,
                   const char *path)
{
        struct film_made made;
        char why[CONFIG_ERROR_TEXT];

        if (!film_make(browser, live_server_url(server), path, &made, why, sizeof why))
                return terminal_complain("view", "--record %s: %s", path, why);
        terminal_print(stdout, "%s: %.2f s, %d pictures\n", path, made.seconds,
                       made.pictures);
        return true;
}

/* path NULL: until it is told to stop. */
static int serve(const struct live_setup *setup, const char *path)
{
        int stop_fd = stop_signals_open();
        struct browser *browser = NULL;
        struct live_server *server = NULL;
        char why[CONFIG_ERROR_TEXT];
        bool ok;

        if (path != NULL)
                browser = film_open(stop_fd, why, sizeof why);
        if (path == NULL || browser != NULL)
                server = live_server_open(setup, why, sizeof why);
        ok = server != NULL;
        if (!ok)
                options_complain("view", why);
        else if (path == NULL)
                await_stop(server, stop_fd);
        else
                ok = record(server, browser, path);
        browser_end(browser);
        live_server_close(server);
        if (stop_fd >= 0)
                close(stop_fd);
        return ok ? 0 : 2;
}

/* Whether what was asked for goes together; after a message not. */
static bool fits(const struct live_setup *setup, const char *path)
{
        if (path == NULL)
                return true;
        if (setup->runs > 1)
                return terminal_complain("view", "--record takes one run");
        if (!film_path_is_one(path))
                return terminal_complain(
                        "view",
                        "--record: must be FILE.webm, or a folder as FOLDER/, is %s",
                        path);
        return true;
}

int view_command(int argc, char **argv)
{
        struct view_words w = { 0 };
        struct live_setup setup = { .run = w.run };
        char why[200];
        int status = options_read(&options, argc, argv, &w);

        if (status != OPTIONS_READ)
                return status;
        setup.runs = w.runs;
        if (!fits(&setup, w.record))
                return 2;
        if (!live_address_read(&setup.address, w.at, why, sizeof why)) {
                terminal_complain("view", "--at: %s", why);
                return 2;
        }
        return serve(&setup, w.record);
}
