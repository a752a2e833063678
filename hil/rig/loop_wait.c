/* Waiting for the answers of the flight controllers. */
#include "hil/rig/loop.h"

#include <poll.h>

/* The end of its process. */
static nfds_t poll_process(const struct rig *rig, const struct rig_vehicle *v,
                           struct pollfd *fds)
{
        const struct child *c = &rig->child[v->port.vehicle];
        nfds_t count = 0;

        if (v->process > 0 && v->process_fd > 0)
                fds[count++] = (struct pollfd){ .fd = v->process_fd, .events = POLLIN };
        if (c->pid > 0 && !c->ended)
                fds[count++] = (struct pollfd){ .fd = c->fd, .events = POLLIN };
        return count;
}

bool loop_is_awaited(const struct rig_vehicle *v)
{
        const struct fc_port *port = &v->port;

        /* Faulty wires give their bytes from tick to tick. */
        return port->state != FC_PORT_READY || v->rests || !fc_port_settled(port) ||
               port->links.faults.all != NULL;
}

static int wait_for_bytes(const struct rig *rig, int64_t timeout_ns, bool awaited)
{
        struct timespec timeout = clock_timespec(timeout_ns);
        struct pollfd *fds = rig->fds;
        nfds_t count = 0;

        for (int i = 0; i < config_boards(rig->config); i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];

                if (v->port.lockstep && v->pads != NULL)
                        fds[count++] = (struct pollfd){ .fd = v->pads->event_fd,
                                                        .events = POLLIN };
                count += poll_process(rig, v, fds + count);
                /* In lockstep nobody waits for what comes beside the answers. */
                if (v->port.state != FC_PORT_GONE && (!awaited || loop_is_awaited(v)))
                        count += fc_links_poll(&v->port.links, !v->port.lockstep,
                                               fds + count);
        }
        return ppoll(fds, count, &timeout, NULL);
}

int loop_wait_for_bytes(const struct rig *rig, int64_t timeout_ns)
{
        return wait_for_bytes(rig, timeout_ns, false);
}

int loop_wait_for_awaited(const struct rig *rig, int64_t timeout_ns)
{
        return wait_for_bytes(rig, timeout_ns, true);
}

uint64_t loop_bytes_received(const struct rig *rig)
{
        uint64_t sum = 0;

        for (int i = 0; i < config_boards(rig->config); i++)
                sum += rig->vehicle[i].port.links.bytes_received;
        return sum;
}

bool loop_all_answered(const struct rig *rig)
{
        for (int i = 0; i < config_boards(rig->config); i++) {
                const struct fc_port *port = &rig->vehicle[i].port;

                if (port->state != FC_PORT_GONE && !fc_port_answered(port))
                        return false;
        }
        return true;
}

bool loop_all_settled(const struct rig *rig)
{
        for (int i = 0; i < config_boards(rig->config); i++) {
                const struct fc_port *port = &rig->vehicle[i].port;

                if (port->state != FC_PORT_GONE && !fc_port_settled(port))
                        return false;
        }
        return true;
}
