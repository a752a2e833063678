/* The reference flight controller, or a fleet's hub, as a process of its own: a link at one side, models/fc at
 * the other, HILP between. It knows of the rig only what the wire says. */
#pragma once

#include <sys/types.h>

#include "io/link/link.h"
#include "models/fc/fc.h"
#include "models/fc/hub.h"

struct fc_process_options {
        struct link_spec link;
        struct fc_params params;
        const struct hub_params *hub; /* it is this, and no flight controller; NULL */
        int priority; /* SCHED_FIFO; 0: ordinary */
        bool once; /* ends with the first goodbye or hang-up, instead of waiting for another */
        bool returns; /* with `once`: a hang-up is no end, the link may be unplugged for a while */
        bool commands; /* a hub: obeys those on its standard input */
        bool quiet; /* no lines on standard error */
};

/* Runs until its link is gone (or goodbye, with `once`). Exit status: 0, or 2 when the link could
 * not be opened. */
int fc_process_run(const struct fc_process_options *options);

/* The same in a child process that dies with this one. Before any thread is started. -1: no
 * process could be had. */
pid_t fc_process_spawn(const struct fc_process_options *options);
