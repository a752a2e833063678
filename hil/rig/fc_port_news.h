/* What a flight controller said, taken from its codec's report: the part of the port that
 * fc_port.c leaves to fc_port_news.c. */
#ifndef HIL_RIG_FC_PORT_NEWS_H
#define HIL_RIG_FC_PORT_NEWS_H

#include "hil/rig/fc_port.h"

/* Takes what is fresh in port->report: motors and how long they took, words, estimates, time sync,
 * real ranges. */
void fc_port_take_news(struct fc_port *port, int64_t now_ns);

/* From the next tick on, no real sonar sees anything. */
void fc_port_forget_ranges(struct fc_port *port);

#endif
