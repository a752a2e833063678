/* The campaign's folder: who has it, and what of it counts already. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/campaign/campaign.h"
#include "hil/farm/equip.h"
#include "hil/text/files.h"

/* What counts stays; what lies there and does not is moved aside when its flight begins. */
static bool look_into(struct campaign *c, char *why, size_t cap)
{
        const struct campaign_flight *first = NULL;
        int others = 0;

        for (int i = 0; i < c->flights; i++) {
                struct campaign_flight *f = &c->flight[i];

                if (campaign_record_read(f) != RECORD_OTHER_SETTINGS)
                        continue;
                others++;
                if (first == NULL)
                        first = f;
        }
        if (first == NULL || c->options.fly_again)
                return true;
        snprintf(
                why, cap,
                "%s: %d flight%s there %s flown with other settings (or this folder was "
                "written differently), first %s: choose another --out, or fly them again "
                "with --fly-again",
                c->folder, others, others == 1 ? "" : "s", others == 1 ? "was" : "were",
                campaign_flight_name(c, first));
        return false;
}

static bool is_asked_for(const struct campaign *c, const struct farm_board *b)
{
        if (!farm_board_is_here(b))
                return false;
        for (int i = 0; i < c->file.suite.rigs; i++)
                if (strcmp(c->file.suite.rig[i].board, b->family) == 0)
                        return true;
        return false;
}

/* Before anything flies: the tools of every board that may get a flight. */
static bool boards_are_equipped(const struct campaign *c, char *why, size_t cap)
{
        char missing[400];
        bool images = false;

        for (int v = 0; v < c->file.versions; v++)
                images = images || c->file.version[v].image[0] != '\0';
        for (int i = 0; i < c->farm.boards; i++) {
                const struct farm_board *b = &c->farm.board[i];

                if (!is_asked_for(c, b))
                        continue;
                if (!farm_tools_are_there(b, missing, sizeof missing))
                        snprintf(why, cap, "board %s: %s", b->name, missing);
                else if (images && !b->flash.used)
                        snprintf(why, cap,
                                 "board %s: has no \"flash\" in %s, and versions have "
                                 "images",
                                 b->name, c->farm_path);
                else
                        continue;
                return false;
        }
        return true;
}

bool campaign_open(struct campaign *c, char *why, size_t cap)
{
        /* Jobs look for themselves, on the computers with the boards, and in a folder that the campaign holds. */
        if (c->options.job.number > 0)
                return boards_are_equipped(c, why, cap);
        if ((!c->options.slurm && !boards_are_equipped(c, why, cap)) ||
            !folder_make(c->folder, why, cap))
                return false;
        if (access(c->folder, W_OK) != 0) {
                snprintf(why, cap, "%s: cannot be written", c->folder);
                return false;
        }
        c->folder_fd = folder_take(c->folder, why, cap);
        return c->folder_fd >= 0 && look_into(c, why, cap);
}

void campaign_free(struct campaign *c)
{
        for (int v = 0; c->suite != NULL && v < c->file.versions; v++)
                suite_free(&c->suite[v]);
        free(c->suite);
        free(c->flight);
        config_farm_free(&c->farm);
        if (c->folder_fd >= 0)
                close(c->folder_fd);
        c->suite = NULL;
        c->flight = NULL;
        c->flights = 0;
        c->folder_fd = -1;
}
