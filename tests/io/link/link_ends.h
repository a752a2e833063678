/* Two ends of a link of any kind, opened on this machine, and waiting for them without sleeping. */
#pragma once

#include <arpa/inet.h>
#include <check.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/link/link.h"

/* Generous: a stock virtual machine stalls for a tenth of a second now and then. */
#define PATIENCE_MS 20000

enum ends_kind {
        ENDS_PAIR,
        ENDS_PTY,
        ENDS_TCP,
        ENDS_UNIX,
        ENDS_STREAMS,
        ENDS_UDP = ENDS_STREAMS
};

/* a waits (the pty's master, the listener), b comes to it. */
struct ends {
        struct link *a, *b;
        char folder[32]; /* of the Unix socket, or "" */
};

static inline struct link *opened(const struct link_spec *spec)
{
        struct link_error why = { "" };
        struct link *l = link_open(spec, &why);

        ck_assert_msg(l != NULL, "%s", why.text);
        return l;
}

static inline struct link *opened_text(const char *text)
{
        struct link_spec spec;
        struct link_error why = { "" };

        ck_assert_msg(link_spec_parse(&spec, text, &why), "%s", why.text);
        return opened(&spec);
}

/* The reason for which the link did not open. */
static inline struct link_error refused_text(const char *text)
{
        struct link_spec spec;
        struct link_error why = { "" };
        struct link *l;

        ck_assert_msg(link_spec_parse(&spec, text, &why), "%s", why.text);
        l = link_open(&spec, &why);
        ck_assert_msg(l == NULL, "%s opened", text);
        return why;
}

/* The kernel's choice of a free port. */
static inline struct link *opened_listener(enum link_kind kind, uint16_t *port)
{
        struct link_spec spec = { .kind = kind, .usb_vid = -1, .host = "127.0.0.1" };
        struct link *l = opened(&spec);
        struct sockaddr_in at;
        socklen_t size = sizeof at;

        ck_assert_int_eq(getsockname(l->fd, (struct sockaddr *)&at, &size), 0);
        *port = ntohs(at.sin_port);
        return l;
}

static inline void make_folder(char folder[32])
{
        strcpy(folder, "/tmp/link-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline void open_inet(struct ends *e, enum link_kind listens,
                             enum link_kind connects)
{
        struct link_spec spec = { .kind = connects, .usb_vid = -1, .host = "127.0.0.1" };

        e->a = opened_listener(listens, &spec.port);
        e->b = opened(&spec);
}

static inline void open_unix(struct ends *e)
{
        char text[80];

        make_folder(e->folder);
        snprintf(text, sizeof text, "unix-listen:%s/fc.sock", e->folder);
        e->a = opened_text(text);
        snprintf(text, sizeof text, "unix:%s/fc.sock", e->folder);
        e->b = opened_text(text);
}

static inline struct ends open_ends(int kind)
{
        struct ends e = { .folder = "" };
        char text[LINK_TEXT_MAX + 1];

        switch (kind) {
        case ENDS_PAIR:
                ck_assert(link_pair_open(&e.a, &e.b, 4096));
                break;
        case ENDS_PTY:
                e.a = opened_text("pty");
                snprintf(text, sizeof text, "pty:%s", e.a->name);
                e.b = opened_text(text);
                break;
        case ENDS_TCP:
                open_inet(&e, LINK_TCP_LISTEN, LINK_TCP);
                break;
        case ENDS_UNIX:
                open_unix(&e);
                break;
        default:
                open_inet(&e, LINK_UDP_LISTEN, LINK_UDP);
                break;
        }
        return e;
}

/* Closes what is still open (not NULL). */
static inline void close_ends(struct ends *e)
{
        if (e->b != NULL)
                link_close(e->b);
        if (e->a != NULL)
                link_close(e->a);
        if (e->folder[0] != '\0')
                ck_assert_int_eq(rmdir(e->folder), 0);
}

static inline void close_end(struct link **l)
{
        link_close(*l);
        *l = NULL;
}

/* Waits until something happens on the link; a pair has no descriptor and never makes one wait. */
static inline void wait_for(const struct link *l, short events)
{
        struct pollfd p = { .fd = l->fd, .events = events };

        if (l->fd >= 0)
                ck_assert_msg(poll(&p, 1, PATIENCE_MS) == 1, "nothing on %s", l->name);
}

/* The next answer of a read that is not "nothing now". */
static inline int read_soon(struct link *l, void *buf, size_t cap)
{
        int n;

        while ((n = link_read(l, buf, cap)) == 0)
                wait_for(l, POLLIN);
        return n;
}

/* Reads exactly len bytes. */
static inline void read_all(struct link *l, void *buf, size_t len)
{
        for (size_t got = 0; got < len;) {
                int n = read_soon(l, (char *)buf + got, len - got);

                ck_assert_int_gt(n, 0);
                got += (size_t)n;
        }
}
