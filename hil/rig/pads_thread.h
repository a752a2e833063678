/* The thread that reads a capture for hil/rig/pads.h, and opens it again when it was lost. */
#ifndef HIL_RIG_PADS_THREAD_H
#define HIL_RIG_PADS_THREAD_H

#include "hil/rig/pads.h"

/* p->capture is open. False with a reason. */
bool pads_thread_start(struct pads *p, struct link_error *why);

#endif
