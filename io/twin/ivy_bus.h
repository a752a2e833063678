/* A node of an Ivy bus, protocol version 3: announces itself by UDP, talks to each other node over TCP, and sends a text
 * to those whose regular expressions match it. Peers are strangers: lines, expressions, their number and the work of
 * one match are bounded, and what breaks a bound is counted. */
#pragma once

#include "io/link/link.h"

#define IVY_PEERS_MAX   32
#define IVY_REGEXPS_MAX 128 /* of one peer */
#define IVY_REGEXPS_ALL                                                                  \
        1024 /* of all: then a peer that has more than its share is refused */
#define IVY_REGEXP_MAX 512 /* characters of one */
#define IVY_LINE_MAX   4096
#define IVY_TEXT_MAX   1024 /* of a message that we send */

struct ivy_counts {
        uint64_t heard; /* messages for an expression of ours */
        uint64_t sent; /* copies that went to peers */
        uint64_t dropped; /* a peer's buffer was full */
        uint64_t
                errors; /* lines that are none, bounds broken, expressions refused, ERROR received */
        uint64_t peers; /* that ever came */
        uint64_t refused; /* peers: too many, the same twice, or silent at first */
        uint64_t dies; /* DIE: counted, and not obeyed */
};

struct ivy_bus {
        int fd; /* epoll: readable when something waits */
        uint16_t port; /* of the TCP server */
        struct ivy_counts counts;
        struct ivy_node *node;
};

/* where: "127.255.255.255:2010", or "" for that. A bus of 127... serves the loopback alone. pattern: what this node
 * subscribes to, one expression; it outlives the node. */
bool ivy_bus_open(struct ivy_bus *bus, const char *where, const char *name,
                  const char *pattern, struct link_error *why);
/* The next message for our expression: its groups, each ended by \x03, until the next call. NULL: none for now.
 * Bounded work. */
const char *ivy_bus_take(struct ivy_bus *bus, int64_t now_ns);
/* How many peers it went to. */
int ivy_bus_send(struct ivy_bus *bus, const char *text);
/* Peers that have introduced themselves and subscribed to something: before that a text reaches nobody. */
int ivy_bus_subscribers(const struct ivy_bus *bus);
void ivy_bus_close(struct ivy_bus *bus);
