/* The faulty wires of a port: the part of it that fc_port.c leaves to fc_port_wire.c. Each does nothing,
 * and finds nothing amiss, for a port whose links are as they are. */
#ifndef HIL_RIG_FC_PORT_WIRE_H
#define HIL_RIG_FC_PORT_WIRE_H

#include "hil/rig/fc_port.h"
#include "io/wire/link_faulty.h"

void fc_port_wire_close(struct fc_port *port);
/* A new conversation with the FC. */
void fc_port_wire_start_over(struct fc_port *port);
/* The run is over, and its faults with it. */
void fc_port_wire_finish(struct fc_port *port);
/* The FC has said what it takes. */
void fc_port_be_ready(struct fc_port *port);

/* Hands on what is due and was not taken. False: a link is gone. */
bool fc_port_wire_push(struct fc_port *port, int64_t now_ns);
bool fc_port_wire_pushed(const struct fc_port *port);
/* Puts what the FC's end has got into the record. */
void fc_port_wire_record(struct fc_port *port, int64_t now_ns);
bool fc_port_wire_readable(const struct fc_port *port, int channel);
/* An FC whose answers a fault keeps back is not silent. */
void fc_port_wire_heard(struct fc_port *port, int64_t now_ns);

/* Of fc_port.c: into wire.cap, if that is kept. */
void fc_port_record(struct fc_port *port, int64_t now_ns, enum wire_direction direction,
                    int channel, const void *bytes, size_t len);

#endif
