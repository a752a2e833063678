/* What the firmware asks of a board, and all that a port to another one has to write: a file
 * board_NAME.c with these functions and its interrupt vectors, and memory_NAME.ld. Everything else here
 * is the Cortex-M4's (core.h) or the project's own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of the line, by make; a board's file refuses what its UART would miss by more than 2 %. */
#ifndef FIRMWARE_BAUD
#define FIRMWARE_BAUD 1000000
#endif

_Static_assert(FIRMWARE_BAUD > 0, "FIRMWARE_BAUD: must be greater than 0");
enum { BOARD_BAUD = FIRMWARE_BAUD > 0 ? FIRMWARE_BAUD : 1 };

/* What the rig calls it: at most 32 characters, with the version. */
extern const char board_name[];

/* Wants every n-th sensor frame of the rig's. */
extern const int board_frame_every;

/* Clocks and pins as this firmware needs them. Returns the processor's clock in Hz. */
uint32_t board_start(void);

/* The UART to the rig, 8N1 at BOARD_BAUD, both ways by interrupt. After board_start(). */
void board_uart_start(void);

/* Bytes that have arrived, at most cap, up to and including the first zero, which closes a message; 0: none.
 * *stamp: the core_stamp() at which that zero came in, taken by the interrupt. */
size_t board_uart_read(uint8_t *bytes, size_t cap, uint32_t *stamp);

/* True while nothing waits to be read. To be asked with interrupts off, before sleeping. */
bool board_uart_idle(void);

/* Sends all of it or, where it does not fit behind what is still on its way, nothing: a message cut in two is
 * worse than a lost one. */
bool board_uart_write(const uint8_t *bytes, size_t len);

/* How long what waits keeps the line from a byte that is written now; to two bytes and the UART's FIFO. */
int64_t board_uart_queue_ns(void);

/* Bytes that arrived and were lost since the start: the processor was too slow for the line. */
uint32_t board_uart_lost(void);
