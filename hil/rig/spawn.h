/* Starts the reference flight controllers that a rig asks for, each as a process at the other end of
 * its link, and ends them. */
#ifndef HIL_RIG_SPAWN_H
#define HIL_RIG_SPAWN_H

#include "hil/rig/rig.h"

/* Where the other end of an open link is; false for one that nobody on this host can be at. */
bool link_other_end(const struct link *link, const struct link_spec *spec,
                    struct link_spec *peer);

/* After rig_open(), before any thread: a child must not inherit half of one. */
bool rig_spawn(struct rig *rig, char *why, size_t cap);

/* After rig_close(): waits for the children to end by themselves, then ends them. */
void rig_reap(struct rig *rig);

#endif
