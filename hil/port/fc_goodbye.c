/* One flight controller is told that the run is over, whatever has become of its links. */
#include "hil/port/fc_port.h"

#define REOPEN_NS 500000000

static enum fc_port_state state_of_codec(const struct fc_port *port)
{
        return port->codec->ops->frame_every(port->codec) > 0 ? FC_PORT_READY
                                                              : FC_PORT_GREETING;
}

/* False: not yet. */
static bool open_again(struct fc_port *port)
{
        struct link_error why;

        if (!fc_links_open(&port->links, false, &why)) {
                fc_links_hang_up(&port->links);
                port->links.broken = true;
                return false;
        }
        port->state = state_of_codec(port);
        return true;
}

void fc_port_leave(struct fc_port *port)
{
        bool unplugged = fc_port_unplugged(port);

        port->talk.over = true;
        if (port->state == FC_PORT_CLOSED)
                return;
        fc_faults_finish(&port->links.faults);
        if (unplugged)
                open_again(port);
        else if (port->state == FC_PORT_GONE && !port->links.broken)
                port->state = state_of_codec(port);
}

void fc_port_goodbye(struct fc_port *port, int64_t now_ns)
{
        struct packets out;

        out.count = 0;
        if (port->state == FC_PORT_CLOSED)
                return;
        port->codec->ops->goodbye(port->codec, &out);
        if (port->state == FC_PORT_GONE) {
                /* Its links may still carry something: it may only be us who hear nothing. */
                fc_links_call_after(&port->links, now_ns, &out);
                if (!port->links.broken || now_ns - port->reopened_ns < REOPEN_NS)
                        return;
                port->reopened_ns = now_ns;
                fc_links_hang_up(&port->links);
                if (!open_again(port))
                        return;
        }
        fc_links_flush(&port->links, now_ns);
        fc_links_put(&port->links, now_ns, &out);
        if (port->links.broken)
                fc_port_give_up(port);
}
