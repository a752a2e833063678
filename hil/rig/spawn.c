#include "hil/rig/spawn.h"

#include <stdio.h>

#include "hil/reference/fc_process.h"

bool link_other_end(const struct link *link, const struct link_spec *spec,
                    struct link_spec *peer)
{
        *peer = *spec;
        switch (spec->kind) {
        case LINK_PTY_LINK:
                peer->kind = LINK_PTY;
                snprintf(peer->path, sizeof peer->path, "%.100s", link->name);
                return true;
        case LINK_PTY:
                snprintf(peer->path, sizeof peer->path, "%.100s", link->name);
                return spec->path[0] == '\0';
        case LINK_TCP_LISTEN:
                peer->kind = LINK_TCP;
                return true;
        case LINK_UDP:
                /* The rig speaks first: a listener at its end would not know to whom. */
                peer->kind = LINK_UDP_LISTEN;
                return true;
        case LINK_UNIX_LISTEN:
                peer->kind = LINK_UNIX;
                return true;
        default:
                return false;
        }
}

static bool spawn_one(struct rig *rig, int i, char *why, size_t cap)
{
        const struct fc_config *fc = &rig->config->vehicle[i].fc;
        int station = i - rig->config->vehicles;
        struct fc_process_options o = {
                .params = fc->reference,
                .hub = station >= 0 ? &rig->config->hub[station] : NULL,
                .once = true,
                .returns = rig->vehicle[i].port.links.faults.all != NULL,
                .quiet = true
        };
        pid_t pid;

        if (!link_other_end(rig->vehicle[i].port.links.link[0], &fc->link[0], &o.link)) {
                snprintf(why, cap,
                         "%s.%d.fc.link: must be pty, tcp-listen, udp or "
                         "unix-listen "
                         "when %s, is \"%s\"",
                         station < 0 ? "vehicles" : "stations", station < 0 ? i : station,
                         station < 0 ? "spawn is true" : "it is a hub", fc->link_text[0]);
                return false;
        }
        if (rig->config->pace == PACE_REALTIME && rig->config->realtime.priority > 1)
                o.priority = rig->config->realtime.priority - 1;
        pid = fc_process_spawn(&o);
        if (pid < 0)
                snprintf(why, cap, "fc: no process could be started");
        else
                child_adopt(&rig->child[i], pid,
                            o.hub != NULL ? "hilrig-hub" : "hilrig-fc");
        return pid >= 0;
}

bool rig_spawn(struct rig *rig, char *why, size_t cap)
{
        for (int i = 0; i < config_boards(rig->config); i++)
                if (rig->config->vehicle[i].fc.spawn &&
                    rig->config->vehicle[i].fc.link[0].kind != LINK_INSIDE &&
                    !spawn_one(rig, i, why, cap))
                        return false;
        return true;
}
