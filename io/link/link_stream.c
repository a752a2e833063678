/* Reads and writes a stream socket without ever blocking or raising SIGPIPE, and accepts one peer
 * when it listens. */
#include "io/link/link_stream.h"

#include <errno.h>
#include <limits.h>
#include <sys/socket.h>
#include <unistd.h>

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

/* False while nobody has come. */
static bool have_peer(struct link_stream *s)
{
        if (s->connected)
                return true;

        int fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

        if (fd < 0)
                return false;
        s->connected = true;
        s->link.fd = fd;
        return true;
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
        return for_now(errno) ? 0 : LINK_GONE;
}

int link_stream_read(struct link *l, void *buf, size_t cap)
{
        struct link_stream *s = (struct link_stream *)l;

        if (!have_peer(s) || cap == 0)
                return 0;

        ssize_t got = recv(l->fd, buf, cap < INT_MAX ? cap : INT_MAX, MSG_DONTWAIT);

        if (got > 0)
                return (int)got;
        return got < 0 && for_now(errno) ? 0 : LINK_GONE;
}

void link_stream_release(struct link_stream *s)
{
        if (s->connected)
                close(s->link.fd);
        if (s->listener >= 0)
                close(s->listener);
}
