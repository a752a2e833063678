#include "hil/cmd/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/campaign/campaign.h"
#include "hil/console/options.h"
#include "hil/text/terminal.h"

static void print_campaign(const char *path, const struct campaign *c)
{
        const struct campaign_file *f = &c->file;

        terminal_print(stdout,
                       "%s: campaign %s, %d flights: %d versions, %d rigs, %d faults, "
                       "%d at a time\n",
                       path, f->suite.name, c->flights, f->versions, f->suite.rigs,
                       f->suite.variants, c->jobs);
        for (int v = 0; v < f->versions; v++)
                terminal_print(stdout, "  version %s: %d flights\n", f->version[v].name,
                               c->suite[v].runs);
        printf("  a flight may take %g s; void ones are flown %d times at most\n",
               1e-9 * (double)f->time_limit_ns, f->attempts);
}

bool check_campaign(const char *path)
{
        const struct campaign_options o = { .file = path, .out = "." };
        struct campaign *c = calloc(1, sizeof *c);
        char why[CONFIG_ERROR_TEXT] = "out of memory";
        bool ok = c != NULL && campaign_plan(c, &o, why, sizeof why);

        if (ok)
                print_campaign(path, c);
        else
                options_complain("check", why);
        if (c != NULL)
                campaign_free(c);
        free(c);
        return ok;
}

bool check_farm(const char *path)
{
        static const char *const power[] = { "uhubctl", "usbrelay", "sispmctl",
                                             "command" };
        static const char *const flash[] = { "dfu-util", "openocd",  "st-flash",
                                             "pyocd",    "uploader", "command" };
        struct config_error why;
        struct farm_file farm;
        bool ok = config_read_farm(&farm, path, &why);

        if (!ok)
                options_complain("check", why.text);
        if (ok)
                terminal_print(stdout, "%s: farm %s, %d boards, locks in %s\n", path,
                               farm.name, farm.boards, farm.locks);
        for (int i = 0; ok && i < farm.boards; i++) {
                const struct farm_board *b = &farm.board[i];

                terminal_print(stdout, "  %s: %s at %s", b->name, b->family, b->link[0]);
                if (b->usb[0] != '\0')
                        terminal_print(stdout, ", USB %s", b->usb);
                printf(", power %s, flash %s, asked %s\n",
                       b->power.used ? power[b->power.by] : "by hand",
                       b->flash.used ? flash[b->flash.by] : "by hand",
                       !b->identify.used                    ? "never"
                       : b->identify.by == IDENTIFY_CONFORM ? "by its hello"
                                                            : "by a command");
        }
        config_farm_free(&farm);
        return ok;
}
