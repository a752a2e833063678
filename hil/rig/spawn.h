/* Starts the flight controllers that a rig asks for, each as a process at the other end of its link, and ends
 * them: firmware by its own command (fc.start), the reference flight controller (fc.spawn). */
#pragma once

#include "hil/process/child.h"
#include "hil/rig/rig.h"

/* Where the other end of an open link is; false for one that nobody on this host can be at. */
bool link_other_end(const struct link *link, const struct link_spec *spec,
                    struct link_spec *peer);

/* Whether any vehicle has firmware that the rig starts. */
bool rig_starts_firmware(const struct rig_config *config);
/* Before rig_open(): starts the firmware of every vehicle that asks for it, and waits until it is up. Its
 * output and, where it has no other, its folder are in the run's folder. False with the reason; what has been
 * started by then is in child[], of config_boards() that were cleared. */
bool rig_start(struct child *child, const struct rig_config *config,
               const char *run_folder, char *why, size_t cap);

/* After rig_open(), before any thread, into rig->child[]: a child must not inherit half of one. */
bool rig_spawn(struct rig *rig, char *why, size_t cap);

/* "its process inav exited with status 1; it last said: ... (LOG)" */
void rig_describe_end(const struct child *c, char *text, size_t cap);

/* After rig_close(): ends those that have not ended by themselves. */
void rig_reap(struct child *child, const struct rig_config *config);
