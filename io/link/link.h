/* A link moves bytes between the rig and one flight controller. It never blocks: if nothing can be
 * written or read now, it returns 0. Framing is left to the codec. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The other end is gone and this link will not move bytes again: close it. */
#define LINK_GONE (-1)

#define LINK_TEXT_MAX     159
#define LINK_STRANGER_MAX 24

/* A peer that has said nothing for so long makes room for another, on a link that anybody may reach; on a
 * connection only one that never sent a valid message. */
#define LINK_SILENT_NS INT64_C(2000000000)

struct link;

struct link_ops {
        /* Bytes accepted, 0 to len (0: transmit queue full, or nobody connected yet), or
         * LINK_GONE. A packet link (UDP) takes all or nothing. */
        int (*write)(struct link *l, const void *buf, size_t len);
        /* Bytes delivered, 0 to cap (0: nothing waiting), or LINK_GONE. A packet link delivers one
         * packet a call. */
        int (*read)(struct link *l, void *buf, size_t cap);
        /* Changes the baud rate, once everything written before has been sent. Returns the baud rate at
         * which the other end listens; 0: not known, or meaningless. NULL: the link has no baud rate. */
        uint32_t (*speed)(struct link *l, uint32_t baud);
        /* What was read last was a valid message: a link that anybody may reach (udp-listen, tcp-listen,
         * unix-listen) keeps to its sender from now on. NULL: it has one peer anyway. */
        void (*confirm)(struct link *l);
        /* Releases everything, l itself too. */
        void (*close)(struct link *l);
};

/* Packets of others than the peer, which were dropped, or connections that were closed: refused, or without a
 * valid message. */
struct link_strangers {
        uint64_t count;
        char last[LINK_STRANGER_MAX]; /* who: "127.0.0.1:40001", "process 4711" */
};

struct link {
        const struct link_ops *ops;
        /* Becomes readable when bytes wait or a peer comes, for poll(); -1: there is none. Ask
         * for it anew before each poll(): a read or write that finds a peer changes it. */
        int fd;
        bool packets; /* keeps the boundaries of writes */
        char name[128]; /* for messages: "/dev/ttyACM0", "udp 127.0.0.1:9003" */
        char note[160]; /* what the user should know about a link that did open, or "" */
        int64_t now_ns; /* host time, as its owner told it last: link_at() */
        struct link_strangers strangers; /* since its owner last took them */
        uint16_t
                peer_port; /* of a udp-listen's peer; 0: nobody's message was valid yet */
};

static inline void link_strangers_take(struct link_strangers *sum, struct link *l)
{
        if (l->strangers.count == 0)
                return;
        sum->count += l->strangers.count;
        memcpy(sum->last, l->strangers.last, sizeof sum->last);
        l->strangers.count = 0;
}

/* Before reads from a link that anybody may reach: a peer's silence is measured in its owner's time. */
static inline void link_at(struct link *l, int64_t now_ns)
{
        l->now_ns = now_ns;
}

static inline int link_write(struct link *l, const void *buf, size_t len)
{
        return l->ops->write(l, buf, len);
}

static inline int link_read(struct link *l, void *buf, size_t cap)
{
        return l->ops->read(l, buf, cap);
}

static inline void link_confirm(struct link *l)
{
        if (l->ops->confirm != NULL)
                l->ops->confirm(l);
}

static inline void link_close(struct link *l)
{
        l->ops->close(l);
}

/* A link as the user writes it, in at most LINK_TEXT_MAX characters:
 *
 *   uart:/dev/ttyACM0@921600               serial port by path, 8N1 (where a device on a port of the
 *                                          board knows its line: that, and @... may be left out)
 *   uart:/dev/ttyUSB0@100000,8E2           with 5 to 8 data bits, parity N, E or O, 1 or 2 stop bits
 *   uart:usb=0403:6001@921600              by USB vendor and product id, or with
 *   uart:usb=0403:6001:A50285BI@921600     its serial number
 *   pty                                    a new pseudo-terminal; name holds the other end's path
 *   pty-link:/run/gps                      a new one, that is found under this path
 *   pty:/dev/pts/5                         an existing pseudo-terminal (or any bare tty), raw
 *   tcp:127.0.0.1:5760                     connect
 *   tcp-listen:127.0.0.1:4560              one peer at a time: while it is connected and was valid, others are
 *                                          hung up on and counted
 *   udp:127.0.0.1:9003                     send there; receive what comes back
 *   udp:127.0.0.1:9003:9002                the same, bound to local port 9002
 *   udp-listen:127.0.0.1:9002              answer whoever sent the first valid message, until nothing has come
 *                                          from there for 2 s; others' packets are dropped and counted
 *   udp-multicast:239.65.82.0:57732        a multicast group, on the loopback interface alone
 *   socketcan:can0                         a CAN interface of Linux: frames as its struct can_frame has them
 *   unix:/run/fc.sock                      stream socket, connect
 *   unix-listen:/run/fc.sock               the same
 *   usb:1209:5741                          a USB device's bulk endpoints, by vendor and product id, or
 *   usb:1209:5741:3A0021                   with its serial number
 *   usb:1-4.2                              by bus path: bus 1, port 4, and port 2 of the hub there
 *   inside                                 the reference flight controller within the rig's own process
 */
enum link_kind {
        LINK_UART,
        LINK_PTY,
        LINK_PTY_LINK,
        LINK_TCP,
        LINK_TCP_LISTEN,
        LINK_UDP,
        LINK_UDP_LISTEN,
        LINK_UDP_MULTICAST,
        LINK_SOCKETCAN,
        LINK_UNIX,
        LINK_UNIX_LISTEN,
        LINK_USB,
        LINK_INSIDE /* opened by who has the flight controller: hil/reference */
};

enum link_parity { LINK_PARITY_NONE, LINK_PARITY_EVEN, LINK_PARITY_ODD };

struct link_spec {
        enum link_kind kind;
        char path
                [108]; /* uart, pty (empty: a new one), unix; usb: bus path; socketcan: interface */
        int usb_vid, usb_pid; /* uart by USB, usb; vid -1: by path */
        char usb_serial[64]; /* empty: any */
        uint32_t baud;
        enum link_parity parity;
        uint8_t data_bits, stop_bits; /* uart: 5 to 8, 1 or 2 */
        char host[64]; /* numeric IPv4 */
        uint16_t port;
        uint16_t local_port; /* 0: any */
        int connect_ms; /* tcp: how long to wait for the peer; 0: 1000 */
        /* tcp, unix: how long to retry an absent peer; 0: one attempt */
        int patience_ms;
};

/* Through a terminal of the kernel's, whose thread carries the bytes and needs a processor for it. */
static inline bool link_is_pty(const struct link_spec *spec)
{
        return spec->kind == LINK_PTY || spec->kind == LINK_PTY_LINK;
}

/* The serial settings of the other end, for a text that leaves them out. */
struct link_line {
        uint32_t baud; /* 0: the text must have it */
        const char *
                framing; /* such as "8E2": a text with another framing is refused; NULL: 8N1, any */
};

/* Why something failed, one line, for the user. */
struct link_error {
        char text[240];
        int reason; /* of a parse error: where the reason begins, after the text */
        bool absent; /* by link_open(): nobody is there, but a peer may still come */
};

/* Both return false or NULL with a reason that names the part and the expectation. */
bool link_spec_parse(struct link_spec *spec, const char *text, struct link_error *why);
bool link_spec_parse_line(struct link_spec *spec, const char *text,
                          const struct link_line *line, struct link_error *why);
/* May take patience_ms and connect_ms. */
struct link *link_open(const struct link_spec *spec, struct link_error *why);

/* The makers behind link_open(), one file each. */
struct link *link_uart_open(const struct link_spec *spec, struct link_error *why);
struct link *link_pty_open(const struct link_spec *spec, struct link_error *why);
struct link *link_tcp_open(const struct link_spec *spec, struct link_error *why);
struct link *link_udp_open(const struct link_spec *spec, struct link_error *why);
struct link *link_multicast_open(const struct link_spec *spec, struct link_error *why);
struct link *link_socketcan_open(const struct link_spec *spec, struct link_error *why);
struct link *link_unix_open(const struct link_spec *spec, struct link_error *why);
struct link *link_usb_open(const struct link_spec *spec, struct link_error *why);

/* Two ends in memory, for tests: what one writes the other reads, through queues of `capacity`
 * bytes. Closing one end makes the other LINK_GONE once it has read the rest. Both ends belong to
 * one thread. */
bool link_pair_open(struct link **a, struct link **b, size_t capacity);

/* For the makers: write "link: " and the reason, and return NULL. The second one's reason is
 * "who: " and the system's words for errno. */
struct link *link_refuse(struct link_error *why, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
struct link *link_refuse_errno(struct link_error *why, const char *who, int error);
