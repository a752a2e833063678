/* One peer of an Ivy node: its lines, and its expressions. Knows no socket. */
#pragma once

#include "io/twin/ivy_bus.h"

#define IVY_OUT_MAX 65536

enum ivy_type {
        IVY_BYE,
        IVY_ADD_REGEXP,
        IVY_MSG,
        IVY_ERROR,
        IVY_DEL_REGEXP,
        IVY_END_INIT,
        IVY_START_INIT,
        IVY_DIRECT_MSG,
        IVY_DIE,
        IVY_PING,
        IVY_PONG
};

struct ivy_regexp;

struct ivy_peer {
        bool introduced; /* START_INIT came */
        bool over; /* said BYE, or broke a bound */
        uint16_t port; /* of its server, as it says */
        int strikes;
        int regexps;
        struct ivy_regexp *regexp[IVY_REGEXPS_MAX];
        char line[IVY_LINE_MAX];
        size_t line_len;
        char out[IVY_OUT_MAX];
        size_t out_len;
};

#define IVY_ID_MAX 64

/* "3 <port> <id> <name>", a datagram's text; id is "" where there is none. False: it is no announcement. */
bool ivy_announcement_read(const char *text, uint16_t *port, char id[IVY_ID_MAX]);
/* Uses bytes up to the end of one line; a MSG for our expression (id 0) is what *groups then points to, else NULL. */
size_t ivy_peer_take(struct ivy_peer *p, struct ivy_counts *counts, const char *bytes,
                     size_t len, const char **groups);
/* False: its buffer is full, nothing was queued. */
bool ivy_peer_queue(struct ivy_peer *p, enum ivy_type type, int number, const char *text);
/* Queues a copy for each of its expressions that matches; how many. */
int ivy_peer_offer(struct ivy_peer *p, struct ivy_counts *counts, const char *text);
void ivy_peer_clear(struct ivy_peer *p);
