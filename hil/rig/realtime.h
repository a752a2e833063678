/* What a thread needs of Linux to be on time: SCHED_FIFO, locked memory, a CPU of its
 * own, no deep sleep of the CPU. Each is asked for and, when refused, said so: the rig
 * runs without it and its lateness shows. */
#pragma once

#include <sched.h>
#include <stdbool.h>

#include "hil/config/config.h"

struct realtime {
        int latency_fd; /* /dev/cpu_dma_latency, held open; -1 */
        bool moved; /* to a CPU of its own, from these: */
        cpu_set_t cpus_before;
        bool raised; /* to SCHED_FIFO, from this class: */
        int class_before;
        struct sched_param param_before;
        char missing[400]; /* what could not be had and why, "; " between; "" when all was
                            */
};

/* For the calling thread. */
void realtime_enter(struct realtime *rt, const struct realtime_config *config);
/* Back to the scheduler and CPUs of before: threads started later are not bound to the loop's. */
void realtime_leave(struct realtime *rt);
