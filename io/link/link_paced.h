/* A link that takes as long for its bytes as a serial line of a given baud rate: written bytes wait
 * in a queue and are passed on at ten bits a byte, up to the caller's clock. For measuring what a
 * line can carry, without having one. */
#pragma once

#include "io/link/link.h"

/* Around `under`, which is closed with it; 8N1 at `baud`, with a transmit queue of `queue` bytes. NULL: no
 * memory; `under` stays open. */
struct link *link_paced_open(struct link *under, uint32_t baud, size_t queue);

/* Time has advanced to t_ns, starting at 0: bytes whose stop bit is over reach `under`. False: it
 * is gone. */
bool link_paced_pass(struct link *l, int64_t t_ns);

/* Bytes that wait. */
size_t link_paced_waiting(const struct link *l);
