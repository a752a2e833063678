/* Threads that share work, such as that of one period: numbered pieces that do not know of each other, each done once by
 * whoever is free. What comes out does not depend on how many threads there are. */
#pragma once

#include <stddef.h>

struct crew;

/* `threads` in all, the caller's among them, with its priority and processors. NULL: no memory, or no more threads. */
struct crew *crew_open(int threads);
int crew_threads(const struct crew *c); /* 1 of NULL, the caller's */
void crew_close(struct crew *c); /* NULL is allowed */

/* work(with, 0) to work(with, count - 1), in any order and on any thread; returns when all are done. NULL: the caller does
 * them, in their order. */
void crew_work(struct crew *c, void (*work)(void *with, int piece), void *with,
               int count);
