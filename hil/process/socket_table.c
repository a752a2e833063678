#include "hil/process/socket_table.h"

#include <stdio.h>

#define TCP_LISTENS 0x0A

/* A line of /proc/net/tcp or its like: "sl: ADDRESS:PORT ADDRESS:PORT STATE ... INODE". */
static unsigned long find_in(const char *table, const struct socket_wanted *wanted)
{
        FILE *f = fopen(table, "re");
        unsigned long inode = 0, found = 0;
        unsigned port, remote, state;
        char line[400];

        while (f != NULL && found == 0 && fgets(line, sizeof line, f) != NULL)
                if (sscanf(line,
                           " %*d: %*[0-9A-Fa-f]:%X %*[0-9A-Fa-f]:%X %X %*X:%*X %*X:%*X "
                           "%*X %*d %*d %lu",
                           &port, &remote, &state, &inode) == 4 &&
                    port == wanted->port &&
                    (wanted->remote == 0 || remote == wanted->remote) &&
                    (!wanted->listens || state == TCP_LISTENS))
                        found = inode;
        if (f != NULL)
                fclose(f);
        return found;
}

unsigned long socket_table_find(const struct socket_wanted *wanted)
{
        unsigned long inode =
                find_in(wanted->udp ? "/proc/net/udp" : "/proc/net/tcp", wanted);

        return inode != 0 ? inode
                          : find_in(wanted->udp ? "/proc/net/udp6" : "/proc/net/tcp6",
                                    wanted);
}
