/* The sockets of this machine by port, as the kernel lists them. */
#pragma once

#include <stdbool.h>

struct socket_wanted {
        bool udp; /* else TCP */
        bool listens; /* of TCP: waits for peers */
        unsigned port;
        unsigned remote; /* that it is connected to; 0: any, or none */
};

/* Its inode, IPv4 before IPv6; 0: there is none. */
unsigned long socket_table_find(const struct socket_wanted *wanted);
