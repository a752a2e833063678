/* What is said before a run: doubts about its file, and its links, so that somebody can connect what belongs there. */
#pragma once

#include <stdio.h>

#include "hil/config/config.h"
#include "hil/rig/rig.h"

/* Before they are opened. A firmware that is called on may start after the rig: opening waits for it. */
void announce_wait(const struct rig_config *config);
/* Of an open rig: where flight controllers and the devices at their ports are. */
void announce_links(const struct rig *rig);

/* What a rig file may say and is seldom meant: told before anything flies, and flown all the same. A line for each. */
void print_doubts(FILE *out, const struct rig_config *c);
