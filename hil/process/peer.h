/* Which process of this machine is at the other end of a link, as far as the kernel tells. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "io/link/link.h"

/* 0: nobody is there yet, it is on another machine or another user's, or the link is of another kind than tcp,
 * udp and unix. Looks through /proc: takes some milliseconds. */
pid_t peer_process(const struct link *link);

/* How long all processors of this machine together have been idle since it started; 0: not known. */
int64_t host_idle_ns(void);
