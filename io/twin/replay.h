/* Says again what a server said in a recorded conversation, at its pace, to whoever takes its place in asking. Never
 * blocks. */
#pragma once

#include "io/twin/ivy_bus.h"
#include "io/twin/recording.h"

struct twin_replay {
        struct recording recording;
        struct recording_said next;
        size_t sent; /* bytes of next, on a stream */
        bool waiting; /* there is a next one */
        struct link *link; /* NULL: the texts go to the bus */
        struct ivy_bus bus;
        bool heard; /* somebody is there */
        int64_t began_ns, first_ns; /* of the host, of the recording */
        int64_t called_ns; /* over UDP to a known place: when it was last looked for */
        uint64_t said, dropped;
};

/* as: "natnet", "vrpn", "mavlink" of a capture, "ivy" of texts; where: NULL for the usual place. bytes stay the
 * caller's. */
bool twin_replay_open(struct twin_replay *r, const uint8_t *bytes, size_t len,
                      const char *name, const char *as, const char *where,
                      struct link_error *why);
/* Hears, and says what is due. False: all is said, or the other end is gone. */
bool twin_replay_serve(struct twin_replay *r, int64_t now_ns);
void twin_replay_close(struct twin_replay *r);
