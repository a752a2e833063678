/* UDP: one packet a write, one packet a read. Nobody is connected and nobody hangs up, so a flight
 * controller that is not there yet, or no longer there, is "nothing now", never LINK_GONE. */
#include "io/link/link.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/link/link_inet.h"

/* System calls that one read or write may make before it gives up until the next: limits what a
 * peer that is absent (refusals) or hostile (empty packets) can cost. */
#define ATTEMPTS_MAX 8

struct udp {
        struct link link;
        bool answers; /* udp-listen: to its peer */
        struct sockaddr_in peer; /* port 0: nobody's message was valid yet */
        struct sockaddr_in sender; /* of the last packet that was delivered */
        int64_t heard_ns; /* the peer, last: a firmware that is started again comes from another port */
};

static bool same_address(const struct sockaddr_in *a, const struct sockaddr_in *b)
{
        return a->sin_port == b->sin_port && a->sin_addr.s_addr == b->sin_addr.s_addr;
}

/* Whether a packet of this sender is delivered; a stranger's is counted. */
static bool is_let_in(struct udp *u, const struct sockaddr_in *from)
{
        bool is_peer = same_address(from, &u->peer);

        if (u->answers && u->peer.sin_port != 0 && !is_peer &&
            u->link.now_ns - u->heard_ns <= LINK_SILENT_NS) {
                u->link.strangers.count++;
                link_inet_name(u->link.strangers.last, LINK_STRANGER_MAX, from);
                return false;
        }
        if (is_peer)
                u->heard_ns = u->link.now_ns;
        u->sender = *from;
        return true;
}

static void udp_confirm(struct link *l)
{
        struct udp *u = (struct udp *)l;

        if (!u->answers || u->sender.sin_port == 0)
                return;
        u->peer = u->sender;
        u->heard_ns = l->now_ns;
        l->peer_port = ntohs(u->peer.sin_port);
}

/* The socket itself is broken. Everything else (queue full, refused, network down) may
 * pass. */
static bool is_final(int error)
{
        return error == EBADF || error == ENOTSOCK || error == EINVAL || error == EFAULT;
}

static int udp_write(struct link *l, const void *buf, size_t len)
{
        struct udp *u = (struct udp *)l;
        const struct sockaddr *to = u->answers ? (const struct sockaddr *)&u->peer : NULL;
        socklen_t to_len = u->answers ? sizeof u->peer : 0;

        if (len == 0 || len > INT_MAX || (u->answers && u->peer.sin_port == 0))
                return 0;
        for (int i = 0; i < ATTEMPTS_MAX; i++) {
                ssize_t sent =
                        sendto(l->fd, buf, len, MSG_NOSIGNAL | MSG_DONTWAIT, to, to_len);

                if (sent >= 0)
                        return (int)sent;
                /* The refusal was for the previous packet; this one is still unsent. */
                if (errno != ECONNREFUSED)
                        return is_final(errno) ? LINK_GONE : 0;
        }
        return 0;
}

static int udp_read(struct link *l, void *buf, size_t cap)
{
        struct udp *u = (struct udp *)l;

        if (cap == 0)
                return 0;
        for (int i = 0; i < ATTEMPTS_MAX; i++) {
                struct sockaddr_in from;
                socklen_t size = sizeof from;
                ssize_t got = recvfrom(l->fd, buf, cap < INT_MAX ? cap : INT_MAX,
                                       MSG_DONTWAIT, (struct sockaddr *)&from, &size);

                if (got > 0 && is_let_in(u, &from))
                        return (int)got;
                /* An empty packet, a stranger's, or a refusal that stands before a packet: look
                 * behind it. */
                if (got < 0 && errno != ECONNREFUSED)
                        return is_final(errno) ? LINK_GONE : 0;
        }
        return 0;
}

static void udp_close(struct link *l)
{
        close(l->fd);
        free(l);
}

static const struct link_ops udp_ops = {
        .write = udp_write,
        .read = udp_read,
        .confirm = udp_confirm,
        .close = udp_close,
};

static int new_socket(void)
{
        return socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static int udp_bind(int fd, const struct sockaddr_in *at)
{
        return bind(fd, (const struct sockaddr *)at, sizeof *at) == 0 ? 0 : errno;
}

static int udp_connect(int fd, const struct sockaddr_in *peer)
{
        return connect(fd, (const struct sockaddr *)peer, sizeof *peer) == 0 ? 0 : errno;
}

/* Binds to the one local address that the peer is reached from, not to all of them: a
 * peer on loopback gets a socket on loopback. */
static int bind_towards(int fd, const struct sockaddr_in *peer, uint16_t local_port)
{
        struct sockaddr_in local;
        socklen_t size = sizeof local;
        int scout = new_socket(), error;

        if (scout < 0)
                return errno;
        error = udp_connect(scout, peer);
        if (error == 0 && getsockname(scout, (struct sockaddr *)&local, &size) != 0)
                error = errno;
        close(scout);
        if (error != 0)
                return error;
        local.sin_port = htons(local_port);
        return udp_bind(fd, &local);
}

static int udp_begin(struct udp *u, const struct link_spec *spec)
{
        struct sockaddr_in address;
        int error = 0;

        if (!link_inet_address(&address, spec->host, spec->port))
                return EINVAL;
        u->link.fd = new_socket();
        if (u->link.fd < 0)
                return errno;
        if (u->answers)
                return udp_bind(u->link.fd, &address);
        if (spec->local_port != 0)
                error = bind_towards(u->link.fd, &address, spec->local_port);
        return error != 0 ? error : udp_connect(u->link.fd, &address);
}

static void name_link(char *name, size_t size, const struct link_spec *spec)
{
        const char *kind = spec->kind == LINK_UDP_LISTEN ? "udp-listen" : "udp";
        int len = snprintf(name, size, "%s %s:%u", kind, spec->host, spec->port);

        if (spec->local_port != 0)
                snprintf(name + len, size - (size_t)len, " from port %u",
                         spec->local_port);
}

struct link *link_udp_open(const struct link_spec *spec, struct link_error *why)
{
        struct udp *u = calloc(1, sizeof *u);
        int error;

        if (u == NULL)
                return link_refuse(why, "out of memory");
        u->link.ops = &udp_ops;
        u->link.packets = true;
        u->link.fd = -1;
        u->answers = spec->kind == LINK_UDP_LISTEN;
        name_link(u->link.name, sizeof u->link.name, spec);

        error = udp_begin(u, spec);
        if (error == 0)
                return &u->link;
        if (error == EADDRINUSE)
                link_refuse(why, "%s: in use by another program", u->link.name);
        else
                link_refuse_errno(why, u->link.name, error);
        if (u->link.fd >= 0)
                close(u->link.fd);
        free(u);
        return NULL;
}
