/* A peer that begins to listen only when it has been asked for so often: connect() of the program in which
 * this stands counts, so that nothing here depends on a clock. */
#pragma once

#include <sys/syscall.h>

#include "tests/io/link/link_ends.h"

static struct {
        int tries, comes_at; /* comes_at 0: never */
        struct link_spec at;
        struct link *link;
} late;

/* In place of the C library's. */
int connect(int fd, __CONST_SOCKADDR_ARG to, socklen_t len)
{
        if (++late.tries == late.comes_at)
                late.link = opened(&late.at);
        return (int)syscall(SYS_connect, fd, to.__sockaddr__, len);
}

/* Nobody listens at the end of this: "tcp:" or "unix:" in `text`. */
static inline void late_peer_set(int comes_at, bool by_tcp, const char *folder,
                                 char *text, size_t cap)
{
        char listens[LINK_TEXT_MAX + 1];
        struct link_error why;
        uint16_t port;

        if (by_tcp) {
                link_close(opened_listener(LINK_TCP_LISTEN, &port));
                snprintf(listens, sizeof listens, "tcp-listen:127.0.0.1:%u", port);
                snprintf(text, cap, "tcp:127.0.0.1:%u", port);
        } else {
                snprintf(listens, sizeof listens, "unix-listen:%s/late.sock", folder);
                snprintf(text, cap, "unix:%s/late.sock", folder);
        }
        late.tries = 0;
        late.comes_at = comes_at;
        late.link = NULL;
        ck_assert(link_spec_parse(&late.at, listens, &why));
}

static inline void late_peer_end(void)
{
        if (late.link != NULL)
                link_close(late.link);
        late.link = NULL;
        late.comes_at = 0;
}
