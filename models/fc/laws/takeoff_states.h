/* Take-off in three states (Micklisch, Hilliard and ElAarag 5.2): a desired height far above for
 * a strong start, then the height to hover at, then hovering there. */
#ifndef MODELS_FC_LAWS_TAKEOFF_STATES_H
#define MODELS_FC_LAWS_TAKEOFF_STATES_H

#include <stdbool.h>

struct takeoff_states_params {
        double spool_s; /* in which the motors come up from nothing */
        double first_m; /* desired on the ground, above it; 5.2: 10 m */
        double off_ground_m; /* higher, and it has left the ground */
        double height_m; /* where it hovers, above the ground; 5.2: 5 m */
        double tolerance_m; /* so far below it is there: a proportional law never quite is */
};

enum takeoff_state {
        TAKEOFF_ON_GROUND, /* state 1 */
        TAKEOFF_BELOW, /* state 2 */
        TAKEOFF_THERE /* state 3 */
};

struct takeoff_states {
        enum takeoff_state state; /* never goes back */
        double spooling_s;
};

struct takeoff_aim {
        double height_m; /* desired, above the place of the take-off */
        double share; /* of the thrust that this height asks for, 0 to 1 */
        bool done; /* "until further instructions are given": now they may be */
};

/* height_m: above the place of the take-off. */
struct takeoff_aim takeoff_states_step(struct takeoff_states *s,
                                       const struct takeoff_states_params *p,
                                       double height_m, double dt_s);

#endif
