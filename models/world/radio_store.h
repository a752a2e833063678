/* The packets of the radios, from their offer until the last one has taken them. */
#pragma once

#include "models/world/radio.h"

#define RADIO_FREE (-1)

/* A packet from its offer until the last radio has taken it. */
struct stored {
        struct peer_packet packet;
        int from;
        uint32_t number; /* of its sender's packets */
        int refs; /* RADIO_FREE: not used, */
        int next_free; /* and the one that is free behind it; RADIO_FREE: none */
        int64_t earliest_ns; /* at which it may begin */
        int64_t start_ns, end_ns; /* on the air */
        int tries; /* of the channel */
        bool judged; /* who heard it is known: it is kept for what it disturbs */
};

struct arrival {
        int64_t due_ns;
        int stored;
        int power_dbm;
};

struct radio_node {
        struct radio_counts counts;
        uint32_t offered; /* number of the next one */
        int queued;
        int queue[RADIO_QUEUE_MAX]; /* stored, the first of them next */
        int64_t busy_until_ns; /* its own last packet */
        int arrivals;
        struct arrival *arrival; /* soonest first */
};

struct radio {
        struct radio_params params;
        uint64_t seed;
        int radios, pool, waiting, arrivals_max;
        struct stored *stored; /* [pool] */
        int *air; /* stored, in the order in which they began; [pool] */
        int on_air;
        int free; /* the first of those that are; RADIO_FREE: none is */
        struct radio_node node[];
};

/* The place of a packet that nobody needs any more. */
void radio_let_go(struct radio *r, int stored);
/* One needs it no longer. */
void radio_release(struct radio *r, int stored);
