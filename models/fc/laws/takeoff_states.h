/* Take-off in three states (Micklisch, Hilliard and ElAarag 5.2): a desired height far above for
 * a strong start, then the height to hover at, then hovering there. */
#pragma once

#include <stdbool.h>

struct takeoff_states_params {
        double spool_s; /* in which the motors spool up from zero */
        double first_m; /* height desired on the ground, above it; 5.2: 10 m */
        double off_ground_m; /* above this it has left the ground */
        double height_m; /* where it hovers, above the ground; 5.2: 5 m */
        double tolerance_m; /* this far below counts as there: a proportional law never quite gets there */
};

enum takeoff_state {
        TAKEOFF_ON_GROUND, /* state 1 */
        TAKEOFF_BELOW, /* state 2 */
        TAKEOFF_THERE /* state 3 */
};

struct takeoff_states {
        enum takeoff_state state; /* only advances */
        double spooling_s;
};

struct takeoff_aim {
        double height_m; /* desired, above the take-off position */
        double share; /* of the thrust that this height requires, 0 to 1 */
        bool done; /* "until further instructions are given": now they may be */
};

/* height_m: above the take-off position. */
struct takeoff_aim takeoff_states_step(struct takeoff_states *s,
                                       const struct takeoff_states_params *p,
                                       double height_m, double dt_s);
