/* What a mission asks for, in the order in which it is flown: jumps are written out, places are NED. */
#pragma once

#include "hil/mission/mission.h"
#include "models/world/earth.h"

#define ROUTE_STOPS_MAX 10000 /* with jumps written out */

struct route_stop {
        int item; /* from 0 */
        enum mission_command command;
        bool moves; /* the vehicle is to be at at_ned_m */
        struct vec3 at_ned_m;
        double length_m; /* from the stop before, or home */
        double radius_m; /* within which it counts as reached */
        double circle_m; /* of loiter turns; else 0 */
        bool anticlockwise; /* seen from above */
        double hold_s;
        double yaw_rad; /* NAN: as it is */
        double speed_mps; /* along the leg to it */
        double needs_s; /* for the leg and the hold, at that speed */
};

/* A corner or circle of the fence. */
struct route_fence {
        enum mission_command command;
        int corners; /* of the polygon that begins here; 0: it is a later corner, or a circle */
        double radius_m;
        double north_m, east_m;
};

struct route {
        struct vec3 home_ned_m;
        int stops;
        struct route_stop *stop; /* owned */
        int fences;
        struct route_fence *fence; /* owned */
};

struct route_setup {
        struct earth_origin origin; /* where NED is 0 */
        struct vec3
                home_ned_m; /* altitudes count from there; the ground is level with it */
        double radius_m; /* where an item gives none */
        double speed_mps; /* until an item gives one */
        double climb_mps;
};

/* False with the reason, which names the item, of what cannot be flown from set-points. The route is freed by the
 * caller after either. */
bool route_make(struct route *r, const struct mission_plan *p,
                const struct route_setup *s, char *why, size_t cap);
void route_free(struct route *r);

/* Home as NED: the plan's, or its first place on the ground. False: it has neither. */
bool route_home(const struct mission_plan *p, struct earth_position *home);

/* What of the fence does not allow this place, in words; NULL: nothing. */
const char *route_fence_breached(const struct route *r, struct vec3 pos_ned_m);
/* Somewhere on the straight way between two places. */
const char *route_fence_crossed(const struct route *r, struct vec3 from_ned_m,
                                struct vec3 to_ned_m);

/* What is doubtful of a mission, a line each, for FC "hilp", "ardupilot", "px4", "inav", or any (NULL). Returns how
 * many. */
int mission_doubts(FILE *out, const struct mission_plan *p, const struct route *r,
                   const char *fc);
