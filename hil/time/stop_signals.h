/* SIGINT, SIGTERM and SIGHUP as bytes that wait to be read: who is stopped ends in order, and leaves no board armed
 * and no file without its end. */
#pragma once

#include <stdbool.h>

/* Blocks them for this thread and those that it starts from now on; a SIGHUP that is ignored, as under nohup, stays
 * so. Returns a descriptor that becomes readable when one has come and is the caller's to close, or -1. */
int stop_signals_open(void);
/* One has come, and waits on. False for -1. */
bool stop_signals_came(int fd);
