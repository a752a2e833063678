/* Reads and writes a stream socket without ever blocking or raising SIGPIPE, and keeps to one peer when it
 * listens. */
#include "io/link/link_stream.h"

#include <errno.h>
#include <limits.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/link/link_inet.h"

/* A look for another peer is a system call. */
#define LOOK_NS 10000000

void link_stream_connected(struct link_stream *s, int fd)
{
        s->listener = -1;
        s->connected = true;
        s->link.fd = fd;
}

void link_stream_listening(struct link_stream *s, int listener)
{
        s->listener = listener;
        s->connected = false;
        s->link.fd = listener;
}

/* As somebody who looks for it would: where it connected from, or its process on this machine. */
static void name_peer(char name[LINK_STRANGER_MAX], int fd,
                      const struct sockaddr_in *from)
{
        struct ucred who;
        socklen_t size = sizeof who;

        if (from->sin_family == AF_INET)
                link_inet_name(name, LINK_STRANGER_MAX, from);
        else if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0)
                snprintf(name, LINK_STRANGER_MAX, "process %d", (int)who.pid);
}

/* -1: nobody comes. */
static int accept_peer(const struct link_stream *s, char name[LINK_STRANGER_MAX])
{
        struct sockaddr_in from = { .sin_family = AF_UNSPEC };
        socklen_t size = sizeof from;
        int fd = accept4(s->listener, (struct sockaddr *)&from, &size,
                         SOCK_NONBLOCK | SOCK_CLOEXEC);

        if (fd >= 0)
                name_peer(name, fd, &from);
        return fd;
}

static void count_stranger(struct link_stream *s, const char name[LINK_STRANGER_MAX])
{
        s->link.strangers.count++;
        memcpy(s->link.strangers.last, name, LINK_STRANGER_MAX);
}

static void take_peer(struct link_stream *s, int fd, const char name[LINK_STRANGER_MAX])
{
        s->connected = true;
        s->link.fd = fd;
        s->came_ns = s->looked_ns = s->link.now_ns;
        memcpy(s->peer, name, LINK_STRANGER_MAX);
}

static void drop_peer(struct link_stream *s)
{
        close(s->link.fd);
        s->connected = false;
        s->link.fd = s->listener;
        count_stranger(s, s->peer);
}

/* Another came while one is connected. */
static void meet_others(struct link_stream *s)
{
        char name[LINK_STRANGER_MAX] = "";
        int fd;

        if (s->listener < 0 || s->link.now_ns - s->looked_ns < LOOK_NS)
                return;
        s->looked_ns = s->link.now_ns;
        fd = accept_peer(s, name);
        if (fd < 0)
                return;
        if (s->confirmed || s->link.now_ns - s->came_ns <= LINK_SILENT_NS) {
                close(fd);
                count_stranger(s, name);
                return;
        }
        drop_peer(s);
        take_peer(s, fd, name);
}

/* False while nobody has come. */
static bool have_peer(struct link_stream *s)
{
        char name[LINK_STRANGER_MAX] = "";
        int fd;

        if (s->connected)
                return true;
        fd = accept_peer(s, name);
        if (fd >= 0)
                take_peer(s, fd, name);
        return fd >= 0;
}

void link_stream_confirm(struct link *l)
{
        struct link_stream *s = (struct link_stream *)l;

        s->confirmed = s->connected;
}

/* The peer hung up. Where it was nobody yet, the next may come. */
static int lose_peer(struct link_stream *s)
{
        if (s->listener < 0 || s->confirmed)
                return LINK_GONE;
        drop_peer(s);
        return 0;
}

static bool for_now(int error)
{
        return error == EAGAIN || error == EINTR || error == ENOBUFS || error == ENOMEM;
}

int link_stream_write(struct link *l, const void *buf, size_t len)
{
        struct link_stream *s = (struct link_stream *)l;

        if (!have_peer(s) || len == 0)
                return 0;

        ssize_t sent = send(l->fd, buf, len < INT_MAX ? len : INT_MAX,
                            MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent >= 0)
                return (int)sent;
        return for_now(errno) ? 0 : lose_peer(s);
}

int link_stream_read(struct link *l, void *buf, size_t cap)
{
        struct link_stream *s = (struct link_stream *)l;

        if (!have_peer(s) || cap == 0)
                return 0;

        ssize_t got = recv(l->fd, buf, cap < INT_MAX ? cap : INT_MAX, MSG_DONTWAIT);

        if (got > 0)
                return (int)got;
        if (got == 0 || !for_now(errno))
                return lose_peer(s);
        /* Only now: the next may have come because this one has hung up. */
        meet_others(s);
        return 0;
}

void link_stream_release(struct link_stream *s)
{
        if (s->connected)
                close(s->link.fd);
        if (s->listener >= 0)
                close(s->listener);
}
