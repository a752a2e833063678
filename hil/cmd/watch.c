#include "hil/cmd/watch.h"

#include <stdio.h>

#include "hil/text/terminal.h"

bool watch_open(const struct watch *w, struct rig *rig, char *why, size_t cap)
{
        struct live_setup setup = { .address = w->at,
                                    .rig = rig->config,
                                    .control = w->control };

        if (!w->wanted)
                return true;
        if (w->at.ip[0] == '\0' && !live_address_read(&setup.address, NULL, why, cap))
                return false;
        rig->page.server = live_server_open(&setup, why, cap);
        if (rig->page.server == NULL)
                return false;
        terminal_print(stderr, "live page: %s\n", live_server_url(rig->page.server));
        return true;
}

struct ring *watch_words(const struct rig *rig)
{
        return rig->page.server != NULL ? live_server_words(rig->page.server) : NULL;
}

void watch_close(struct rig *rig, const struct summary *summary)
{
        struct live_end end = { .verdict = VERDICT_VOID };

        if (rig->page.server == NULL)
                return;
        if (summary != NULL) {
                end.verdict = summary->verdict;
                snprintf(end.reason, sizeof end.reason, "%s", summary->reason);
                live_server_tell(rig->page.server, LIVE_END,
                                 rig->tick * rig->config->period_ns, &end, sizeof end);
        }
        live_server_close(rig->page.server);
        rig->page.server = NULL;
}
