/* A link as the user wrote it. Hosts are numeric, so that opening a link never waits for a name server. */
#include <arpa/inet.h>
#include <ctype.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/link/link.h"
#include "io/link/usb_device.h"

/* A piece of the user's text. */
struct part {
        const char *at;
        size_t len;
};

struct parser {
        struct link_spec *spec;
        const struct link_line *line;
        struct part text; /* all of it, for messages */
        struct link_error *why;
};

/* Long enough to recognise, short enough to leave room for the expectation. */
static int shown(struct part part)
{
        return part.len < 60 ? (int)part.len : 60;
}

static bool refuse_part(const struct parser *p, const char *name, const char *expectation,
                        struct part is)
{
        const size_t cap = sizeof p->why->text;
        char *text = p->why->text;
        int at = snprintf(text, cap, "link \"%.*s%s\": ", shown(p->text), p->text.at,
                          p->text.len > 60 ? "..." : "");

        p->why->reason = at;
        if (is.len == 0)
                snprintf(text + at, cap - (size_t)at, "%s: must be %s, is missing", name,
                         expectation);
        else
                snprintf(text + at, cap - (size_t)at, "%s: must be %s, is \"%.*s\"", name,
                         expectation, shown(is), is.at);

        /* The message stays one line of text, whatever the bytes were. */
        for (char *c = p->why->text; *c != '\0'; c++)
                if (iscntrl((unsigned char)*c))
                        *c = '?';
        return false;
}

/* Splits off what precedes the separator in *rest; all of it if there is none. */
static struct part take_until(struct part *rest, char separator)
{
        struct part taken = *rest;
        const char *end;

        if (rest->len == 0)
                return taken;
        end = memchr(rest->at, separator, rest->len);
        if (end == NULL) {
                *rest = (struct part){ rest->at + rest->len, 0 };
                return taken;
        }
        taken.len = (size_t)(end - rest->at);
        *rest = (struct part){ end + 1, rest->len - taken.len - 1 };
        return taken;
}

/* Decimal digits only: no sign, no space, no leading zero. */
static bool take_number(struct part part, uint32_t max, uint32_t *number)
{
        uint32_t value = 0;

        if (part.len == 0 || part.len > 8 || part.at[0] == '0')
                return false;
        for (size_t i = 0; i < part.len; i++) {
                if (part.at[i] < '0' || part.at[i] > '9')
                        return false;
                value = value * 10 + (uint32_t)(part.at[i] - '0');
        }
        *number = value;
        return value <= max;
}

static bool take_hex4(struct part part, int *number)
{
        int value = 0;

        if (part.len != 4)
                return false;
        for (size_t i = 0; i < 4; i++) {
                int c = tolower((unsigned char)part.at[i]);

                if (!isxdigit(c))
                        return false;
                value = value * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
        }
        *number = value;
        return true;
}

static void copy(char *to, struct part from)
{
        memcpy(to, from.at, from.len);
        to[from.len] = '\0';
}

static bool parse_path(struct parser *p, struct part path)
{
        if (path.len == 0 || path.len >= sizeof p->spec->path)
                return refuse_part(p, "path", "1 to 107 characters", path);
        copy(p->spec->path, path);
        return true;
}

static bool parse_device(struct parser *p, struct part path)
{
        if (path.len == 0 || path.at[0] != '/')
                return refuse_part(p, "path", "absolute, such as /dev/ttyACM0", path);
        return parse_path(p, path);
}

static bool parse_usb_ids(struct parser *p, struct part rest)
{
        struct part vid = take_until(&rest, ':');
        bool with_serial = memchr(rest.at, ':', rest.len) != NULL;
        struct part pid = take_until(&rest, ':');

        if (!take_hex4(vid, &p->spec->usb_vid))
                return refuse_part(p, "USB vendor id", "four hexadecimal digits", vid);
        if (!take_hex4(pid, &p->spec->usb_pid))
                return refuse_part(p, "USB product id", "four hexadecimal digits", pid);
        if (!with_serial)
                return true;
        if (rest.len == 0 || rest.len >= sizeof p->spec->usb_serial)
                return refuse_part(p, "USB serial number", "1 to 63 characters", rest);
        copy(p->spec->usb_serial, rest);
        return true;
}

/* As on the lid of a modem: 8N1. */
static bool parse_framing(struct parser *p, struct part framing)
{
        static const char parities[] = "NEO";
        const char *parity = framing.len == 3 && framing.at[1] != '\0'
                                     ? strchr(parities, framing.at[1])
                                     : NULL;

        if (parity == NULL || framing.at[0] < '5' || framing.at[0] > '8' ||
            framing.at[2] < '1' || framing.at[2] > '2')
                return refuse_part(
                        p, "framing after the baud rate",
                        "data bits, parity N, E or O, and stop bits, such as 8N1 "
                        "or 8E2",
                        framing);
        p->spec->data_bits = (uint8_t)(framing.at[0] - '0');
        p->spec->parity = (enum link_parity)(parity - parities);
        p->spec->stop_bits = (uint8_t)(framing.at[2] - '0');
        return true;
}

/* A device's framing is fixed: the text may repeat it, but not change it. */
static bool take_framing(struct parser *p, bool said, struct part framing)
{
        const char *usual = p->line->framing != NULL ? p->line->framing : "8N1";
        struct part of_line = { usual, strlen(usual) };
        char expectation[60];

        if (!said)
                return parse_framing(p, of_line);
        if (p->line->framing == NULL ||
            (framing.len == of_line.len && memcmp(framing.at, usual, of_line.len) == 0))
                return parse_framing(p, framing);
        snprintf(expectation, sizeof expectation,
                 "%s, as the device's line is, or left out", usual);
        return refuse_part(p, "framing after the baud rate", expectation, framing);
}

static bool take_baud(struct parser *p, bool said, struct part number)
{
        p->spec->baud = p->line->baud;
        if (!said && p->line->baud > 0)
                return true;
        return take_number(number, 12000000, &p->spec->baud) ||
               refuse_part(p, "baud rate after @", "a whole number from 1 to 12000000",
                           number);
}

static bool parse_uart(struct parser *p, struct part rest)
{
        /* The last @: a device path may contain one of its own. */
        const char *at = rest.len > 0 ? memrchr(rest.at, '@', rest.len) : NULL;
        struct part device = rest, baud = { 0 };

        if (at != NULL) {
                device.len = (size_t)(at - rest.at);
                baud = (struct part){ at + 1, rest.len - device.len - 1 };
        }
        if (device.len > 4 && memcmp(device.at, "usb=", 4) == 0) {
                if (!parse_usb_ids(p, (struct part){ device.at + 4, device.len - 4 }))
                        return false;
        } else if (!parse_device(p, device)) {
                return false;
        }
        bool framed = baud.len > 0 && memchr(baud.at, ',', baud.len) != NULL;
        struct part number = take_until(&baud, ',');

        return take_baud(p, at != NULL, number) && take_framing(p, framed, baud);
}

static bool parse_port(struct parser *p, const char *name, struct part part,
                       uint16_t *port)
{
        uint32_t number;

        if (!take_number(part, 65535, &number))
                return refuse_part(p, name, "a whole number from 1 to 65535", part);
        *port = (uint16_t)number;
        return true;
}

static bool parse_host(struct parser *p, struct part host)
{
        struct in_addr address;

        if (host.len > 0 && host.len < sizeof p->spec->host) {
                copy(p->spec->host, host);
                if (inet_pton(AF_INET, p->spec->host, &address) == 1)
                        return true;
        }
        return refuse_part(p, "host", "a numeric IPv4 address such as 127.0.0.1", host);
}

static bool parse_inet(struct parser *p, struct part rest)
{
        return parse_host(p, take_until(&rest, ':')) &&
               parse_port(p, "port", rest, &p->spec->port);
}

static bool parse_group(struct parser *p, struct part rest)
{
        struct part host = take_until(&rest, ':');
        unsigned first;

        if (!parse_host(p, host) || !parse_port(p, "port", rest, &p->spec->port))
                return false;
        first = (unsigned)strtoul(p->spec->host, NULL, 10);
        return (first >= 224 && first <= 239) ||
               refuse_part(p, "group", "224.0.0.0 to 239.255.255.255", host);
}

static bool parse_udp(struct parser *p, struct part rest)
{
        if (!parse_host(p, take_until(&rest, ':')))
                return false;

        bool with_local = rest.len > 0 && memchr(rest.at, ':', rest.len) != NULL;

        if (!parse_port(p, "port", take_until(&rest, ':'), &p->spec->port))
                return false;
        return !with_local || parse_port(p, "local port", rest, &p->spec->local_port);
}

static bool parse_usb(struct parser *p, struct part rest)
{
        if (memchr(rest.at, ':', rest.len) != NULL)
                return parse_usb_ids(p, rest);
        if (rest.len >= sizeof p->spec->path)
                return refuse_part(p, "bus path", "such as 1-4 or 1-4.2", rest);
        copy(p->spec->path, rest);
        return usb_bus_path_valid(p->spec->path) ||
               refuse_part(p, "bus path", "such as 1-4 or 1-4.2", rest);
}

static bool parse_interface(struct parser *p, struct part name)
{
        if (name.len >= IF_NAMESIZE || memchr(name.at, '/', name.len) != NULL)
                return refuse_part(p, "interface", "a name such as can0, of at most 15",
                                   name);
        return parse_path(p, name);
}

static bool parse_nothing(struct parser *p, struct part rest)
{
        return refuse_part(p, "form", "inside, and nothing behind it", rest);
}

struct kind {
        const char *name;
        enum link_kind kind;
        bool (*parse)(struct parser *p, struct part rest);
        const char *shape;
};

static const struct kind kinds[] = {
        { "uart", LINK_UART, parse_uart,
          "uart:PATH@BAUD[,8N1] or uart:usb=VID:PID[:SERIAL]@BAUD[,8N1]" },
        { "inside", LINK_INSIDE, parse_nothing, "inside" },
        { "pty", LINK_PTY, parse_device, "pty or pty:PATH" },
        { "pty-link", LINK_PTY_LINK, parse_device, "pty-link:PATH" },
        { "tcp", LINK_TCP, parse_inet, "tcp:HOST:PORT" },
        { "tcp-listen", LINK_TCP_LISTEN, parse_inet, "tcp-listen:HOST:PORT" },
        { "udp", LINK_UDP, parse_udp, "udp:HOST:PORT[:LOCAL_PORT]" },
        { "udp-listen", LINK_UDP_LISTEN, parse_inet, "udp-listen:HOST:PORT" },
        { "udp-multicast", LINK_UDP_MULTICAST, parse_group, "udp-multicast:GROUP:PORT" },
        { "socketcan", LINK_SOCKETCAN, parse_interface, "socketcan:INTERFACE" },
        { "unix", LINK_UNIX, parse_path, "unix:PATH" },
        { "unix-listen", LINK_UNIX_LISTEN, parse_path, "unix-listen:PATH" },
        { "usb", LINK_USB, parse_usb, "usb:VID:PID[:SERIAL] or usb:BUS-PORT[.PORT]..." },
};

#define KINDS (sizeof kinds / sizeof kinds[0])

static bool parse_kind(struct parser *p, struct part name, bool alone, struct part rest)
{
        for (size_t i = 0; i < KINDS; i++) {
                if (strlen(kinds[i].name) != name.len ||
                    memcmp(kinds[i].name, name.at, name.len) != 0)
                        continue;
                p->spec->kind = kinds[i].kind;
                if (alone && (kinds[i].kind == LINK_PTY || kinds[i].kind == LINK_INSIDE))
                        return true; /* a new one */
                if (rest.len == 0)
                        return refuse_part(p, "form", kinds[i].shape, p->text);
                return kinds[i].parse(p, rest);
        }
        return refuse_part(p, "kind",
                           "uart, inside, pty, pty-link, tcp, tcp-listen, udp, "
                           "udp-listen, udp-multicast, socketcan, unix, unix-listen or "
                           "usb",
                           name);
}

bool link_spec_parse(struct link_spec *spec, const char *text, struct link_error *why)
{
        return link_spec_parse_line(spec, text, &(struct link_line){ 0 }, why);
}

bool link_spec_parse_line(struct link_spec *spec, const char *text,
                          const struct link_line *line, struct link_error *why)
{
        struct part rest = { text, strnlen(text, LINK_TEXT_MAX + 1) };
        struct parser p = { .spec = spec, .line = line, .text = rest, .why = why };

        *spec = (struct link_spec){ .usb_vid = -1, .usb_pid = -1 };
        if (rest.len > LINK_TEXT_MAX)
                return refuse_part(&p, "length", "at most 159 characters", rest);
        for (size_t i = 0; i < rest.len; i++)
                if (iscntrl((unsigned char)text[i]))
                        return refuse_part(&p, "text", "free of control characters",
                                           rest);

        bool alone = strchr(text, ':') == NULL;
        struct part name = take_until(&rest, ':');

        return parse_kind(&p, name, alone, rest);
}
