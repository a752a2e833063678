/* A stream socket, connected or waiting for its one peer: what TCP and Unix links share. It neither
 * creates sockets nor knows addresses. */
#ifndef IO_LINK_LINK_STREAM_H
#define IO_LINK_LINK_STREAM_H

#include "io/link/link.h"

struct link_stream {
        struct link link; /* first: a link is cast to its stream */
        int listener; /* -1: the link was connected from here */
        bool connected;
};

/* Take over a non-blocking socket. A listener accepts the first peer that comes, and no other until
 * the link is closed; a second one waits unanswered in the queue. */
void link_stream_connected(struct link_stream *s, int fd);
void link_stream_listening(struct link_stream *s, int listener);

int link_stream_write(struct link *l, const void *buf, size_t len);
int link_stream_read(struct link *l, void *buf, size_t cap);

/* Closes the sockets; the caller frees the memory. */
void link_stream_release(struct link_stream *s);

#endif
