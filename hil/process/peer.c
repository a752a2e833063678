#include "hil/process/peer.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Of the socket at `port` that, with remote > 0, is connected to that port; 0: there is none. */
static unsigned long find_inode(const char *table, unsigned port, unsigned remote)
{
        FILE *f = fopen(table, "re");
        unsigned long inode = 0, found = 0;
        unsigned local_port, remote_port;
        char line[400];

        while (f != NULL && found == 0 && fgets(line, sizeof line, f) != NULL)
                if (sscanf(line,
                           " %*d: %*[0-9A-Fa-f]:%X %*[0-9A-Fa-f]:%X %*X %*X:%*X %*X:%*X "
                           "%*X %*d %*d %lu",
                           &local_port, &remote_port, &inode) == 3 &&
                    local_port == port && (remote == 0 || remote_port == remote))
                        found = inode;
        if (f != NULL)
                fclose(f);
        return found;
}

static bool has_open(pid_t pid, const char *socket_name)
{
        char path[64], target[64];
        const struct dirent *d;
        bool found = false;
        DIR *folder;

        snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
        folder = opendir(path);
        while (folder != NULL && !found && (d = readdir(folder)) != NULL) {
                ssize_t n =
                        readlinkat(dirfd(folder), d->d_name, target, sizeof target - 1);

                target[n > 0 ? n : 0] = '\0';
                found = strcmp(target, socket_name) == 0;
        }
        if (folder != NULL)
                closedir(folder);
        return found;
}

static pid_t find_owner(unsigned long inode)
{
        DIR *proc = inode != 0 ? opendir("/proc") : NULL;
        const struct dirent *d;
        char socket_name[64];
        pid_t found = 0;

        snprintf(socket_name, sizeof socket_name, "socket:[%lu]", inode);
        while (proc != NULL && found == 0 && (d = readdir(proc)) != NULL) {
                pid_t pid = (pid_t)atoi(d->d_name);

                if (pid > 0 && pid != getpid() && has_open(pid, socket_name))
                        found = pid;
        }
        if (proc != NULL)
                closedir(proc);
        return found;
}

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
        unsigned local, remote;
        unsigned long inode;

        if (getsockname(link->fd, (struct sockaddr *)&own, &own_size) != 0)
                return 0;
        if (getpeername(link->fd, (struct sockaddr *)&peer, &peer_size) != 0)
                peer = (struct sockaddr_in){ .sin_addr = own.sin_addr,
                                             .sin_port = htons(link->peer_port) };
        local = ntohs(own.sin_port);
        remote = ntohs(peer.sin_port);
        /* One that listens everywhere may be reached from anywhere. */
        if (remote == 0 || peer.sin_addr.s_addr == INADDR_ANY || !is_local(&own, &peer))
                return 0;
        inode = find_inode(link->packets ? "/proc/net/udp" : "/proc/net/tcp", remote,
                           link->packets ? 0 : local);
        if (inode == 0)
                inode = find_inode(link->packets ? "/proc/net/udp6" : "/proc/net/tcp6",
                                   remote, link->packets ? 0 : local);
        return find_owner(inode);
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
