/* The radio between vehicles and stations: from a board through its codec or its own port to the radio's model, and from
 * there to the others. */
#include "hil/rig/loop.h"

void loop_send_by_radio(struct rig *rig, const struct rig_vehicle *v, struct device *d)
{
        struct peer_packet packet;

        if (rig->radio == NULL || d->ops->send_peer == NULL)
                return;
        while (d->ops->send_peer(d, &packet))
                radio_offer(rig->radio, v->port.vehicle, &packet, loop_sim_ns(rig));
}

/* Decided on the last tick's samples. */
static void take_sent(struct rig *rig, struct rig_vehicle *v)
{
        struct fc_peers *peers = &v->port.peers;

        for (int i = 0; i < peers->count; i++)
                radio_offer(rig->radio, v->port.vehicle, &peers->packet[i],
                            loop_sim_ns(rig) - rig->config->period_ns);
        peers->count = 0;
}

static void take_heard(struct rig *rig, struct rig_vehicle *v)
{
        for (v->heards = 0; v->heards < HEARD_MAX; v->heards++)
                if (!radio_take(rig->radio, v->port.vehicle, loop_sim_ns(rig),
                                &v->heard[v->heards]))
                        return;
}

void loop_carry_by_radio(struct rig *rig)
{
        int count = config_boards(rig->config);

        if (rig->radio == NULL)
                return;
        for (int i = 0; i < count; i++)
                take_sent(rig, &rig->vehicle[i]);
        for (int i = 0; i < rig->config->vehicles; i++) {
                struct radio_antenna *at = &rig->antenna[i];

                at->pos_ned_m = rig->vehicle[i].vehicle.body.pos_ned_m;
                actions_radio(&rig->vehicle[i].actions, &at->mute, &at->noise_dbm);
        }
        radio_step(rig->radio, &rig->config->world, rig->antenna, loop_sim_ns(rig));
        for (int i = 0; i < count; i++)
                take_heard(rig, &rig->vehicle[i]);
}
