/* Opens a link of any kind, as often as its peer may need to be there. */
#include "io/link/link.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define RETRY_GAP_MS 50 /* between attempts to reach a peer that is not there yet */

static struct link *(*const openers[])(const struct link_spec *spec,
                                       struct link_error *why) = {
        [LINK_UART] = link_uart_open,
        [LINK_PTY] = link_pty_open,
        [LINK_PTY_LINK] = link_pty_open,
        [LINK_TCP] = link_tcp_open,
        [LINK_TCP_LISTEN] = link_tcp_open,
        [LINK_UDP] = link_udp_open,
        [LINK_UDP_LISTEN] = link_udp_open,
        [LINK_UDP_MULTICAST] = link_multicast_open,
        [LINK_SOCKETCAN] = link_socketcan_open,
        [LINK_UNIX] = link_unix_open,
        [LINK_UNIX_LISTEN] = link_unix_open,
        [LINK_USB] = link_usb_open,
};

static struct link *open_once(const struct link_spec *spec, struct link_error *why)
{
        why->absent = false;
        if (spec->kind == LINK_INSIDE)
                return link_refuse(why, "inside: only a reference flight controller that "
                                        "the rig starts is there");
        if ((size_t)spec->kind < sizeof openers / sizeof openers[0])
                return openers[spec->kind](spec, why);
        return link_refuse(why, "unknown kind %d", (int)spec->kind);
}

static int64_t now_ms(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

struct link *link_open(const struct link_spec *spec, struct link_error *why)
{
        const struct timespec gap = { .tv_nsec = RETRY_GAP_MS * 1000000L };
        int64_t until_ms = now_ms() + spec->patience_ms;
        struct link *l = open_once(spec, why);
        size_t len;

        while (l == NULL && why->absent && now_ms() < until_ms) {
                nanosleep(&gap, NULL);
                l = open_once(spec, why);
        }
        if (l != NULL || !why->absent || spec->patience_ms <= 0)
                return l;
        len = strlen(why->text);
        snprintf(why->text + len, sizeof why->text - len, ", tried for %g s",
                 1e-3 * spec->patience_ms);
        return NULL;
}

struct link *link_refuse(struct link_error *why, const char *format, ...)
{
        int start = snprintf(why->text, sizeof why->text, "link: ");
        va_list args;

        va_start(args, format);
        vsnprintf(why->text + start, sizeof why->text - (size_t)start, format, args);
        va_end(args);
        return NULL;
}

struct link *link_refuse_errno(struct link_error *why, const char *who, int error)
{
        const char *words = strerrordesc_np(error);

        if (words == NULL)
                return link_refuse(why, "%s: error %d", who, error);
        /* "Connection refused" is in the middle of a line here. */
        return link_refuse(why, "%s: %c%s", who, tolower((unsigned char)words[0]),
                           words + 1);
}
