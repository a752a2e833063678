/* The live line of a run: the loop leaves its newest figures, another thread prints them.
 * On a terminal one line that is rewritten; elsewhere a plain line now and then. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct live;

/* Of many vehicles together. */
struct live_fleet {
        int vehicles; /* 0: there are few */
        int armed;
        const char *worst; /* name of the one that is tilted most; stays where it is */
        double tilt_worst_deg, tilt_median_deg;
        double low_m, high_m; /* altitude */
};

struct live_figures {
        int64_t sim_ns;
        int64_t host_ns; /* since the first tick */
        double roll_deg, pitch_deg, yaw_deg, altitude_m; /* of a single vehicle */
        int64_t loop_ns; /* median sensor-to-motor time; of many vehicles that of the worst */
        uint64_t missed;
        bool armed;
        struct live_fleet fleet;
};

/* NULL: no thread could be had; the other two take NULL. */
struct live *live_start(FILE *out, int64_t duration_ns);
/* From the loop: no lock, no system call. */
void live_set(struct live *l, const struct live_figures *f);
void live_stop(struct live *l);
