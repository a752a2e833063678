/* TCP, connecting or listening, on numeric IPv4 addresses. Small packets leave at once
 * (TCP_NODELAY). */
#include "io/link/link.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "io/link/link_inet.h"
#include "io/link/link_stream.h"

#define CONNECT_TIMEOUT_MS 1000

static void tcp_close(struct link *l)
{
        link_stream_release((struct link_stream *)l);
        free(l);
}

static const struct link_ops tcp_ops = {
        .write = link_stream_write,
        .read = link_stream_read,
        .confirm = link_stream_confirm,
        .close = tcp_close,
};

static int64_t now_ms(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* 0, or the errno of a connection that was not established in time. */
static int await_connection(int fd, int patience_ms)
{
        int64_t deadline_ms = now_ms() + patience_ms;
        struct pollfd p = { .fd = fd, .events = POLLOUT };
        int ready, error = 0;
        socklen_t size = sizeof error;

        do {
                int64_t left_ms = deadline_ms - now_ms();

                ready = poll(&p, 1, left_ms > 0 ? (int)left_ms : 0);
        } while (ready < 0 && errno == EINTR);
        if (ready < 0)
                return errno;
        if (ready == 0)
                return ETIMEDOUT;
        return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

/* On Linux a socket can connect to itself if its own ephemeral port is the one that it asks for. */
static bool found_itself(int fd, const struct sockaddr_in *peer)
{
        struct sockaddr_in own;
        socklen_t size = sizeof own;

        return getsockname(fd, (struct sockaddr *)&own, &size) == 0 &&
               own.sin_port == peer->sin_port &&
               own.sin_addr.s_addr == peer->sin_addr.s_addr;
}

static int tcp_connect(struct link_stream *s, int fd, const struct sockaddr_in *peer,
                       int patience_ms)
{
        int error = 0;

        if (connect(fd, (const struct sockaddr *)peer, sizeof *peer) != 0)
                error = errno == EINPROGRESS ? await_connection(fd, patience_ms) : errno;
        if (error == 0 && found_itself(fd, peer))
                error = ECONNREFUSED;
        link_stream_connected(s, fd);
        return error;
}

static int tcp_listen(struct link_stream *s, int fd, const struct sockaddr_in *at)
{
        int on = 1;

        link_stream_listening(s, fd);
        /* A restarted rig does not wait for the connections of the last one to expire. */
        if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
            bind(fd, (const struct sockaddr *)at, sizeof *at) != 0 || listen(fd, 1) != 0)
                return errno;
        return 0;
}

static int tcp_begin(struct link_stream *s, bool listens,
                     const struct sockaddr_in *address, int patience_ms)
{
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        int on = 1, error;

        if (fd < 0)
                return errno;
        /* Accepted sockets inherit it. */
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        error = listens ? tcp_listen(s, fd, address)
                        : tcp_connect(s, fd, address, patience_ms);
        if (error != 0)
                link_stream_release(s);
        return error;
}

/* A program that has not started, or a board whose network is not up. */
static bool is_absent(int error)
{
        return error == ECONNREFUSED || error == ETIMEDOUT || error == EHOSTUNREACH ||
               error == ENETUNREACH;
}

struct link *link_tcp_open(const struct link_spec *spec, struct link_error *why)
{
        bool listens = spec->kind == LINK_TCP_LISTEN;
        int patience_ms = spec->connect_ms > 0 ? spec->connect_ms : CONNECT_TIMEOUT_MS;
        struct link_stream *s = calloc(1, sizeof *s);
        struct sockaddr_in address;
        int error;

        if (s == NULL)
                return link_refuse(why, "out of memory");
        s->link.ops = &tcp_ops;
        snprintf(s->link.name, sizeof s->link.name, "%s %s:%u",
                 listens ? "tcp-listen" : "tcp", spec->host, spec->port);
        if (!link_inet_address(&address, spec->host, spec->port))
                error = EINVAL;
        else
                error = tcp_begin(s, listens, &address, patience_ms);
        if (error == 0)
                return &s->link;

        if (error == ETIMEDOUT)
                link_refuse(why, "%s: nobody answered within %g s", s->link.name,
                            1e-3 * patience_ms);
        else if (error == EADDRINUSE)
                link_refuse(why, "%s: in use by another program", s->link.name);
        else
                link_refuse_errno(why, s->link.name, error);
        why->absent = is_absent(error);
        free(s);
        return NULL;
}
