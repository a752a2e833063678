/* A multicast group on this machine's loopback interface, and never beyond it: what others say there is read, its own
 * packets are not. Every packet goes to all. */
#include "io/link/link.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/link/link_inet.h"

/* Of its own packets that one read passes over. */
#define ATTEMPTS_MAX 64

struct multicast {
        struct link link; /* its socket is bound to the group, and reads */
        int out;
        struct sockaddr_in group, self;
};

static int multicast_write(struct link *l, const void *buf, size_t len)
{
        struct multicast *m = (struct multicast *)l;
        ssize_t sent;

        if (len == 0 || len > INT_MAX)
                return 0;
        sent = sendto(m->out, buf, len, MSG_NOSIGNAL | MSG_DONTWAIT,
                      (const struct sockaddr *)&m->group, sizeof m->group);
        return sent >= 0 ? (int)sent : 0;
}

static int multicast_read(struct link *l, void *buf, size_t cap)
{
        struct multicast *m = (struct multicast *)l;

        for (int i = 0; i < ATTEMPTS_MAX && cap > 0; i++) {
                struct sockaddr_in from;
                socklen_t size = sizeof from;
                ssize_t got = recvfrom(l->fd, buf, cap < INT_MAX ? cap : INT_MAX,
                                       MSG_DONTWAIT, (struct sockaddr *)&from, &size);

                if (got < 0)
                        return 0;
                if (got > 0 && (from.sin_port != m->self.sin_port ||
                                from.sin_addr.s_addr != m->self.sin_addr.s_addr))
                        return (int)got;
        }
        return 0;
}

static void multicast_close(struct link *l)
{
        struct multicast *m = (struct multicast *)l;

        if (l->fd >= 0)
                close(l->fd);
        if (m->out >= 0)
                close(m->out);
        free(m);
}

static const struct link_ops multicast_ops = {
        .write = multicast_write,
        .read = multicast_read,
        .close = multicast_close,
};

static bool open_reader(struct multicast *m)
{
        const struct ip_mreq join = { .imr_multiaddr = m->group.sin_addr,
                                      .imr_interface = { htonl(INADDR_LOOPBACK) } };
        const int on = 1;
        int fd = m->link.fd =
                socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

        return fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
               bind(fd, (const struct sockaddr *)&m->group, sizeof m->group) == 0 &&
               setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &join, sizeof join) == 0;
}

static bool open_writer(struct multicast *m)
{
        struct sockaddr_in here = { .sin_family = AF_INET,
                                    .sin_addr = { htonl(INADDR_LOOPBACK) } };
        socklen_t size = sizeof m->self;
        int fd = m->out = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

        return fd >= 0 && bind(fd, (const struct sockaddr *)&here, sizeof here) == 0 &&
               setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &here.sin_addr,
                          sizeof here.sin_addr) == 0 &&
               getsockname(fd, (struct sockaddr *)&m->self, &size) == 0;
}

struct link *link_multicast_open(const struct link_spec *spec, struct link_error *why)
{
        struct multicast *m = calloc(1, sizeof *m);

        if (m == NULL)
                return link_refuse(why, "out of memory");
        m->link.ops = &multicast_ops;
        m->link.packets = true;
        m->link.fd = m->out = -1;
        snprintf(m->link.name, sizeof m->link.name, "udp-multicast %s:%u", spec->host,
                 spec->port);
        if (link_inet_address(&m->group, spec->host, spec->port) && open_reader(m) &&
            open_writer(m))
                return &m->link;
        link_refuse_errno(why, m->link.name, errno);
        multicast_close(&m->link);
        return NULL;
}
