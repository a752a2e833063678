/* A capture board on a link that is open already. Of its counts `short_blocks` are batches that were
 * lost on the way, `overruns` records that the board had no room for, `failed` frames and records
 * that were damaged. Ticks are the board's own; after a restart they go on where they stopped. */
#ifndef IO_CAPTURE_BOARD_H
#define IO_CAPTURE_BOARD_H

#include "io/capture/capture.h"

#define CAPTURE_BOARD_HELLO_MS 3000 /* a board that restarts when its port is opened */
/* Silence for so long is a stall: the board is asked again. */
#define CAPTURE_BOARD_SILENCE_MS 1000

/* Asks for a hello and waits for it for up to hello_ms of host time. Takes the link, which it closes
 * in any case, in the end. NULL with a reason. */
struct capture *capture_board_start(struct link *link, int hello_ms,
                                    struct link_error *why);

#endif
