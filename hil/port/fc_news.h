/* What an FC says, as its port takes it. */
#ifndef HIL_PORT_FC_NEWS_H
#define HIL_PORT_FC_NEWS_H

#include "hil/port/fc_port.h"

/* Takes what is fresh in port->report. */
void fc_news_take(struct fc_port *port, int64_t now_ns);
/* Its real sonars see nothing any more. */
void fc_news_forget_ranges(struct fc_port *port);
/* From now on it owes an answer, or gave the one that it owed. */
void fc_port_begin_silence(struct fc_port *port, int64_t now_ns);

#endif
