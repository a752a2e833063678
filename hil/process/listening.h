/* Whether somebody on this machine listens, by what the kernel says: nobody is connected to, so nobody notices. */
#pragma once

#include <stdbool.h>

#include "io/link/link.h"

/* At the address that a link of the kind tcp, udp or unix reaches. False for every other kind. */
bool listening_at(const struct link_spec *spec);
