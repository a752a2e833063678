/* The flight that a latency measurement needs: a scenario with a pseudo-random sequence on one axis of the
 * gyroscope, flown by `hilrig run` itself in a process of its own. */
#pragma once

#include "hil/config/config.h"

struct latency_flight {
        const char *config_path;
        const char *
                scenario; /* a file that arms and flies; the stimulus is added to it. NULL: our own */
        const char *pace, *seed; /* NULL: the rig file's */
        int sets;
        const char *set[OVERRIDES_MAX];
        bool hover; /* flies freely */
        bool jig; /* a jig holds it: without a scenario even if not asked for */
        int vehicle, axis, bits;
        double amplitude_dps;
        int64_t period_ns; /* the rig's */
        int64_t chip_ns;
        double begin_s; /* of the stimulus; 0: as soon as it flies steadily */
        double arm_s; /* simulated time within which it must arm, without a scenario of the user's */
        int repetitions;
        const char *folder; /* exists, and is empty */
        bool quiet; /* nothing to standard output */
};

/* Exit status of the run: 0 to 3. 2 with a line in why[cap], unless the run has said it. */
int latency_fly(const struct latency_flight *f, char *why, size_t cap);
