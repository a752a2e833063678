/* A thread that works for the loop without disturbing it. */
#ifndef HIL_TIME_BACKGROUND_H
#define HIL_TIME_BACKGROUND_H

#include <pthread.h>

/* SCHED_OTHER whatever the caller's class is; signals stay with the other threads. stack_bytes: little enough to be locked
 * in memory. 0, or an errno. */
int background_start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *),
                     void *of);

#endif
