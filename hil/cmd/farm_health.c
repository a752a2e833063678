#include "hil/cmd/farm_health.h"

#include <stdio.h>
#include <unistd.h>

#include "hil/text/terminal.h"
#include "hil/time/clock.h"
#include "hil/time/stop_signals.h"

void farm_health_preset(struct health_options *o)
{
        *o = (struct health_options){ .boots = 16,
                                      .soak_s = 10.0,
                                      .period_ns = NS_PER_MS,
                                      .rotors = 4,
                                      .stop_fd = -1 };
}

/* 1: something failed in some boot; 3: nothing could be judged, or it was interrupted. */
static int status_of(const struct health *h)
{
        enum health_is sum = HEALTH_NOT_JUDGED;

        for (int i = 0; i < h->boots; i++)
                if (health_sum(&h->boot[i]) > sum)
                        sum = health_sum(&h->boot[i]);
        if (sum == HEALTH_FAILED)
                return 1;
        return sum == HEALTH_NOT_JUDGED || h->interrupted ? 3 : 0;
}

int farm_health_command(const struct farm_board *board, struct health_options *o)
{
        char why[FARM_WHY_MAX];
        struct health h;
        int status = 2;

        o->stop_fd = stop_signals_open();
        if (health_run(&h, board, o, why))
                status = status_of(&h);
        else
                terminal_complain("farm", "%s: %s", board->name, why);
        if (h.boots > 0 || status != 2)
                health_print(&h, stdout);
        if (h.interrupted)
                terminal_complain("farm", "%s: interrupted after %d boots", board->name,
                                  h.boots);
        health_free(&h);
        if (o->stop_fd >= 0)
                close(o->stop_fd);
        return status;
}
