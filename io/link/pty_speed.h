/* The baud rate that a terminal is set to. */
#pragma once

#include <stdint.h>

/* 0: not known. */
uint32_t pty_speed_now(int tty);
