/* The reference flight controller inside the rig's own process: a link whose other end is its code, which runs in the write
 * that brings it a frame. No process, no system call, the same bytes as over any other link. For lockstep: in real time it
 * would take the loop's time. */
#pragma once

#include "io/link/link.h"
#include "models/fc/fc.h"

/* A flight controller just switched on; p must outlive it. Told goodbye it goes on to answer, disarmed, as a board does.
 * NULL: out of memory. */
struct link *fc_inside_open(const struct fc_params *p, struct link_error *why);
