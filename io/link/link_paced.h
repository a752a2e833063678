/* A link that takes as long for its bytes as a serial line of a given speed: what is written waits in a
 * queue and goes on ten bits a byte, as far as the caller's clock has come. For measuring what a line
 * can carry, without one. */
#ifndef IO_LINK_LINK_PACED_H
#define IO_LINK_LINK_PACED_H

#include "io/link/link.h"

/* Around `under`, which is closed with it; 8N1 at `baud`, with a transmit queue of `queue` bytes. NULL: no
 * memory; `under` stays open. */
struct link *link_paced_open(struct link *under, uint32_t baud, size_t queue);

/* Time has come to t_ns, from 0 on: bytes whose stop bit is over reach `under`. False: it is gone. */
bool link_paced_pass(struct link *l, int64_t t_ns);

/* Bytes that wait. */
size_t link_paced_waiting(const struct link *l);

#endif
