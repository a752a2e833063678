#include "hil/process/peer.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hil/process/socket_table.h"
#include "io/link/holder.h"

static pid_t unix_peer(int fd)
{
        struct ucred peer = { 0 };
        socklen_t size = sizeof peer;

        return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
                               peer.pid != getpid()
                       ? peer.pid
                       : 0;
}

/* Of this machine. */
static bool is_local(const struct sockaddr_in *own, const struct sockaddr_in *peer)
{
        return ntohl(peer->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET ||
               peer->sin_addr.s_addr == own->sin_addr.s_addr;
}

static pid_t inet_peer(const struct link *link)
{
        struct sockaddr_in own = { 0 }, peer = { 0 };
        socklen_t own_size = sizeof own, peer_size = sizeof peer;
        struct socket_wanted wanted = { .udp = link->packets };
        char target[40];

        if (getsockname(link->fd, (struct sockaddr *)&own, &own_size) != 0)
                return 0;
        if (getpeername(link->fd, (struct sockaddr *)&peer, &peer_size) != 0)
                peer = (struct sockaddr_in){ .sin_addr = own.sin_addr,
                                             .sin_port = htons(link->peer_port) };
        /* One that listens everywhere may be reached from anywhere. */
        if (peer.sin_port == 0 || peer.sin_addr.s_addr == INADDR_ANY ||
            !is_local(&own, &peer))
                return 0;
        wanted.port = ntohs(peer.sin_port);
        wanted.remote = link->packets ? 0 : ntohs(own.sin_port);
        snprintf(target, sizeof target, "socket:[%lu]", socket_table_find(&wanted));
        return holder_find(target);
}

pid_t peer_process(const struct link *link)
{
        struct sockaddr_storage own;
        socklen_t size = sizeof own;

        if (link == NULL || link->fd < 0 ||
            getsockname(link->fd, (struct sockaddr *)&own, &size) != 0)
                return 0;
        if (own.ss_family == AF_UNIX)
                return unix_peer(link->fd);
        return own.ss_family == AF_INET ? inet_peer(link) : 0;
}

int64_t host_idle_ns(void)
{
        FILE *f = fopen("/proc/stat", "re");
        unsigned long long idle = 0, disk = 0;

        if (f != NULL) {
                if (fscanf(f, "cpu %*u %*u %*u %llu %llu", &idle, &disk) != 2)
                        idle = disk = 0;
                fclose(f);
        }
        return (int64_t)(idle + disk) * (1000000000 / sysconf(_SC_CLK_TCK));
}
