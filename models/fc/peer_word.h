/* What flight controllers tell each other by radio, and what a hub tells them. All clocks are taken to be one, as GPS makes
 * them. As bytes: hil/reference/peer_bytes.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "models/vec.h"
#include "models/world/earth.h"

#define PEER_OBSTACLES_MAX 4
#define PEER_RANGES_MAX    8
#define PEER_NAMED_MAX     256 /* addresses that a hub can name */

enum peer_says {
        PEER_SAYS_NOTHING,
        PEER_SAYS_STATE, /* where it is, to all */
        PEER_SAYS_HUB, /* what to do, from a hub to its members */
        PEER_SAYS_RANGES /* what it measured of others, and where it would be by its IMU alone */
};

struct peer_place {
        int64_t t_ns; /* of its sensors */
        struct earth_position at;
        struct vec3 vel_ned_mps;
};

struct peer_state {
        struct peer_place place;
        bool flying;
        int obstacles;
        struct vec3 obstacle_ned_m[PEER_OBSTACLES_MAX]; /* that it sees, from itself */
};

struct peer_hub {
        bool go; /* else pause where it is, on the ground or in the air */
        bool all; /* it is for all, else for those named */
        uint8_t named[PEER_NAMED_MAX / 8]; /* a bit for each address, from 0 on */
        uint32_t behaviours; /* enum flock_behaviour */
};

struct peer_range {
        int address; /* of the other */
        int64_t t_ns; /* measured then */
        double range_m;
};

struct peer_ranges {
        struct peer_place reckoned;
        double reckoned_s; /* for so long by the IMU alone; 0: it stands still */
        int count;
        struct peer_range range[PEER_RANGES_MAX];
};

struct peer_word {
        enum peer_says says;
        union {
                struct peer_state state;
                struct peer_hub hub;
                struct peer_ranges ranges;
        };
};
