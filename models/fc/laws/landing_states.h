/* Landing in four states by the height above the landing position (Micklisch, Hilliard and ElAarag
 * 5.3): a desired position so far below the present one that it descends steadily, then slower,
 * then very slowly, then with the motors off. */
#pragma once

#include <stdbool.h>

struct landing_states_params {
        double slow_m, flare_m,
                off_m; /* where states 2, 3, 4 begin; 5.3: 1, 0.5, 0.1 m */
        double high_below_m, slow_below_m, flare_below_m; /* 5.3: 4, 2, 0.1 m */
};

enum landing_state {
        LANDING_HIGH, /* state 1 */
        LANDING_SLOW, /* state 2 */
        LANDING_FLARE, /* state 3 */
        LANDING_OFF /* state 4: motors off; never left */
};

struct landing_states {
        enum landing_state state;
};

/* height_m: above the landing position. `sure`: the height is reliable enough to turn the motors
 * off; while it is not, the last state waits. */
void landing_states_step(struct landing_states *s, const struct landing_states_params *p,
                         double height_m, bool sure);

/* How far the desired position is below the present one; 0 with the motors off. */
double landing_states_below_m(const struct landing_states *s,
                              const struct landing_states_params *p);
