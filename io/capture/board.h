/* A capture board on a link that is already open. In its counts `short_blocks` are batches lost on
 * the way, `overruns` records that the board had no room for, `failed` damaged frames and records.
 * Ticks are the board's own; after a restart they continue where they stopped. */
#pragma once

#include "io/capture/capture.h"

#define CAPTURE_BOARD_HELLO_MS 3000 /* a board that restarts when its port is opened */
/* Silence for this long is a stall: the board is asked again. */
#define CAPTURE_BOARD_SILENCE_MS 1000

/* Asks for a hello and waits for it for up to hello_ms of host time. Takes ownership of the link
 * and closes it in any case. NULL with a reason. */
struct capture *capture_board_start(struct link *link, int hello_ms,
                                    struct link_error *why);
