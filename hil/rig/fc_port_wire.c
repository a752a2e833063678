#include "hil/rig/fc_port_wire.h"

#include <stdlib.h>

bool fc_port_wire_open(struct fc_port *port, int faults)
{
        struct wire_faults *all;

        if (faults == 0)
                return true;
        all = wire_faults_create(faults, (uint32_t)port->vehicle, port->lockstep);
        if (all == NULL)
                return false;
        for (int c = 0; c < port->config->links; c++) {
                struct link *l =
                        link_faulty_open(port->link[c], port->codec->ops, all, c);

                /* The ports that are wrapped already close with the others. */
                if (l == NULL) {
                        fc_port_close(port);
                        free(all);
                        return false;
                }
                port->link[c] = l;
                link_faulty_tap(l, true);
        }
        port->faults = all;
        all->greeting = all->lockstep && port->state == FC_PORT_GREETING;
        return true;
}

void fc_port_wire_close(struct fc_port *port)
{
        for (int c = 0; c < CODEC_CHANNELS_MAX && port->faults != NULL; c++) {
                if (port->link[c] != NULL)
                        link_close(port->link[c]);
                port->link[c] = NULL;
        }
        free(port->faults);
        port->faults = NULL;
}

void fc_port_wire_start_over(struct fc_port *port)
{
        if (port->faults == NULL)
                return;
        port->faults->talk = (struct wire_talk){ .answers = port->faults->talk.answers };
        port->faults->greeting = port->faults->lockstep;
        for (int c = 0; c < port->config->links; c++)
                link_faulty_clear(port->link[c]);
}

void fc_port_wire_finish(struct fc_port *port)
{
        if (port->faults == NULL)
                return;
        port->faults->greeting = true;
        for (int c = 0; c < port->config->links; c++)
                link_faulty_clear(port->link[c]);
}

void fc_port_be_ready(struct fc_port *port)
{
        port->state = FC_PORT_READY;
        port->replugged = false;
        if (port->faults != NULL)
                port->faults->greeting = false;
}

/* What the tap has no room for waits until it is empty. */
bool fc_port_wire_push(struct fc_port *port, int64_t now_ns)
{
        uint64_t before;

        do {
                before = port->bytes_tapped;
                for (int c = 0; c < port->config->links && port->faults != NULL; c++)
                        if (!port->silent[c] && !link_faulty_push(port->link[c]))
                                return false;
                fc_port_wire_record(port, now_ns);
        } while (port->bytes_tapped != before && !fc_port_wire_pushed(port));
        return true;
}

bool fc_port_wire_pushed(const struct fc_port *port)
{
        for (int c = 0; c < port->config->links && port->faults != NULL; c++)
                if (!port->silent[c] && !link_faulty_pushed(port->link[c]))
                        return false;
        return true;
}

void fc_port_wire_record(struct fc_port *port, int64_t now_ns)
{
        uint8_t bytes[2048];
        size_t n;

        for (int c = 0; c < port->config->links && port->faults != NULL; c++) {
                while ((n = link_faulty_tapped(port->link[c], bytes, sizeof bytes)) > 0) {
                        fc_port_record(port, now_ns, WIRE_TO_FC, c, bytes, n);
                        port->bytes_tapped += n;
                }
        }
}

bool fc_port_wire_readable(const struct fc_port *port, int channel)
{
        return port->faults != NULL && link_faulty_readable(port->link[channel]);
}

void fc_port_wire_heard(struct fc_port *port, int64_t now_ns)
{
        if (port->faults == NULL || port->faults->talk.answers == port->answers_heard)
                return;
        port->answers_heard = port->faults->talk.answers;
        port->heard_ns = now_ns;
}

/* The FC sees the hang-up. */
static void unplug(struct fc_port *port, const struct wire_fault *fault)
{
        for (int c = 0; c < port->config->links; c++)
                if (fault->channel < 0 || fault->channel == c)
                        link_faulty_plug(port->link[c], NULL);
        port->unplugged++;
        port->replugged = true;
        fc_port_give_up(port);
}

/* Its id. What it held back goes on; its counts stay. */
static int end(struct fc_port *port, int place)
{
        const struct wire_fault_entry *e =
                &port->faults->entry[port->faults->order[place]];

        for (int c = 0; c < port->config->links; c++)
                link_faulty_let_go(port->link[c], place);
        if (e->fault.kind == WIRE_UNPLUG)
                port->unplugged--;
        wire_faults_end(port->faults, place);
        return e->id;
}

bool fc_port_wire_begin(struct fc_port *port, const struct wire_fault *fault, int id,
                        uint64_t seed, int64_t end_ns)
{
        int place = port->faults == NULL ? -1 : wire_faults_place(port->faults, id);

        if (port->faults == NULL || port->state == FC_PORT_CLOSED)
                return false;
        if (place >= 0)
                end(port, place);
        if (wire_faults_begin(port->faults, fault, id, seed, end_ns) == NULL)
                return false;
        if (fault->kind == WIRE_UNPLUG)
                unplug(port, fault);
        return true;
}

int fc_port_wire_end_due(struct fc_port *port, int64_t t_ns)
{
        int place =
                port->faults == NULL ? -1 : wire_faults_place_over(port->faults, t_ns);

        return place < 0 ? -1 : end(port, place);
}

void fc_port_tick(struct fc_port *port, int64_t tick, int64_t now_ns)
{
        if (port->faults == NULL)
                return;
        port->faults->tick = tick;
        if (port->state == FC_PORT_CLOSED || port->state == FC_PORT_GONE)
                return;
        /* It owed nothing, so its silence begins with what it gets now. */
        if (fc_port_answered(port) && !port->blocked)
                port->heard_ns = now_ns;
        if (!fc_port_wire_push(port, now_ns))
                fc_port_give_up(port);
}

int fc_port_wire_faults(const struct fc_port *port)
{
        return port->faults == NULL ? 0 : port->faults->in_force;
}

struct wire_fault_counts fc_port_wire_counts(const struct fc_port *port, int id)
{
        const struct wire_fault_counts none = { 0 };

        return port->faults == NULL ? none : wire_faults_counts(port->faults, id);
}

uint64_t fc_port_wire_lost(const struct fc_port *port)
{
        uint64_t lost = 0;

        for (int c = 0; c < port->config->links && port->faults != NULL; c++)
                if (port->link[c] != NULL)
                        lost += link_faulty_lost(port->link[c]);
        return lost;
}

bool fc_port_unplugged(const struct fc_port *port)
{
        return port->unplugged > 0;
}

bool fc_port_may_return(const struct fc_port *port)
{
        return port->config->reconnect || port->replugged;
}
