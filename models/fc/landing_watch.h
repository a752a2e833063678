/* What carries a landing vehicle, ground or rotors, whichever law flies it: an accelerometer shows
 * it at once. It decides nothing. */
#pragma once

#include <stdbool.h>

struct landing_watch {
        bool begun;
        double felt_mps2; /* specific force upwards in body axes, smoothed */
};

/* felt_mps2: up positive, 9.8 at rest. */
void landing_watch_step(struct landing_watch *w, double felt_mps2, double dt_s);

/* It feels less than its weight. Standing, it feels its weight whatever the rotors do; flying, it
 * feels only rotors and air. */
bool landing_watch_sinks(const struct landing_watch *w);

/* So much less that it must be falling. */
bool landing_watch_falls(const struct landing_watch *w);
