/* The baud rate that a terminal is set to. */
#ifndef IO_LINK_PTY_SPEED_H
#define IO_LINK_PTY_SPEED_H

#include <stdint.h>

/* 0: not known. */
uint32_t pty_speed_now(int tty);

#endif
