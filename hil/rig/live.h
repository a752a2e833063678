/* The live line of a run: the loop leaves its newest figures, another thread prints them.
 * On a terminal one line that is rewritten; elsewhere a plain line now and then. */
#ifndef HIL_RIG_LIVE_H
#define HIL_RIG_LIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct live;

struct live_figures {
        int64_t sim_ns;
        int64_t host_ns; /* since the first tick */
        double roll_deg, pitch_deg, yaw_deg, altitude_m;
        int64_t loop_ns; /* newest sensor-to-motor time */
        uint64_t missed;
        bool armed;
};

/* NULL: no thread could be had; the other two take NULL. */
struct live *live_start(FILE *out, int64_t duration_ns);
/* From the loop: no lock, no system call. */
void live_set(struct live *l, const struct live_figures *f);
void live_stop(struct live *l);

#endif
