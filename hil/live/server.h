/* The live page's server: a thread of its own that hands the page to browsers and streams what it finds in two rings to them. The loop
 * pushes into the rings and never waits; what a browser is too slow for it does not get, and is told how much that was. */
#pragma once

#include "hil/live/frame.h"
#include "hil/time/ring.h"

#define LIVE_VIEWERS_MAX 64
#define LIVE_RUNS_MAX    64

/* Where it listens, out of "ADDRESS:PORT", "ADDRESS", ":PORT" or "PORT", IPv4 in digits. */
struct live_address {
        char ip[16];
        int port; /* 0: any that is free */
        bool beyond; /* not this machine alone: only with a token */
};

/* text NULL or "": 127.0.0.1 and any port. False with the reason. */
bool live_address_read(struct live_address *a, const char *text, char *why, size_t cap);

struct live_setup {
        struct live_address address;
        /* A flight, which must outlive the server; or folders of recorded runs. */
        const struct rig_config *rig;
        bool control; /* whoever watches may give orders: only with a token */
        const char **run;
        int runs;
};

struct live_server;

/* Listens, and starts the thread. NULL with the reason. */
struct live_server *live_server_open(const struct live_setup *setup, char *why,
                                     size_t cap);
/* What to open in a browser. */
const char *live_server_url(const struct live_server *s);

/* From the loop's thread only, from here on: no lock, no system call. */

/* The ring of struct watched. */
struct ring *live_server_words(struct live_server *s);
/* kind: enum live_word, with its struct. */
void live_server_tell(struct live_server *s, enum live_word kind, int64_t t_ns,
                      const void *body, size_t len);
/* Whether the next frame is due at host time now_ns, 60 a second at most. */
bool live_server_due(struct live_server *s, int64_t now_ns);
/* The next one is due at once. */
void live_server_hurry(struct live_server *s);
/* What somebody ordered; false: nothing. */
bool live_server_order(struct live_server *s, struct live_order *order);
/* Room for a frame of all vehicles, numbered and otherwise as it was left; NULL: there is none, which is counted. */
struct live_frame *live_server_frame(struct live_server *s, int64_t t_ns);
void live_server_publish(struct live_server *s);

/* Browsers that are there get the rest first, for a second at most. NULL is allowed. */
void live_server_close(struct live_server *s);
