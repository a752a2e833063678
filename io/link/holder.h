/* Which other process of this machine holds a file or a socket open, as far as /proc shows. */
#pragma once

#include <sys/types.h>

/* Of what its descriptors lead to: "/dev/bus/usb/001/004", "socket:[4711]". 0: not known. Some milliseconds. */
pid_t holder_find(const char *target);
