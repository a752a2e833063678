/* A mission in flight: which item is under way, what each has come to in truth, and the set-points that fly it with a
 * flight controller that holds no missions itself. Reads no clock; the same ticks give the same set-points. */
#pragma once

#include "hil/mission/route.h"
#include "models/signals.h"

struct mission_limits {
        double cross_track_m; /* of a leg between places in the air */
        double landing_m; /* between where it is to come down and where it does */
        double heading_rad; /* at the end of a way-point with a yaw; INFINITY: not judged */
};

enum mission_outcome {
        MISSION_OPEN, /* the flight did not come to it */
        MISSION_MET,
        MISSION_UNMET,
        MISSION_NOTED /* nothing is required of it */
};

/* Of each stop of the route. */
struct mission_row {
        enum mission_outcome outcome;
        int64_t asked_ns, reached_ns; /* -1: it was not */
        double error_m; /* from the place: at the end of the item; where it was not reached, the least */
        double heading_error_rad; /* then; NAN: no yaw is asked for */
        double held_s; /* of hold_s, without a break */
        double cross_track_m; /* the most, until it was reached; NAN: of no leg in the air */
        const char *why; /* of what is unmet; NULL */
};

/* In truth, after a tick. */
struct mission_seen {
        int64_t t_ns;
        struct vec3 pos_ned_m;
        double yaw_rad;
        bool armed; /* as its flight controller says */
        bool grounded;
        bool given; /* its firmware holds the mission, or needs none */
        int flies_item, reached_item; /* as its firmware says, from 0; -1: it does not */
};

/* Of a stop that is under way: a firmware may fly to a later one while it is not yet known that it missed an earlier. */
struct mission_watch {
        struct vec3
                from_ned_m; /* where the leg began: as planned, or where a circle was left or a place was missed */
        int64_t within_ns; /* since when it has been within the radius; -1: it is not */
        int64_t moved_on_ns; /* since when its firmware has been past it; -1: it is not */
        int had_reached; /* reached_item when the stop began */
};

struct mission_flight {
        const struct route *route;
        struct mission_limits limits;
        struct mission_row *row; /* owned, of each stop */
        struct mission_watch *watch; /* owned, of each stop, and of the end */
        bool begun; /* it has armed */
        int64_t given_ns; /* since when it could: from then on it has a minute; -1: not yet */
        int at; /* the first stop that is under way; route->stops: none is left */
        int ahead; /* the last one */
        int64_t over_ns; /* of the last stop; -1: it is not over */
        bool descends; /* a landing was asked for */
        double yaw_rad; /* asked for last */
        double circled_rad; /* where the circle was met */
        int64_t watched_ns; /* last look at the fence */
        int64_t breached_ns; /* first; -1: the fence was kept */
        const char *breach;
};

/* False: no memory. yaw_rad: at the start. */
bool mission_flight_open(struct mission_flight *f, const struct route *r,
                         const struct mission_limits *limits, double yaw_rad);
void mission_flight_close(struct mission_flight *f); /* cleared is allowed */

/* Returns the stop that has just come to its end, after which it may be called again for the same instant, or -1. */
int mission_flight_step(struct mission_flight *f, const struct mission_seen *seen);
/* What a pilot is to be asked for now; its place is NED of the world. */
struct setpoint mission_flight_ask(struct mission_flight *f,
                                   const struct mission_seen *seen);
/* Nothing more is to come. */
bool mission_flight_over(const struct mission_flight *f, int64_t t_ns);

/* The longest that the whole may take. */
double mission_longest_s(const struct route *r);

/* Of items and the fence together: how many are judged, and of them met and not. */
struct mission_tally {
        int all, met, unmet;
};
struct mission_tally mission_flight_tally(const struct mission_flight *f);
const char *mission_outcome_name(enum mission_outcome outcome);
