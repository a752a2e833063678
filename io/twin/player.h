/* The other end of a twin's source: says a flight as the aircraft, its ground station or the motion-capture system would,
 * so that a twin can be tried without them. Never blocks. */
#pragma once

#include "io/link/link.h"
#include "io/twin/source.h"

struct twin_player;

struct twin_player_ops {
        const char *name; /* of the source that understands it */
        const char *where, *aircraft; /* unless the user says others */
        /* NULL with a reason. */
        struct twin_player *(*open)(const char *where, const char *aircraft,
                                    struct link_error *why);
        /* Hears and answers what the other end asks. Bounded work. */
        void (*serve)(struct twin_player *p, int64_t now_ns);
        /* now: which of the quantities in *so_far are new; said in it has all that were ever said. */
        void (*say)(struct twin_player *p, uint32_t now, const struct twin_word *so_far);
        void (*close)(struct twin_player *p);
};

struct twin_player {
        const struct twin_player_ops *ops;
        bool heard; /* somebody is there */
        uint64_t said, dropped; /* messages of the flight */
        uint64_t told; /* messages that came back */
        struct twin_word so_far;
};

/* NULL with a reason: it is none, and which there are. */
const struct twin_player_ops *twin_player_named(const char *name, struct link_error *why);
/* name: of a source; where, aircraft: NULL for the usual ones. NULL with a reason: what was wrong. */
struct twin_player *twin_player_open(const char *name, const char *where,
                                     const char *aircraft, struct link_error *why);
/* The next word of the flight. */
void twin_player_say(struct twin_player *p, const struct twin_word *word);

extern const struct twin_player_ops twin_player_ivy, twin_player_mavlink,
        twin_player_natnet, twin_player_vrpn;
