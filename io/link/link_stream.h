/* A stream socket, connected or waiting for its one peer: what TCP and Unix links share. It creates no sockets. */
#pragma once

#include "io/link/link.h"

struct link_stream {
        struct link link; /* first: a link is cast to its stream */
        int listener; /* -1: the link was connected from here */
        bool connected;
        /* Of a listener's peer: */
        bool confirmed; /* its message was valid: the link ends with it */
        int64_t came_ns,
                looked_ns; /* since when it is connected; the last look for others */
        char peer[LINK_STRANGER_MAX];
};

/* Take over a non-blocking socket. A listener accepts the first peer that comes and hangs up on all others, until
 * that one has hung up without a valid message, or has sent none for LINK_SILENT_NS when another comes. */
void link_stream_connected(struct link_stream *s, int fd);
void link_stream_listening(struct link_stream *s, int listener);

int link_stream_write(struct link *l, const void *buf, size_t len);
int link_stream_read(struct link *l, void *buf, size_t cap);
void link_stream_confirm(struct link *l);

/* Closes the sockets; the caller frees the memory. */
void link_stream_release(struct link_stream *s);
