/* Whether somebody on this machine listens, by what the kernel says: nobody is connected to, so nobody notices. */
#ifndef HIL_PROCESS_LISTENING_H
#define HIL_PROCESS_LISTENING_H

#include <stdbool.h>

#include "io/link/link.h"

/* At the address that a link of the kind tcp, udp or unix reaches. False for every other kind. */
bool listening_at(const struct link_spec *spec);

#endif
